import { abortable, anySignal, deadline } from "./abort.js";
import { wellFormed } from "./text.js";
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
  tell(event: Json): void;
}

/** Milliseconds that whatever must be done after an abort may take for each thing that it asks. */
const GRACE = 5_000;

/**
 * Drives a task of the core to its end; what it asks for at once is done at once. Nothing of the
 * core is borrowed while anybody is waited for, so listeners and callbacks may use it. An abort
 * gives up what is waited for; the core may still ask for what has to be done whatever happens,
 * and gets it for as long as the grace lasts.
 */
export async function drive(
  driven: Driven,
  begin: () => Turn,
  signal: AbortSignal | undefined,
): Promise<Json> {
  // Whoever listens may throw: then the task is stopped first, or the core would wait for ever.
  const faults: unknown[] = [];
  const stopped = (): boolean => signal?.aborted === true || faults.length > 0;
  const answers: [answer: string, effect: Effect][] = [];
  // One for each, because those who are called may all listen to theirs.
  const work = new Set<AbortController>();
  let cancelled = false;
  let open = 0;
  let wake: () => void = () => {};
  const abort = (reason: unknown) => {
    for (const each of work) each.abort(reason);
  };
  const stop = () => {
    abort(signal?.reason);
    wake();
  };

  const perform = async (effect: Effect): Promise<void> => {
    const late = cancelled ? deadline(GRACE) : undefined;
    const own = new AbortController();
    open += 1;
    work.add(own);
    const answer = await answerTo(driven.perform, effect, late?.signal ?? own.signal);
    work.delete(own);
    late?.clear();
    // What comes in spite of an abort is not looked at.
    if (!late && (stopped() || cancelled)) return;
    open -= 1;
    answers.push([answer, effect]);
    wake();
  };

  /** Where the task stands after the next answer, or after it was stopped. */
  const next = async (): Promise<Turn> => {
    for (;;) {
      const answer = answers.shift();
      if (answer) return driven.resume(...answer);
      if (stopped() && !cancelled) {
        cancelled = true;
        open = 0;
        return driven.cancel();
      }
      if (open === 0) throw new Error("a task neither ended nor asked for anything");
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  signal?.addEventListener("abort", stop);
  try {
    for (let turn = begin(); ; turn = await next()) {
      for (const event of turn.events) {
        try {
          driven.tell(event);
        } catch (fault) {
          faults.push(fault);
        }
      }
      if (turn.done !== undefined) {
        if (faults.length > 0) throw faults[0];
        return turn.done;
      }
      if (stopped() && !cancelled) continue;
      for (const effect of turn.effects) void perform(effect);
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    // Whoever is still at work, is so for nobody.
    abort(new Error("the task is over"));
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

/** The words of whatever was thrown. */
export function messageOf(reason: unknown): string {
  try {
    if (!(reason instanceof Error)) return wellFormed(String(reason));
    // Some put the answer of a server there, which is no text.
    const message: unknown = reason.message;
    return wellFormed(
      typeof message === "string" && message !== "" ? message : String(reason.name),
    );
  } catch {
    return "something that cannot be shown was thrown";
  }
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
