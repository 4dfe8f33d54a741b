import type { Json } from "../types.js";
import { applyChanges } from "./changes.js";
import { RevisionListeners } from "./listeners.js";
import { createStorage, nextRevision } from "./storage.js";
import { conflictError } from "./storage-error.js";
import type { Storage, StoredValue } from "./types.js";

/** Returns a storage in memory, for tests and for hosts without another one. */
export function memoryStorage(): Storage {
  const values = new Map<string, StoredValue>();
  const listeners = new RevisionListeners();
  /** Returns the stored value, or throws a conflict. */
  const currentOf = (key: string, expectedRev: string | null): StoredValue | undefined => {
    const current = values.get(key);
    if ((current?.rev ?? null) !== expectedRev) throw conflictError(key);
    return current;
  };
  const store = (key: string, state: Json): { rev: string } => {
    const rev = nextRevision();
    values.set(key, { state, rev });
    listeners.notify(key, rev);
    return { rev };
  };
  return createStorage({
    async load(key) {
      const stored = values.get(key);
      return stored ? structuredClone(stored) : null;
    },
    async save(key, state, expectedRev) {
      currentOf(key, expectedRev);
      return store(key, state);
    },
    async saveChanges(key, changes, expectedRev) {
      const state = currentOf(key, expectedRev)?.state ?? null;
      // A change that does not fit must leave the value as it is.
      return store(key, applyChanges(structuredClone(state), changes));
    },
    async delete(key) {
      if (values.delete(key)) listeners.notify(key, "");
    },
    async list() {
      return [...values.keys()];
    },
    subscribe: (key, listener) => listeners.add(key, listener),
    async close() {},
  });
}
