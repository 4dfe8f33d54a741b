// Message that replaces every row of a full store.
import { HamStore } from "byname";
import { cutNodes, parseNodes } from "../baselines/tuned/read.mjs";
import { TunedStore } from "../baselines/tuned/store.mjs";
import { asPython, rowDocument } from "../data/rows.mjs";

const encoder = new TextEncoder();

const texts = (size, write = JSON.stringify) =>
  [1, 2].map((seed) => write(rowDocument(size, seed)));

const sorted = (nodes) => Object.entries(nodes).sort();

function sides(full, message) {
  return {
    byname: {
      setup() {
        const store = new HamStore();
        store.apply(full);
        return store;
      },
      run: (store) => store.apply(message),
      check(_, { ok, diagnostics }) {
        if (!ok) throw new Error(diagnostics[0].message);
      },
      answer: (store) => sorted(store.export()),
      teardown: (store) => store[Symbol.dispose](),
    },
    "tuned JS": tunedSide(parseNodes, full, message),
    "tuned JS, cut by hand": tunedSide(cutNodes, full, message),
  };
}

function tunedSide(read, full, message) {
  return {
    setup() {
      const store = new TunedStore(read);
      store.apply(full);
      return store;
    },
    run: (store) => store.apply(message),
    answer: (store) => sorted(store.export()),
  };
}

const shared = { size: 10_000, of: "rows", against: "tuned JS" };

export default [
  {
    ...shared,
    name: "ingest-text",
    title: "ingest a 1 MB update, text",
    short: "ingest, text",
    target: { node: 3, chromium: 1.8 },
    sides(size) {
      const [full, message] = texts(size);
      return sides(full, message);
    },
  },
  {
    ...shared,
    name: "ingest-bytes",
    title: "ingest a 1 MB update, bytes",
    short: "ingest, bytes",
    target: { node: 4, chromium: 3.5 },
    sides(size) {
      const [full, message] = texts(size);
      return sides(full, encoder.encode(message));
    },
  },
  {
    ...shared,
    name: "ingest-python",
    title: "ingest, text as Python's json.dumps writes it",
    short: "ingest, as Python writes",
    growth: false,
    sides(size) {
      const [full, message] = texts(size, asPython);
      return sides(full, message);
    },
  },
];
