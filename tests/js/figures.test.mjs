// Changes of large data: they occur only where the data changed, in long lists too.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const ROWS = 10_000;
const ids = Array.from({ length: ROWS }, (_, at) => `r${at}`);
const pointers = ids.map((id) => `*${id}`);

function listSurface() {
  const surface = new Surface({ store: new HamStore() });
  const receive = (body) => assert.ok(surface.receive({ version: "v0.9", ...body }).ok);
  receive({ createSurface: { surfaceId: "s", catalogId: "c" } });
  const list = { binding: { node: "root", key: "rows" }, template: "row" };
  const text = { id: "text", component: "Text", text: { binding: { key: "name" } } };
  const components = [
    { id: "root", component: "List", children: list },
    { id: "row", component: "Card", child: "text" },
    text,
  ];
  receive({ updateComponents: { surfaceId: "s", components } });
  const rows = Object.fromEntries(ids.map((id, at) => [id, { name: `row ${at}`, other: at }]));
  receive({ updateDataModel: { surfaceId: "s", nodes: { ...rows, root: { rows: pointers } } } });
  const changes = [];
  surface.subscribe((fresh) => changes.push(...fresh));
  return { surface, changes };
}

test("an insertion at the front of a list of 10,000 makes one mount and no other change", () => {
  const { surface, changes } = listSurface();
  surface.store.apply({ root: { rows: ["*new", ...pointers] }, new: { name: "new" } });
  assert.deepEqual(
    changes.map((change) => change.kind),
    ["mount"],
  );
  assert.equal(changes[0].instance.children[0].props.text, "new");
  assert.equal(changes[0].before, surface.tree().children[1].key);
});

test("one field makes one change", () => {
  const { surface, changes } = listSurface();
  surface.store.apply({ r7777: { name: "renamed", other: 0 } });
  assert.equal(changes.length, 1);
  assert.deepEqual(
    { ...changes[0], key: 0 },
    { kind: "set", key: 0, prop: "text", value: "renamed" },
  );
  surface.store.apply({ r7777: { name: "renamed", other: 1 } });
  assert.equal(changes.length, 1);
});

test("a deletion makes one unmount, a move of one row one move, and both are fast", () => {
  const { surface, changes } = listSurface();
  const start = performance.now();
  surface.store.apply({ "!r5000": null });
  const moved = ["*r9999", ...pointers.slice(0, -1)];
  surface.store.apply({ root: { rows: moved } });
  const spent = performance.now() - start;
  assert.deepEqual(
    changes.map((change) => change.kind),
    ["unmount", "move"],
  );
  assert.ok(spent < 2000, `${Math.round(spent)} ms`);
});

test("reversing a list of 10,000 moves all rows but one", () => {
  const { surface, changes } = listSurface();
  surface.store.apply({ root: { rows: pointers.toReversed() } });
  assert.equal(changes.length, ROWS - 1);
  assert.ok(changes.every((change) => change.kind === "move"));
  const names = surface.tree().children.map((row) => row.children[0].props.text);
  assert.equal(names[0], `row ${ROWS - 1}`);
  assert.equal(names.at(-1), "row 0");
});
