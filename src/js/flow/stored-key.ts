import { inTime } from "../abort.js";
import { jsonEqualInAnyKeyOrder } from "../json-value.js";
import { isConflict, KeyWriter } from "../key-writer.js";
import { conflictError } from "../storage/storage-error.js";
import type { KeyStorage, Storage } from "../storage/types.js";
import type { Json } from "../wire.js";

/** Milliseconds after which a call of the storage has failed. */
const TIMEOUT_MS = 30_000;
/** Maximum number of values whose save is unconfirmed. */
const MAX_UNCONFIRMED = 16;

/** Value of a key that only one run saves. */
export class StoredKey {
  readonly #storage: KeyStorage;
  readonly #key: string;
  readonly #writer: KeyWriter;
  /** Values whose saves failed: one of them may be stored all the same. */
  readonly #unconfirmed: Json[] = [];

  constructor(storage: Storage, key: string) {
    this.#storage = storage.at(key);
    this.#key = key;
    this.#writer = new KeyWriter(storage, key);
  }

  /** Ends the run's saves of the key. */
  close(): void {
    this.#writer.close();
  }

  /** Returns the stored value, or undefined. */
  async load(): Promise<Json | undefined> {
    return (await this.#writer.load(() => this.#readStored()))?.state;
  }

  /**
   * Saves a value, and once more if nothing or an earlier value of this run is stored. Rejects if
   * another writer has saved.
   */
  async save(value: Json): Promise<void> {
    let mayBeStored = false;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const saving = this.#storage.save(value, { expectedRev: this.#writer.revisions.rev });
          await this.#writer.save(() => value, inTimeOf(saving, "save"));
          this.#unconfirmed.length = 0;
          return;
        } catch (error) {
          mayBeStored ||= !isConflict(error);
          const candidates = [...(mayBeStored ? [value] : []), ...this.#unconfirmed];
          if ((await this.#findStored(candidates, error)) === value) return;
          if (attempt === 2) throw error;
        }
      }
    } catch (error) {
      if (mayBeStored && this.#unconfirmed.length < MAX_UNCONFIRMED) this.#unconfirmed.push(value);
      throw error;
    }
  }

  /**
   * Loads the stored value after a failed save. Returns the candidate that is stored, or undefined
   * if the last confirmed value or an earlier one is. Throws if another writer has saved.
   */
  async #findStored(candidates: Json[], error: unknown): Promise<Json | undefined> {
    const stored = await this.#readStored().catch(() => {
      throw error;
    });
    if (this.#writer.revisions.has(stored?.rev ?? null)) return undefined;
    const found = candidates.find((one) => jsonEqualInAnyKeyOrder(one, stored?.state));
    if (!stored || found === undefined || this.#writer.isOfOther(stored)) {
      const conflict = conflictError(this.#key);
      conflict.cause = error;
      throw conflict;
    }
    this.#writer.confirm(stored.rev);
    this.#unconfirmed.length = 0;
    return found;
  }

  #readStored(): Promise<{ state: Json; rev: string } | null> {
    return inTimeOf(this.#storage.load(), "load");
  }
}

/** Returns the result of a call of the storage, or an error after a timeout. */
function inTimeOf<T>(result: Promise<T>, method: string): Promise<T> {
  const message = `\`${method}\` of the storage did not respond in ${TIMEOUT_MS / 1000} s`;
  return inTime(result, TIMEOUT_MS, () => new Error(message));
}
