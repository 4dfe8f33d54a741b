// A document that arrives in small pieces; every 16 pieces somebody reads the newest complete row.
import { HamStore } from "byname";
import { rowDocument, rowIds } from "../data/rows.mjs";
import { BorderStream } from "../opponents/tuned/border-stream.mjs";
import { PushParser } from "../opponents/tuned/push-parser.mjs";
import { TunedStore } from "../opponents/tuned/store.mjs";

const PIECE = 64;
const EVERY = 16;

const encoder = new TextEncoder();

/** The pieces, and behind every 16th the row to be read. */
function arrival(size) {
  const text = JSON.stringify(rowDocument(size));
  const ends = rowEnds(text, size);
  const pieces = [];
  const reads = [];
  let complete = 0;
  for (let at = 0; at < text.length; at += PIECE) {
    pieces.push(text.slice(at, at + PIECE));
    while (ends[complete] < at + PIECE) complete++;
    if (pieces.length % EVERY === 0) reads.push(rowIdAt(complete));
  }
  return { pieces, reads };
}

// Where each row ends; the rows stand in order behind the list.
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

/** The same as bytes, each piece with memory of its own. */
function inBytes({ pieces, reads }) {
  return { pieces: pieces.map((piece) => encoder.encode(piece)), reads };
}

function pushAll({ pieces, reads }, push, read) {
  let seen = 0;
  for (let at = 0; at < pieces.length; at++) {
    push(pieces[at]);
    if (at % EVERY !== EVERY - 1) continue;
    const id = reads[(at + 1) / EVERY - 1];
    if (id !== null) seen += read(id);
  }
  return seen;
}

/** `reader` makes what turns a piece into text, of which a part of a character may wait for the next. */
function tunedSide(Stream, arriving, reader = () => (piece) => piece) {
  return {
    setup: () => new TunedStore(),
    run(store) {
      const stream = new Stream(store);
      const read = reader();
      return pushAll(
        arriving,
        (piece) => stream.push(read(piece)),
        (id) => store.get(id).score,
      );
    },
    answer: (store, seen) => [seen, Object.entries(store.export()).sort()],
  };
}

function storeSide(arriving) {
  return {
    setup: () => new HamStore(),
    run(store) {
      const stream = store.stream();
      const push = (piece) => stream.push(piece);
      const read = (node) => store.read({ node, key: "score" }).value;
      const seen = pushAll(arriving, push, read);
      if (!stream.end().ok) throw new Error("the stream was refused");
      return seen;
    },
    answer: (store, seen) => [seen, Object.entries(store.export()).sort()],
    teardown: (store) => store[Symbol.dispose](),
  };
}

function decoding() {
  const decoder = new TextDecoder();
  return (piece) => decoder.decode(piece, { stream: true });
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
    title: "1 MB streamed in 64-byte pieces, read after every 16",
    short: "stream of 64-byte pieces",
    sides(size) {
      const arriving = arrival(size);
      return {
        byname: storeSide(arriving),
        "tuned JS": tunedSide(PushParser, arriving),
        "tuned JS, borders only": tunedSide(BorderStream, arriving),
      };
    },
  },
  {
    ...shared,
    name: "stream-bytes",
    title: "the same as bytes",
    short: "stream of pieces as bytes",
    sides(size) {
      const arriving = inBytes(arrival(size));
      return {
        byname: storeSide(arriving),
        "tuned JS": tunedSide(PushParser, arriving, decoding),
        "tuned JS, borders only": tunedSide(BorderStream, arriving, decoding),
      };
    },
  },
];
