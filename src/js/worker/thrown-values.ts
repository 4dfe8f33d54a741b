import { describeError, restoreError } from "./error-message.js";
import type { ErrorMessage } from "./protocol.js";

/** Maximum number of thrown values whose originals are stored. */
const MAX_ORIGINALS = 256;

/**
 * Values that callbacks of the page have thrown, and reasons of its signals. When one comes back
 * from the worker, the caller gets the original.
 */
export class ThrownValues {
  readonly #originals = new Map<number, unknown>();
  #count = 0;

  describe(reason: unknown): ErrorMessage {
    const description = describeError(reason);
    if (description.kind !== "error") return description;
    this.#count += 1;
    this.#originals.set(this.#count, reason);
    this.#originals.delete(this.#count - MAX_ORIGINALS);
    return { ...description, number: this.#count };
  }

  restore(description: ErrorMessage): unknown {
    if (description.kind === "own" && this.#originals.has(description.number))
      return this.#originals.get(description.number);
    return restoreError(description);
  }
}
