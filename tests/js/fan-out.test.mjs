// Messages that unfold into many instances are rejected before an instance is created, in every way in which they can arrive.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countWork } from "../growth/measure.mjs";

const { HamStore, Surface } = await import("byname");
const { wasmMemory } = await import("../../pkg/wasm.js");

const list = (id, binding, template) => ({
  id,
  component: "Row",
  children: { binding, template },
});
const text = { id: "x", component: "Text", text: { binding: {} } };
const numbers = (count) => Array.from({ length: count }, (_, index) => index);

/** A list of 1,000 items, each with the same list of 501 items. */
const product = {
  components: [list("root", { node: "l" }, "t"), list("t", { node: "m" }, "x"), text],
  nodes: { l: numbers(1_000), m: numbers(501) },
  message: /^expected at most 500000 instances, found more: `l` has 1000 items in `root`$/,
  pointer: "/root/children",
};
/** Thirty nodes, each with two pointers to the next one. */
const shared = {
  components: [list("root", { node: "n0" }, "t"), list("t", {}, "t")],
  nodes: Object.fromEntries(numbers(30).map((n) => [`n${n}`, [`*n${n + 1}`, `*n${n + 1}`]])),
  message: /^expected at most 500000 instances, found more: .* has 2 items in `t`/,
};
/** Nested maps with lists of their own. */
const deep = {
  components: [
    list("root", { node: "a", key: "of" }, "t"),
    list("t", { key: "of" }, "u"),
    list("u", { key: "of" }, "x"),
    text,
  ],
  nodes: {
    a: { of: numbers(100).map(() => "*b") },
    b: { of: numbers(100).map(() => "*c") },
    c: { of: numbers(100) },
  },
  message: /`of` of `a` has 100 items in `root`$/,
};
/** Components that each name the next one four times. */
const components = numbers(50).map((n) => ({
  id: n ? `c${n}` : "root",
  component: "Column",
  children: n < 49 ? Array(4).fill(`c${n + 1}`) : [],
}));

const describe = (surface, given) =>
  surface.receive({ updateComponents: { surfaceId: "s", components: given } });

/** Returns everything that a rejected message must not change. */
const stateOf = ({ store }, surface) => [
  store.export(),
  store.revision,
  surface.tree(),
  surface.export(),
];

async function expectRefused(surface, apply, { message, pointer }) {
  const events = [];
  const stop = surface.subscribe((changes) => events.push(...changes));
  const before = stateOf(surface, surface);
  const bytes = wasmMemory().buffer.byteLength;
  let result;
  const work = await countWork(() => {
    result = apply();
  });
  assert.equal(result.ok, false);
  assert.deepEqual(
    result.diagnostics.map(({ code }) => code),
    ["HAM018"],
  );
  const [diagnostic] = result.diagnostics;
  assert.match(diagnostic.message, message);
  assert.match(diagnostic.help, /limits\.instances/);
  if (pointer) assert.equal(diagnostic.location.pointer, pointer);
  assert.deepEqual(stateOf(surface, surface), before);
  assert.deepEqual(events, []);
  assert.ok(wasmMemory().buffer.byteLength - bytes < 1e6, "memory grows");
  assert.ok(work < 500_000, `${work} units of work`);
  assert.ok(surface.diagnostics().some(({ code }) => code === "HAM018"));
  stop();
}

for (const [name, fan] of Object.entries({ product, shared, deep })) {
  const json = JSON.stringify(fan.nodes);
  const open = () => {
    const surface = new Surface();
    assert.ok(describe(surface, fan.components).ok);
    return surface;
  };
  test(`${name}: refused by apply, receive and chunks`, async () => {
    const surface = open();
    await expectRefused(surface, () => surface.store.apply(json), fan);
    const message = { updateDataModel: { surfaceId: "s", nodes: fan.nodes } };
    await expectRefused(surface, () => surface.receive(message), fan);
    const stream = surface.store.stream();
    const chunked = () => {
      const results = [json.slice(0, 40), json.slice(40)].map((chunk) => stream.push(chunk));
      return results.find(({ ok }) => !ok) ?? stream.end();
    };
    if (name !== "shared") await expectRefused(surface, chunked, fan);
  });

  test(`${name}: refused when the components arrive after the data`, async () => {
    const surface = new Surface();
    assert.ok(surface.store.apply(json).ok);
    await expectRefused(surface, () => describe(surface, fan.components), fan);
    assert.equal(surface.tree(), null);
    assert.ok(describe(surface, [{ ...text, id: "root" }]).ok);
  });

  test(`${name}: refused by the message that crosses the limit`, async () => {
    const surface = open();
    const entries = Object.entries(fan.nodes);
    const [last, value] = entries.pop();
    for (const [id, items] of entries) {
      const { ok } = surface.store.apply({ [id]: items });
      assert.ok(ok || name === "shared");
    }
    const { ok } = surface.store.apply({ [last]: value });
    assert.equal(ok, name === "shared");
    assert.ok(surface.store.apply({ [last]: [] }).ok);
  });
}

test("components that multiply are refused", async () => {
  const surface = new Surface();
  const fan = { message: /^expected at most 500000 instances, found more/ };
  await expectRefused(surface, () => describe(surface, components), fan);
  const created = { createSurface: { surfaceId: "s", components } };
  await expectRefused(surface, () => surface.receive(created), fan);
  assert.equal(surface.info(), null);
});

test("a surface that is created again with too many instances stays", async () => {
  const surface = new Surface();
  const first = [{ id: "root", component: "Text", text: "first" }];
  assert.ok(surface.receive({ createSurface: { surfaceId: "s", components: first } }).ok);
  const created = { createSurface: { surfaceId: "s", components } };
  await expectRefused(surface, () => surface.receive(created), { message: /found more/ });
  assert.equal(surface.tree().props.text, "first");
});

test("undo and redo are refused", () => {
  const store = new HamStore({ limits: { instances: 10 } });
  const surface = new Surface({ store });
  const root = { id: "root", component: "Column", children: ["rows"] };
  assert.ok(describe(surface, [root, list("rows", { node: "l" }, "x"), text]).ok);
  assert.ok(store.apply({ l: numbers(7) }).ok);
  assert.ok(store.apply({ l: [] }).ok);
  assert.ok(describe(surface, [{ ...root, children: ["rows", "x", "x"] }]).ok);
  assert.equal(store.undo(), false);
  assert.deepEqual(store.get("l"), []);
  assert.ok(surface.diagnostics().some(({ code }) => code === "HAM018"));
  assert.ok(describe(surface, [root]).ok);
  assert.equal(store.undo(), true);
  assert.equal(store.get("l").length, 7);
  assert.equal(store.redo(), true);
});
