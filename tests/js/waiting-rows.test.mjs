// Lists that name their rows before they arrive, as models write them. Each row is displayed at its
// position as soon as it arrives, and no other change is reported.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { flatten, Mirror } from "../mirror.mjs";
import { Random } from "../random/random.mjs";

await init();

const list = (template) => ({ binding: { key: "rows" }, template });
const components = {
  plain: [{ id: "row", component: "Text", text: { binding: { key: "name" } } }],
  counted: [{ id: "row", component: "Text", text: { call: "@index" }, name: { binding: {} } }],
  nested: [
    { id: "row", component: "Row", children: ["name", "more"] },
    { id: "name", component: "Text", text: { binding: { key: "name" } } },
    { id: "more", component: "List", children: list("inner") },
    { id: "inner", component: "Text", text: { binding: { key: "name" } } },
  ],
};
const root = (children) => ({ id: "root", component: "List", children });

function listSurface(store, kind) {
  const surface = new Surface({ store });
  const all = [root(list("row")), ...components[kind]];
  surface.receive({ createSurface: { surfaceId: "s", components: all } });
  return surface;
}

const row = (random, ids) => ({
  name: `name ${random.below(50)}`,
  rows: Array.from({ length: random.below(3) }, () => `*${random.pick(ids)}`),
});

/** Random changes of rows, as text. */
function applyRandomChange(random, { store, ids, order }) {
  const id = random.pick(ids);
  switch (random.below(24)) {
    case 0:
    case 1:
    case 10:
    case 11:
    case 12:
      store.apply({ [`!${id}`]: null });
      return `${id} goes`;
    case 2: {
      const few = Array.from({ length: 3 }, () => random.pick(ids));
      store.apply(Object.fromEntries(few.map((each) => [each, row(random, ids)])));
      return `${few} come`;
    }
    case 3: {
      const goes = random.chance(0.7);
      const many = ids.filter(() => random.chance(0.6));
      const each = (one) => (goes ? [`!${one}`, null] : [one, row(random, ids)]);
      store.apply(Object.fromEntries(many.map(each)));
      return goes ? "many go" : "many come";
    }
    case 4: {
      const [from, to] = [random.below(order.length), random.below(order.length)];
      order.splice(to, 0, ...order.splice(from, 1));
      store.apply({ root: { rows: order } });
      return `${from} moves to ${to}`;
    }
    case 5:
      order.splice(random.below(order.length), 0, random.pick(["*late", `*${id}`, "plain"]));
      store.apply({ root: { rows: order } });
      return "one more in the list";
    case 6:
      return store.undo() ? "undone" : "nothing to undo";
    case 7:
      return store.redo() ? "redone" : "nothing to redo";
    case 8: {
      const stream = store.stream();
      const text = JSON.stringify({ [id]: row(random, ids), late: { name: "late" } });
      for (const chunk of text.match(/.{1,9}/gs)) stream.push(chunk);
      stream.end();
      return `${id} is streamed`;
    }
    case 9:
      store.apply({ root: { rows: order, title: "more" }, [`!${id}`]: null });
      return `${id} goes beside its list`;
    default:
      store.apply({ [id]: row(random, ids) });
      return `${id} comes`;
  }
}

for (const kind of Object.keys(components)) {
  for (let seed = 1; seed <= 12; seed += 1) {
    test(`mounts rows that arrive after their list, ${kind}, seed ${seed}`, () => {
      const random = new Random(seed);
      const ids = Array.from({ length: 70 }, (_, at) => `r${at}`);
      const order = ids.map((id) => `*${id}`);
      // Some lists name a row twice, or contain an invalid row.
      if (seed % 4 === 0) order.splice(7, 0, "*r9", "plain");
      // Some surfaces have a limit below their number.
      const isTight = seed % 5 === 0;
      const store = new HamStore(isTight ? { limits: { instances: 30 } } : {});
      const surface = listSurface(store, kind);
      const mirror = new Mirror(surface.tree());
      surface.subscribe((changes) => {
        for (const change of changes) mirror.apply(change);
      });
      store.apply({ root: { rows: order } });
      for (let step = 0; step < 120; step += 1) {
        const description = applyRandomChange(random, { store, ids, order });
        const tree = surface.tree();
        assert.deepEqual(mirror.tree, tree, `step ${step}: ${description}, as reported`);
        if (isTight) continue;
        assert.deepEqual(
          listSurface(store, kind).tree(),
          tree,
          `step ${step}: ${description}, as new`,
        );
      }
    });
  }
}

test("a list that is edited once all its rows exist has the rows that it names", () => {
  const order = Array.from({ length: 40 }, (_, at) => `*r${at}`);
  const swapped = (at) => order.with(at, order[at + 1]).with(at + 1, order[at]);
  const cases = [
    [{ root: { rows: swapped(0) } }, { "!r0": null }],
    [{ x: { name: "x" } }, { root: { rows: [...order, "*x"] } }, { "!x": null }],
    [{ root: { rows: swapped(10) } }, { "!r10": null }, { r10: { name: "again" } }],
  ];
  for (const updates of cases) {
    const store = new HamStore();
    const surface = listSurface(store, "plain");
    store.apply({ root: { rows: order } });
    for (const pointer of order) store.apply({ [pointer.slice(1)]: { name: pointer } });
    for (const update of updates) store.apply(update);
    assert.deepEqual(surface.tree(), listSurface(store, "plain").tree());
  }
});

test("an update beyond the limit is refused as a whole, and removed rows free capacity", () => {
  const order = Array.from({ length: 40 }, (_, at) => `*r${at}`);
  const after = (update) => {
    const store = new HamStore({ limits: { instances: 3 } });
    const surface = listSurface(store, "plain");
    store.apply({ root: { rows: order } });
    store.apply({ r5: { name: "r5" } });
    const { diagnostics } = store.apply(update);
    return [
      surface.tree().children.map(({ props }) => props.text),
      diagnostics.map(({ code }) => code),
    ];
  };
  const row = (id) => ({ [id]: { name: id } });
  assert.deepEqual(after({ ...row("r2"), ...row("r1") }), [["r5"], ["HAM018"]]);
  assert.deepEqual(after(row("r2")), [["r2", "r5"], []]);
  assert.deepEqual(after({ "!r5": null, ...row("r9"), ...row("r3") }), [["r3", "r9"], []]);
});

test("an arriving row is mounted, and no other change is reported", () => {
  const store = new HamStore();
  const surface = listSurface(store, "plain");
  const order = Array.from({ length: 1_000 }, (_, at) => `*r${at}`);
  store.apply({ root: { rows: order } });
  const received = [];
  surface.subscribe((changes) => received.push(...changes));
  const [first, last, middle] = ["r0", "r999", "r500"];
  for (const id of [last, first, middle]) store.apply({ [id]: { name: id } });
  assert.deepEqual(
    received.map(({ kind, key, before }) => [kind, key, before]),
    [
      ["mount", "root/row:r999", null],
      ["mount", "root/row:r0", "root/row:r999"],
      ["mount", "root/row:r500", "root/row:r999"],
    ],
  );
  received.length = 0;
  store.apply({ r500: { name: "again" } });
  store.apply({ "!r0": null });
  assert.deepEqual(
    received.map(({ kind, key }) => `${kind} ${key}`),
    ["set root/row:r500", "unmount root/row:r0"],
  );
  assert.deepEqual(
    flatten(surface.tree()).map(({ key }) => key),
    ["root", "root/row:r500", "root/row:r999"],
  );
});
