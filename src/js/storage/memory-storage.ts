import type { Json } from "../types.js";
import { RevisionListeners } from "./listeners.js";
import { createStorage, nextRevision } from "./storage.js";
import { conflictError } from "./storage-error.js";
import type { Storage } from "./types.js";

/** Returns a storage in memory, for tests and for hosts without another one. */
export function memoryStorage(): Storage {
  /** JSON texts, because callers may change the values. */
  const values = new Map<string, { text: string; rev: string }>();
  const listeners = new RevisionListeners();
  return createStorage({
    async load(key) {
      const stored = values.get(key);
      return stored ? { state: JSON.parse(stored.text) as Json, rev: stored.rev } : null;
    },
    async save(key, state, expectedRev) {
      if ((values.get(key)?.rev ?? null) !== expectedRev) throw conflictError(key);
      const rev = nextRevision();
      values.set(key, { text: JSON.stringify(state), rev });
      listeners.notify(key, rev);
      return { rev };
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
