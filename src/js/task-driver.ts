import { abortable, anySignal, deadline } from "./abort.js";
import { wordsOf } from "./errors.js";
import { wellFormed } from "./json-text.js";
import { report } from "./report.js";
import type { Json } from "./wire.js";

/** Where a task stands: what happened, and what it needs besides what it is waiting for, or its result. */
export interface Turn {
  events: Json[];
  effects: Effect[];
  done?: Json;
}

/** What the core cannot do itself. */
export type Effect = { kind: string } & { [part: string]: Json };

/** What the loop needs of whoever it drives. */
export interface Driven {
  /** Goes on with the answer to an effect: JSON text of `{value}` or `{failed}`. */
  resume(answer: string, effect: Effect): Turn;
  cancel(): Turn;
  /** Does what the core asks for; answers JSON text. An abort of the signal rejects it. */
  perform(effect: Effect, signal: AbortSignal): string | Promise<string>;
  /** Tells whoever listens; what that answers may be a promise. */
  tell(event: Json): unknown;
}

/** Milliseconds that whatever must be done after an abort may take for each thing that it asks. */
const GRACE = 5_000;

/**
 * Drives a task of the core to its end; what it asks for at once is done at once. Nothing of the
 * core is borrowed while anybody is waited for, so listeners and callbacks may use it. An abort
 * gives up what is waited for; the core may still ask for what has to be done whatever happens,
 * and gets it for as long as the grace lasts.
 */
export function drive(
  driven: Driven,
  begin: () => Turn,
  signal: AbortSignal | undefined,
): Promise<Json> {
  return new Task(driven, signal).run(begin);
}

/** A task on its way: what it waits for, and what has come of that. */
class Task {
  readonly #driven: Driven;
  readonly #signal: AbortSignal | undefined;
  /** What listeners have thrown: then it is stopped first, or the core would wait for ever. */
  readonly #faults: unknown[] = [];
  readonly #answers: [answer: string, effect: Effect][] = [];
  /** One for each effect, because those who are called may all listen to theirs. */
  readonly #controllers = new Set<AbortController>();
  /** How many effects it waits for. */
  #open = 0;
  #cancelled = false;
  #over = false;
  #wake: () => void = () => {};

  constructor(driven: Driven, signal: AbortSignal | undefined) {
    this.#driven = driven;
    this.#signal = signal;
  }

  async run(begin: () => Turn): Promise<Json> {
    this.#signal?.addEventListener("abort", this.#stop);
    try {
      for (let turn = begin(); ; turn = await this.#next()) {
        this.#tell(turn.events);
        if (turn.done !== undefined) {
          if (this.#faults.length > 0) throw this.#faults[0];
          return turn.done;
        }
        if (this.#mustCancel) continue;
        for (const effect of turn.effects) void this.#perform(effect);
      }
    } finally {
      this.#over = true;
      this.#signal?.removeEventListener("abort", this.#stop);
      // Whoever is still at work, is so for nobody.
      this.#abort(new Error("the task is over"));
    }
  }

  get #stopped(): boolean {
    return this.#signal?.aborted === true || this.#faults.length > 0;
  }

  /** Whether it was stopped, and has not been told. */
  get #mustCancel(): boolean {
    return this.#stopped && !this.#cancelled;
  }

  /** Tells whoever listens, who may throw, at once or later. Nobody is waited for. */
  #tell(events: readonly Json[]): void {
    for (const event of events) {
      try {
        const told = this.#driven.tell(event);
        if (told !== undefined) Promise.resolve(told).catch(this.#fail);
      } catch (fault) {
        this.#faults.push(fault);
      }
    }
  }

  /** What a listener comes to while the task goes on stops it; behind its end that has no caller. */
  readonly #fail = (fault: unknown): void => {
    if (this.#over) {
      report(fault);
      return;
    }
    this.#faults.push(fault);
    this.#abort(fault);
    this.#wake();
  };

  async #perform(effect: Effect): Promise<void> {
    const late = this.#cancelled ? deadline(GRACE) : undefined;
    const own = new AbortController();
    this.#open += 1;
    this.#controllers.add(own);
    const answer = await answerTo(this.#driven.perform, effect, late?.signal ?? own.signal);
    this.#controllers.delete(own);
    late?.clear();
    // What comes in spite of an abort is not looked at.
    if (!late && (this.#stopped || this.#cancelled)) return;
    this.#open -= 1;
    this.#answers.push([answer, effect]);
    this.#wake();
  }

  /** Where it stands after the next answer, or after it was stopped. */
  async #next(): Promise<Turn> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer) return this.#driven.resume(...answer);
      if (this.#mustCancel) {
        this.#cancelled = true;
        this.#open = 0;
        return this.#driven.cancel();
      }
      if (this.#open === 0) throw new Error("a task neither ended nor asked for anything");
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
export async function answerTo(
  perform: Driven["perform"],
  effect: Effect,
  signal: AbortSignal,
): Promise<string> {
  try {
    const value = await abortable(Promise.resolve(perform(effect, signal)), signal);
    return `{"value":${value}}`;
  } catch (reason) {
    return JSON.stringify({ failed: messageOf(reason) });
  }
}

/** The words of whatever was thrown, as text that the core can read. */
export function messageOf(reason: unknown): string {
  return wellFormed(wordsOf(reason));
}

/** Has work done under a signal that also ends after so many milliseconds, where there is a number. */
export async function bounded<T>(
  signal: AbortSignal,
  milliseconds: Json | undefined,
  work: (within: AbortSignal) => T | Promise<T>,
): Promise<T> {
  if (typeof milliseconds !== "number") return abortable(Promise.resolve(work(signal)), signal);
  const late = deadline(milliseconds);
  const within = anySignal(signal, late.signal);
  try {
    return await abortable(Promise.resolve(work(within.signal)), within.signal);
  } finally {
    within.clear();
    late.clear();
  }
}
