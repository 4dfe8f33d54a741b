// Lists of more than a hundred rows, which are read lazily. Laziness only changes the time: a tree
// stays a snapshot, and changes name rows that have not been read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { childrenOf, InstanceMirror } from "../../pkg/dom/base/mirror.js";
import { rowListeners } from "../../pkg/lazy-children.js";
import { Mirror as Exact } from "../mirror.mjs";
import { Random } from "../random/random.mjs";

await init();

const components = [
  { id: "root", component: "Column", children: ["title", "list"] },
  { id: "title", component: "Text", text: { binding: { key: "title" } } },
  { id: "list", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Row", children: ["name", "cells"], label: "a row" },
  { id: "name", component: "TextField", value: { binding: { key: "name" } } },
  { id: "cells", component: "List", children: { binding: { key: "cells" }, template: "cell" } },
  { id: "cell", component: "Text", text: { binding: {} } },
];

const pointers = (...ids) => ids.map((id) => `*${id}`);
const numbered = (prefix, count) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

/** Returns 250 rows: r0 has 130 cells, the others few; ids contain characters that keys escape. */
function surfaceOfRows() {
  const rows = numbered("r/", 250);
  const cells = numbered("c:", 130);
  const nodes = Object.fromEntries(cells.map((id) => [id, `text of ${id}`]));
  rows.forEach((id, at) => {
    const own = at === 0 ? pointers(...cells) : [...pointers(cells[at % 130]), `plain ${at}`];
    nodes[id] = { name: `name of ${id} ä`, cells: own };
  });
  const store = new HamStore();
  store.apply({ ...nodes, root: { title: "Rows", rows: pointers(...rows) } });
  const surface = new Surface({ store });
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  return { surface, store, rows, cells };
}

test("a tree stays a snapshot, however late it is read", () => {
  const { surface, store } = surfaceOfRows();
  const copy = structuredClone(surface.tree());
  const tree = surface.tree();
  store.apply({ "r/3": { name: "another" }, "!r/4": null, "c:7": "another" });
  const changed = { id: "name", component: "TextField", more: "first", value: "none" };
  surface.receive({ updateComponents: { surfaceId: "s", components: [changed] } });
  store.apply({ root: { title: "Others", rows: pointers("r/9") } });
  assert.deepEqual(tree, copy);
  assert.equal(tree.children[1].children.length, 250);
  assert.equal(surface.tree().children[1].children.length, 1);
});

test("a missing component is forgotten with its surface", () => {
  const surface = new Surface();
  const tag = { surfaceId: "s" };
  surface.receive({ createSurface: tag });
  const lacking = [{ id: "root", component: "Column", children: ["never"] }];
  surface.receive({ updateComponents: { ...tag, components: lacking } });
  assert.equal(surface.tree().children.length, 1);
  surface.receive({ deleteSurface: tag });
  const list = {
    id: "root",
    component: "List",
    children: { binding: { key: "rows" }, template: "row" },
  };
  const row = { id: "row", component: "Text", text: { binding: { key: "n" } } };
  surface.receive({ createSurface: { ...tag, components: [list, row] } });
  const ids = numbered("r", 200);
  surface.store.apply({ root: { rows: pointers(...ids) } });
  surface.store.apply(Object.fromEntries(ids.map((id, n) => [id, { n }])));
  const tree = surface.tree();
  // Its rows are read on access.
  assert.equal(typeof Object.getOwnPropertyDescriptor(tree, "children").get, "function");
  assert.deepEqual(tree.children[199].props, { text: 199 });
});

test("the children of a long list are an ordinary array", () => {
  const { surface } = surfaceOfRows();
  const { children } = surface.tree();
  const list = children[1];
  assert.deepEqual(Object.keys(list), ["id", "component", "key", "props", "children"]);
  assert.equal(JSON.parse(JSON.stringify(list)).children.length, 250);
  assert.equal({ ...list }.children, list.children);
  list.children.pop();
  assert.equal(list.children.length, 249);
  list.children = [];
  assert.deepEqual(list.children, []);
  const frozen = Object.freeze(surface.tree().children[1]);
  assert.equal(frozen.children[249].key, "root/list/row:r~1249");
});

test("input reaches rows that have not been read", () => {
  const { surface, store } = surfaceOfRows();
  surface.input("root/list/row:r~1200/name", "value", "typed");
  assert.equal(store.get("r/200").name, "typed");
  const stop = surface.subscribe(() => {});
  surface.input("root/list/row:r~1201/name", "value", "typed");
  surface.input("root/list/row:r~1202/name", "value", "typed");
  assert.deepEqual(
    ["r/201", "r/202"].map((id) => store.get(id).name),
    ["typed", "typed"],
  );
  assert.deepEqual(surface.diagnostics(), []);
  surface.input("root/list/row:r~1999/name", "value", "typed");
  assert.equal(surface.diagnostics().length, 1);
  stop();
});

test("input reaches replacement rows without a listener", () => {
  const { surface, store, rows } = surfaceOfRows();
  const field = (id) => `root/list/row:${id.replace("/", "~1")}/name`;
  surface.input(field("r/7"), "value", "first");
  surface.input(field("r/7"), "value", "again");
  const others = rows.map((id) => `x${id}`);
  const named = Object.fromEntries(others.map((id) => [id, { name: id, cells: [] }]));
  store.apply({ ...named, root: { title: "Rows", rows: pointers(...others) } });
  surface.input(field("xr/7"), "value", "typed");
  surface.input(field("r/8"), "value", "gone");
  assert.equal(surface.diagnostics().length, 1);
  const values = ["r/7", "r/8", "xr/7", "xr/8"].map((id) => store.get(id).name);
  assert.deepEqual(values, ["again", "name of r/8 ä", "typed", "xr/8"]);
});

test("a listener added after an update gets the tree of after it", () => {
  const { surface, store } = surfaceOfRows();
  surface.tree();
  store.apply({ root: { title: "Rows", rows: pointers("r/1", "r/0") } });
  const received = [];
  surface.subscribe((changes) => received.push(...changes));
  store.apply({ "r/1": { name: "new", cells: [] } });
  assert.deepEqual(received.map(({ kind, key }) => `${kind} ${key}`).sort(), [
    "set root/list/row:r~11/name",
    "unmount root/list/row:r~11/cells/cell:#0",
    "unmount root/list/row:r~11/cells/cell:c~21",
  ]);
});

/** Returns the content of the renderer's mirror as an instance. */
function toInstance(node) {
  const { id, component, key, props } = node;
  return {
    id,
    component,
    key,
    props: Object.fromEntries(props),
    children: childrenOf(node).map(toInstance),
  };
}

for (let seed = 1; seed <= 24; seed += 1) {
  test(`the mirror of the renderer is right whatever it has read, seed ${seed}`, () => {
    const random = new Random(seed);
    const { surface, store, rows, cells } = surfaceOfRows();
    const mirror = new InstanceMirror();
    mirror.mount(surface.tree(), null, null);
    const listener = (changes) => {
      for (const change of changes) mirror.apply(change);
    };
    // Every other step works as the renderer, which batches rows that arrive at once.
    if (seed % 2 === 0) rowListeners.add(listener);
    surface.subscribe(listener);
    // Another listener is notified of each row, except in every fourth run, where the renderer is
    // alone.
    const other = seed % 4 === 0 ? null : new Exact(surface.tree());
    if (other) {
      surface.subscribe((changes) => {
        for (const change of changes) other.apply(change);
      });
    }
    let order = [...rows];
    for (let step = 0; step < 60; step += 1) {
      const id = random.pick(rows);
      const edits = {
        name: () =>
          store.apply({ [id]: { name: `name ${step}`, cells: pointers(random.pick(cells)) } }),
        cell: () => store.apply({ [random.pick(cells)]: `cell ${step}` }),
        many: () => store.apply({ [id]: { name: "many", cells: pointers(...cells) } }),
        gone: () => {
          order = order.filter((each) => each !== id);
        },
        back: () => {
          if (!order.includes(id)) order.unshift(id);
        },
        moved: () => {
          order = [...order.filter((each) => each !== id), id];
        },
        few: () => {
          order = order.slice(0, random.pick([0, 1, 90]));
        },
        all: () => {
          order = [...rows];
        },
        look: () => mirror.get(random.pick(childrenOf(mirror.root.last))?.key ?? "")?.props,
        tree: () => surface.tree().children[1].children.length,
      };
      const chosen = random.pick(Object.keys(edits));
      edits[chosen]();
      if (["gone", "back", "moved", "few", "all"].includes(chosen)) {
        store.apply({ root: { title: chosen, rows: pointers(...order) } });
      }
    }
    assert.deepEqual(toInstance(mirror.root), surface.tree());
    if (other) assert.deepEqual(other.tree, surface.tree());
  });
}
