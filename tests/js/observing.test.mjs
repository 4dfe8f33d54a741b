// Behaviour without a case as data: listeners with side effects, values that are not stored,
// disposed handles.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

test("init may be called repeatedly", async () => {
  await Promise.all([init(), init()]);
  assert.ok(new HamStore().apply({ a: 1 }).ok);
});

test("a listener may read, write, subscribe and unsubscribe", () => {
  const store = new HamStore();
  store.apply({ a: 1, b: 1 });
  const received = [];
  let stop = () => {};
  store.subscribe({ node: "a" }, ({ value }) => {
    received.push(`a ${value} ${store.read({ node: "b" }).value}`);
    if (value === 2) received.push(store.apply({ b: 5 }).ok);
    stop();
  });
  stop = store.subscribe({ node: "b" }, ({ value }) => {
    received.push(`b ${value}`);
    store.subscribe({ node: "a" }, (reading) => received.push(`late ${reading.value}`));
    stop();
  });
  assert.ok(store.apply({ a: 2, b: 2 }).ok);
  assert.equal(store.read({ node: "b" }).value, 5);
  assert.ok(received.includes("a 2 2"), received.join());
  received.length = 0;
  store.apply({ a: 3, b: 6 });
  assert.equal(received.filter((line) => line.startsWith("b ")).length, 0, received.join());
  assert.ok(received.includes("a 3 6"), received.join());
});

test("notifies listeners before the call returns, and notifies each of two once", () => {
  const store = new HamStore();
  let calls = 0;
  const listener = () => {
    calls += 1;
  };
  const stops = [
    store.subscribe({ node: "a" }, listener),
    store.subscribe({ node: "a" }, listener),
  ];
  store.apply({ a: 1 });
  assert.equal(calls, 2);
  stops[0]();
  store.apply({ a: 2 });
  assert.equal(calls, 3);
});

test("does not notify a listener removed during a notification, and notifies an added one of the next update", () => {
  const surface = new Surface();
  surface.receive({
    updateComponents: {
      surfaceId: "main",
      components: [{ id: "root", component: "Text", text: { binding: { key: "title" } } }],
    },
  });
  const received = [];
  const listener =
    (name) =>
    ([{ value }]) =>
      received.push(`${name} ${value}`);
  let once = () => {
    endSecond();
    endSecond();
    surface.subscribe(listener("late"));
    once = () => {};
  };
  surface.subscribe((changes) => {
    listener("first")(changes);
    once();
  });
  const endSecond = surface.subscribe(listener("second"));
  const endThird = surface.subscribe(listener("third"));
  surface.store.apply({ root: { title: "a" } });
  assert.deepEqual(received.splice(0), ["first a", "third a"]);
  surface.store.apply({ root: { title: "b" } });
  assert.deepEqual(received.splice(0), ["first b", "third b", "late b"]);

  surface.subscribe(() => surface[Symbol.dispose]());
  surface.subscribe(listener("last"));
  surface.store.apply({ root: { title: "c" } });
  assert.deepEqual(received.splice(0), ["first c", "third c", "late c"]);
  endThird();
});

test("an error of a listener does not damage the store, and is reported", (t) => {
  const consoleError = t.mock.method(console, "error", () => {});
  const store = new HamStore();
  let calls = 0;
  store.subscribe({ node: "a" }, () => {
    throw new Error("an error of the application");
  });
  store.subscribe({ node: "a" }, () => {
    calls += 1;
  });
  for (const a of [1, 2]) {
    assert.ok(store.apply({ a }).ok);
    assert.equal(store.get("a"), a);
    assert.equal(calls, a);
  }
  const messages = consoleError.mock.calls.map(({ arguments: [error] }) => error.message);
  assert.deepEqual(messages, ["an error of the application", "an error of the application"]);
});

test("does not keep objects and buffers of the caller", () => {
  const store = new HamStore();
  const update = { a: { x: [1] } };
  store.apply(update);
  update.a.x.push(2);
  update.a.y = 1;
  assert.deepEqual(store.get("a"), { x: [1] });
  const bytes = new TextEncoder().encode('xx{"b":["text"]}yy');
  assert.ok(store.apply(bytes.subarray(2, -2)).ok);
  bytes.fill(0);
  assert.deepEqual(store.get("b"), ["text"]);
  const value = [{ y: 1 }];
  assert.ok(store.write({ node: "a", key: "w" }, value).ok);
  value[0].y = 2;
  assert.deepEqual(store.read({ node: "a", key: "w" }).value, [{ y: 1 }]);
  const chunk = new TextEncoder().encode('{"c": {"z": "te');
  const stream = store.stream();
  stream.push(chunk);
  chunk.fill(0);
  assert.ok(stream.push('xt"}}').ok && stream.end().ok);
  assert.deepEqual(store.get("c"), { z: "text" });
});

test("the caller may change returned values", () => {
  const store = new HamStore();
  store.apply({ root: { x: ["*a"] }, a: { n: 1 } });
  for (const value of [
    store.get("root"),
    store.read({}).value,
    store.export().root,
    store.toJSON(),
  ]) {
    try {
      value.x.push(5);
      value.x[0] = 9;
    } catch (error) {
      assert.ok(error instanceof TypeError, "frozen, which is as good");
    }
  }
  assert.deepEqual(store.get("root"), { x: ["*a"] });
  assert.deepEqual(store.read({}).value, { x: [{ n: 1 }] });
});

test("a result describes its own message, also later", () => {
  const store = new HamStore();
  store.apply({ a: 1, b: 1 });
  const result = store.apply({ a: 2, "!b": null, c: 1 });
  store.apply({ a: 3, "!c": null, d: 1 });
  store.undo();
  assert.deepEqual([...result.changed].sort(), ["a", "c"]);
  assert.deepEqual([...result.deleted], ["b"]);
  assert.deepEqual(result.inverse, { a: 1, b: 1, "!c": null });
});

test("rejects a JavaScript value that JSON cannot represent, with a pointer to its location", () => {
  const store = new HamStore();
  const invalidValues = [undefined, Number.NaN, Infinity, () => {}, Symbol("s"), 10n, "\ud800"];
  for (const invalid of invalidValues) {
    const result = store.apply({ "a/b": { x: [1, invalid] } });
    assert.equal(result.ok, false, typeof invalid);
    const [first] = result.diagnostics;
    const code = typeof invalid === "string" ? "JSON006" : "JSON013";
    assert.equal(first.code, code);
    assert.deepEqual(first.location, { kind: "pointer", pointer: "/a~1b/x/1" }, first.message);
  }
  const cycle = {};
  cycle.self = cycle;
  assert.equal(store.apply({ a: cycle }).ok, false);
  assert.deepEqual(store.export(), {});
});

test("a disposed handle throws, and disposing twice is harmless", () => {
  for (const handle of [new HamStore(), new Surface()]) {
    handle[Symbol.dispose ?? "free"]();
    handle[Symbol.dispose ?? "free"]();
    const use = () => (handle instanceof HamStore ? handle.apply({ a: 1 }) : handle.tree());
    assert.throws(use, Error);
  }
  assert.ok(new HamStore().apply({ a: 1 }).ok);
});

test("a store of the caller outlives the surface", () => {
  const store = new HamStore();
  const surface = new Surface({ store });
  assert.equal(surface.store, store);
  surface[Symbol.dispose ?? "free"]();
  assert.ok(store.apply({ a: 1 }).ok);
});

test("notifies a subscription to thousands of nodes once when all of them change", () => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `row_${at}`);
  const rows = (value) => Object.fromEntries(ids.map((id) => [id, value]));
  const store = new HamStore();
  store.apply({ ...rows(1), all: ids.map((id) => `*${id}`) });
  const received = [[], []];
  for (const one of received) {
    store.subscribe({ node: "all" }, ({ value }) => one.push(value[2_999]));
  }
  store.apply(rows(2));
  assert.deepEqual(received, [[2], [2]]);
});
