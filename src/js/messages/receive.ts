import { abortable } from "../abort.js";
import { asBytes, assertFunction, assertOptions, assertSignal, throwMisuse } from "../arguments.js";
import type { Diagnostic } from "../types.js";
import { NO_MESSAGE_CODE } from "./diagnostics.js";
import { toHttpError } from "./http-error.js";
import { MergedResult } from "./merged-result.js";
import { messageStream } from "./stream.js";
import type { MessageTarget, Received } from "./types.js";

/** What messages come from: text and bytes in pieces, or messages that are objects already. */
export type MessageSource =
  | string
  | Response
  | Iterable<string | Uint8Array | object>
  | ReadableStream<Uint8Array | string | object>
  | AsyncIterable<string | Uint8Array | object>;

export interface ReceiveOptions {
  /** Ends the reading: the surface stays as it is, and the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called with what is wrong as soon as it is known. */
  onDiagnostics?: (diagnostics: Diagnostic[]) => void;
}

/**
 * Reads a source to its end: the answer of `fetch`, a stream, or the pieces that a model says. Rejects where the source
 * fails; what has come stays.
 */
export async function receiveAll(
  surface: MessageTarget,
  source: MessageSource | Promise<MessageSource>,
  options: ReceiveOptions = {},
): Promise<Received> {
  assertOptions(options, ["signal", "onDiagnostics"], "the options of `receiveAll`");
  const { signal, onDiagnostics } = options;
  assertSignal(signal);
  if (onDiagnostics !== undefined) assertFunction(onDiagnostics, "`onDiagnostics`");
  const stream = messageStream(surface);
  const merged = new MergedResult();
  let objectCount = 0;
  const add = (received: Received): void => {
    merged.add(received);
    if (received.diagnostics.length > 0) onDiagnostics?.(received.diagnostics);
  };
  const end = (): void => {
    if (signal?.aborted) return;
    const { ok, diagnostics } = stream.end();
    // Without messages in texts there were those that are objects.
    const rest = diagnostics.filter(({ code }) => objectCount === 0 || code !== NO_MESSAGE_CODE);
    add({ ok: ok || rest.length < diagnostics.length, diagnostics: rest });
  };
  const pendingSource = Promise.resolve(source);
  let chunks: ChunkSource | undefined;
  try {
    const resolved = await orAbort(signal, pendingSource);
    if (isResponse(resolved) && !resolved.ok)
      throw await orAbort(signal, toHttpError(resolved, signal));
    chunks = toChunkSource(resolved);
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await orAbort(signal, chunks.next());
      if (done) break;
      const text = typeof value === "string" ? value : asBytes(value);
      if (text === undefined) objectCount += 1;
      add(text === undefined ? surface.receive(value as object) : stream.push(text));
    }
  } catch (reason) {
    // Whoever sends has nobody to send to any more, also where the source comes only now.
    void pendingSource.then((late) => (chunks ?? toChunkSource(late)).stop()).catch(() => {});
    if (chunks) end();
    throw reason;
  }
  end();
  return merged.result;
}

/** What a promise comes to, unless the signal comes first. */
async function orAbort<T>(signal: AbortSignal | undefined, promise: T | Promise<T>): Promise<T> {
  return signal ? abortable(Promise.resolve(promise), signal) : promise;
}

/** Whether it is a response, of whichever window. */
function isResponse(source: unknown): source is Response {
  return Object.prototype.toString.call(source) === "[object Response]";
}

type MessageChunk = string | Uint8Array | object;

/** The pieces of a source, one after the other. */
interface ChunkSource {
  next(): IteratorResult<MessageChunk, unknown> | Promise<IteratorResult<MessageChunk, unknown>>;
  /** Ends the source, also while it is waited for. */
  stop(): unknown;
}

function toChunkSource(source: MessageSource): ChunkSource {
  if (typeof source === "string") return toChunkSource([source]);
  if (isResponse(source)) return toChunkSource(source.body ?? []);
  if (typeof source === "object" && source !== null && "getReader" in source) {
    // Not every browser can iterate over a stream.
    const reader: ReadableStreamDefaultReader<MessageChunk> = source.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) {
    const items = source[Symbol.asyncIterator]();
    return { next: () => items.next(), stop: () => items.return?.() };
  }
  if (
    typeof source === "object" &&
    source !== null &&
    Symbol.iterator in source &&
    !asBytes(source)
  ) {
    const items: Iterator<MessageChunk> = source[Symbol.iterator]();
    return { next: () => items.next(), stop: () => items.return?.() };
  }
  return throwMisuse(
    "expected messages as a Response, a stream, an async iterable, a list or a string; pass one message as a list",
  );
}
