// Handles and what ends them: twice, late, in any order, or never.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BynameError, HamStore, init } from "byname";

await init();

const misuse = (code) => (error) => error instanceof BynameError && error.code === code;

test("a subscription that is ended twice ends nobody else's", () => {
  const store = new HamStore();
  const seen = [];
  const listener = ({ value }) => seen.push(value);
  const stop = store.subscribe({ node: "a" }, listener);
  stop();
  store.subscribe({ node: "a" }, listener);
  stop();
  store.apply({ a: 1 });
  assert.deepEqual(seen, [1]);
});

test("a subscription that ends and begins anew in a batch does not hear of that batch", () => {
  const store = new HamStore();
  const seen = [];
  const listener = ({ value }) => seen.push(value);
  let stop = () => {};
  const end = store.subscribe({ node: "a" }, () => {
    stop();
    store.subscribe({ node: "a" }, listener);
    end();
  });
  stop = store.subscribe({ node: "a" }, listener);
  store.apply({ a: 1 });
  assert.deepEqual(seen, []);
  store.apply({ a: 2 });
  assert.deepEqual(seen, [2]);
});

test("a subscription can be ended after its store", () => {
  const store = new HamStore();
  const stop = store.subscribe({ node: "a" }, () => {});
  store[Symbol.dispose]();
  stop();
  stop();
});

test("subscribing to a malformed binding throws what reading it tells", () => {
  const store = new HamStore();
  for (const binding of [{ node: "*u" }, { node: 1 }, "u", null]) {
    const { diagnostics } = store.read(binding);
    assert.notEqual(diagnostics.length, 0);
    assert.throws(
      () => store.subscribe(binding, () => {}),
      (error) => {
        assert.deepEqual(error.diagnostics, diagnostics);
        return misuse("argument")(error);
      },
    );
  }
});

test("a field of a binding that is undefined is absent", () => {
  const store = new HamStore();
  store.apply({ root: { x: 1 }, a: { x: 2 } });
  assert.deepEqual(store.read({ node: undefined, key: "x" }), store.read({ key: "x" }));
  assert.deepEqual(store.read({ node: "a", key: undefined }), store.read({ node: "a" }));
  assert.ok(store.write({ node: undefined, key: "x" }, 3).ok);
  assert.deepEqual(store.get("root"), { x: 3 });
});

test("bytes after half a pair end the stream", () => {
  const store = new HamStore();
  const stream = store.stream();
  assert.ok(stream.push('{"a": 1, "b": "\ud83d').ok);
  const refused = stream.push(new TextEncoder().encode('"}'));
  assert.deepEqual([refused.ok, refused.diagnostics.map(({ code }) => code)], [false, ["JSON006"]]);
  for (const result of [stream.push("x"), stream.end()]) {
    assert.equal(result.ok, false);
    assert.notEqual(result.diagnostics[0].code, "JSON006", "it has ended before");
  }
  assert.deepEqual(store.export(), { a: 1 });
});

test("half a pair that is completed, and half a pair at the end", () => {
  const store = new HamStore();
  const stream = store.stream();
  for (const piece of ['{"b": "\ud83d', "", '\ude00"}']) assert.ok(stream.push(piece).ok);
  assert.ok(stream.end().ok);
  assert.equal(store.get("b"), "😀");
  const half = store.stream();
  assert.ok(half.push('{"c": "\ud83d').ok);
  assert.equal(half.end().diagnostics[0].code, "JSON006");
  assert.notEqual(half.end().diagnostics[0].code, "JSON006");
});
