import { jsonEqualInAnyKeyOrder } from "./json-value.js";
import type { Json } from "./types.js";

/** Maximum number of earlier revisions, which a slow replica may still return. */
const MAX_EARLIER = 16;

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

/** Saves of one key by the writers of this process. */
interface KeySaves {
  /** Last confirmed save. */
  last?: { writer: KeyWriter; rev: string };
  /** States of the pending saves. */
  pending: Map<KeyWriter, () => Json | undefined>;
  writers: number;
}

const savesByStorage = new WeakMap<object, Map<string, KeySaves>>();

/**
 * Writer of a key. Two writers that begin with the same state save equal ones, so that equality
 * alone does not show whose save is stored.
 */
export class KeyWriter {
  readonly revisions = new KnownRevisions();
  readonly #saves: KeySaves;
  /** Last save by any writer before this one has loaded. */
  #seen: KeySaves["last"];
  readonly close: () => void;

  /** Adds a writer of a key. It counts for the others of this storage until it is closed. */
  constructor(storage: object, key = "") {
    const byKey = savesByStorage.get(storage) ?? new Map<string, KeySaves>();
    savesByStorage.set(storage, byKey);
    const saves = byKey.get(key) ?? { pending: new Map(), writers: 0 };
    byKey.set(key, saves);
    saves.writers += 1;
    this.#saves = saves;
    this.close = () => {
      saves.writers -= 1;
      if (saves.writers === 0) byKey.delete(key);
    };
  }

  /** Returns a loaded value, whose revision is then the last one. */
  async load<T extends { rev: string }>(load: () => Promise<T | null>): Promise<T | null> {
    this.#seen = this.#saves.last;
    const stored = await load();
    this.revisions.rev = stored?.rev ?? null;
    return stored;
  }

  /** Waits for a save of a state, and confirms its revision. */
  async save(state: () => Json | undefined, saving: Promise<{ rev: string }>): Promise<void> {
    this.#saves.pending.set(this, state);
    try {
      this.confirm((await saving).rev);
    } finally {
      this.#saves.pending.delete(this);
    }
  }

  confirm(rev: string): void {
    this.revisions.add(rev);
    this.#saves.last = { writer: this, rev };
  }

  /** Returns whether another writer of this process has saved, or may have saved this state. */
  isOfOther({ state, rev }: { state: Json; rev: string }): boolean {
    const { last, pending } = this.#saves;
    const isNews = last !== this.#seen || last?.rev === rev;
    if (last && last.writer !== this && isNews && !this.revisions.has(last.rev)) return true;
    return [...pending].some(
      ([writer, read]) => writer !== this && jsonEqualInAnyKeyOrder(read(), state),
    );
  }
}

/**
 * Returns whether a storage has rejected a save because of another revision. Then the state of this
 * save is not stored.
 */
export function isConflict(error: unknown): boolean {
  return (error as { reason?: unknown } | null | undefined)?.reason === "conflict";
}
