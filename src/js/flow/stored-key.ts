import { inTime } from "../abort.js";
import { KeyWriter } from "../key-writer.js";
import { conflictError } from "../storage/storage-error.js";
import type { KeyStorage, Storage } from "../storage/types.js";
import type { Json } from "../wire.js";

/** Milliseconds after which a call of the storage has failed. */
const TIMEOUT_MS = 30_000;

/** Returns the writer of a key that only one run saves. `stored` is the storage of the key. */
export function writerOf(storage: Storage, key: string, stored: KeyStorage): KeyWriter<Json> {
  const host = {
    load: () => inTimeOf(stored.load(), "load"),
    save: (value: Json, expectedRev: string | null) =>
      inTimeOf(stored.save(value, { expectedRev }), "save"),
    stateOf: (value: Json) => value,
    conflict(error: unknown) {
      const conflict = conflictError(key);
      conflict.cause = error;
      return conflict;
    },
  };
  return new KeyWriter(host, storage, key);
}

/** Returns the result of a call of the storage, or an error after a timeout. */
function inTimeOf<T>(result: Promise<T>, method: string): Promise<T> {
  const message = `\`${method}\` of the storage did not respond in ${TIMEOUT_MS / 1000} s`;
  return inTime(result, TIMEOUT_MS, () => new Error(message));
}
