import type { ApplyResult, Diagnostic } from "../types.js";

/** Returns the result of a message that waits. Its diagnostics are in the log when it has run. */
export function waitingResult(): { ok: boolean; diagnostics: Diagnostic[] } {
  return { ok: true, diagnostics: [] };
}

/** Returns the result of an update of a store that waits. */
export function waitingUpdate(): ApplyResult {
  const result = { ok: true as const, changed: [], deleted: [], inverse: {}, diagnostics: [] };
  return { ...result, toJSON: () => result };
}
