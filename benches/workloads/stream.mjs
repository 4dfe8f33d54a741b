// Document that arrives in small chunks; after every 16th the newest complete row is read.
import { HamStore } from "byname";
import { BorderStream } from "../baselines/tuned/border-stream.mjs";
import { PushParser } from "../baselines/tuned/push-parser.mjs";
import { TunedStore } from "../baselines/tuned/store.mjs";
import { rowDocument, rowIds } from "../data/rows.mjs";

const CHUNK_SIZE = 64;
const READ_INTERVAL = 16;

const encoder = new TextEncoder();

/** Returns the chunks, and the row to read after every 16th. */
function chunksAndReads(size) {
  const text = JSON.stringify(rowDocument(size));
  const ends = rowEnds(text, size);
  const chunks = [];
  const reads = [];
  let complete = 0;
  for (let at = 0; at < text.length; at += CHUNK_SIZE) {
    chunks.push(text.slice(at, at + CHUNK_SIZE));
    while (ends[complete] < at + CHUNK_SIZE) complete++;
    if (chunks.length % READ_INTERVAL === 0) reads.push(rowIdAt(complete));
  }
  return { chunks, reads };
}

// Returns the end offset of each row; the rows follow the list in order.
function rowEnds(text, size) {
  let at = text.indexOf("]");
  return rowIds(size).map(() => {
    at = text.indexOf("}", at) + 1;
    return at;
  });
}

function rowIdAt(complete) {
  return complete === 0 ? null : `row_${String(complete - 1).padStart(6, "0")}`;
}

/** Returns the chunks as bytes, each in its own buffer. */
function inBytes({ chunks, reads }) {
  return { chunks: chunks.map((chunk) => encoder.encode(chunk)), reads };
}

function pushAll({ chunks, reads }, push, read) {
  let checksum = 0;
  for (let at = 0; at < chunks.length; at++) {
    push(chunks[at]);
    if (at % READ_INTERVAL !== READ_INTERVAL - 1) continue;
    const id = reads[(at + 1) / READ_INTERVAL - 1];
    if (id !== null) checksum += read(id);
  }
  return checksum;
}

/** `reader` returns a function from chunks to text, which may keep a part of a character. */
function tunedSide(Stream, input, reader = () => (chunk) => chunk) {
  return {
    setup: () => new TunedStore(),
    run(store) {
      const stream = new Stream(store);
      const read = reader();
      return pushAll(
        input,
        (chunk) => stream.push(read(chunk)),
        (id) => store.get(id).score,
      );
    },
    answer: (store, checksum) => [checksum, Object.entries(store.export()).sort()],
  };
}

function storeSide(input) {
  return {
    setup: () => new HamStore(),
    run(store) {
      const stream = store.stream();
      const push = (chunk) => stream.push(chunk);
      const read = (node) => store.read({ node, key: "score" }).value;
      const checksum = pushAll(input, push, read);
      if (!stream.end().ok) throw new Error("the stream was rejected");
      return checksum;
    },
    answer: (store, checksum) => [checksum, Object.entries(store.export()).sort()],
    teardown: (store) => store[Symbol.dispose](),
  };
}

function streamDecoder() {
  const decoder = new TextDecoder();
  return (chunk) => decoder.decode(chunk, { stream: true });
}

const shared = {
  size: 10_000,
  of: "rows",
  against: "tuned JS",
  target: { node: 2, chromium: 1.8 },
};

export default [
  {
    ...shared,
    name: "stream",
    title: "1 MB streamed in 64-byte chunks, read after every 16",
    short: "stream of 64-byte chunks",
    sides(size) {
      const input = chunksAndReads(size);
      return {
        byname: storeSide(input),
        "tuned JS": tunedSide(PushParser, input),
        "tuned JS, borders only": tunedSide(BorderStream, input),
      };
    },
  },
  {
    ...shared,
    name: "stream-bytes",
    title: "the same as bytes",
    short: "stream of chunks as bytes",
    sides(size) {
      const input = inBytes(chunksAndReads(size));
      return {
        byname: storeSide(input),
        "tuned JS": tunedSide(PushParser, input, streamDecoder),
        "tuned JS, borders only": tunedSide(BorderStream, input, streamDecoder),
      };
    },
  },
];
