import type { Session as Handle } from "../byname_bg.js";
import type { StateChange } from "../state-change.js";
import type { Json } from "../types.js";

/** State of a session at one time. */
export class StateCapture {
  readonly #handle: Handle;
  readonly #id: number;
  #previous: StateCapture | undefined;
  /** JSON text of the changes since the previous capture. */
  #changes: string | undefined;

  /** Captures the state; with a previous capture, also the changes since then. */
  constructor(handle: Handle, previous: StateCapture | undefined) {
    this.#handle = handle;
    this.#id = handle.capture();
    // A session that has loaded a state has another handle.
    if (previous === undefined || previous.#handle !== handle) return;
    this.#previous = previous;
    this.#changes = handle.changes(previous.#id, this.#id);
  }

  /** The complete state. Throws if the session was disposed. */
  get state(): Json {
    const text = this.#handle.captured(this.#id);
    if (text === undefined) throw new Error("the state was released");
    return JSON.parse(text) as Json;
  }

  /** Returns the changes since a capture, or `undefined` if they were not compared. */
  changesSince(capture: StateCapture | undefined): StateChange[] | undefined {
    if (capture === undefined || capture !== this.#previous || this.#changes === undefined)
      return undefined;
    return JSON.parse(this.#changes) as StateChange[];
  }

  /** Frees the memory of the state. */
  release(): void {
    this.#previous = undefined;
    this.#changes = undefined;
    try {
      this.#handle.release(this.#id);
    } catch {
      // The session was disposed, and its captures with it.
    }
  }
}
