import { abortable, anySignal, deadline } from "./abort.js";
import { errorMessage } from "./errors.js";
import { deliverEvents } from "./event-delivery.js";
import { toWellFormed } from "./json-text.js";
import { report } from "./report.js";
import type { Json } from "./wire.js";

/** Progress of a task: events, new effects, or the result. */
export interface TaskUpdate {
  events: Json[];
  effects: Effect[];
  done?: Json;
}

/** Request of the core to the host. */
export type Effect = { kind: string } & { [part: string]: Json };

/** Connection of the loop to a task of the core. */
export interface TaskHost {
  /** Continues with the result of an effect: JSON text of `{value}` or `{failed}`. */
  resume(result: string, effect: Effect): TaskUpdate | Promise<TaskUpdate>;
  cancel(): TaskUpdate | Promise<TaskUpdate>;
  /** Performs an effect and returns JSON text. Rejects when the signal aborts. */
  perform(effect: Effect, signal: AbortSignal): string | Promise<string>;
  /** Notifies listeners; may return a promise. */
  notify(event: Json): unknown;
}

/** Timeout in milliseconds of each effect that the core requests after an abort. */
const GRACE_MS = 5_000;

/**
 * Runs a task of the core to its end, with all requested effects in parallel. Nothing of the core
 * is borrowed during a wait, so listeners and callbacks may use it. An abort rejects pending
 * effects; effects that the core requests after it get a grace period.
 */
export function runTask(
  host: TaskHost,
  start: () => TaskUpdate,
  signal: AbortSignal | undefined,
): Promise<Json> {
  return new Task(host, signal).run(start);
}

/** Running task with its pending effects. */
class Task {
  readonly #host: TaskHost;
  readonly #signal: AbortSignal | undefined;
  /** Errors of listeners. They cancel the task. */
  readonly #errors: unknown[] = [];
  readonly #results: [answer: string, effect: Effect][] = [];
  /** One controller per effect, because each callee may listen to its signal. */
  readonly #controllers = new Set<AbortController>();
  /** Number of pending effects. */
  #openEffects = 0;
  #isCancelled = false;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(host: TaskHost, signal: AbortSignal | undefined) {
    this.#host = host;
    this.#signal = signal;
  }

  async run(start: () => TaskUpdate): Promise<Json> {
    this.#signal?.addEventListener("abort", this.#stop);
    try {
      for (let update = start(); ; update = await this.#nextUpdate()) {
        const called = this.#notify(update.events);
        if (called) await called;
        if (update.done !== undefined) {
          if (this.#errors.length > 0) throw this.#errors[0];
          return update.done;
        }
        if (this.#mustCancel) continue;
        for (const effect of update.effects) void this.#perform(effect);
      }
    } finally {
      this.#isOver = true;
      this.#signal?.removeEventListener("abort", this.#stop);
      // Stops effects whose results are no longer needed.
      this.#abort(new Error("the task is over"));
    }
  }

  get #isStopped(): boolean {
    return this.#signal?.aborted === true || this.#errors.length > 0;
  }

  get #mustCancel(): boolean {
    return this.#isStopped && !this.#isCancelled;
  }

  /** Notifies listeners. Their errors cancel it. */
  #notify(events: readonly Json[]): Promise<unknown> | undefined {
    const onThrow = (error: unknown): void => {
      this.#errors.push(error);
    };
    return deliverEvents(events, (event) => this.#host.notify(event), onThrow, this.#fail);
  }

  /** An error of a listener stops a running task. After the end it has no caller. */
  readonly #fail = (error: unknown): void => {
    if (this.#isOver) {
      report(error);
      return;
    }
    this.#errors.push(error);
    this.#abort(error);
    this.#wake();
  };

  async #perform(effect: Effect): Promise<void> {
    const grace = this.#isCancelled ? deadline(GRACE_MS) : undefined;
    const controller = new AbortController();
    this.#openEffects += 1;
    this.#controllers.add(controller);
    const answer = await performEffect(
      this.#host.perform,
      effect,
      grace?.signal ?? controller.signal,
    );
    this.#controllers.delete(controller);
    grace?.clear();
    // Results that arrive despite an abort are ignored.
    if (!grace && (this.#isStopped || this.#isCancelled)) return;
    this.#openEffects -= 1;
    this.#results.push([answer, effect]);
    this.#wake();
  }

  /** Returns the update after the next result, or after the cancellation. */
  async #nextUpdate(): Promise<TaskUpdate> {
    for (;;) {
      const answer = this.#results.shift();
      if (answer) return this.#host.resume(...answer);
      if (this.#mustCancel) {
        this.#isCancelled = true;
        this.#openEffects = 0;
        return this.#host.cancel();
      }
      if (this.#openEffects === 0) throw new Error("a task neither ended nor requested an effect");
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  readonly #stop = (): void => {
    this.#abort(this.#signal?.reason);
    this.#wake();
  };

  #abort(reason: unknown): void {
    for (const each of this.#controllers) each.abort(reason);
  }
}

/** Performs an effect. Returns JSON text of `{value}`, or of `{failed}` with the reason. */
export async function performEffect(
  perform: TaskHost["perform"],
  effect: Effect,
  signal: AbortSignal,
): Promise<string> {
  try {
    const value = await abortable(Promise.resolve(perform(effect, signal)), signal);
    return `{"value":${value}}`;
  } catch (reason) {
    return JSON.stringify({ failed: wellFormedMessage(reason) });
  }
}

/** Returns the message of a thrown value without lone surrogates. */
export function wellFormedMessage(reason: unknown): string {
  return toWellFormed(errorMessage(reason));
}

/**
 * Runs an action with a signal that also aborts after a timeout in milliseconds, if there is one.
 */
export async function withTimeout<T>(
  signal: AbortSignal,
  milliseconds: Json | undefined,
  action: (combined: AbortSignal) => T | Promise<T>,
): Promise<T> {
  if (typeof milliseconds !== "number") return abortable(Promise.resolve(action(signal)), signal);
  const timeout = deadline(milliseconds);
  const combined = anySignal(signal, timeout.signal);
  try {
    return await abortable(Promise.resolve(action(combined.signal)), combined.signal);
  } finally {
    combined.clear();
    timeout.clear();
  }
}
