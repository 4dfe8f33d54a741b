// Changes of a large surface: the time depends on the change, not on the surface. Reading
// everything took many times as long as is allowed here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const COUNT = 16_000;
const pointers = Array.from({ length: COUNT }, (_, at) => `*u${at}`);

function listOf(items, text, limits = {}) {
  const surface = new Surface({ store: new HamStore({ limits, extensions: { listEdits: true } }) });
  const components = [
    { id: "root", component: "List", children: { binding: { node: "rows" }, template: "row" } },
    { id: "row", component: "TextField", text, action: { event: { name: "press" } } },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply({ rows: items });
  return surface;
}

/** Returns seconds of processor time, which does not depend on other processes. */
function cpuSeconds(task) {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

const name = { binding: { key: "name" } };

for (const [description, extra] of [
  ["names a row twice", "*u0"],
  ["contains a literal", "plain"],
]) {
  test(`adds and removes rows one by one of a list that ${description}`, () => {
    const surface = listOf([...pointers, extra], name);
    let changeCount = 0;
    surface.subscribe((changes) => {
      changeCount += changes.length;
    });
    const took = cpuSeconds(() => {
      for (const at of Array(4_000).keys()) surface.store.apply({ [`u${at}`]: { name: at } });
      for (const at of Array(1_000).keys()) surface.store.apply({ [`!u${at}`]: null });
    });
    const twice = extra === "*u0" ? 2 : 0;
    assert.equal(changeCount, 5_000 + twice);
    assert.equal(surface.tree().children.length, 3_001 - (twice ? 1 : 0));
    assert.ok(took < 4, `${took} s`);
  });
}

test("adds two components at once among many", () => {
  const ids = Array.from({ length: 4 * COUNT }, (_, at) => `c${at}`);
  const surface = new Surface();
  const describe = (components) =>
    surface.receive({ updateComponents: { surfaceId: "s", components } });
  describe([{ id: "root", component: "Column", children: ids }]);
  surface.subscribe(() => {});
  const took = cpuSeconds(() => {
    for (let at = 0; at < 4_000; at += 2) {
      describe(ids.slice(at, at + 2).map((id) => ({ id, component: "Text", text: id })));
    }
  });
  const { children } = surface.tree();
  assert.deepEqual(
    [children.length, children[3_999].props.text, children[4_000].component],
    [4 * COUNT, "c3999", ""],
  );
  assert.ok(took < 1.5, `${took} s`);
});

test("handles input and actions while rows are added and removed", () => {
  const surface = listOf(pointers, name);
  surface.store.apply(Object.fromEntries(pointers.map((id, at) => [id.slice(1), { name: at }])));
  for (const listens of [false, true]) {
    if (listens) surface.subscribe(() => {});
    const took = cpuSeconds(() => {
      for (const at of Array(200).keys()) {
        const { ok } = surface.store.apply({ z: { name: at }, "+rows": { items: ["*z"] } });
        assert.ok(ok);
        surface.input("root/row:u9", "text", `typed ${at}`);
        surface.store.apply({ "-rows": ["*z"] });
        assert.equal(surface.trigger("root/row:u9", "action")?.sourceComponentId, "row");
        assert.deepEqual(surface.store.get("u9"), { name: `typed ${at}` });
      }
    });
    assert.ok(took < 3, `${took} s`);
  }
});

test("handles a surface at its limit", () => {
  const surface = listOf(pointers, name, { instances: COUNT + 1 });
  surface.store.apply(Object.fromEntries(pointers.map((id, at) => [id.slice(1), { name: at }])));
  const took = cpuSeconds(() => {
    for (const at of Array(200).keys()) {
      const added = { [`v${at}`]: { name: at }, "+rows": { items: [`*v${at}`] } };
      const { ok, diagnostics } = surface.store.apply(added);
      assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["HAM018"]]);
      assert.ok(surface.store.apply({ ...added, [`!u${at}`]: null }).ok);
    }
  });
  const { children } = surface.tree();
  assert.deepEqual([children.length, children.at(-1).key], [COUNT, "root/row:v199"]);
  assert.ok(took < 3, `${took} s`);
});
