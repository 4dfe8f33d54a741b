import type { Surface } from "../surface.js";
import type { Diagnostic } from "../types.js";

/** Result of a chunk. Offsets are UTF-16 offsets in everything that was pushed. */
export interface Received {
  ok: boolean;
  diagnostics: Diagnostic[];
}

export interface MessageStreamOptions {
  /** Called with text that is not a message. Without it the text is counted in a diagnostic. */
  onText?: (text: string) => void;
  /**
   * Displays texts of more than 32 characters while they arrive: in nodes, in properties of
   * components, and as the value of a path.
   */
  partialText?: boolean;
}

/** Store that receives nodes while they are streamed. */
export type NodeStore = Pick<Surface["store"], "stream">;

/** Receiver of messages: a `Surface` of `byname` or of `byname/ham`, or `Surfaces`. */
export interface MessageTarget {
  /**
   * Receives a message. `firstIndex` is the index of its first component in the message of the
   * agent, because a stream passes a message on in parts.
   */
  receive(
    message: string | Uint8Array | object,
    firstIndex?: number,
  ): ReturnType<Surface["receive"]>;
  /** Store of the only surface. */
  store?: NodeStore;
  /** Returns the store of a surface, or `undefined` if the surface is unknown. */
  storeOf?(surfaceId: string): NodeStore | undefined;
  /** Returns whether a component has arrived. Its text is displayed when it is complete again. */
  hasComponent?(id: string, surfaceId: string): boolean;
  /** Returns whether the value at a path begins with a text. */
  repeatsText?(surfaceId: string, path: string, text: string): boolean;
  /**
   * Returns the diagnostics of the current state. `receiveAll` reports them at the end, when the
   * agent `isDone`.
   */
  diagnostics?(options?: { isDone?: boolean }): Diagnostic[];
  /** Waits until the target can receive; `receiveAll` calls it first. */
  ready?(): Promise<void>;
}
