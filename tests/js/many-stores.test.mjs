// Shared message buffer: each store writes its messages of any size into it, and no other store may
// read them.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init, Surface } from "byname";

before(() => init());

const encoder = new TextEncoder();

/**
 * Returns nodes as text of about this number of bytes, with non-ASCII characters if `letter` is
 * one.
 */
function nodesOfSize(size, character) {
  const all = {};
  for (let at = 0; at * 40 < size; at++)
    all[`n${at}`] = { size, text: `${character}${at}`.repeat(3) };
  return all;
}

const sizes = [40, 5_000, 3_000_000, 100, 70_000, 1_500_000, 40, 200_000];

test("accepts messages of all forms from stores of different sizes in turn", () => {
  const [texts, bytes, objects] = [new HamStore(), new HamStore(), new HamStore()];
  for (const size of sizes) {
    const [ascii, wide] = [nodesOfSize(size, "x"), nodesOfSize(size, "€")];
    assert.ok(texts.apply(JSON.stringify(wide)).ok);
    assert.ok(bytes.apply(encoder.encode(JSON.stringify(ascii))).ok);
    assert.ok(objects.apply(wide).ok);
    for (const id of ["n0", `n${Math.ceil(size / 40) - 1}`]) {
      assert.deepEqual(texts.get(id), wide[id]);
      assert.deepEqual(bytes.get(id), ascii[id]);
      assert.deepEqual(objects.get(id), wide[id]);
    }
  }
});

test("the pending chunks of each store's stream are separate", () => {
  const stores = ["a", "é", "😀"].map((name) => ({ name, store: new HamStore() }));
  const streams = stores.map(({ store }) => store.stream());
  const push = (text) => {
    stores.forEach(({ name }, nth) => {
      const chunk = text.replaceAll("$", name);
      streams[nth].push(nth === 1 ? encoder.encode(chunk) : chunk);
    });
  };
  push('{"n":{"name":"$"');
  for (const { store } of stores) store.apply({ other: "x".repeat(2_000_000) });
  push(',"more":["$","$"]},');
  assert.deepEqual(stores[1].store.get("n"), { name: "é", more: ["é", "é"] });
  push('"last":"$"}');
  for (const { name, store } of stores) {
    assert.deepEqual(store.get("n"), { name, more: [name, name] });
    assert.equal(store.get("last"), name);
  }
});

test("a listener of one store may update another", () => {
  const [from, to] = [new HamStore(), new HamStore()];
  from.subscribe({ node: "a", key: "x" }, ({ value }) => {
    to.apply({ copy: value, large: "y".repeat(1_200_000) });
    to.subscribe({ node: "absent" }, () => {});
  });
  for (const value of ["one", "twö", "x".repeat(100_000)]) {
    const result = from.apply({ a: { x: value }, z: {} });
    assert.deepEqual(result.changed, value === "one" ? ["a", "z"] : ["a"]);
    assert.equal(to.get("copy"), value);
  }
});

test("diagnostics belong to their own message", () => {
  const [one, two] = [new HamStore(), new HamStore()];
  const wrong = one.apply('{"ä":1,"b":}');
  two.apply(" ".repeat(50_000));
  const surface = new Surface();
  const unread = surface.receive('{"updateComponents":{"surfaceId":"s","components":}}');
  assert.deepEqual(wrong.diagnostics[0].location, { kind: "text", start: 11, end: 12 });
  assert.deepEqual(unread.diagnostics[0].location, { kind: "text", start: 50, end: 51 });
  assert.deepEqual(one.diff(two), {});
});

test("getters of a binding or of options may call other stores", () => {
  const other = new HamStore();
  other.apply({ 1234: { 5: "x" } });
  const key = () => other.read({ node: "1234", key: "5" }).value;
  const store = new HamStore();
  store.apply({ a: { x: 1 } });
  const binding = {
    node: "a",
    get key() {
      return key();
    },
  };
  assert.ok(store.write(binding, 99_999).ok);
  assert.deepEqual(store.get("a"), { x: 99_999 });
  const options = {
    get limits() {
      other.apply('{"b":{"x":2}}');
      return {};
    },
  };
  assert.deepEqual(HamStore.from({ a: { x: 1 } }, options).toJSON(), { a: { x: 1 } });
  for (const wrong of [undefined, null, "a", 1n, { node: 1n }, () => {}]) {
    const { ok, diagnostics } = store.write(wrong, 1);
    assert.deepEqual([ok, diagnostics.length], [false, 1]);
  }
});

test("rejects a message that is larger than the memory, and accepts others", () => {
  const large = new HamStore({ limits: { bytes: 3_000_000_000 } });
  const other = new HamStore();
  assert.ok(other.apply({ before: "x".repeat(500_000) }).ok);
  // Nothing accesses its pages.
  const { diagnostics } = large.apply(new Uint8Array(2_200_000_000));
  assert.deepEqual(diagnostics[0].message, "the text is larger than 2147483647 bytes");
  assert.ok(other.apply({ after: "x".repeat(100_000) }).ok);
  assert.deepEqual(Object.keys(other.export()), ["before", "after"]);
});

test("accepts the next message after one that exhausted the memory", async () => {
  const { Store } = await import("../../pkg/byname_bg.js");
  const store = new HamStore();
  assert.ok(store.apply('{"a": {"x": 1}}').ok);
  const { error } = console;
  console.error = () => {};
  try {
    // The memory has been released by the time that this fails.
    assert.throws(() => Store.input(2 ** 31), { name: "BynameError", code: "out-of-memory" });
  } finally {
    console.error = error;
  }
  assert.ok(store.apply('{"a": {"x": 2}}').ok);
  assert.deepEqual(store.get("a"), { x: 2 });
});
