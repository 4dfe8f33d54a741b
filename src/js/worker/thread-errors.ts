import { describeError, restoreError } from "./error-message.js";
import type { ErrorMessage } from "./protocol.js";

/** Numbers of errors whose originals are in the page. */
const originals = new WeakMap<object, number>();

/** Describes a thrown value for the page; one that came from it by its number. */
export function describeForPage(reason: unknown): ErrorMessage {
  const number = typeof reason === "object" && reason !== null ? originals.get(reason) : undefined;
  return number === undefined ? describeError(reason) : { kind: "own", number };
}

/** Returns an error with the class of the thrown value of the page. */
export function restoreFromPage(description: ErrorMessage): unknown {
  const error = restoreError(description);
  if (description.kind === "error" && description.number !== undefined)
    originals.set(error as object, description.number);
  return error;
}
