import { asBytes, throwMisuse } from "../arguments.js";
import { INVALID_UTF8, STREAM_ENDED } from "./diagnostics.js";
import { MessageReader } from "./message-reader.js";
import { ResultCollector } from "./result-collector.js";
import type { MessageTarget, Received } from "./types.js";
import { Utf8Decoder } from "./utf8-decoder.js";

/** Messages for a surface, arriving in pieces. */
export interface MessageStream {
  /** Takes the next piece. Bytes are UTF-8, and may be cut anywhere. */
  push(chunk: string | Uint8Array): Received;
  /** Takes what is left; a message that is not whole is an error. The surface stays as it is. */
  end(): Received;
}

/**
 * Opens a stream of messages. A component mounts as soon as it is complete, a node of `updateDataModel` shows as soon as
 * it is complete; every other message is taken when it has come to its end, and so is one that does not name its surface first.
 */
export function messageStream(surface: MessageTarget): MessageStream {
  if (typeof surface?.receive !== "function")
    throwMisuse("expected a surface as the first argument");
  const collector = new ResultCollector(surface);
  const reader = new MessageReader(collector);
  const utf8 = new Utf8Decoder(() => collector.add(INVALID_UTF8, reader.length));
  let isReading = false;
  let isEnded = false;

  /** What comes of a task, in which listeners of the surface are called. */
  const runExclusive = (task: () => void): Received => {
    if (isEnded) return { ok: false, diagnostics: [STREAM_ENDED] };
    if (isReading) {
      throwMisuse("a listener called `push` during `push`: push after it has returned");
    }
    isReading = true;
    try {
      task();
    } finally {
      isReading = false;
    }
    return collector.takeResult();
  };

  return {
    push(chunk) {
      const content = typeof chunk === "string" ? chunk : assertBytes(chunk);
      return runExclusive(() => reader.push(utf8.decode(content)));
    },
    end() {
      return runExclusive(() => {
        reader.end(utf8.end());
        isEnded = true;
      });
    },
  };
}

/** A piece that is no text, or a throw for whoever gives something else. */
function assertBytes(chunk: unknown): Uint8Array<ArrayBuffer> {
  const content = asBytes(chunk);
  // No decoder takes what others may write over meanwhile.
  if (content !== undefined) {
    return content.buffer instanceof ArrayBuffer
      ? (content as Uint8Array<ArrayBuffer>)
      : content.slice();
  }
  throwMisuse(
    Array.isArray(chunk)
      ? "expected text or bytes; pass a list of messages to `receiveAll`"
      : "expected text or bytes; pass an object to `surface.receive`",
  );
}
