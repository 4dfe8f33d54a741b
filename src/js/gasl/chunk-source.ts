/** Text or bytes in chunks: a stream, or any asynchronous iterable. */
export type ChunkSource =
  | ReadableStream<Uint8Array>
  | ReadableStream<string>
  | AsyncIterable<Uint8Array | string>;

/** Reader of chunks. */
export interface ChunkReader {
  next(): Promise<{ done?: boolean | undefined; value?: unknown }>;
  /** Ends the source, because no more chunks are read. */
  cancel(reason?: unknown): Promise<void>;
}

export function isChunkSource(value: unknown): value is ChunkSource {
  if (typeof value !== "object" || value === null) return false;
  return (
    typeof (value as { getReader?: unknown }).getReader === "function" ||
    typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function"
  );
}

export function chunkReader(source: ChunkSource): ChunkReader {
  // Not every host iterates over its streams.
  if ("getReader" in source) {
    const reader = (source as ReadableStream<unknown>).getReader();
    return {
      next: () => reader.read(),
      cancel: (reason) => reader.cancel(reason),
    };
  }
  const iterator = source[Symbol.asyncIterator]();
  return {
    next: async () => iterator.next(),
    cancel: async () => void (await iterator.return?.()),
  };
}

/** Complete text, or its chunks. */
export type TextSource = string | Uint8Array | ChunkSource;

/** Graph as two tables, as the tables of `CsvTables`, which may arrive in chunks. */
export interface CsvStreams {
  nodes?: TextSource;
  edges: TextSource;
  directed?: boolean;
}

/** Options of a source in chunks. */
export interface ReadOptions {
  /** Stops reading. The promise rejects with its reason, and the source is cancelled. */
  signal?: AbortSignal;
  /** Called after each chunk with the number of bytes so far. */
  onProgress?: (progress: { bytes: number }) => void;
}
