import type { StateBackend } from "../gasl/types.js";
import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";

/** Stored value with its revision. */
export interface StoredValue {
  state: Json;
  rev: string;
}

/**
 * Storage of one value. `save` rejects with a `StorageError` if `expectedRev` is not the stored
 * revision.
 */
export interface KeyStorage extends StateBackend {
  load(): Promise<StoredValue | null>;
  save(state: Json, options: { expectedRev: string | null }): Promise<{ rev: string }>;
  /** Saves the changes since the value of `expectedRev`. */
  saveChanges(
    changes: StateChange[],
    options: { expectedRev: string | null },
  ): Promise<{ rev: string }>;
  /**
   * Calls the listener with the revision after each save, of this and of other writers, and with
   * an empty text after a deletion. Returns a function that removes it.
   */
  subscribe(listener: (rev: string) => void): () => void;
  /** Deletes the value, if there is one. */
  delete(): Promise<void>;
}

/** Storage of values by key. Its own methods store the value of the key `state`. */
export interface Storage extends KeyStorage {
  /** Returns the storage of the value of another key. */
  at(key: string): KeyStorage;
  /** Returns the keys of all values. */
  list(): Promise<string[]>;
  /** Releases files and connections; pending saves are completed. */
  close(): Promise<void>;
}

/** Operations of a host, from which a storage is made. */
export interface StorageHost {
  load(key: string): Promise<StoredValue | null>;
  save(key: string, state: Json, expectedRev: string | null): Promise<{ rev: string }>;
  saveChanges(
    key: string,
    changes: StateChange[],
    expectedRev: string | null,
    /** JSON text of the changes. */
    text: string,
  ): Promise<{ rev: string }>;
  delete(key: string): Promise<void>;
  list(): Promise<string[]>;
  subscribe(key: string, listener: (rev: string) => void): () => void;
  close(): Promise<void>;
}
