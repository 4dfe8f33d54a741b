// Instance keys: they stay right while rows are added and removed, so that input reaches the
// intended row.
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
  const description = listening ? "with a listener" : "without a listener";
  test(`input reaches a row that was removed and added again, ${description}`, () => {
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

  test(`input to a removed row reports so and writes nothing, ${description}`, () => {
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

test("keys distinguish children in several properties of one parent", () => {
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

/**
 * Ids with the punctuation of keys, and rows that are repeated, literals, or similar to their keys.
 */
const ROWS = [
  "*a",
  "*a",
  "*a#2",
  "*x:y",
  "*x/y=z",
  "*~1",
  "*ü",
  "*a",
  "no node",
  7,
  "*#0",
  "*12",
  "*a",
];
const SHOWN = { binding: {} };
const own = {
  v: SHOWN,
  at: { call: "@index" },
  action: { event: { name: "t", context: { v: SHOWN } } },
};
const bound = (key, template) => ({ binding: { key }, template });

function surfaceWithUnusualIds() {
  const components = [
    { id: "root", component: "Column", children: ["a/b", "x:y=~", "a/b", "lists"], ...own },
    { id: "a/b", component: "Text", ...own },
    { id: "x:y=~", component: "Card", child: "a/b", children: bound("rows", "~0"), ...own },
    { id: "~0", component: "Row", children: ["a/b", "lists", "a/b"], ...own },
    { id: "lists", component: "List", children: bound("rows", "inner"), ...own },
    { id: "inner", component: "Text", ...own },
  ];
  const surface = new Surface();
  surface.receive({ createSurface: { surfaceId: "s", components } });
  const ids = ROWS.filter((row) => String(row).startsWith("*")).map((row) => row.slice(1));
  const nodes = ids.map((id, nth) => [id, { rows: ROWS.slice(0, nth), name: id }]);
  surface.store.apply({ ...Object.fromEntries(nodes), root: { rows: ROWS } });
  return surface;
}

const all = (instance) => [instance, ...instance.children.flatMap(all)];

for (const description of ["without a listener", "with a listener", "after rows have gone"]) {
  test(`each key of a tree finds its instance, ${description}`, () => {
    const surface = surfaceWithUnusualIds();
    if (description !== "without a listener") surface.subscribe(() => {});
    if (description === "after rows have gone") surface.store.apply({ "!a": null, "!x:y": null });
    const instances = all(surface.tree());
    assert.ok(instances.length > 60, `${instances.length} instances`);
    assert.equal(new Set(instances.map(({ key }) => key)).size, instances.length);
    for (const { key, id, props } of instances) {
      const action = surface.trigger(key, "action");
      assert.deepEqual([action?.sourceComponentId, action?.context], [id, { v: props.v }], key);
    }
    assert.ok(surface.diagnostics().every(({ code }) => code !== "HAM030"));
  });
}

test("finds nothing for a malformed key", () => {
  const surface = surfaceWithUnusualIds();
  const keys = new Set(all(surface.tree()).map(({ key }) => key));
  const changed = (key) => [
    ...["", `${key}/`, `/${key}`, `${key}:a`, `${key}#2`, `${key}#1`, `${key}0`],
    ...[key.replace(/[^/]*=/, ""), key.replace(/:[^/]*$/, ""), key.replace(/(.*)\//, "$1/slot=")],
    ...[key.replace(/~(.)$/, "~$1~$1"), key.replace("inner", "lists"), key.toUpperCase()],
    ...[key.replace(/[^:]*$/, "a#3"), key.replace(/[^:]*$/, "#9"), key.replace(/[^:]*$/, "##0")],
  ];
  const near = [...keys].flatMap(changed).filter((key) => !keys.has(key));
  assert.ok(near.length > 1_000, `${near.length} keys`);
  // A new surface for each 50 keys. It reports equal diagnostics once.
  const codesOf = (surface) => surface.diagnostics().map(({ code }) => code);
  for (let first = 0; first < near.length; first += 50) {
    const fresh = surfaceWithUnusualIds();
    const before = codesOf(fresh);
    const batch = near.slice(first, first + 50);
    for (const key of batch) assert.equal(fresh.trigger(key, "action"), undefined, key);
    assert.deepEqual(codesOf(fresh), [...before, "HAM030"], batch.join(" "));
  }
});
