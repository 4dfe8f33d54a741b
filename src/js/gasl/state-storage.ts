import { throwMisuse } from "../arguments.js";
import type { Json } from "../types.js";
import type { StateBackend } from "./types.js";

/** State of a session in the backend of the host. */
export class StateStorage {
  readonly #backend: StateBackend;
  #rev: string | null = null;
  /** Last pending save, and the number of pending saves. */
  #saved: Promise<unknown> = Promise.resolve();
  #saving = 0;

  constructor(backend: StateBackend) {
    this.#backend = backend;
  }

  copy(): StateStorage {
    return new StateStorage(this.#backend);
  }

  /** Returns the stored state, or `undefined`. */
  async load(): Promise<Json | undefined> {
    const stored: unknown = await this.#backend.load();
    if (stored === null || stored === undefined) return undefined;
    const { state, rev } = Object(stored) as { state?: Json; rev?: unknown };
    if (state === undefined || typeof rev !== "string") {
      throwMisuse("expected `load` of the backend to return null or `{ state, rev }`");
    }
    this.#rev = rev as string;
    return state;
  }

  /** Saves one state after another, because each needs the revision of the previous one. */
  async save(state: Json, isAborted: boolean): Promise<void> {
    const saved = this.#saved.then(async () => {
      const stored: unknown = await this.#backend.save(state, { expectedRev: this.#rev });
      const { rev } = Object(stored) as { rev?: unknown };
      if (typeof rev !== "string")
        throw new Error("expected `save` of the backend to return `{ rev }`");
      this.#rev = rev;
    });
    this.#saving += 1;
    this.#saved = saved
      .catch(() => {})
      .then(() => {
        this.#saving -= 1;
      });
    // A stopped run does not wait for earlier saves.
    if (isAborted && this.#saving > 1) throw new Error("the backend did not respond");
    await saved;
  }
}
