// Instance keys stay right while rows come and go, so that input reaches the row it was meant for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";

await init();

const components = [
  { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Row", children: ["field"] },
  { id: "field", component: "TextField", value: { binding: { key: "text" } } },
];

function surfaceOf(rows) {
  const surface = new Surface();
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  const nodes = Object.fromEntries(["a", "b", "c", "d"].map((id) => [id, { text: id }]));
  surface.store.apply({ ...nodes, root: { rows } });
  return surface;
}

for (const listening of [false, true]) {
  const how = listening ? "while somebody listens" : "while nobody listens";
  test(`input reaches a row that went and came back, ${how}`, () => {
    const surface = surfaceOf(["*a", "*b", "*c"]);
    if (listening) surface.subscribe(() => {});
    surface.store.apply({ root: { rows: ["*b"] } });
    surface.store.apply({ root: { rows: ["*c", "*d", "*b"] } });
    surface.store.apply({ root: { rows: ["*a", "*d", "*c", "*b"] } });
    for (const id of ["a", "b", "c", "d"]) {
      surface.input(`root/row:${id}/field`, "value", `typed into ${id}`);
      assert.deepEqual(surface.store.get(id), { text: `typed into ${id}` });
    }
    assert.deepEqual(surface.diagnostics(), []);
  });

  test(`input to a row that is gone says so and writes nothing, ${how}`, () => {
    const surface = surfaceOf(["*a", "*b"]);
    if (listening) surface.subscribe(() => {});
    surface.store.apply({ root: { rows: ["*b"] } });
    surface.input("root/row:a/field", "value", "late");
    assert.deepEqual(surface.store.get("a"), { text: "a" });
    assert.deepEqual(
      surface.diagnostics().map(({ code }) => code),
      ["HAM030"],
    );
  });
}

test("keys tell apart what stands in several properties of one parent", () => {
  const surface = new Surface();
  surface.receive({
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Card", child: "a/b", children: ["a/b", "a", "a"] },
        { id: "a/b", component: "Text", text: "one" },
        { id: "a", component: "Text", text: "two" },
      ],
    },
  });
  const keys = surface.tree().children.map(({ key }) => key);
  assert.equal(new Set(keys).size, 4);
  assert.deepEqual(keys, [
    "root/child=a~1b",
    "root/children=a~1b",
    "root/children=a",
    "root/children=a:a#2",
  ]);
});
