import { needOptions, refuse } from "../arguments.js";
import type { Diagnostic } from "../types.js";
import { type MessageTarget, messageStream, type Received } from "./stream.js";

/** What messages come from: text and bytes in pieces, or messages that are objects already. */
export type MessageSource =
  | string
  | Response
  | readonly (string | Uint8Array | object)[]
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
  const stream = messageStream(surface);
  const all: Received = { ok: true, diagnostics: [] };
  let objects = 0;
  const note = ({ ok, diagnostics }: Received): void => {
    all.ok &&= ok;
    all.diagnostics.push(...diagnostics);
    if (diagnostics.length > 0) onDiagnostics?.(diagnostics);
  };
  const end = (): void => {
    if (!signal?.aborted && objects === 0) note(stream.end());
  };
  const pieces = piecesOf(await unless(signal, source));
  try {
    for (;;) {
      const { done, value } = await unless(signal, pieces.next());
      if (done) break;
      if (typeof value === "string" || value instanceof Uint8Array) {
        note(stream.push(value));
      } else {
        objects += 1;
        note(surface.receive(value));
      }
    }
  } catch (reason) {
    // Who waits for the next piece is not waited for.
    void pieces.return(undefined).catch(() => {});
    end();
    throw reason;
  }
  end();
  return all;
}

/** What a promise comes to, unless the signal comes first. */
async function unless<T>(signal: AbortSignal | undefined, promise: T | Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  if (!signal) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function* piecesOf(source: MessageSource): AsyncGenerator<string | Uint8Array | object> {
  if (typeof source === "string") {
    yield source;
  } else if (Array.isArray(source)) {
    yield* source;
  } else if (typeof Response === "function" && source instanceof Response) {
    if (!source.ok) throw new Error(`${source.url} answered ${source.status}`);
    if (source.body) yield* piecesOf(source.body);
  } else if (typeof source === "object" && source !== null && "getReader" in source) {
    // Not every browser can iterate over a stream.
    const reader = source.getReader();
    let ended = false;
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
      ended = true;
    } finally {
      // To cancel what has come to its end would count as a request that failed.
      if (!ended) await reader.cancel();
    }
  } else if (typeof source === "object" && source !== null && Symbol.asyncIterator in source) {
    yield* source;
  } else {
    refuse("messages come from a Response, a stream, an async iterable, a list or a text");
  }
}
