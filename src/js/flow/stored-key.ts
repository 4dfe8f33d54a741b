import { inTime } from "../abort.js";
import { jsonEqual } from "../json-value.js";
import { conflictError } from "../storage/storage-error.js";
import type { KeyStorage } from "../storage/types.js";
import type { Json } from "../wire.js";

/** Milliseconds after which a call of the storage has failed. */
const TIMEOUT_MS = 30_000;
/** Maximum number of values whose save is unconfirmed, and of earlier revisions. */
const MAX_EARLIER = 16;

/** Value of a key that only one run saves. */
export class StoredKey {
  readonly #storage: KeyStorage;
  readonly #key: string;
  #rev: string | null = null;
  /** Revisions before the last one, which a slow replica may still return. */
  readonly #earlierRevs: (string | null)[] = [];
  /** Values whose saves failed: one of them may be stored all the same. */
  readonly #unconfirmed: Json[] = [];

  constructor(storage: KeyStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** Returns the stored value, or undefined. */
  async load(): Promise<Json | undefined> {
    const stored = await inTimeOf(this.#storage.load(), "load");
    this.#rev = stored?.rev ?? null;
    return stored?.state;
  }

  /**
   * Saves a value, and once more if nothing or an earlier value of this run is stored. Rejects if
   * another writer has saved.
   */
  async save(value: Json): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const saving = this.#storage.save(value, { expectedRev: this.#rev });
        this.#confirm((await inTimeOf(saving, "save")).rev);
        return;
      } catch (error) {
        if (await this.#isStored(value, error)) return;
        if (attempt === 2) throw this.#addUnconfirmed(value, error);
      }
    }
  }

  /** Returns whether a value is stored although its save failed. Throws if another one is. */
  async #isStored(value: Json, error: unknown): Promise<boolean> {
    const stored = await inTimeOf(this.#storage.load(), "load").catch(() => {
      throw this.#addUnconfirmed(value, error);
    });
    const rev = stored?.rev ?? null;
    if (rev === this.#rev || this.#earlierRevs.includes(rev)) return false;
    const own = stored && [value, ...this.#unconfirmed].find((one) => jsonEqual(one, stored.state));
    if (!stored || own === undefined || own === null) {
      const conflict = conflictError(this.#key);
      conflict.cause = error;
      throw conflict;
    }
    this.#confirm(stored.rev);
    return own === value;
  }

  #confirm(rev: string): void {
    this.#earlierRevs.push(this.#rev);
    if (this.#earlierRevs.length > MAX_EARLIER) this.#earlierRevs.shift();
    this.#rev = rev;
    this.#unconfirmed.length = 0;
  }

  /** Adds a value whose save failed. Returns the error. */
  #addUnconfirmed(value: Json, error: unknown): unknown {
    if (this.#unconfirmed.length < MAX_EARLIER) this.#unconfirmed.push(value);
    return error;
  }
}

/** Returns the result of a call of the storage, or an error after a timeout. */
function inTimeOf<T>(result: Promise<T>, method: string): Promise<T> {
  const message = `\`${method}\` of the storage did not respond in ${TIMEOUT_MS / 1000} s`;
  return inTime(result, TIMEOUT_MS, () => new Error(message));
}
