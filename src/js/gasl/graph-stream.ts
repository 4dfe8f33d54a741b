import { abortable } from "../abort.js";
import {
  asBytes,
  assertFunction,
  assertOptionTypes,
  assertSignal,
  throwExpected,
} from "../arguments.js";
import type { Graph as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import {
  type ChunkReader,
  type CsvStreams,
  chunkReader,
  isChunkSource,
  type ReadOptions,
  type TextSource,
} from "./chunk-source.js";
import { writeText } from "./input-text.js";

/** Throws for options of a source in chunks that are invalid. */
export function assertReadOptions(options: ReadOptions): void {
  const needs = { signal: assertSignal, onProgress: assertFunction };
  assertOptionTypes(options, needs, "the options of a source");
}

/** Returns whether a table arrives in chunks. */
export function hasChunks({ nodes, edges }: { nodes?: unknown; edges?: unknown }): boolean {
  return isChunkSource(nodes) || isChunkSource(edges);
}

/** Reads the tables of a graph. Returns whether they are valid. */
export async function readTables(
  handle: Handle,
  { nodes, edges }: CsvStreams,
  options: ReadOptions,
): Promise<boolean> {
  const readers = [nodes ?? "", edges].map((source, index) =>
    readerOf(source, index === 0 ? "`nodes`" : "`edges`"),
  );
  return readAll(readers, options, async (reader, push) => {
    const isEdges = reader === readers[1];
    handle.begin_table(isEdges);
    await push((chunk) => handle.push_rows(writeChunk(handle, chunk)));
    return handle.end_table(isEdges);
  });
}

/** Reads node-link JSON. Returns whether it is valid. */
export async function readNodeLink(
  handle: Handle,
  source: TextSource,
  options: ReadOptions,
): Promise<boolean> {
  return readAll([readerOf(source, "node-link JSON")], options, async (_, push) => {
    await push((chunk) => {
      handle.push_text(writeChunk(handle, chunk));
      return true;
    });
    return handle.read_pushed();
  });
}

type Chunk = string | Uint8Array;
/** Passes each chunk to a function, until that returns false. */
type PushChunks = (take: (chunk: Chunk) => boolean) => Promise<void>;

/** Reads sources one after the other. After an error, all of them are cancelled. */
async function readAll(
  readers: readonly ChunkReader[],
  { signal = new AbortController().signal, onProgress }: ReadOptions,
  read: (reader: ChunkReader, push: PushChunks) => Promise<boolean>,
): Promise<boolean> {
  let bytes = 0;
  const onChunk = (chunk: Chunk): void => {
    bytes += chunk.length;
    onProgress?.({ bytes });
  };
  try {
    for (const reader of readers) {
      const isRead = await read(reader, (take) => pushChunks(reader, signal, take, onChunk));
      if (!isRead) return await stop(readers, new Error("the source is invalid"));
    }
    return true;
  } catch (error) {
    await stop(readers, error);
    throw error;
  }
}

/** Cancels sources without waiting for them, because a blocked source never ends. */
async function stop(readers: readonly ChunkReader[], reason: unknown): Promise<false> {
  for (const reader of readers) reader.cancel(reason).catch(() => {});
  return false;
}

async function pushChunks(
  reader: ChunkReader,
  signal: AbortSignal,
  take: (chunk: Chunk) => boolean,
  onChunk: (chunk: Chunk) => void,
): Promise<void> {
  /** First half of a surrogate pair at the end of a chunk. */
  let half = "";
  for (;;) {
    const { done, value } = await abortable(reader.next(), signal);
    if (done) break;
    let chunk: Chunk =
      typeof value === "string"
        ? half + value
        : (asBytes(value) ?? throwExpected("a chunk", "text or bytes", value));
    half = "";
    if (typeof chunk === "string" && /[\ud800-\udbff]$/.test(chunk)) {
      half = chunk.slice(-1);
      chunk = chunk.slice(0, -1);
    }
    if (chunk.length > 0 && !take(chunk)) return;
    onChunk(chunk);
  }
  if (half !== "") take(half);
}

/** Returns the reader of a source; a complete text is one chunk. */
function readerOf(source: TextSource, what: string): ChunkReader {
  if (isChunkSource(source)) return chunkReader(source);
  const chunk = typeof source === "string" ? source : asBytes(source);
  if (chunk === undefined) throwExpected(what, "text, bytes or a stream", source);
  const chunks = [chunk];
  return {
    next: async () => (chunks.length > 0 ? { value: chunks.pop() } : { done: true }),
    cancel: async () => {},
  };
}

/** Writes a chunk into the input buffer. Returns its length in bytes. */
function writeChunk(handle: Handle, chunk: Chunk): number {
  const written = writeText(handle, chunk);
  if (typeof written !== "number") throw new GaslError([written]);
  return written;
}
