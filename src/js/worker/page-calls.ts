import { CALLED } from "../event-delivery.js";
import { suspend } from "../flow/suspend.js";
import type { Json } from "../wire.js";
import type { CallbackForm, CallbackValue, ErrorMessage, WorkerMessage } from "./protocol.js";
import { describeForPage, restoreFromPage } from "./thread-errors.js";

/** Function of the page in the worker. */
export type RemoteFunction = (...values: unknown[]) => Promise<unknown>;

interface RunningCall {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  /** The callback was called, or has thrown an error. */
  called(error?: { reason: unknown }): void;
}

/** Calls of the callbacks of the page. */
export class PageCalls {
  readonly #post: (message: WorkerMessage) => void;
  readonly #running = new Map<number, RunningCall>();
  #count = 0;

  constructor(post: (message: WorkerMessage) => void) {
    this.#post = post;
  }

  /** Returns the function of a callback. */
  function(number: number, form: CallbackForm): RemoteFunction {
    if (form === "listener") return (...values) => this.#notify(number, values);
    return (...values) => {
      const { signal, given } = splitSignal(values, form);
      return this.call(number, given, signal);
    };
  }

  /** Calls a callback. An abort of the signal is forwarded. */
  call(number: number, values: unknown[], signal?: AbortSignal): Promise<unknown> {
    return this.#start(number, values, signal).result;
  }

  /** Notifies a listener. The page may still wait for its promise when it was called. */
  #notify(number: number, values: unknown[]): Promise<unknown> {
    const { result, called } = this.#start(number, values, undefined);
    // An error before the listener has returned is that of `called`.
    const isCalled = called.then(
      () => true,
      () => false,
    );
    const outcome = isCalled.then((isOk) => (isOk ? result : undefined));
    result.catch(() => {});
    return Object.assign(outcome, { [CALLED]: called });
  }

  #start(
    number: number,
    values: unknown[],
    signal: AbortSignal | undefined,
  ): { result: Promise<unknown>; called: Promise<void> } {
    this.#count += 1;
    const id = this.#count;
    const onAbort = (): void =>
      this.#post({ type: "abort", id, reason: describeForPage(signal?.reason) });
    const end = (): void => {
      this.#running.delete(id);
      signal?.removeEventListener("abort", onAbort);
    };
    let onCalled: RunningCall["called"] = () => {};
    const called = new Promise<void>((resolve, reject) => {
      onCalled = (error) => (error ? reject(error.reason) : resolve());
    });
    called.catch(() => {});
    const result = new Promise((resolve, reject) => {
      this.#running.set(id, {
        resolve: (value) => {
          end();
          resolve(value);
        },
        reject: (reason) => {
          end();
          onCalled({ reason });
          reject(reason);
        },
        called: onCalled,
      });
    });
    this.#post({ type: "callback", id, number, arguments: values });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
    return { result, called };
  }

  onCalled(id: number): void {
    this.#running.get(id)?.called();
  }

  onAnswer(id: number, value: CallbackValue): void {
    this.#running.get(id)?.resolve(decodeValue(value));
  }

  onFailure(id: number, error: ErrorMessage): void {
    this.#running.get(id)?.reject(restoreFromPage(error));
  }
}

/** Separates the signal of a call, which cannot be copied, from its values. */
function splitSignal(
  values: unknown[],
  form: CallbackForm,
): { signal: AbortSignal | undefined; given: unknown[] } {
  if (form === "query") {
    const isSignal = (value: unknown): boolean => value instanceof AbortSignal;
    const signal = values.find(isSignal) as AbortSignal | undefined;
    return { signal, given: values.filter((value) => !isSignal(value)) };
  }
  if (form !== "request") return { signal: undefined, given: values };
  const { signal, ...request } = values[0] as { signal?: AbortSignal };
  return { signal, given: [request] };
}

function decodeValue(value: CallbackValue): unknown {
  if (value.kind === "plain") return value.value;
  const json = JSON.parse(value.text) as Json;
  return value.kind === "suspended" ? suspend(json) : json;
}
