import type { Json } from "./wire.js";

/** Key of a promise of a listener in another thread, which settles when the listener was called. */
export const CALLED = Symbol("byname.called");

/**
 * Notifies the listeners of events without waiting for their promises. Listeners in another thread
 * are called before the returned promise resolves.
 */
export function deliverEvents(
  events: readonly Json[],
  notify: (event: Json) => unknown,
  onThrow: (error: unknown) => void,
  onReject: (error: unknown) => void,
): Promise<unknown> | undefined {
  const calls: Promise<void>[] = [];
  for (const event of events) {
    try {
      const outcome = notify(event);
      if (outcome === undefined) continue;
      Promise.resolve(outcome).catch(onReject);
      const called = (Object(outcome) as { [CALLED]?: Promise<void> })[CALLED];
      if (called) calls.push(called.catch(onThrow));
    } catch (error) {
      onThrow(error);
    }
  }
  return calls.length > 0 ? Promise.all(calls) : undefined;
}
