import { inTime } from "../abort.js";
import { throwMisuse } from "../arguments.js";
import { BynameError } from "../errors.js";
import { jsonEqualInAnyKeyOrder } from "../json-value.js";
import { isConflict, KeyWriter } from "../key-writer.js";
import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";
import type { StateCapture } from "./state-capture.js";
import type { StateBackend } from "./types.js";

/** Milliseconds after which a call of the backend has failed. */
const TIMEOUT_MS = 30_000;
/** Maximum number of unconfirmed states. Later states are saved after one of them is confirmed. */
const MAX_UNCONFIRMED = 16;
const CONFLICT_MESSAGE = "another writer has saved the state: create a new session, which loads it";
const DELETED_MESSAGE =
  "the stored state was deleted: create a new session, which begins without it";

/** State of a session in the backend of the host. */
export class StateStorage {
  readonly #backend: StateBackend;
  readonly #conflict = new AbortController();
  readonly #writer: KeyWriter;
  /** State of the revision, if this session has saved it. */
  #stored: StateCapture | undefined;
  /** States whose saves failed since that revision: one of them may be stored all the same. */
  readonly #unconfirmed: StateCapture[] = [];
  /** Last pending save, and the number of pending saves. */
  #saved: Promise<unknown> = Promise.resolve();
  #saving = 0;

  constructor(backend: StateBackend) {
    this.#backend = backend;
    this.#writer = new KeyWriter(backend);
  }

  /** Aborts when another writer has saved, because the session would overwrite its state. */
  get conflictSignal(): AbortSignal {
    return this.#conflict.signal;
  }

  copyForFork(): StateStorage {
    return new StateStorage(this.#backend);
  }

  /** Returns the stored state, or `undefined`. */
  async load(): Promise<Json | undefined> {
    return (await this.#writer.load(() => this.#readStored()))?.state;
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
    // A stopped run does not wait for earlier saves.
    if (isAborted && this.#saving > 1) throw new Error("the backend did not respond");
    await saved;
  }

  /**
   * Saves the last unconfirmed state again once there are many, so that every state that may be
   * stored is known. Throws if none of them is confirmed.
   */
  async #confirmOneOfMany(): Promise<void> {
    const last = this.#unconfirmed[MAX_UNCONFIRMED - 1];
    if (last === undefined) return;
    try {
      await this.#saveOnce(last, undefined);
    } catch (error) {
      await this.#findStored(this.#unconfirmed, error);
      if (this.#unconfirmed.length > 0) throw error;
    }
  }

  /** Saves a state, and once more if nothing or an earlier state of this session is stored. */
  async #saveNow(capture: StateCapture): Promise<void> {
    let mayBeStored = false;
    try {
      // The state of another writer stays.
      this.#conflict.signal.throwIfAborted();
      await this.#confirmOneOfMany();
      for (let attempt = 1; ; attempt++) {
        const changes = attempt === 1 ? capture.changesSince(this.#stored) : undefined;
        try {
          return await this.#saveOnce(capture, changes);
        } catch (error) {
          mayBeStored ||= !isConflict(error);
          const candidates = [...(mayBeStored ? [capture] : []), ...this.#unconfirmed];
          if ((await this.#findStored(candidates, error)) === capture) return;
          if (attempt === 2) throw error;
        }
      }
    } catch (error) {
      if (mayBeStored) this.#unconfirmed.push(capture);
      else capture.release();
      throw error;
    }
  }

  /**
   * Loads the stored state after a failed save, because the state may have been stored although the
   * confirmation was lost. Returns the candidate that is stored, or undefined if the last confirmed
   * state or an earlier one is. Throws the error of the save if the state cannot be loaded, and a
   * conflict if it is not of this session or was deleted.
   */
  async #findStored(candidates: StateCapture[], error: unknown): Promise<StateCapture | undefined> {
    const stored = await this.#readStored().catch(() => {
      // Without a save that may have arrived, a conflict shows another writer.
      const isOther = isConflict(error) && candidates.length === 0;
      throw isOther ? this.#stop(CONFLICT_MESSAGE, error) : error;
    });
    const { revisions } = this.#writer;
    const rev = stored?.rev ?? null;
    if (rev === revisions.rev || (stored && revisions.has(rev))) return undefined;
    if (stored === null) throw this.#stop(DELETED_MESSAGE, error);
    const found = candidates.find(({ state }) => jsonEqualInAnyKeyOrder(state, stored.state));
    if (found === undefined || this.#writer.isOfOther(stored))
      throw this.#stop(CONFLICT_MESSAGE, error);
    this.#writer.confirm(stored.rev);
    this.#setStored(found);
    return found;
  }

  /** Ends all saves of this session. Returns the error of its calls. */
  #stop(message: string, cause: unknown): unknown {
    const conflict = new BynameError("storage", message);
    conflict.cause = cause;
    this.#conflict.abort(conflict);
    return this.#conflict.signal.reason;
  }

  /** Saves the changes since the stored state, or the complete state. */
  async #saveOnce(capture: StateCapture, changes: StateChange[] | undefined): Promise<void> {
    const options = { expectedRev: this.#writer.revisions.rev };
    const saving =
      (changes && this.#backend.saveChanges?.(changes, options)) ??
      this.#backend.save(capture.state, options);
    const checked = inTimeOf(saving, "save").then((stored: unknown) => {
      const { rev } = Object(stored) as { rev?: unknown };
      if (typeof rev !== "string")
        throw new Error("expected `save` of the backend to return `{ rev }`");
      return { rev };
    });
    await this.#writer.save(() => capture.stateIfOpen, checked);
    this.#setStored(capture);
  }

  /** Sets the state that is stored, and releases the others. */
  #setStored(capture: StateCapture): void {
    for (const earlier of [this.#stored, ...this.#unconfirmed.splice(0)]) {
      if (earlier !== capture) earlier?.release();
    }
    this.#stored = capture;
  }

  async #readStored(): Promise<{ state: Json; rev: string } | null> {
    const stored: unknown = await inTimeOf(this.#backend.load(), "load");
    if (stored === null || stored === undefined) return null;
    const { state, rev } = Object(stored) as { state?: Json; rev?: unknown };
    if (state === undefined || typeof rev !== "string")
      throwMisuse("expected `load` of the backend to return null or `{ state, rev }`");
    return { state: state as Json, rev: rev as string };
  }
}

/** Returns the result of a call of the backend, or an error after a timeout. */
function inTimeOf<T>(result: T | Promise<T>, method: string): Promise<T> {
  const message = `\`${method}\` of the backend did not respond in ${TIMEOUT_MS / 1000} s`;
  return inTime(result, TIMEOUT_MS, () => new Error(message));
}
