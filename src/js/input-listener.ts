import type { ApplyResult } from "./types.js";

/** Listeners by store. */
const listeners = new WeakMap<object, (changed: readonly string[]) => void>();

/**
 * Calls a function after user input in a surface of a store, with the ids of the changed nodes. It
 * replaces the earlier one, so that a translator which is created again is not called twice.
 */
export function listenToInput(store: object, listener: (changed: readonly string[]) => void): void {
  listeners.set(store, listener);
}

/** Reports user input to the listener of a store. */
export function reportInput(store: object, result: ApplyResult): void {
  // Reading the changed ids costs a call.
  if (result.ok) listeners.get(store)?.(result.changed);
}
