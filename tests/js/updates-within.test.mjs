// Listeners that update their own store: endless updates are stopped before a stack overflow.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const COUNT = { node: "root", key: "count" };
const withCount = (count) => ({ root: { count } });

/** Runs a function, and returns the errors that listeners threw. */
function errorsDuring(task) {
  const { reportError, console } = globalThis;
  const errors = [];
  globalThis.reportError = (error) => errors.push(error);
  globalThis.console = { ...console, error: (error) => errors.push(error) };
  try {
    task();
  } finally {
    globalThis.console = console;
    globalThis.reportError = reportError;
  }
  return errors;
}

/** Updates of a store, by every API. */
const updates = {
  apply: (store) => (count) => store.apply(withCount(count)),
  write: (store) => (count) => store.write(COUNT, count),
  stream(store) {
    const stream = store.stream();
    return (count) =>
      stream.push(count === 1 ? `{"root":{"count":1}` : `,"root":{"count":${count}}`);
  },
  "undo and redo": (store) => () => store.undo() || store.redo(),
  receive(store) {
    const surface = new Surface({ store });
    const message = (count) => ({ updateDataModel: { surfaceId: "s", nodes: withCount(count) } });
    surface.receive({ createSurface: { surfaceId: "s" } });
    return (count) => surface.receive(message(count));
  },
};

for (const [name, updateStore] of Object.entries(updates)) {
  test(`reports a listener that never ends: ${name}`, () => {
    const store = new HamStore();
    store.apply(withCount(0));
    const change = updateStore(store);
    const received = [];
    let calls = 0;
    store.subscribe(COUNT, ({ value }) => {
      received.push(value);
      calls += 1;
      change(calls);
    });
    const errors = errorsDuring(() => store.apply(withCount(-1)));
    assert.equal(errors.length, 1);
    assert.equal(errors[0].name, "BynameError");
    assert.equal(errors[0].code, "too-deep");
    assert.match(errors[0].message, /update only changed values/);
    assert.equal(received.length, 100);
    // Earlier updates stay, and the store works as usual.
    assert.equal(store.read(COUNT).value, received.at(-1));
    assert.equal(errorsDuring(() => store.apply(withCount(received.at(-1)))).length, 0);
  });
}

test("notifies a listener that ends by itself until its end", () => {
  const store = new HamStore();
  store.apply(withCount(0));
  const received = [];
  store.subscribe(COUNT, ({ value }) => {
    received.push(value);
    if (value < 99) store.apply(withCount(value + 1));
  });
  assert.deepEqual(
    errorsDuring(() => store.apply(withCount(1))),
    [],
  );
  assert.deepEqual(
    received,
    Array.from({ length: 99 }, (_, at) => at + 1),
  );
});

test("a host that throws when an error is reported does not lock the store", () => {
  const store = new HamStore();
  store.apply(withCount(0));
  const stop = store.subscribe(COUNT, () => {
    throw new Error("of the listener");
  });
  const { reportError, console } = globalThis;
  const fail = (error) => {
    throw error;
  };
  globalThis.reportError = fail;
  globalThis.console = { ...console, error: fail };
  try {
    for (let count = 1; count <= 101; count++) {
      assert.throws(() => store.apply(withCount(count)), /of the listener/);
    }
  } finally {
    globalThis.console = console;
    globalThis.reportError = reportError;
  }
  stop();
  assert.ok(store.apply(withCount(-1)).ok);
});
