// A document that arrives in small pieces; every 16 pieces somebody reads the newest complete row.
import { HamStore } from "byname";
import { rowDocument, rowIds } from "../data/rows.mjs";
import { BorderStream } from "../opponents/tuned/border-stream.mjs";
import { PushParser } from "../opponents/tuned/push-parser.mjs";
import { TunedStore } from "../opponents/tuned/store.mjs";

const PIECE = 64;
const EVERY = 16;

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

function tunedSide(Stream, arriving) {
  return {
    setup: () => new TunedStore(),
    run(store) {
      const stream = new Stream(store);
      return pushAll(
        arriving,
        (piece) => stream.push(piece),
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

const shared = { size: 10_000, of: "rows", against: "tuned JS" };

export default [
  {
    ...shared,
    name: "stream",
    title: "1 MB streamed in 64-byte pieces, read after every 16",
    short: "stream of 64-byte pieces",
    target: { node: 2, chromium: 1.8 },
    sides(size) {
      const arriving = arrival(size);
      return {
        byname: storeSide(arriving),
        "tuned JS": tunedSide(PushParser, arriving),
        "tuned JS, borders only": tunedSide(BorderStream, arriving),
      };
    },
  },
];
