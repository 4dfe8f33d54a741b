// The stack ends during a change of a store: the store stays usable, or fails alone with one typed error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { BynameError, HamStore, Surface } from "byname";

function setUp() {
  const store = new HamStore();
  store.apply({ root: { c: ["*u1"] }, u1: { n: 1 } });
  const surface = new Surface({ store });
  const components = [
    { id: "root", component: "Column", children: { binding: { key: "c" }, template: "t" } },
    { id: "t", component: "TextField", value: { binding: { key: "n" } } },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.subscribe(() => {});
  store.subscribe({ node: "u1", key: "n" }, () => {});
  store.apply({ u1: { n: 2 } });
  return { store, surface };
}

/** Calls `change` until the stack ends, from different depths. Returns the error. */
function overflow(change, round) {
  const walk = (...depth) => {
    change();
    return [walk(...depth)];
  };
  try {
    walk(...Array(round).fill(1));
  } catch (error) {
    return error;
  }
  return undefined;
}

let count = 0;
const changes = {
  "undo and redo": ({ store }) => store.undo() || store.redo(),
  input: ({ surface }) => surface.input("root/t:u1", "value", count++),
  write: ({ store }) => store.write({ node: "u1", key: "n" }, count++),
};

for (const [name, change] of Object.entries(changes)) {
  test(`a store stays usable when the stack ends in ${name}`, () => {
    for (let round = 0; round < 12; round += 1) {
      const setup = setUp();
      assert.ok(overflow(() => change(setup), round) instanceof RangeError);
      assert.ok(setup.store.apply({ root: { c: ["*u1"] }, u1: { n: 3 } }).ok);
      assert.equal(setup.surface.tree().children[0].props.value, 3);
      setup.store[Symbol.dispose]();
    }
  });
}

const isStackError = (error) => error instanceof BynameError && error.code === "stack";

test("a store in which the stack ends during an update fails alone", () => {
  const other = new HamStore();
  other.apply({ kept: 1 });
  let failed = 0;
  for (let round = 0; round < 40; round += 1) {
    const { store, surface } = setUp();
    const error = overflow(() => store.apply({ u1: { n: count++ } }), round);
    assert.ok(error instanceof RangeError || isStackError(error), error?.stack);
    let usable = true;
    try {
      store.get("u1");
      store.apply({ q: 1 });
    } catch (reason) {
      assert.ok(isStackError(reason), reason.stack);
      usable = false;
      failed += 1;
    }
    // The nodes of the last complete update.
    assert.equal(typeof store.export().u1.n, "number");
    assert.equal("q" in store.export(), usable);
    surface[Symbol.dispose]();
    store[Symbol.dispose]();
    assert.throws(() => store.export(), { code: "disposed" });
    assert.ok(other.apply({ round }).ok);
    assert.equal(other.get("kept"), 1);
  }
  assert.ok(failed > 0, "the stack never ended inside the module");
});
