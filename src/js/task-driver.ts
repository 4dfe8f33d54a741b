import { abortable, anySignal, deadline } from "./abort.js";
import { errorMessage } from "./errors.js";
import { toWellFormed } from "./json-text.js";
import { report } from "./report.js";
import type { Json } from "./wire.js";

/** Where a task stands: what happened, and what it needs besides what it is waiting for, or its result. */
export interface TaskUpdate {
  events: Json[];
  effects: Effect[];
  done?: Json;
}

/** What the core cannot do itself. */
export type Effect = { kind: string } & { [part: string]: Json };

/** What the loop needs of whoever it drives. */
export interface TaskHost {
  /** Goes on with the answer to an effect: JSON text of `{value}` or `{failed}`. */
  resume(answer: string, effect: Effect): TaskUpdate;
  cancel(): TaskUpdate;
  /** Does what the core asks for; answers JSON text. An abort of the signal rejects it. */
  perform(effect: Effect, signal: AbortSignal): string | Promise<string>;
  /** Tells whoever listens; what that answers may be a promise. */
  notify(event: Json): unknown;
}

/** Milliseconds that whatever must be done after an abort may take for each thing that it asks. */
const GRACE_MS = 5_000;

/**
 * Drives a task of the core to its end; what it asks for at once is done at once. Nothing of the
 * core is borrowed while anybody is waited for, so listeners and callbacks may use it. An abort
 * gives up what is waited for; the core may still ask for what has to be done whatever happens,
 * and gets it for as long as the grace lasts.
 */
export function runTask(
  host: TaskHost,
  start: () => TaskUpdate,
  signal: AbortSignal | undefined,
): Promise<Json> {
  return new Task(host, signal).run(start);
}

/** A task on its way: what it waits for, and what has come of that. */
class Task {
  readonly #host: TaskHost;
  readonly #signal: AbortSignal | undefined;
  /** What listeners have thrown: then it is stopped first, or the core would wait for ever. */
  readonly #errors: unknown[] = [];
  readonly #results: [answer: string, effect: Effect][] = [];
  /** One for each effect, because those who are called may all listen to theirs. */
  readonly #controllers = new Set<AbortController>();
  /** How many effects it waits for. */
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
        this.#notify(update.events);
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
      // Whoever is still at work, is so for nobody.
      this.#abort(new Error("the task is over"));
    }
  }

  get #isStopped(): boolean {
    return this.#signal?.aborted === true || this.#errors.length > 0;
  }

  /** Whether it was stopped, and has not been told. */
  get #mustCancel(): boolean {
    return this.#isStopped && !this.#isCancelled;
  }

  /** Tells whoever listens, who may throw, at once or later. Nobody is waited for. */
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

  /** What a listener comes to while the task goes on stops it; behind its end that has no caller. */
  readonly #fail = (fault: unknown): void => {
    if (this.#isOver) {
      report(fault);
      return;
    }
    this.#errors.push(fault);
    this.#abort(fault);
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
    // What comes in spite of an abort is not looked at.
    if (!grace && (this.#isStopped || this.#isCancelled)) return;
    this.#openEffects -= 1;
    this.#results.push([answer, effect]);
    this.#wake();
  }

  /** Where it stands after the next answer, or after it was stopped. */
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

/** `{value}`, or `{failed}` with the reason. */
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

/** The words of whatever was thrown, as text that the core can read. */
export function wellFormedMessage(reason: unknown): string {
  return toWellFormed(errorMessage(reason));
}

/** Has work done under a signal that also ends after so many milliseconds, where there is a number. */
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
