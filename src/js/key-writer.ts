import { jsonEqualInAnyKeyOrder } from "./json-value.js";
import type { Json } from "./types.js";

/** Maximum number of earlier revisions, which a slow replica may still return. */
const MAX_EARLIER = 16;
/** Maximum number of confirmed saves, whose writers are known. */
const MAX_CONFIRMED = 16;
/** Maximum number of unconfirmed values. Later ones are saved after one of them is confirmed. */
const MAX_UNCONFIRMED = 16;

/** Revisions of a key that one writer has loaded or saved. */
export class KnownRevisions {
  /** The last one; null if nothing is stored. */
  rev: string | null = null;
  readonly #earlier: (string | null)[] = [];

  has(rev: string | null): boolean {
    return rev === this.rev || this.#earlier.includes(rev);
  }

  add(rev: string | null): void {
    this.#earlier.push(this.rev);
    if (this.#earlier.length > MAX_EARLIER) this.#earlier.shift();
    this.rev = rev;
  }
}

interface StoredValue {
  state: Json;
  rev: string;
}

/** Save of a writer that has not settled. */
interface PendingSave {
  writer: object;
  value: unknown;
  saving: Promise<unknown>;
  /** Returns whether a state is that of this save. */
  isSame(state: Json): boolean;
}

/**
 * Saves of one key by the writers of this process. An empty object identifies each writer, because
 * the writer and its values would never be freed.
 */
interface KeySaves {
  /** Writers of the last confirmed saves, by revision. */
  confirmed: Map<string, object>;
  pending: Set<PendingSave>;
  writers: number;
}

const savesByStorage = new WeakMap<object, Map<string, KeySaves>>();

/** Access of a writer to its storage. */
export interface WriterHost<T> {
  load(): Promise<StoredValue | null>;
  /** Saves a value; with `before`, the changes since this stored value are enough. */
  save(value: T, expectedRev: string | null, before: T | undefined): Promise<{ rev: string }>;
  /** Returns the JSON of a value. */
  stateOf(value: T): Json;
  /** Returns the error after a save of another writer or a deletion. */
  conflict(error: unknown, isDeleted: boolean): unknown;
  /** Called with a value that is not needed any more. */
  release?(value: T): void;
}

/**
 * Writer of a key. Two writers that begin with the same state save equal ones, so that equality
 * alone does not show whose save is stored.
 */
export class KeyWriter<T> {
  readonly #host: WriterHost<T>;
  readonly #revisions = new KnownRevisions();
  readonly #saves: KeySaves;
  /** Object that identifies this writer in the saves of the key. */
  readonly #token = {};
  /** Value of the last revision, if this writer has saved it. */
  #stored: T | undefined;
  /** Values whose saves failed: one of them may be stored all the same. */
  readonly #unconfirmed: T[] = [];
  readonly close: () => void;

  /** Adds a writer of a key. It counts for the others of this storage until it is closed. */
  constructor(host: WriterHost<T>, storage: object, key = "") {
    this.#host = host;
    const byKey = savesByStorage.get(storage) ?? new Map<string, KeySaves>();
    savesByStorage.set(storage, byKey);
    const saves = byKey.get(key) ?? { confirmed: new Map(), pending: new Set(), writers: 0 };
    byKey.set(key, saves);
    saves.writers += 1;
    this.#saves = saves;
    this.close = () => {
      this.withdraw();
      saves.writers -= 1;
      if (saves.writers === 0) byKey.delete(key);
    };
  }

  /**
   * Ends the wait of other writers for the pending save of a value, by default of all values of this
   * writer. It may never settle.
   */
  withdraw(value?: T): void {
    const { pending } = this.#saves;
    for (const save of pending)
      if (save.writer === this.#token && (value === undefined || save.value === value))
        pending.delete(save);
  }

  /** Returns the stored state, or undefined. */
  async load(): Promise<Json | undefined> {
    const stored = await this.#host.load();
    // After a deletion a storage may count its revisions from the start.
    if (stored === null) this.#saves.confirmed.clear();
    this.#revisions.rev = stored?.rev ?? null;
    return stored?.state;
  }

  /**
   * Saves a value, and once more if nothing or an earlier value of this writer is stored. Throws if
   * another writer has saved.
   */
  async save(value: T): Promise<void> {
    let mayBeStored = false;
    try {
      await this.#confirmOneOfMany();
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#saveOnce(value, attempt === 1 ? this.#stored : undefined);
        } catch (error) {
          mayBeStored ||= !isConflict(error);
          const candidates = [...(mayBeStored ? [value] : []), ...this.#unconfirmed];
          if ((await this.#findStored(candidates, error, attempt === 1)) === value) return;
          if (attempt === 2) throw error;
        }
      }
    } catch (error) {
      if (mayBeStored) this.#unconfirmed.push(value);
      else this.#host.release?.(value);
      throw error;
    }
  }

  /**
   * Saves the last unconfirmed value again once there are many, so that every value that may be
   * stored is known. Throws if none of them is confirmed.
   */
  async #confirmOneOfMany(): Promise<void> {
    const last = this.#unconfirmed[MAX_UNCONFIRMED - 1];
    if (last === undefined) return;
    try {
      await this.#saveOnce(last);
    } catch (error) {
      await this.#findStored(this.#unconfirmed, error, true);
      if (this.#unconfirmed.length > 0) throw error;
    }
  }

  async #saveOnce(value: T, before?: T): Promise<void> {
    const { pending } = this.#saves;
    const saving = this.#host.save(value, this.#revisions.rev, before);
    const isSame = (state: Json) => this.#isSame(value, state);
    const save = { writer: this.#token, value, saving, isSame };
    pending.add(save);
    try {
      this.#confirm(value, (await saving).rev);
    } finally {
      pending.delete(save);
    }
  }

  #isSame(value: T, state: Json): boolean {
    try {
      return jsonEqualInAnyKeyOrder(this.#host.stateOf(value), state);
    } catch {
      // A session that was disposed has no states any more.
      return false;
    }
  }

  #confirm(value: T, rev: string): void {
    this.#revisions.add(rev);
    const { confirmed } = this.#saves;
    confirmed.delete(rev);
    confirmed.set(rev, this.#token);
    const [first] = confirmed.keys();
    if (confirmed.size > MAX_CONFIRMED && first !== undefined) confirmed.delete(first);
    for (const other of [this.#stored, ...this.#unconfirmed.splice(0)])
      if (other !== undefined && other !== value) this.#host.release?.(other);
    this.#stored = value;
  }

  /**
   * Loads the stored value after a failed save, because the value may have been stored although the
   * confirmation was lost. Returns the candidate that is stored, or undefined if the last confirmed
   * value or an earlier one is. Throws the error of the save if nothing can be loaded.
   */
  async #findStored(candidates: T[], error: unknown, isFirst: boolean): Promise<T | undefined> {
    const stored = await this.#host.load().catch(() => {
      // Without a save that may have arrived, a conflict shows another writer.
      throw isConflict(error) && candidates.length === 0
        ? this.#host.conflict(error, false)
        : error;
    });
    const rev = stored?.rev ?? null;
    // The second time, a missing value is not that of a slow replica.
    const isKnown = this.#revisions.has(rev) && (stored || isFirst);
    if (rev === this.#revisions.rev || isKnown) return undefined;
    const found = candidates.find((one) => stored && this.#isSame(one, stored.state));
    if (stored && found !== undefined) await this.#equalSaves(stored.state);
    // No other writer can confirm the revision between this check and the confirmation.
    const writer = this.#saves.confirmed.get(rev ?? "") ?? this.#token;
    if (!stored || found === undefined || writer !== this.#token)
      throw this.#host.conflict(error, !stored);
    this.#confirm(found, stored.rev);
    return found;
  }

  /** Waits for the saves of a state by other writers, because one of them may be stored. */
  async #equalSaves(state: Json): Promise<void> {
    const others = [...this.#saves.pending].filter(({ writer }) => writer !== this.#token);
    const equal = others.filter(({ isSame }) => isSame(state));
    await Promise.allSettled(equal.map(({ saving }) => saving));
  }
}

/**
 * Returns whether a storage has rejected a save because of another revision. Then the state of this
 * save is not stored.
 */
export function isConflict(error: unknown): boolean {
  try {
    return (error as { reason?: unknown } | null | undefined)?.reason === "conflict";
  } catch {
    // A getter of the host throws.
    return false;
  }
}
