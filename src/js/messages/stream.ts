import { asBytes, assertFunction, assertOptions, throwMisuse } from "../arguments.js";
import { INVALID_UTF8, STREAM_ENDED } from "./diagnostics.js";
import { MAX_CHUNK_LENGTH, MessageReader } from "./message-reader.js";
import { ResultCollector } from "./result-collector.js";
import { SnapshotReader } from "./snapshot-reader.js";
import type { MessageStreamOptions, MessageTarget, Received } from "./types.js";
import { Utf8Decoder } from "./utf8-decoder.js";

/** Stream of messages for a surface, in chunks. */
export interface MessageStream {
  /** Reads a chunk. Bytes are UTF-8, and may be cut anywhere. */
  push(chunk: string | Uint8Array): Received;
  /** Reads the rest; an incomplete message is an error. The surface keeps its state. */
  end(): Received;
}

/**
 * Opens a stream of messages. Components and nodes of `updateDataModel` are applied as soon as each
 * is complete. Other messages are applied at their end, and so are messages that do not name their
 * surface first.
 */
export function messageStream(
  surface: MessageTarget,
  options: MessageStreamOptions = {},
): MessageStream {
  const { push, end } = openStream(surface, options);
  return { push, end };
}

/** Stream that also accepts messages and frames as objects. */
export interface ObjectStream extends MessageStream {
  receive(value: object): Received;
  /** Milliseconds to wait for the next object before `applyTail`, or `undefined` for no limit. */
  waitTime(): number | undefined;
  /** Applies the end of the last object, which may be complete or may still grow. */
  applyTail(): Received;
  /** Ends the stream of a source that failed. */
  abort(): Received;
}

/** Opens a stream of texts, bytes and objects. */
export function openStream(surface: MessageTarget, options: MessageStreamOptions): ObjectStream {
  assertOptions(options, ["onText", "partialText"], "the options of `messageStream`");
  const { onText } = options;
  if (onText !== undefined) assertFunction(onText, "`onText`");
  if (typeof surface?.receive !== "function")
    throwMisuse("expected a surface as the first argument");
  const collector = new ResultCollector(surface, options);
  const reader = new MessageReader(collector);
  const snapshots = new SnapshotReader(collector, (own) => new MessageReader(own));
  const utf8 = new Utf8Decoder(() => collector.add(INVALID_UTF8, reader.length));
  let isReading = false;
  let isEnded = false;

  /** Runs a task and returns its result. The task calls listeners of the surface. */
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

  const endAfter = (endSnapshots: () => void): Received =>
    runExclusive(() => {
      endSnapshots();
      reader.end(utf8.end());
      isEnded = true;
    });

  return {
    push(chunk) {
      const content = typeof chunk === "string" ? chunk : assertBytes(chunk);
      return runExclusive(() => {
        snapshots.finish();
        if (typeof content === "string") reader.push(utf8.decode(content));
        else for (const part of partsOf(content)) reader.push(utf8.decode(part));
      });
    },
    receive: (value) => runExclusive(() => snapshots.receive(value)),
    waitTime: () => snapshots.waitTime,
    applyTail: () => runExclusive(() => snapshots.applyTail()),
    end: () => endAfter(() => snapshots.finish()),
    abort: () => endAfter(() => snapshots.abort()),
  };
}

/** Returns the parts of a chunk, each of which can be decoded to a string. */
function partsOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const count = Math.max(1, Math.ceil(bytes.length / MAX_CHUNK_LENGTH));
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_CHUNK_LENGTH, (index + 1) * MAX_CHUNK_LENGTH),
  );
}

/** Returns the bytes of a chunk, or throws for another type. */
function assertBytes(chunk: unknown): Uint8Array<ArrayBuffer> {
  const content = asBytes(chunk);
  // Decoders reject shared memory, so it is copied.
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
