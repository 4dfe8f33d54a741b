// Updates by path: they read only the nodes on the path, and give the same result as a complete
// data model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
import { Random } from "../random/random.mjs";

await init();

const NAMES = ["a", "b", "0", "1", "2", "x/y", "~", "__proto__", "length"];

const update = (path, value) => ({
  updateDataModel: { surfaceId: "s", path, ...(value === undefined ? {} : { value }) },
});

function json(random, depth = 0) {
  const kind = random.below(depth > 2 ? 4 : 7);
  if (kind === 0) return random.below(10);
  if (kind === 1) return random.pick(["text", "*star", "*/a", "", "!"]);
  if (kind === 2) return random.pick([null, true]);
  if (kind === 3) return random.pick([[], {}]);
  const inner = () => json(random, depth + 1);
  if (kind === 4) return random.many(random.below(4), inner);
  return Object.fromEntries(random.many(random.below(4), () => [random.pick(NAMES), inner()]));
}

/** Returns a random path of a model, or a path one step beyond it. */
function placeIn(random, model) {
  const path = [];
  for (let at = model; path.length < 4; at = at[path.at(-1)]) {
    const names = typeof at === "object" && at !== null ? Object.keys(at) : [];
    path.push(
      random.chance(0.2) ? random.pick(NAMES) : random.pick([...names, String(names.length)]),
    );
    if (!names.includes(path.at(-1)) || random.chance(0.3)) break;
  }
  return path;
}

function change(random, model) {
  const path = placeIn(random, model);
  const escaped = path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"));
  const complete = random.chance(0.05);
  return update(
    complete ? "/" : `/${escaped.join("/")}`,
    random.chance(0.2) ? undefined : json(random),
  );
}

const isError = ({ severity }) => severity === "error";

/** Returns a store for translation, and the number of times that all of it was read. */
function countingStore(answering, edits = Infinity) {
  const store = new HamStore();
  const reads = { whole: 0, has: 0, edits: 0 };
  const wrapper = {
    export() {
      reads.whole += 1;
      return store.export();
    },
    ...(answering && {
      has: (id) => {
        reads.has += 1;
        return store.has(id);
      },
      get: (id) => store.get(id),
      entry: (id, key) => store.entry(id, key),
      typeOf: (id) => store.typeOf(id),
      sizeOf: (id) => store.sizeOf(id),
      countPointers: (id, target) => store.countPointers(id, target),
      orphans: (prefix) => store.orphans(prefix),
    }),
  };
  const from = new FromA2ui({ store: wrapper, edits });
  const take = (message) => {
    const { messages, diagnostics } = from.translate(message);
    const bodies = messages.map((one) => one.updateDataModel);
    for (const body of bodies)
      assert.deepEqual(store.apply({ updateDataModel: body }).diagnostics.filter(isError), []);
    reads.edits += bodies.filter((body) => body.edits !== undefined).length;
    const nodes = bodies.map((body) => Object.entries(body.edits ?? body.nodes).sort());
    return { nodes, diagnostics };
  };
  return { store, looked: reads, take };
}

/** Applies the input of users and other writers to each of the stores. */
function writeTo(random, stores, foreign) {
  const node = random.pick(["/a", "/b", "/a/b", "/a/0", "root"]);
  const value = random.below(9);
  const nodes = { u1: { n: value }, root: { a: "*u1", b: ["*u1"] } };
  for (const store of stores) {
    if (foreign && random.chance(0.5)) store.apply(nodes);
    else store.write({ node, key: "typed" }, value);
  }
}

test("makes the same update as the complete data model, also while users type", () => {
  let changes = 0;
  let exports = 0;
  for (let seed = 0; seed < 250; seed++) {
    const random = new Random(seed);
    const [own, all] = [countingStore(true), countingStore(false)];
    for (let step = 0; step < 30; step++) {
      if (random.chance(0.1)) writeTo(random, [own.store, all.store], false);
      const message = change(random, all.store.toJSON());
      const what = `seed ${seed}, step ${step}: ${JSON.stringify(message)}`;
      assert.deepEqual(own.take(message), all.take(message), what);
      assert.deepEqual(own.store.export(), all.store.export(), what);
    }
    changes += all.looked.whole;
    exports += own.looked.whole;
  }
  assert.ok(changes > 7_000 && exports < changes / 2, `${exports} of ${changes}`);
});

test("does not take typed or chosen values for pointers", () => {
  const texts = ["*star", "*/a", "*/b/typed", "*/a/typed", "*root", "**/a", "text"];
  let exports = 0;
  for (let seed = 0; seed < 250; seed++) {
    const random = new Random(seed);
    const [own, all] = [countingStore(true), countingStore(false)];
    for (let step = 0; step < 30; step++) {
      if (random.chance(0.2)) {
        const node = random.pick(["/a", "/b", "/a/b", "/a/0", "root"]);
        const list = random.many(2, () => random.pick(texts));
        const [key, value] = random.pick([
          ["typed", random.pick(texts)],
          ["a", random.pick(texts)],
          ["chosen", list],
        ]);
        for (const { store } of [own, all]) store.write({ node, key }, value);
      }
      const message = change(random, all.store.toJSON());
      const what = `seed ${seed}, step ${step}: ${JSON.stringify(message)}`;
      const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
      assert.deepEqual(codes(own.take(message)), codes(all.take(message)), what);
      assert.deepEqual(own.store.toJSON(), all.store.toJSON(), what);
    }
    exports += own.looked.whole;
  }
  assert.ok(exports < 5_000, `${exports}`);
});

test("looks up the items of a list once, however many are added", () => {
  const { store, looked, take } = countingStore(true);
  take(update("/rows", []));
  for (let nth = 0; nth < 100; nth++) take(update(`/rows/${nth}`, { name: `row ${nth}` }));
  assert.equal(store.toJSON().rows.length, 100);
  assert.ok(looked.has <= 100, `${looked.has}`);
});

test("keeps a typed text that begins like a pointer when the agent sets a value next to it", () => {
  const surface = new Surface();
  const agent = a2uiTarget(surface);
  const field = { id: "root", component: "TextField", value: { path: "/form/note" } };
  const model = { form: { note: "", total: 1 }, hidden: { key: "secret" } };
  agent.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  agent.receive({ updateComponents: { surfaceId: "s", components: [field] } });
  agent.receive(update("/", model));
  for (const [total, note] of ["*important* call", "*/hidden", "*/form/note", "*"].entries()) {
    surface.input("root", "value", note);
    agent.receive(update("/form/total", total));
    assert.deepEqual(surface.tree().props, { value: note });
    assert.deepEqual(surface.store.toJSON().form, { note, total });
  }
});

test("makes the same update without a store", () => {
  for (let seed = 0; seed < 250; seed++) {
    const random = new Random(seed);
    const [from, all] = [new FromA2ui(), countingStore(false)];
    for (let step = 0; step < 30; step++) {
      const message = change(random, all.store.toJSON());
      const what = `seed ${seed}, step ${step}: ${JSON.stringify(message)}`;
      const { messages, diagnostics } = from.translate(message);
      const nodes = messages.map((one) => Object.entries(one.updateDataModel.nodes).sort());
      assert.deepEqual({ nodes, diagnostics }, all.take(message), what);
    }
  }
});

for (const edits of [Infinity, 0]) {
  test(`makes the same data model next to nodes of other writers${edits === 0 ? ", by edits" : ""}`, () => {
    for (let seed = 0; seed < 250; seed++) {
      const random = new Random(seed);
      const [own, all] = [countingStore(true, edits), countingStore(false)];
      for (let step = 0; step < 20; step++) {
        if (random.chance(0.1)) {
          const seeds = random.below(1e9);
          for (const { store } of [own, all]) writeTo(new Random(seeds), [store], true);
        }
        const message = change(random, all.store.toJSON());
        const what = `seed ${seed}, step ${step}: ${JSON.stringify(message)}`;
        const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
        assert.deepEqual(codes(own.take(message)), codes(all.take(message)), what);
        assert.deepEqual(own.store.toJSON(), all.store.toJSON(), what);
      }
    }
  });
}

test("edits make the same document as complete nodes, also while users type", () => {
  let edits = 0;
  for (let seed = 0; seed < 250; seed++) {
    const random = new Random(seed);
    const [own, all] = [countingStore(true, 0), countingStore(false)];
    for (let step = 0; step < 30; step++) {
      if (random.chance(0.1)) writeTo(random, [own.store, all.store], false);
      const message = change(random, all.store.toJSON());
      const what = `seed ${seed}, step ${step}: ${JSON.stringify(message)}`;
      assert.deepEqual(own.take(message).diagnostics, all.take(message).diagnostics, what);
      assert.deepEqual(own.store.export(), all.store.export(), what);
      const undone = own.store.undo() && own.store.redo();
      assert.deepEqual(undone && own.store.export(), undone && all.store.export(), what);
    }
    edits += own.looked.edits;
  }
  assert.ok(edits > 1_000, `${edits}`);
});
