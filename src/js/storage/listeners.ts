import { runAndReport } from "../report.js";

/** Listener for a new revision; an empty text after a deletion. */
export type RevisionListener = (rev: string) => void;

/** Listeners for the revisions of values, by key. */
export class RevisionListeners {
  readonly #listeners = new Map<string, Set<{ listener: RevisionListener }>>();

  /** Whether there are no listeners. */
  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** Adds a listener. Returns a function that removes it. */
  add(key: string, listener: RevisionListener): () => void {
    const own = { listener };
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners)
        this.#listeners.delete(key);
    };
  }

  /** Calls the listeners of a key. */
  notify(key: string, rev: string): void {
    for (const { listener } of [...(this.#listeners.get(key) ?? [])])
      runAndReport(() => listener(rev));
  }
}
