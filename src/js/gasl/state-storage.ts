import { throwMisuse } from "../arguments.js";
import type { Json } from "../types.js";
import type { StateBackend } from "./types.js";

/** The state of a session where its host keeps it. */
export class StateStorage {
  readonly #backend: StateBackend;
  #rev: string | null = null;
  /** When all that is being saved will be, and how often that is. */
  #saved: Promise<unknown> = Promise.resolve();
  #saving = 0;

  constructor(backend: StateBackend) {
    this.#backend = backend;
  }

  /** The same for another session. */
  copy(): StateStorage {
    return new StateStorage(this.#backend);
  }

  /** The state that is there, if there is one. */
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

  /** One after another: each needs the revision of the one before. */
  async save(state: Json, late: boolean): Promise<void> {
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
    // Whoever has stopped a run does not wait for what it waited for already.
    if (late && this.#saving > 1) throw new Error("the backend did not respond");
    await saved;
  }
}
