// Single entry of a node: the same as in the complete node.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init } from "byname";

await init();

test("an entry equals the value in the node, whatever contains it", () => {
  const store = new HamStore();
  const nodes = {
    map: { a: 1, b: "*list", c: { d: [1] }, "": null, é: "text", 0: "zero" },
    list: ["*map", "*gone", "*list"],
    mixed: [1, "*map", { a: "*b" }, null, "text"],
    text: "words",
    empty: [],
  };
  store.apply(nodes);
  for (const [id, value] of Object.entries(nodes)) {
    const keys = [...Object.keys(value), "x", "9", "-1", "01", "length", "__proto__"];
    for (const key of keys) {
      const isThere = typeof value === "object" && Object.keys(value).includes(key);
      assert.deepEqual(
        store.entry(id, key),
        isThere ? store.get(id)[key] : undefined,
        `${id} ${key}`,
      );
    }
  }
  assert.equal(store.entry("absent", "a"), undefined);
  assert.equal(store.entry("map", "\ud800"), undefined);
  assert.throws(() => store.entry("map"), { code: "argument" });
});

test("lists orphans by prefix", () => {
  const store = new HamStore();
  store.apply({ root: { a: 1 }, "/a": { b: 1 }, "/c": [], other: 1 });
  assert.deepEqual(store.orphans("/").sort(), ["/a", "/c"]);
  assert.deepEqual(store.orphans().sort(), ["/a", "/c", "other"]);
});

test("a store as JSON is the value of its root", () => {
  const store = new HamStore();
  store.apply({ root: { title: "Team", of: "*u1" }, u1: { name: "Ann" } });
  assert.equal(JSON.stringify(store), '{"title":"Team","of":{"name":"Ann"}}');
  assert.deepEqual(HamStore.from(store).toJSON(), store.toJSON());
});
