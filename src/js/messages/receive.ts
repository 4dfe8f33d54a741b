import { abortable } from "../abort.js";
import { bytesOf, needFunction, needOptions, needSignal, refuse } from "../arguments.js";
import type { Diagnostic } from "../types.js";
import { NOTHING } from "./diagnostics.js";
import { refusal } from "./http-error.js";
import { Tally } from "./merged-result.js";
import { type MessageTarget, messageStream, type Received } from "./stream.js";

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
  needOptions(options, ["signal", "onDiagnostics"], "the options of `receiveAll`");
  const { signal, onDiagnostics } = options;
  needSignal(signal);
  if (onDiagnostics !== undefined) needFunction(onDiagnostics, "`onDiagnostics`");
  const stream = messageStream(surface);
  const all = new Tally();
  let objects = 0;
  const note = (received: Received): void => {
    all.note(received);
    if (received.diagnostics.length > 0) onDiagnostics?.(received.diagnostics);
  };
  const end = (): void => {
    if (signal?.aborted) return;
    const { ok, diagnostics } = stream.end();
    // Without messages in texts there were those that are objects.
    const rest = diagnostics.filter(({ code }) => objects === 0 || code !== NOTHING);
    note({ ok: ok || rest.length < diagnostics.length, diagnostics: rest });
  };
  const coming = Promise.resolve(source);
  let pieces: Pieces | undefined;
  try {
    const given = await unless(signal, coming);
    if (isResponse(given) && !given.ok) throw await unless(signal, refusal(given, signal));
    pieces = piecesOf(given);
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await unless(signal, pieces.next());
      if (done) break;
      const text = typeof value === "string" ? value : bytesOf(value);
      if (text === undefined) objects += 1;
      note(text === undefined ? surface.receive(value as object) : stream.push(text));
    }
  } catch (reason) {
    // Whoever sends has nobody to send to any more, also where the source comes only now.
    void coming.then((late) => (pieces ?? piecesOf(late)).stop()).catch(() => {});
    if (pieces) end();
    throw reason;
  }
  end();
  return all.received;
}

/** What a promise comes to, unless the signal comes first. */
async function unless<T>(signal: AbortSignal | undefined, promise: T | Promise<T>): Promise<T> {
  return signal ? abortable(Promise.resolve(promise), signal) : promise;
}

/** Whether it is a response, of whichever window. */
function isResponse(source: unknown): source is Response {
  return Object.prototype.toString.call(source) === "[object Response]";
}

type Piece = string | Uint8Array | object;

/** The pieces of a source, one after the other. */
interface Pieces {
  next(): IteratorResult<Piece, unknown> | Promise<IteratorResult<Piece, unknown>>;
  /** Ends the source, also while it is waited for. */
  stop(): unknown;
}

function piecesOf(source: MessageSource): Pieces {
  if (typeof source === "string") return piecesOf([source]);
  if (isResponse(source)) return piecesOf(source.body ?? []);
  if (typeof source === "object" && source !== null && "getReader" in source) {
    // Not every browser can iterate over a stream.
    const reader: ReadableStreamDefaultReader<Piece> = source.getReader();
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
    !bytesOf(source)
  ) {
    const items: Iterator<Piece> = source[Symbol.iterator]();
    return { next: () => items.next(), stop: () => items.return?.() };
  }
  return refuse(
    "messages come from a Response, a stream, an async iterable, a list or a text; one message is a list of one",
  );
}
