// Long list that is edited by the ids of its items, deleted and created again: a mirror of the
// changes equals a newly created surface. Rows beyond the limit are mounted when others are
// removed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { Mirror } from "../mirror.mjs";
import { Random } from "../random/random.mjs";

await init();

const expectEqualJson = (one, other, message) =>
  assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)), message);

/** Returns a surface over a store, and a mirror of its changes. */
function mirroredSurface(store, components) {
  const surface = new Surface({ store });
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  const mirror = new Mirror(surface.tree());
  surface.subscribe((changes) => {
    for (const change of changes) mirror.apply(change);
  });
  return { surface, mirror };
}

const list = (id, node, template) => ({
  id,
  component: "List",
  children: { binding: { node }, template },
});
const index = { call: "@index", args: {} };

/** Applies one random step; `ids` names new rows. */
function applyRandomEdit(random, store, ids) {
  const current = store.get("list");
  const items = Array.isArray(current) ? current : [];
  const item = () => random.pick(items);
  const fresh = `new_${ids.next++}`;
  switch (items.length > 1 ? random.below(10) : 9) {
    case 0:
    case 1: {
      const row = { t: fresh, ...(random.chance(0.2) ? { c: ["*x", "*y"] } : {}) };
      const place = random.chance(0.5) ? "before" : "after";
      return store.apply({ [fresh]: row, "+list": { items: [`*${fresh}`], [place]: item() } });
    }
    case 2:
      return store.apply({ "-list": [item()] });
    case 3:
      return store.apply({ "+list": { items: [item()], before: item() } });
    case 4:
      return store.undo();
    case 5:
      return store.redo();
    case 6:
      return store.apply({ [item().slice(1)]: { t: fresh } });
    case 7:
      return store.apply({ [`!${item().slice(1)}`]: null });
    case 8:
      return store.apply({ list: [...items.slice(random.below(3)), `*${fresh}`] });
    default:
      return store.apply({ list: items.length > 1 ? items.toReversed() : ids.first });
  }
}

test("mirrors a long list that is edited by ids, deleted and created again", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const limits = { undo: random.pick([3, 50]), bytes: random.pick([8_000, 2 ** 26]) };
    const store = new HamStore({ extensions: { listEdits: true }, limits });
    const count = 50 + random.below(80);
    const ids = { next: 0, first: Array.from({ length: count }, (_, at) => `*row_${at}`) };
    store.apply({ list: ids.first });
    const rows = ids.first.map((id) => [id.slice(1), { t: id }]);
    store.apply(Object.fromEntries(rows.slice(0, count - 5)));
    const row = { id: "row", component: "Row", t: { binding: { key: "t" } } };
    const components = [list("root", "list", "row"), random.chance(0.5) ? { ...row, index } : row];
    const { surface, mirror } = mirroredSurface(store, components);
    for (let step = 0; step < 60; step++) {
      applyRandomEdit(random, store, ids);
      expectEqualJson(mirror.tree, surface.tree(), `${seed}, step ${step}: changes`);
      expectEqualJson(
        surface.tree(),
        mirroredSurface(store, components).surface.tree(),
        `${seed}, step ${step}: shown`,
      );
    }
  }
});

test("refuses edits beyond the limit, and applies all others", () => {
  let rejected = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const instances = 4 + random.below(20);
    const store = new HamStore({ limits: { instances } });
    const template = () => random.pick(["row", "deep"]);
    const components = [
      { id: "root", component: "Column", children: ["a", "b", "end"] },
      list("a", "x", template()),
      list("b", "y", template()),
      { id: "end", component: "Text" },
      { id: "row", component: "Row", t: { binding: {} }, ...(random.chance(0.5) ? { index } : {}) },
      { id: "deep", component: "Deep", children: ["row"] },
    ];
    const { surface, mirror } = mirroredSurface(store, components);
    for (let step = 0; step < 30; step++) {
      const [at, node] = random.pick([
        [1, "x"],
        [2, "y"],
      ]);
      const item = () => `n${random.below(12)}`;
      const some = () => Array.from({ length: random.below(16) }, () => `*${item()}`);
      const kind = random.below(8);
      const described = components.with(at, list(components[at].id, node, template()));
      const before = [surface.tree(), store.export(), surface.export()];
      const apply = () => {
        if (kind < 4) return store.apply({ [node]: some() });
        if (kind < 6) return store.apply({ [item()]: step });
        if (kind < 7) return store.apply({ [`!${item()}`]: null });
        return surface.receive({
          updateComponents: { surfaceId: "s", components: [described[at]] },
        });
      };
      const { ok, diagnostics } = apply();
      const label = `${seed}, step ${step}`;
      expectEqualJson(mirror.tree, surface.tree(), label);
      if (ok) {
        if (kind === 7) components[at] = described[at];
        const free = new HamStore();
        free.apply(store.export());
        expectEqualJson(surface.tree(), mirroredSurface(free, components).surface.tree(), label);
        assert.ok(countInstances(surface.tree()) <= instances, label);
      } else {
        assert.deepEqual(
          diagnostics.map(({ code }) => code),
          ["HAM018"],
          label,
        );
        assert.ok(
          surface.diagnostics().some(({ code }) => code === "HAM018"),
          label,
        );
        expectEqualJson([surface.tree(), store.export(), surface.export()], before, label);
        rejected += 1;
      }
    }
  }
  assert.ok(rejected > 200, `${rejected}`);
});

function countInstances({ children }) {
  return children.reduce((sum, child) => sum + countInstances(child), 1);
}
