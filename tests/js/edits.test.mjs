// Edits of nodes in `updateDataModel`: their size does not depend on that of the list or map.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, FromA2ui, ToA2ui } from "byname/a2ui";
import { checkMessages } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";

await init();

const update = (path, value) => ({
  updateDataModel: { surfaceId: "s", path, ...(value === undefined ? {} : { value }) },
});

/** Returns a target with the data messages that its surface receives. */
function recordingTarget(model) {
  const surface = new Surface();
  const sent = [];
  const target = a2uiTarget({
    store: surface.store,
    info: () => surface.info(),
    receive(message) {
      sent.push(message.updateDataModel);
      return surface.receive(message);
    },
  });
  target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  target.receive(update("/", model));
  sent.length = 0;
  return { surface, target, sent };
}

const CHANGES = [
  ["a new property", "/user/age", 3, { "~/user": { age: 3 } }],
  ["a changed property", "/user/name", "Bob", { "~/user": { name: "Bob" } }],
  ["a deleted property", "/user/name", undefined, { "-/user": ["name"] }],
  ["a deleted property like a pointer", "/user/*n", undefined, { "-/user": ["*n"] }],
  ["a property of the root", "/total", 4, { "~root": { total: 4 } }],
  [
    "a new object",
    "/user/home",
    { city: "Rome" },
    { "~/user": { home: "*/user/home" }, "/user/home": { city: "Rome" } },
  ],
  [
    "a new item at the end",
    "/rows/2",
    { n: 3 },
    { "+/rows": { items: ["*/rows/2"] }, "/rows/2": { n: 3 } },
  ],
  ["the first item", "/empty/0", "x", { "+/empty": { items: ["*/empty/0"] }, "/empty/0": "x" }],
];
for (const [name, path, value, edits] of CHANGES) {
  test(`a target sends an edit for ${name}`, () => {
    const model = { user: { name: "Ann", "*n": 1 }, rows: [{ n: 1 }, { n: 2 }], empty: [] };
    const { surface, target, sent } = recordingTarget(model);
    const result = target.receive(update(path, value));
    assert.deepEqual(result, { ok: true, diagnostics: [] });
    assert.deepEqual(sent, [{ surfaceId: "s", edits }]);
    const expected = new Surface();
    const plain = new FromA2ui();
    for (const message of [update("/", model), update(path, value)])
      for (const one of plain.translate(message).messages) expected.store.apply(one);
    assert.deepEqual(surface.store.export(), expected.store.export());
    // The change is one step.
    surface.store.undo();
    assert.deepEqual(surface.store.toJSON(), model);
  });
}

test("an item in the middle of a list, and a deleted one, send complete nodes", () => {
  const { target, sent, surface } = recordingTarget({ rows: [1, 2, 3] });
  target.receive(update("/rows/1", 5));
  target.receive(update("/rows/2", undefined));
  assert.deepEqual(
    sent.map(({ nodes, edits }) => [Object.keys(nodes ?? {}), edits]),
    [
      [["/rows/1"], undefined],
      [["/rows/2"], undefined],
    ],
  );
  assert.deepEqual(surface.store.toJSON(), { rows: [1, 5, null] });
});

test("without the option, FromA2ui sends complete nodes", () => {
  for (const options of [{}, { edits: true }]) {
    const from = new FromA2ui(options);
    from.translate(update("/", { user: { name: "Ann" } }));
    const [message] = from.translate(update("/user/age", 3)).messages;
    assert.deepEqual(message.updateDataModel.nodes, { "/user": { name: "Ann", age: 3 } });
  }
  assert.throws(() => new FromA2ui({ edits: 1 }), { code: "argument" });
});

test("a stream of single additions has messages of one size", () => {
  const { target, sent } = recordingTarget({ map: {} });
  for (let nth = 0; nth < 2_000; nth++) target.receive(update(`/map/k${nth}`, nth));
  const longest = Math.max(...sent.map((one) => JSON.stringify(one).length));
  assert.equal(sent.length, 2_000);
  assert.ok(longest < 80, `${longest}`);
});

test("ToA2ui reads edits", () => {
  const to = new ToA2ui();
  const document = { root: { rows: "*l", user: "*u" }, l: ["*a", "*b", "*c"], u: { n: 1, m: 2 } };
  const rows = { a: { n: "a" }, b: { n: "b" }, c: { n: "c" }, d: { n: "d" }, log: "One" };
  const store = new HamStore();
  const messages = [
    { nodes: { ...document, ...rows } },
    { edits: { "+l": { items: ["*d"], before: "*b" } } },
    { edits: { "+l": { items: ["*a"], after: "*c" }, "-l": ["*b"] } },
    { edits: { "+l": { items: ["*c", "*b"], after: "*c" } } },
    { edits: { "~u": { m: 3, o: 4 }, "-u": ["n"], ">log": ", two", "~root": { log: "*log" } } },
    { edits: { "!d": null, "~new": { x: 1 }, "~root": { new: "*new" } } },
  ];
  for (const updateDataModel of messages) {
    to.translate({ updateDataModel });
    assert.ok(store.apply({ updateDataModel }).ok);
    const model = store.toJSON();
    // The data model has no missing items.
    assert.deepEqual(to.model, { ...model, rows: model.rows.filter((one) => one !== null) });
  }
});

test("typeOf returns the type of a node", () => {
  const store = new HamStore();
  store.apply({ a: 1, b: "x", c: true, d: null, e: [], f: ["x"], g: ["*a"], h: {} });
  const types = ["number", "string", "boolean", "null", "list", "list", "list", "map", undefined];
  assert.deepEqual(
    [..."abcdefghi"].map((id) => store.typeOf(id)),
    types,
  );
  assert.equal(store.typeOf("\ud800"), undefined);
  assert.throws(() => store.typeOf(1), { code: "argument" });
});

test("the check of messages knows edits, and requires nodes or edits", () => {
  const codes = (body) =>
    checkMessages(basicCatalog, { updateDataModel: body }).map(({ code }) => code);
  assert.deepEqual(codes({ edits: { "~u": { a: 1 } } }), []);
  assert.deepEqual(codes({ edit: { "~u": { a: 1 } } }), ["HAM004"]);
});

test("a snapshot of a growing message applies its edits once", async () => {
  const surface = new Surface();
  const created = { createSurface: { surfaceId: "s", catalogId: "c" } };
  const first = { updateDataModel: { surfaceId: "s", nodes: { log: "One" } } };
  const edit = (text) => ({ updateDataModel: { surfaceId: "s", edits: { ">log": text } } });
  async function* snapshots() {
    yield [created, first, edit(", t")];
    yield [created, first, edit(", two")];
    yield [created, first, edit(", two"), edit("!")];
  }
  const { ok, diagnostics } = await receiveAll(surface, snapshots());
  assert.deepEqual([ok, diagnostics], [true, []]);
  assert.equal(surface.store.get("log"), "One, two!");
});
