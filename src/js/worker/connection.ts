import { BynameError } from "../errors.js";
import { report } from "../report.js";
import { ArgumentEncoder } from "./encoder.js";
import type { PageCallback, PagePort } from "./page-port.js";
import type { Argument, CallValue, ErrorMessage, PageMessage, WorkerMessage } from "./protocol.js";
import { ThrownValues } from "./thrown-values.js";
import { WorkerError } from "./worker-error.js";

/** Worker of a host. */
export interface WorkerThread {
  post(message: PageMessage, transfer: Transferable[]): void;
  terminate(): unknown;
  /** Sets whether the process waits for the worker, where the host has such a setting. */
  keepAlive?(isNeeded: boolean): void;
}

/** Events of a worker. */
export interface WorkerEvents {
  onMessage(message: WorkerMessage): void;
  onEnd(detail: string, cause?: unknown): void;
}

/** Call of an object in the worker. */
export interface Call {
  method: string;
  /** Object whose method is called; it is not released during the call. */
  target?: { readonly handle: number };
  /** Handles of the objects that the call creates. */
  created?: number[];
  encode?: (encoder: ArgumentEncoder) => Argument[];
}

interface PendingCall {
  resolve(value: CallValue): void;
  reject(reason: unknown): void;
  target: object | undefined;
}

/** Connection of the page to its worker. */
export class Connection implements PagePort {
  readonly #thread: WorkerThread;
  readonly #calls = new Map<number, PendingCall>();
  readonly #callbacks = new Map<number, PageCallback>();
  /** Running callbacks by the number of their call. */
  readonly #running = new Map<number, AbortController>();
  readonly #thrown = new ThrownValues();
  /** Releases objects that were garbage-collected. */
  readonly #registry = new FinalizationRegistry<() => void>((release) => release());
  #count = 0;
  #end: WorkerError | undefined;

  constructor(thread: WorkerThread) {
    this.#thread = thread;
  }

  /** Calls a method. Rejects with the error of the method, or when the worker ends. */
  async call({ method, target, created = [], encode }: Call): Promise<CallValue> {
    const encoder = new ArgumentEncoder(this);
    try {
      const given = encode?.(encoder) ?? [];
      return await this.#send(method, target, created, given, encoder.transfer);
    } finally {
      encoder.release();
    }
  }

  #send(
    method: string,
    target: Call["target"],
    created: number[],
    given: Argument[],
    transfer: Transferable[],
  ): Promise<CallValue> {
    if (this.#end) throw this.#end;
    const id = this.#nextId();
    const handle = target?.handle ?? 0;
    this.#post({ type: "call", id, method, target: handle, created, arguments: given }, transfer);
    this.#thread.keepAlive?.(true);
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, target });
    });
  }

  /** Returns a handle for an object that the page asks the worker to create. */
  newHandle(): number {
    return this.#nextId();
  }

  /** Releases an object in the worker when the object of the page is garbage-collected. */
  register(object: object, handle: number, release: () => void): void {
    this.#registry.register(object, () => this.releaseRemote(handle, release), object);
  }

  /** Releases an object in the worker. */
  releaseRemote(handle: number, release: () => void, object?: object): void {
    if (object) this.#registry.unregister(object);
    release();
    if (!this.#end) this.#thread.post({ type: "free", handle }, []);
  }

  addCallback(callback: PageCallback): number {
    const number = this.#nextId();
    this.#callbacks.set(number, callback);
    return number;
  }

  removeCallback(number: number): void {
    this.#callbacks.delete(number);
  }

  forwardSignal(signal: AbortSignal): ReturnType<PagePort["forwardSignal"]> {
    const number = this.#nextId();
    const describe = (): ErrorMessage => this.#thrown.describe(signal.reason);
    const onAbort = (): void => {
      if (!this.#end) this.#thread.post({ type: "abort", signal: number, reason: describe() }, []);
    };
    if (signal.aborted) return { number, reason: describe(), release: () => {} };
    signal.addEventListener("abort", onAbort);
    const release = (): void => signal.removeEventListener("abort", onAbort);
    return { number, reason: undefined, release };
  }

  /** Ends the worker. Pending and later calls reject. */
  async close(): Promise<void> {
    this.end(new WorkerError("closed"));
    await this.#thread.terminate();
  }

  /** Rejects pending and later calls, and aborts running callbacks. */
  end(error: WorkerError): void {
    if (this.#end) return;
    this.#end = error;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(error);
    for (const controller of this.#running.values()) controller.abort(error);
    this.#callbacks.clear();
    this.#thread.keepAlive?.(false);
  }

  receive(message: WorkerMessage): void {
    if (message.type === "result") this.#takePending(message.id)?.resolve(message.value);
    else if (message.type === "error")
      this.#takePending(message.id)?.reject(this.#thrown.restore(message.error));
    else if (message.type === "abort")
      this.#running.get(message.id)?.abort(this.#thrown.restore(message.reason));
    else if (message.type === "callback")
      void this.#run(message.id, message.number, message.arguments).catch(report);
  }

  #takePending(id: number): PendingCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.#thread.keepAlive?.(false);
    return call;
  }

  async #run(id: number, number: number, values: unknown[]): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    const called = (): void => this.#postAnswer({ type: "called", id });
    try {
      const callback = this.#callbacks.get(number);
      if (!callback) throw new Error("the call that uses this callback has ended");
      const { value, transfer } = await callback(values, controller.signal, called);
      this.#postAnswer({ type: "answer", id, value }, transfer);
    } catch (error) {
      this.#postAnswer({ type: "failure", id, error: this.#thrown.describe(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #postAnswer(message: PageMessage, transfer: Transferable[] = []): void {
    if (!this.#end) this.#post(message, transfer);
  }

  /** Posts a message. Buffers that the host does not transfer are copied. */
  #post(message: PageMessage, transfer: Transferable[]): void {
    try {
      this.#thread.post(message, transfer);
    } catch (error) {
      if (transfer.length > 0) this.#post(message, []);
      else throw new BynameError("argument", `the arguments cannot be copied (${String(error)})`);
    }
  }

  #nextId(): number {
    this.#count += 1;
    return this.#count;
  }
}
