// Recursion over circular data without an end: the stack overflows. The error is the page's own;
// the data is unchanged.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileFlow, HamStore, init, Surface } from "byname";

await init();

const registry = { t: { inputs: [], outputs: ["o"] } };
const catalog = { components: { Text: { value: ["text"] } } };

function cyclicSurface() {
  const store = new HamStore();
  store.apply({ root: { c: ["*u1"] }, u1: { n: 1, c: ["*u2"] }, u2: { ü: 2, c: ["*u1"] } });
  const surface = new Surface({ store, catalog });
  surface.receive({ createSurface: { surfaceId: "s", catalogId: "c" } });
  const components = [
    { id: "root", component: "Text", text: { binding: { node: "u1", key: "n" } } },
  ];
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  return { store, surface };
}

const binding = { node: "u1", key: "n" };
const calls = {
  children: ({ store }, context) =>
    store.children({ binding: { key: "c" } }, context).map((item) => item.context)[0],
  get: ({ store }) => store.get("u1"),
  entry: ({ store }) => store.entry("u1", "n"),
  has: ({ store }) => store.has("u1"),
  read: ({ store }) => store.read(binding),
  "read a non-ASCII key": ({ store }) => store.read({ node: "u2", key: "ü" }),
  write: ({ store }) => store.write(binding, 1),
  toJSON: ({ store }) => store.toJSON("u1"),
  export: ({ store }) => store.export(),
  diff: ({ store }) => store.diff({ c: [] }),
  orphans: ({ store }) => store.orphans(),
  check: ({ store }) => store.check(),
  "apply an invalid message": ({ store }) => store.apply('{"a'),
  inverse: ({ store }) => store.apply({ u1: { n: 1 } }).inverse,
  subscribe: ({ store }) => store.subscribe({ node: "u2", key: "ü" }, () => {})(),
  tree: ({ surface }) => surface.tree(),
  diagnostics: ({ surface }) => surface.diagnostics(),
  receive: ({ surface }) => surface.receive('{"updateDataModel": {"nodes": {"u3": {}}}}'),
  "receive an invalid message": ({ surface }) => surface.receive('{"a'),
  compileFlow: () => compileFlow({ nodes: [{ id: "a", type: "t" }] }, registry),
};

for (const [name, call] of Object.entries(calls)) {
  test(`the stack overflows inside ${name}`, () => {
    for (let round = 0; round < 10; round += 1) {
      const setup = cyclicSurface();
      const walk = (context) => {
        const next = call(setup, context);
        return [walk(name === "children" ? next : undefined), next];
      };
      assert.throws(() => walk(undefined), RangeError);
      assert.equal(setup.store.get("u2").ü, 2);
      assert.ok(setup.store.apply({ u4: round }).ok);
      assert.equal(setup.surface.tree().props.text, 1);
      assert.ok(compileFlow({ nodes: [{ id: "a", type: "t" }] }, registry).ok);
      setup.store[Symbol.dispose]();
    }
  });
}

for (const [name, call] of Object.entries(calls)) {
  test(`the stack overflows inside ${name} in a listener`, () => {
    const setup = cyclicSurface();
    let thrown;
    const end = setup.store.subscribe({ node: "u3" }, () => {
      const walk = (context) => {
        const next = call(setup, context);
        return [walk(name === "children" ? next : undefined), next];
      };
      try {
        walk(undefined);
      } catch (error) {
        thrown ??= error;
      }
    });
    assert.ok(setup.store.apply({ u3: 1 }).ok);
    end();
    assert.ok(thrown instanceof RangeError, String(thrown));
    assert.equal(setup.store.get("u2").ü, 2);
    assert.ok(setup.store.apply({ u4: 1 }).ok);
    assert.equal(setup.surface.tree().props.text, 1);
    setup.store[Symbol.dispose]();
  });
}
