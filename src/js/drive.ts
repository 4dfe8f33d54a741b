import { abortable, deadline } from "./llm/abort.js";
import type { Json } from "./wire.js";

/** Where a task stands: what happened, and what it needs next or its result. */
export interface Turn {
  task: number;
  events: Json[];
  effect?: Effect;
  done?: Json;
}

/** What the core cannot do itself. */
export type Effect = { kind: string } & { [part: string]: Json };

/** What the loop needs of whoever it drives. */
export interface Driven {
  resume(task: number, answer: string): Turn;
  cancel(task: number): Turn;
  /** Does what the core asks for. An abort of the signal rejects it. */
  perform(effect: Effect, signal: AbortSignal): Json | Promise<Json>;
  tell(event: Json): void;
}

/** Milliseconds that whatever must be done after an abort may take for each thing that it asks. */
const GRACE = 5_000;

/**
 * Drives a task of the core to its end. Nothing of the core is borrowed while anybody is waited
 * for, so listeners and callbacks may use it. An abort gives up what is waited for; the core may
 * still ask for what has to be done whatever happens, and gets it for as long as the grace lasts.
 */
export async function drive(
  driven: Driven,
  begin: () => Turn,
  signal: AbortSignal | undefined,
): Promise<Json> {
  // Whoever listens may throw: then the task is stopped first, or the core would wait for ever.
  const faults: unknown[] = [];
  const stopped = (): boolean => signal?.aborted === true || faults.length > 0;
  let turn = begin();
  let cancelled = false;
  for (;;) {
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
    if (!turn.effect) throw new Error("a task neither ended nor asked for anything");
    if (!stopped() || cancelled) {
      const answer = cancelled
        ? await graceful(driven, turn.effect)
        : await answerTo(driven, turn.effect, signal ?? new AbortController().signal);
      // What came in spite of an abort is not looked at.
      if (!stopped() || cancelled) {
        turn = driven.resume(turn.task, answer);
        continue;
      }
    }
    cancelled = true;
    turn = driven.cancel(turn.task);
  }
}

async function graceful(driven: Driven, effect: Effect): Promise<string> {
  const grace = deadline(GRACE);
  try {
    return await answerTo(driven, effect, grace.signal);
  } finally {
    grace.clear();
  }
}

/** `{value}`, or `{failed}` with the reason. */
async function answerTo(driven: Driven, effect: Effect, signal: AbortSignal): Promise<string> {
  try {
    const value = await abortable(Promise.resolve(driven.perform(effect, signal)), signal);
    return JSON.stringify({ value: value ?? null });
  } catch (reason) {
    return JSON.stringify({ failed: messageOf(reason) });
  }
}

/** The words of whatever was thrown. */
export function messageOf(reason: unknown): string {
  try {
    if (reason instanceof Error) return reason.message || reason.name;
    return String(reason);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
