// Difference between two stores: applied to the first, it makes the second.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore } from "byname";
import { Random } from "../random/random.mjs";

// Texts that look like pointers are stored as texts, so they are not nodes of the store.
const TEXTS = ["*a", "*text_1", "*b", "plain"];

function value(below, depth) {
  const kind = below(depth > 0 ? 4 : 2);
  if (kind === 0) return TEXTS[below(TEXTS.length)];
  if (kind === 1) return below(3);
  const parts = Array.from({ length: below(4) }, () => value(below, depth - 1));
  return kind === 2 ? parts : Object.fromEntries(parts.map((part, at) => ["abc"[at], part]));
}

test("handles stores of plain JSON, and texts typed by users", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = new Random(seed);
    const below = (bound) => random.below(bound);
    const [one, two] = [0, 0].map(() => {
      const store = HamStore.from({ x: value(below, 3), y: value(below, 2) });
      if (below(2) === 0) store.write({ key: "typed" }, TEXTS[below(TEXTS.length)]);
      return store;
    });
    const diff = one.diff(two);
    for (const id of Object.keys(diff).filter((id) => id.startsWith("!"))) {
      assert.ok(one.has(id.slice(1)), `seed ${seed}: ${id} is not there`);
    }
    assert.ok(one.apply(diff).ok, `seed ${seed}`);
    assert.deepEqual(one.toJSON(), two.toJSON(), `seed ${seed}: ${JSON.stringify(diff)}`);
    assert.deepEqual(one.export(), two.export(), `seed ${seed}: ${JSON.stringify(diff)}`);
    assert.deepEqual(one.diff(two), {}, `seed ${seed}: the second difference`);
  }
});

test("a text that looks like a pointer comes with its node, and cannot be deleted", () => {
  const one = HamStore.from({ x: "*a" });
  assert.deepEqual(one.diff(HamStore.from({ x: "*a", y: 1 })), {
    root: { x: "*text_1", y: 1 },
    text_1: "*a",
  });
  assert.deepEqual(one.diff(HamStore.from({ x: "*b" })), { root: { x: "*text_1" }, text_1: "*b" });
  assert.deepEqual(one.diff(HamStore.from({ y: 1 })), { root: { y: 1 } });
  assert.deepEqual(one.diff(HamStore.from({ x: "*a" })), {});
});

test("handles nodes at unusual depth", () => {
  const limits = { depth: 1000 };
  const [one, two] = [new HamStore({ limits }), new HamStore({ limits })];
  let deep = 1;
  for (let level = 0; level < 800; level += 1) deep = [deep];
  one.apply({ x: deep, y: 1, z: 3 });
  two.apply({ x: deep, y: 2 });
  assert.deepEqual(one.diff(two), { "!z": null, y: 2 });
});

test("handles a short document that repeats one long text", () => {
  const store = new HamStore();
  const nodes = { root: [], text: "x".repeat(1500) };
  for (let at = 0; at < 17; at += 1) {
    const next = at === 16 ? "*text" : `*b${at + 1}`;
    nodes[`b${at}`] = [next, next];
  }
  for (let at = 0; at < 25; at += 1) {
    nodes[`r${at}`] = { id: at, b: "*b0" };
    nodes.root.push(`*r${at}`);
  }
  assert.ok(store.apply(nodes).ok);
  const target = [{ id: 3, b: 1 }];
  const difference = store.diff(target);
  assert.ok(store.apply(difference).ok);
  assert.deepEqual(store.toJSON(), target);
  // A value that is too long to be displayed is not taken for null.
  const again = new HamStore();
  again.apply(nodes);
  assert.ok(again.apply(again.diff([null, null])).ok);
  assert.deepEqual(again.toJSON(), [null, null]);
});

test("items keep their long texts, in any order", () => {
  const store = new HamStore();
  const text = (character) => character.repeat(500);
  store.apply({ root: ["*a", "*b"], a: { note: text("a") }, b: { note: text("b") } });
  const difference = store.diff([{ note: text("b") }, { note: text("a") }]);
  assert.deepEqual(difference, { root: ["*b", "*a"] });
});

test("rejects a value that cannot be read", () => {
  const store = new HamStore({ limits: { depth: 10 } });
  assert.throws(() => store.diff("\ud800"), { name: "BynameError", code: "argument" });
  const deep = [[[[[[[[[[[["too deep"]]]]]]]]]]]];
  assert.throws(() => store.diff(deep), { name: "BynameError", code: "argument" });
  assert.throws(() => HamStore.from("\ud800"), { name: "BynameError", code: "argument" });
});

test("a difference does not change values in a cycle, which displays fewer levels of itself", () => {
  const store = new HamStore();
  const u1 = { name: "Ann", friends: ["*u2"] };
  store.apply({ root: { title: "Team", users: ["*u1", "*u2"] }, u1 });
  store.apply({ u2: { name: "Bob", friends: ["*u1"] } });
  assert.deepEqual(store.diff(store.toJSON()), {});
  const root = { title: "Us", users: ["*u1", "*u2"] };
  assert.deepEqual(store.diff({ ...store.toJSON(), title: "Us" }), { root });
  store.apply({ root: { a: [["*root"], 1] } });
  assert.deepEqual(store.diff({ a: [[null], 1] }), {});
  assert.deepEqual(store.diff({ a: [[null], 2] }), { root: { a: [["*root"], 2] } });
});
