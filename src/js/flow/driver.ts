import { abortable } from "../abort.js";
import { report } from "../report.js";
import type { Effect, TaskUpdate } from "../task-driver.js";
import type { Json } from "../wire.js";

/** Progress of a run. */
export interface RunUpdate extends TaskUpdate {
  /** Numbers of effects whose results are not needed any more. */
  aborted?: number[];
  /** Whether the run has failed, and only waits for running calls. */
  failing?: boolean;
  /** Whether the trace should be stored before the next call. */
  checkpoint?: boolean;
}

/** Connection of the driver to a run of the core. */
export interface RunHost {
  resume(result: string, effect: Effect): RunUpdate;
  /** Ends the run; stores the traces of running workflows of its nodes before. */
  cancel(): RunUpdate;
  /**
   * Performs an effect and returns the JSON text of a response. Never rejects. `signal` asks the
   * callee to end, `stopped` ends the effect at once.
   */
  perform(effect: Effect, signal: AbortSignal, stopped: AbortSignal): Promise<string>;
  /** Notifies listeners; may return a promise. */
  notify(event: Json): unknown;
  /** Stores the trace; `undefined` if the host stores none. */
  checkpoint: ((final: Json | undefined) => Promise<void>) | undefined;
}

/**
 * Runs a workflow to its end. Before new calls start, all results that have arrived are handled and
 * the trace is stored. An abort ends the run at once; after a failure the running calls are aborted
 * and have `graceMs` to end.
 */
export class RunDriver {
  readonly #host: RunHost;
  readonly #signal: AbortSignal | undefined;
  readonly #graceMs: number;
  /** Errors of listeners. They cancel the run. */
  readonly #errors: unknown[] = [];
  readonly #results: [response: string, effect: Effect][] = [];
  /** One controller per running effect, by number. */
  readonly #controllers = new Map<number, AbortController>();
  /** Controllers that end running effects at once, by number. */
  readonly #stops = new Map<number, AbortController>();
  /** Aborts when the run stops, for waits of the driver itself. */
  readonly #stopped = new AbortController();
  #isCancelled = false;
  #isOver = false;
  /** `undefined` until the run fails. */
  #grace: "running" | "over" | undefined;
  #graceTimer: ReturnType<typeof setTimeout> | undefined;
  #wake: () => void = () => {};

  constructor(host: RunHost, signal: AbortSignal | undefined, graceMs = 0) {
    this.#host = host;
    this.#signal = signal;
    this.#graceMs = graceMs;
  }

  async run(start: () => RunUpdate): Promise<Json> {
    this.#signal?.addEventListener("abort", this.#stop);
    if (this.#signal?.aborted) this.#stop();
    const queue: Effect[] = [];
    let isCheckpointDue = false;
    try {
      for (let update = start(); ; ) {
        this.#notify(update.events);
        isCheckpointDue ||= update.checkpoint === true;
        // A spread of many thousands of effects would exceed the stack.
        for (const effect of update.effects) queue.push(effect);
        for (const number of update.aborted ?? []) this.#abortEffect(number, queue);
        if (update.done !== undefined) {
          if (isCheckpointDue && !this.#mustStop) await this.#storeTrace(update.done);
          if (this.#errors.length > 0) throw this.#errors[0];
          return update.done;
        }
        if (update.failing) this.#beginGrace(queue);
        const next = this.#nextUpdate();
        if (next) {
          update = next;
          continue;
        }
        if (isCheckpointDue) {
          isCheckpointDue = false;
          await this.#storeTrace(undefined);
          // Results may have arrived, or the run may have to stop.
          if (this.#mustStop || this.#results.length > 0) {
            update = { events: [], effects: [] };
            continue;
          }
        }
        for (const effect of queue.splice(0)) void this.#perform(effect);
        update = await this.#waitForUpdate();
      }
    } finally {
      this.#isOver = true;
      clearTimeout(this.#graceTimer);
      this.#signal?.removeEventListener("abort", this.#stop);
      // Stops effects whose results are no longer needed.
      this.#stopAll(new Error("the run is over"));
    }
  }

  get #mustStop(): boolean {
    return this.#signal?.aborted === true || this.#errors.length > 0;
  }

  /** Notifies listeners without waiting. They may throw or reject. */
  #notify(events: readonly Json[]): void {
    for (const event of events) {
      try {
        const outcome = this.#host.notify(event);
        if (outcome !== undefined) Promise.resolve(outcome).catch(this.#fail);
      } catch (error) {
        this.#errors.push(error);
      }
    }
  }

  /** An error of a listener stops a running run. After the end it has no caller. */
  readonly #fail = (error: unknown): void => {
    if (this.#isOver) {
      report(error);
      return;
    }
    this.#errors.push(error);
    this.#stop();
  };

  async #storeTrace(final: Json | undefined): Promise<void> {
    if (!this.#host.checkpoint) return;
    try {
      await abortable(this.#host.checkpoint(final), this.#stopped.signal);
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#errors.push(error);
    }
  }

  /** Aborts the running calls of a failed run, and waits for them until the grace period ends. */
  #beginGrace(queue: Effect[]): void {
    queue.length = 0;
    if (this.#grace) return;
    this.#grace = this.#graceMs > 0 ? "running" : "over";
    this.#abortAll(new Error("another node failed"));
    if (this.#grace === "over") return;
    this.#graceTimer = setTimeout(() => {
      this.#grace = "over";
      this.#wake();
    }, this.#graceMs);
  }

  async #perform(effect: Effect): Promise<void> {
    const number = effect["number"] as number;
    const controller = new AbortController();
    this.#controllers.set(number, controller);
    const stopped = new AbortController();
    this.#stops.set(number, stopped);
    const response = await this.#host.perform(effect, controller.signal, stopped.signal);
    if (this.#controllers.get(number) !== controller) return;
    this.#controllers.delete(number);
    this.#stops.delete(number);
    if (this.#isCancelled || this.#isOver) return;
    this.#results.push([response, effect]);
    this.#wake();
  }

  /** Returns the update after the next result or the end, or `undefined` if there is none yet. */
  #nextUpdate(): RunUpdate | undefined {
    if (this.#mustStop || (this.#grace && (this.#grace === "over" || this.#isIdle))) {
      if (this.#isCancelled) throw new Error("a cancelled run did not end");
      this.#isCancelled = true;
      return this.#host.cancel();
    }
    const result = this.#results.shift();
    return result && this.#host.resume(...result);
  }

  get #isIdle(): boolean {
    return this.#controllers.size === 0 && this.#results.length === 0;
  }

  async #waitForUpdate(): Promise<RunUpdate> {
    for (;;) {
      const update = this.#nextUpdate();
      if (update) return update;
      if (this.#isIdle) throw new Error("a run neither ended nor requested a call");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  readonly #stop = (): void => {
    const reason = this.#signal?.aborted ? this.#signal.reason : this.#errors[0];
    this.#stopped.abort(reason);
    this.#stopAll(reason);
    this.#wake();
  };

  #abortAll(reason: unknown): void {
    for (const each of this.#controllers.values()) each.abort(reason);
  }

  /** Ends all running effects at once. */
  #stopAll(reason: unknown): void {
    this.#abortAll(reason);
    for (const each of this.#stops.values()) each.abort(reason);
  }

  /** Aborts an effect whose result is not needed, and forgets it. */
  #abortEffect(number: number, queue: Effect[]): void {
    const index = queue.findIndex((effect) => effect["number"] === number);
    if (index >= 0) queue.splice(index, 1);
    const controller = this.#controllers.get(number);
    this.#controllers.delete(number);
    const reason = new Error("the result of this call is not needed any more");
    controller?.abort(reason);
    this.#stops.get(number)?.abort(reason);
    this.#stops.delete(number);
  }
}
