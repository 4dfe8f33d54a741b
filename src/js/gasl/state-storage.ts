import { inTime } from "../abort.js";
import { throwMisuse } from "../arguments.js";
import { BynameError } from "../errors.js";
import { KeyWriter } from "../key-writer.js";
import type { Json } from "../types.js";
import type { StateCapture } from "./state-capture.js";
import type { StateBackend } from "./types.js";

/** Milliseconds after which a call of the backend has failed. */
const TIMEOUT_MS = 30_000;
const CONFLICT_MESSAGE = "another writer has saved the state: create a new session, which loads it";
const DELETED_MESSAGE =
  "the stored state was deleted: create a new session, which begins without it";

/** State of a session in the backend of the host. */
export class StateStorage {
  readonly #backend: StateBackend;
  readonly #conflict = new AbortController();
  readonly #writer: KeyWriter<StateCapture>;
  /** Last pending save, and the number of pending saves. */
  #saved: Promise<unknown> = Promise.resolve();
  #saving = 0;
  /** Last saved state of each task, by the signal that stops it. */
  readonly #lastSaves = new WeakMap<AbortSignal, StateCapture>();

  constructor(backend: StateBackend) {
    this.#backend = backend;
    const host = {
      load: () => this.#readStored(),
      save: (capture: StateCapture, expectedRev: string | null, before: StateCapture | undefined) =>
        this.#write(capture, expectedRev, before),
      stateOf: ({ state }: StateCapture) => state,
      conflict: (error: unknown, isDeleted: boolean) => this.#stop(error, isDeleted),
      release: (capture: StateCapture) => capture.release(),
    };
    this.#writer = new KeyWriter(host, backend);
  }

  /** Aborts when another writer has saved, because the session would overwrite its state. */
  get conflictSignal(): AbortSignal {
    return this.#conflict.signal;
  }

  copyForFork(): StateStorage {
    return new StateStorage(this.#backend);
  }

  /** Returns the stored state, or `undefined`. */
  load(): Promise<Json | undefined> {
    return this.#writer.load();
  }

  /** Whether the backend saves changes, which are smaller than the state. */
  get acceptsChanges(): boolean {
    return typeof this.#backend.saveChanges === "function";
  }

  /** Saves one state after another, because each needs the revision of the previous one. */
  async save(capture: StateCapture, task: AbortSignal): Promise<void> {
    this.#lastSaves.set(task, capture);
    const saved = this.#saved.then(() => this.#saveNow(capture));
    this.#saving += 1;
    this.#saved = saved
      .catch(() => {})
      .then(() => {
        this.#saving -= 1;
      });
    // A stopped run does not wait for earlier saves.
    if (task.aborted && this.#saving > 1) throw new Error("the backend did not respond");
    await saved;
  }

  /** Ends the wait of other sessions for the last save of a task that was stopped. */
  withdraw(task: AbortSignal): void {
    const capture = this.#lastSaves.get(task);
    if (capture !== undefined) this.#writer.withdraw(capture);
  }

  async #saveNow(capture: StateCapture): Promise<void> {
    // The state of another writer stays.
    this.#conflict.signal.throwIfAborted();
    await this.#writer.save(capture);
  }

  /** Ends all saves of this session. Returns the error of its calls. */
  #stop(cause: unknown, isDeleted: boolean): unknown {
    const conflict = new BynameError("storage", isDeleted ? DELETED_MESSAGE : CONFLICT_MESSAGE);
    conflict.cause = cause;
    this.#conflict.abort(conflict);
    return this.#conflict.signal.reason;
  }

  /** Saves the changes since the stored state, or the complete state. */
  async #write(capture: StateCapture, expectedRev: string | null, before?: StateCapture) {
    const options = { expectedRev };
    const changes = capture.changesSince(before);
    const saving =
      (changes && this.#backend.saveChanges?.(changes, options)) ??
      this.#backend.save(capture.state, options);
    const { rev } = Object(await inTimeOf(saving, "save")) as { rev?: unknown };
    if (typeof rev !== "string")
      throw new Error("expected `save` of the backend to return `{ rev }`");
    return { rev };
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
