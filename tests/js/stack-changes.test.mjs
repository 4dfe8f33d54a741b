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

/** Calls `change` with a function of an object that throws once, at its call with a number. */
function withFailure(object, name, number, change) {
  const original = object[name];
  let calls = 0;
  object[name] = (...values) => {
    calls += 1;
    if (calls === number) throw new RangeError("Maximum call stack size exceeded");
    return original(...values);
  };
  try {
    return change();
  } finally {
    object[name] = original;
  }
}

test("a surface whose components are not read to their end reads them later", () => {
  const text = (id, value) => ({ id, component: "Text", text: value, label: value });
  const column = { id: "root", component: "Column", children: ["a", "b", "c"] };
  let failed = 0;
  for (let number = 1; number <= failed + 1; number += 1) {
    const surface = new Surface();
    const components = [column, text("a", "one"), text("b", "two")];
    surface.receive({ createSurface: { surfaceId: "s", components } });
    // The reader of rows shares the table.
    surface.subscribe(() => {});
    const message = {
      updateComponents: { surfaceId: "s", components: [text("b", "2"), text("c", "3")] },
    };
    try {
      withFailure(JSON, "parse", number, () => surface.receive(message));
    } catch (error) {
      assert.ok(error instanceof RangeError);
      failed += 1;
    }
    const texts = () => surface.tree().children.map(({ props }) => props.text);
    assert.deepEqual(texts(), ["one", "2", "3"], String(number));
    assert.equal(surface.hasComponent("c"), true);
    surface.receive({ updateComponents: { surfaceId: "s", components: [text("a", "1")] } });
    assert.deepEqual(texts(), ["1", "2", "3"], String(number));
    surface[Symbol.dispose]();
  }
  assert.ok(failed >= 5, String(failed));
});

test("a message without stack is described without a regular expression", () => {
  const { test: original } = RegExp.prototype;
  const { stringify } = JSON;
  JSON.stringify = () => {
    // The compiler of expressions needs stack too.
    RegExp.prototype.test = () => {
      throw new SyntaxError("Stack overflow");
    };
    throw new RangeError("Maximum call stack size exceeded");
  };
  let result;
  try {
    result = new HamStore().apply({ a: 1 });
  } finally {
    JSON.stringify = stringify;
    RegExp.prototype.test = original;
  }
  assert.equal(result.diagnostics[0].code, "JSON009");
});
