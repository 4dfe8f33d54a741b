import { bytesOf, refuse } from "../arguments.js";
import type { Surface } from "../surface.js";
import type { Diagnostic } from "../types.js";
import { HAS_ENDED, NOT_UTF8 } from "./diagnostics.js";
import { MessageReader } from "./message-reader.js";
import { Recipient } from "./result-collector.js";
import { Utf8 } from "./utf8-decoder.js";

/** What became of a piece. Places are UTF-16 offsets into all that was pushed. */
export interface Received {
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** Messages for a surface, arriving in pieces. */
export interface MessageStream {
  /** Takes the next piece. Bytes are UTF-8, and may be cut anywhere. */
  push(piece: string | Uint8Array): Received;
  /** Takes what is left; a message that is not whole is an error. The surface stays as it is. */
  end(): Received;
}

/** What messages go to: a `Surface` of `byname` or of `byname/ham`. */
export type MessageTarget = Pick<Surface, "receive"> & { store: Pick<Surface["store"], "stream"> };

/**
 * Opens a stream of messages. A component mounts as soon as it is complete, a node of `updateDataModel` shows as soon as
 * it is complete; every other message is taken when it has come to its end, and so is one that does not name its surface first.
 */
export function messageStream(surface: MessageTarget): MessageStream {
  if (typeof surface?.receive !== "function") refuse("messages go to a surface, which comes first");
  const recipient = new Recipient(surface);
  const reader = new MessageReader(recipient);
  const utf8 = new Utf8(() => recipient.note(NOT_UTF8, reader.length));
  let reading = false;
  let ended = false;

  /** What comes of a task, in which listeners of the surface are called. */
  const take = (task: () => void): Received => {
    if (ended) return { ok: false, diagnostics: [HAS_ENDED] };
    if (reading) {
      refuse(
        "a stream takes no piece while it takes another: a listener pushes when `push` has returned",
      );
    }
    reading = true;
    try {
      task();
    } finally {
      reading = false;
    }
    return recipient.told();
  };

  return {
    push(piece) {
      const given = typeof piece === "string" ? piece : bytes(piece);
      return take(() => reader.read(utf8.read(given)));
    },
    end() {
      return take(() => {
        reader.end(utf8.end());
        ended = true;
      });
    },
  };
}

/** A piece that is no text, or a throw for whoever gives something else. */
function bytes(piece: unknown): Uint8Array<ArrayBuffer> {
  const given = bytesOf(piece);
  // No decoder takes what others may write over meanwhile.
  if (given !== undefined) {
    return given.buffer instanceof ArrayBuffer ? (given as Uint8Array<ArrayBuffer>) : given.slice();
  }
  refuse(
    Array.isArray(piece)
      ? "a piece of messages is text or bytes; `receiveAll` takes a list of messages"
      : "a piece of messages is text or bytes; `surface.receive` takes objects",
  );
}
