import { abortable, deadline } from "../abort.js";
import { throwMisuse } from "../arguments.js";
import { BynameError } from "../errors.js";
import { isJsonObject } from "../json-value.js";
import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";
import type { StateCapture } from "./state-capture.js";
import type { StateBackend } from "./types.js";

/** Milliseconds after which a call of the backend has failed. */
const TIMEOUT_MS = 30_000;
const CONFLICT_MESSAGE = "another writer has saved the state: create a new session, which loads it";

/** State of a session in the backend of the host. */
export class StateStorage {
  readonly #backend: StateBackend;
  readonly #conflict = new AbortController();
  #rev: string | null = null;
  /** State of the revision, if this session has saved it. */
  #stored: StateCapture | undefined;
  /** Last pending save, and the number of pending saves. */
  #saved: Promise<unknown> = Promise.resolve();
  #saving = 0;

  constructor(backend: StateBackend) {
    this.#backend = backend;
  }

  /** Aborts when another writer has saved, because the session would overwrite its state. */
  get conflictSignal(): AbortSignal {
    return this.#conflict.signal;
  }

  copy(): StateStorage {
    return new StateStorage(this.#backend);
  }

  /** Returns the stored state, or `undefined`. */
  async load(): Promise<Json | undefined> {
    const stored = await this.#readStored();
    if (stored === null) return undefined;
    this.#rev = stored.rev;
    return stored.state;
  }

  /** Whether the backend saves changes, which are smaller than the state. */
  get acceptsChanges(): boolean {
    return typeof this.#backend.saveChanges === "function";
  }

  /** Saves one state after another, because each needs the revision of the previous one. */
  async save(capture: StateCapture, isAborted: boolean): Promise<void> {
    const saved = this.#saved.then(() => this.#saveNow(capture));
    this.#saving += 1;
    this.#saved = saved
      .catch(() => {})
      .then(() => {
        this.#saving -= 1;
      });
    saved.catch(() => capture.release());
    // A stopped run does not wait for earlier saves.
    if (isAborted && this.#saving > 1) throw new Error("the backend did not respond");
    await saved;
  }

  /**
   * Saves a state. After an error it loads the stored one, because the state may have been stored
   * although the confirmation was lost.
   */
  async #saveNow(capture: StateCapture): Promise<void> {
    try {
      await this.#saveOnce(capture, capture.changesSince(this.#stored));
    } catch (error) {
      const { state } = capture;
      const stored = await this.#readStored().catch(() => {
        throw error;
      });
      if (stored !== null && canonicalText(stored.state) === canonicalText(state)) {
        this.#rev = stored.rev;
        this.#setStored(capture);
      } else if ((stored?.rev ?? null) === this.#rev) await this.#saveOnce(capture, undefined);
      else if (stored === null) throw error;
      else {
        this.#conflict.abort(new BynameError("storage", CONFLICT_MESSAGE));
        this.#conflict.signal.throwIfAborted();
      }
    }
  }

  /** Saves the changes since the stored state, or the complete state. */
  async #saveOnce(capture: StateCapture, changes: StateChange[] | undefined): Promise<void> {
    const options = { expectedRev: this.#rev };
    const saving =
      (changes && this.#backend.saveChanges?.(changes, options)) ??
      this.#backend.save(capture.state, options);
    const stored: unknown = await inTime(saving, "save");
    const { rev } = Object(stored) as { rev?: unknown };
    if (typeof rev !== "string")
      throw new Error("expected `save` of the backend to return `{ rev }`");
    this.#rev = rev;
    this.#setStored(capture);
  }

  #setStored(capture: StateCapture): void {
    this.#stored?.release();
    this.#stored = capture;
  }

  async #readStored(): Promise<{ state: Json; rev: string } | null> {
    const stored: unknown = await inTime(this.#backend.load(), "load");
    if (stored === null || stored === undefined) return null;
    const { state, rev } = Object(stored) as { state?: Json; rev?: unknown };
    if (state === undefined || typeof rev !== "string")
      throwMisuse("expected `load` of the backend to return null or `{ state, rev }`");
    return { state: state as Json, rev: rev as string };
  }
}

/** Returns the result of a call of the backend, or an error after a timeout. */
async function inTime<T>(result: T | Promise<T>, method: string): Promise<T> {
  const timeout = deadline(TIMEOUT_MS);
  try {
    return await abortable(Promise.resolve(result), timeout.signal);
  } catch (error) {
    if (!timeout.signal.aborted) throw error;
    throw new Error(`\`${method}\` of the backend did not respond in ${TIMEOUT_MS / 1000} s`);
  } finally {
    timeout.clear();
  }
}

/** Returns the JSON text with sorted keys, because a backend may change their order. */
function canonicalText(state: Json): string {
  const sortKeys = (_: string, value: Json): Json =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return JSON.stringify(state, sortKeys);
}
