// Texts of a text message: they are sliced from it, also after non-ASCII characters.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { seeded } from "../../benches/data/seeded.mjs";

await init();
const encoder = new TextEncoder();
const LETTERS = ["a", "b", " ", "é", "߿", "ࠀ", "漢", "😀", "\u{10ffff}", "\n", '"'];
const ROWS = 60;

/** Returns a surface with a list of rows of two texts each, and the reported texts by key. */
function rowSurface() {
  const store = new HamStore();
  const surface = new Surface({ store });
  const bound = (key) => ({ binding: { key } });
  const components = [
    { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
    { id: "row", component: "Row", first: bound("first"), "zweites ü": bound("zweites ü") },
  ];
  surface.receive({ createSurface: { surfaceId: "größe", components } });
  const texts = new Map();
  surface.subscribe((changes) => {
    for (const change of changes) {
      if (change.kind === "mount") texts.set(change.key, change.instance.props);
      else if (change.kind === "set") texts.get(change.key)[change.prop] = change.value;
    }
  });
  return { store, surface, texts };
}

/** Streams the nodes as text or bytes, in chunks of any size. */
const inChunks = (message) => (nodes, store, below) => {
  const all = message(nodes);
  const stream = store.stream();
  for (let at = 0; at < all.length; ) {
    const end = at + 1 + below(40);
    const { ok, diagnostics } = stream.push(all.slice(at, end));
    assert.ok(ok, JSON.stringify(diagnostics));
    at = end;
  }
  return stream.end();
};

const GIVEN = {
  text: (nodes) => JSON.stringify(nodes),
  "text with space": (nodes) => JSON.stringify(nodes, null, 1),
  "text with escapes": (nodes) => JSON.stringify(nodes).replaceAll("é", "\\u00e9"),
  "an envelope": (nodes) =>
    JSON.stringify({ version: "ü😀", updateDataModel: { surfaceId: "größe", nodes } }),
  bytes: (nodes) => encoder.encode(JSON.stringify(nodes)),
  "an object": (nodes) => nodes,
};

const WAYS = {
  ...Object.fromEntries(
    Object.entries(GIVEN).map(([name, input]) => [
      name,
      (nodes, store) => store.apply(input(nodes)),
    ]),
  ),
  "chunks of text": inChunks(GIVEN.text),
  "chunks of bytes": inChunks(GIVEN.bytes),
};

for (const [name, send] of Object.entries(WAYS)) {
  test(`delivers texts unchanged, given as ${name}`, () => {
    const below = seeded(name.length);
    const { store, surface, texts } = rowSurface();
    const letters = () =>
      Array.from(
        { length: below(below(4) === 0 ? 150 : 12) },
        () => LETTERS[below(LETTERS.length)],
      );
    const ids = Array.from({ length: ROWS }, (_, nth) => `${["r", "ü", "😀"][nth % 3]}${nth}`);
    const rows = {};
    const keyOf = (id) => `root/row:${id}`;
    const give = (nodes) => {
      Object.assign(rows, nodes);
      const { ok, diagnostics } = send(nodes, store, below);
      assert.ok(ok, JSON.stringify(diagnostics));
      for (const [id, row] of Object.entries(rows)) {
        if (id !== "root") assert.deepEqual(texts.get(keyOf(id)), row);
      }
    };
    const row = () => ({ first: letters().join(""), "zweites ü": letters().join("") });
    const some = (count) => {
      const chosen = Array.from({ length: count }, () => ids[below(ROWS)]);
      return Object.fromEntries(chosen.map((id) => [id, row()]));
    };
    store.apply({ root: { rows: ids.map((id) => `*${id}`) } });
    give(Object.fromEntries(ids.slice(0, 20).map((id) => [id, row()])));
    give(Object.fromEntries(ids.map((id) => [id, row()])));
    for (let round = 0; round < 60; round++) give(some(1 + below(round)));
    const { children } = surface.tree();
    assert.equal(children.length, ROWS);
    for (const { key, props } of children) assert.deepEqual(props, texts.get(key));
  });
}
