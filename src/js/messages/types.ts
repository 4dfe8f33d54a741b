import type { Surface } from "../surface.js";
import type { Diagnostic } from "../types.js";

/** Result of a chunk. Offsets are UTF-16 offsets in everything that was pushed. */
export interface Received {
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** Receiver of messages: a `Surface` of `byname` or of `byname/ham`. */
export interface MessageTarget {
  receive(message: string | Uint8Array | object): ReturnType<Surface["receive"]>;
  store: Pick<Surface["store"], "stream">;
  /** Returns the diagnostics of the current state, which `receiveAll` reports at the end. */
  diagnostics?(): Diagnostic[];
}
