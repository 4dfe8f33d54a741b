// Results that are logged, sent or copied.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { HamStore, init } from "byname";

await init();

test("displays the complete result of an update as JSON and on the console", () => {
  const result = new HamStore().apply({ a: 1 });
  const all = { ok: true, changed: ["a"], deleted: [], inverse: { "!a": null }, diagnostics: [] };
  assert.deepEqual(JSON.parse(JSON.stringify(result)), all);
  assert.deepEqual(result.toJSON(), all);
  assert.equal(inspect(result), inspect(all));
});

test("the console displays the rest of a result that is too old, or whose store is disposed of", () => {
  const store = new HamStore({ limits: { undo: 1 } });
  const old = store.apply({ a: 1 });
  const last = store.apply({ a: 2 });
  const remaining = inspect({ ok: true, diagnostics: [] });
  assert.equal(inspect(old), remaining);
  assert.throws(() => JSON.stringify(old), { code: "too-late" });
  store[Symbol.dispose]();
  assert.equal(inspect(last), remaining);
});
