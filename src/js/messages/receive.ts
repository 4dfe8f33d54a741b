import { abortable } from "../abort.js";
import { asBytes, assertFunction, assertOptions, assertSignal, throwMisuse } from "../arguments.js";
import type { Diagnostic } from "../types.js";
import { NO_MESSAGE_CODE } from "./diagnostics.js";
import { toHttpError } from "./http-error.js";
import { MergedResult } from "./merged-result.js";
import { openStream } from "./stream.js";
import type { MessageTarget, Received } from "./types.js";

/** Source of messages: text and bytes in chunks, or messages as objects. */
export type MessageSource =
  | string
  | Response
  | Iterable<string | Uint8Array | object>
  | ReadableStream<Uint8Array | string | object>
  | AsyncIterable<string | Uint8Array | object>;

export interface ReceiveOptions {
  /**
   * Stops the reading: the surface keeps its state, and the promise rejects with the signal's
   * reason.
   */
  signal?: AbortSignal;
  /** Called with diagnostics as soon as they are known. */
  onDiagnostics?: (diagnostics: Diagnostic[]) => void;
  /** Called with text that is not a message. Without it the text is counted in a diagnostic. */
  onText?: (text: string) => void;
  /** Displays long texts while they arrive; true by default. See `MessageStreamOptions`. */
  partialText?: boolean;
}

/**
 * Reads a source to its end: a Response, a stream, or the chunks of a model. Rejects if the source
 * fails; received parts are kept.
 */
export async function receiveAll(
  surface: MessageTarget,
  source: MessageSource | Promise<MessageSource>,
  options: ReceiveOptions = {},
): Promise<Received> {
  assertOptions(
    options,
    ["signal", "onDiagnostics", "onText", "partialText"],
    "the options of `receiveAll`",
  );
  const { signal, onDiagnostics, onText, partialText = true } = options;
  assertSignal(signal);
  if (onDiagnostics !== undefined) assertFunction(onDiagnostics, "`onDiagnostics`");
  if (onText !== undefined) assertFunction(onText, "`onText`");
  const stream = openStream(surface, { partialText, ...(onText && { onText }) });
  const merged = new MergedResult();
  let objectCount = 0;
  const add = (received: Received): void => {
    merged.add(received);
    if (received.diagnostics.length > 0) onDiagnostics?.(received.diagnostics);
  };
  const end = (ended: () => Received): void => {
    if (signal?.aborted) return;
    const { ok, diagnostics } = ended();
    // Messages may be objects only.
    const rest = diagnostics.filter(({ code }) => objectCount === 0 || code !== NO_MESSAGE_CODE);
    const hasError = rest.some(({ severity }) => severity === "error");
    add({ ok: ok || (rest.length < diagnostics.length && !hasError), diagnostics: rest });
  };
  const pendingSource = Promise.resolve(source);
  let chunks: ChunkSource | undefined;
  try {
    // The request runs while the WebAssembly is loaded.
    if (surface?.ready) await orAbort(signal, surface.ready());
    const resolved = await orAbort(signal, pendingSource);
    if (isResponse(resolved) && !resolved.ok)
      throw await orAbort(signal, toHttpError(resolved, signal));
    chunks = toChunkSource(resolved);
    for (;;) {
      signal?.throwIfAborted();
      const next = chunks.next();
      const waitTime = stream.waitTime();
      if (waitTime !== undefined && (await orAbort(signal, isPendingAfter(next, waitTime))))
        add(stream.applyTail());
      const { done, value } = await orAbort(signal, next);
      if (done) break;
      const text = typeof value === "string" ? value : asBytes(value);
      if (text === undefined) objectCount += 1;
      add(text === undefined ? stream.receive(value as object) : stream.push(text));
    }
  } catch (reason) {
    // Stops the sender, also if the source arrives after the abort.
    void pendingSource.then((late) => (chunks ?? toChunkSource(late)).stop()).catch(() => {});
    if (chunks) end(stream.abort);
    throw reason;
  }
  end(stream.end);
  const missing = surface.diagnostics?.({ isDone: true }) ?? [];
  add({ ok: true, diagnostics: merged.unreported(missing) });
  return merged.result;
}

/** Waits for a promise until the signal aborts, if there is one. */
async function orAbort<T>(signal: AbortSignal | undefined, promise: T | Promise<T>): Promise<T> {
  return signal ? abortable(Promise.resolve(promise), signal) : promise;
}

/** Returns whether a promise is still pending after a number of milliseconds. */
async function isPendingAfter(promise: unknown, time: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), time);
  });
  const settled = Promise.resolve(promise).then(
    () => false,
    () => false,
  );
  const isPending = await Promise.race([timeout, settled]);
  clearTimeout(timer);
  return isPending;
}

/** Returns whether a value is a Response, also of another realm. */
function isResponse(source: unknown): source is Response {
  return Object.prototype.toString.call(source) === "[object Response]";
}

type MessageChunk = string | Uint8Array | object;

/** Chunks of a source, one after another. */
interface ChunkSource {
  next(): IteratorResult<MessageChunk, unknown> | Promise<IteratorResult<MessageChunk, unknown>>;
  /** Stops the source, also during `next`. */
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
