// Invalid updates of plain A2UI: they must act as in A2UI's own data model, and no message of an
// agent may end the process.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DataModel } from "@a2ui/web_core/v0_9";
import { HamStore, init, Surface } from "byname";
import { FromA2ui, ToA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";

await init();

const update = (path, value) => ({
  updateDataModel: { surfaceId: "s", path, ...(value === undefined ? {} : { value }) },
});
const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);

/** Returns the model after two updates, or the code of the diagnostic that rejects the second. */
function actualUpdate(model, path, value) {
  const from = new FromA2ui();
  const store = new HamStore();
  for (const { updateDataModel } of from.translate(update("/", model)).messages) {
    store.apply(updateDataModel.nodes);
  }
  const { messages, diagnostics } = from.translate(update(path, value));
  if (diagnostics.length > 0) {
    assert.deepEqual(messages, []);
    assert.equal(diagnostics[0].severity, "error");
    // A rejected update leaves no trace: the next one acts as if it were the first.
    assert.deepEqual(from.translate(update("/", model)).messages[0].updateDataModel.nodes, {});
    return diagnostics[0].code;
  }
  for (const { updateDataModel } of messages) store.apply(updateDataModel.nodes);
  return store.toJSON();
}

function expectedUpdate(model, path, value) {
  const peer = new DataModel(structuredClone(model));
  try {
    peer.set(path, value);
  } catch {
    return "A2UI005";
  }
  return JSON.parse(JSON.stringify(peer.get("/")));
}

const models = [
  null,
  "text",
  0,
  [],
  [1, { b: 1 }],
  {},
  { a: null },
  { a: "text" },
  { a: false },
  { a: [1] },
  { a: [{ b: 1 }, null] },
  { a: { b: { 0: "x" } } },
];
const paths = ["/0", "/1/b", "/a", "/a/-", "/a/x", "/a/01", "/a/0", "/a/1", "/a/3", "/a/b"];
paths.push("/a/0/b", "/a/1/0", "/a/b/0", "/a/b/c/0/d", "/b/0/1", "a/0", "//a//0");

test("a path acts as in A2UI's own data model, or is rejected as there", () => {
  const rejected = new Set();
  for (const model of models) {
    for (const path of paths) {
      for (const value of [2, { c: [3] }, undefined]) {
        const what = `${JSON.stringify(value)} at ${path} of ${JSON.stringify(model)}`;
        const answer = actualUpdate(model, path, value);
        assert.deepEqual(answer, expectedUpdate(model, path, value), what);
        if (answer === "A2UI005") rejected.add(path);
      }
    }
  }
  assert.ok(rejected.size > 10);
});

test("rejects an index far past the end, at one level and at many", () => {
  const from = new FromA2ui();
  for (const path of [
    "/a/1000000000",
    "/a/1001",
    `/a${"/900".repeat(900)}`,
    "/99999999999999999",
  ]) {
    from.translate(update("/", path.startsWith("/9") ? [] : {}));
    const answer = from.translate(update(path, 1));
    assert.deepEqual([codes(answer), answer.messages], [["A2UI005"], []], path.slice(0, 30));
  }
  from.translate(update("/", { a: [0] }));
  const { nodes } = from.translate(update("/a/1001", 1)).messages[0].updateDataModel;
  assert.equal(nodes["/a"].length, 1002);
});

test("a field of a missing row or map is written without reading the complete data model", () => {
  const store = new HamStore();
  let exports = 0;
  const read = store.export.bind(store);
  store.export = () => {
    exports += 1;
    return read();
  };
  const from = new FromA2ui({ store });
  const send = (path, value) => {
    const { messages, diagnostics } = from.translate(update(path, value));
    assert.deepEqual(diagnostics, []);
    for (const { updateDataModel } of messages) store.apply(updateDataModel.nodes);
  };
  const model = { rows: [{ name: "a" }, null], map: {}, empty: null };
  send("/", model);
  const peer = new DataModel(structuredClone(model));
  exports = 0;
  for (const [path, value] of [
    ["/rows/2/name", "c"],
    ["/rows/1/name", "b"],
    ["/rows/3/tags/0/text", "t"],
    ["/map/x/y/z", 1],
    ["/map/x/y/w", "*text"],
    ["/map/list/0", { a: [1] }],
    ["/empty/a/b", true],
    ["/absent/1", "t"],
  ]) {
    send(path, value);
    peer.set(path, value);
    assert.deepEqual(store.toJSON(), JSON.parse(JSON.stringify(peer.get("/"))), path);
    // Only an index past the end, which adds nulls, needs the complete data model.
    assert.equal(exports, path === "/absent/1" ? 1 : 0, path);
  }
});

test("objects with a key `toString` in place of texts are no exception", () => {
  const odd = { toString: 1 };
  const list = { id: "root", component: "List", children: { path: "/rows", componentId: odd } };
  const messages = [
    update("/", { rows: [{ a: 1 }] }),
    { updateDataModel: { surfaceId: odd, path: "/a", value: odd } },
    { updateComponents: { surfaceId: "s", components: [{ id: odd, component: odd }, list] } },
    { dataModelUpdate: { surfaceId: "s", contents: [{ key: odd, valueString: "a" }] } },
    { beginRendering: { surfaceId: "s", root: odd } },
    { surfaceUpdate: { surfaceId: "s", components: [{ id: odd, component: { Text: {} } }] } },
  ];
  const from = new FromA2ui();
  const to = new ToA2ui();
  for (const message of messages) {
    const { messages: translated } = from.translate(structuredClone(message));
    for (const one of [message, ...translated]) to.translate(one);
  }
  assert.deepEqual(from.translate(update("/b", 1)).diagnostics, []);
});

test("a user's value far past the end of a list does not stop the agent", () => {
  const store = new HamStore();
  const from = new FromA2ui({ store });
  store.apply({ root: {}, "/a/1000000000": "typed", [`/b${"/b".repeat(20_000)}`]: "typed" });
  assert.deepEqual(from.translate(update("/x", 1)).messages[0].updateDataModel.nodes.root, {
    x: 1,
  });
});

test("rejects a message that is nested too deep, and accepts the next one", () => {
  let deep = 1;
  for (let n = 0; n < 20_000; n += 1) deep = { a: deep };
  let half = 1;
  for (let n = 0; n < 600; n += 1) half = [half];
  const from = new FromA2ui();
  const component = { id: "root", component: "Text", text: deep };
  const rejected = [
    update("/a".repeat(20_000), 1),
    update("/a".repeat(1_500), 1),
    update("/a".repeat(600), half),
    update("/", deep),
    update(`/${"a".repeat(10_000)}`.repeat(999), 1),
    { createSurface: { surfaceId: "s", catalogId: "basic", dataModel: deep } },
    { updateComponents: { surfaceId: "s", components: [component] } },
  ];
  for (const message of rejected) {
    const answer = from.translate(message);
    assert.deepEqual([codes(answer), answer.messages], [["A2UI006"], []]);
  }
  assert.equal(from.translate(update("/a".repeat(900), 1)).messages.length, 1);
  assert.deepEqual(from.translate(update("/b", 1)).diagnostics, []);
  const to = new ToA2ui();
  for (const message of [rejected.at(-1), { updateDataModel: { nodes: { root: deep } } }]) {
    const answer = to.translate(message);
    assert.deepEqual([codes(answer), answer.messages], [["A2UI006"], []]);
  }
  assert.deepEqual(to.translate({ updateDataModel: { nodes: { root: { a: 1 } } } }).messages, [
    { updateDataModel: { path: "/", value: { a: 1 } } },
  ]);
});

test("keeps the nodes of other writers in a shared store", () => {
  const store = new HamStore();
  store.apply({ mine: { a: 1 } });
  const from = new FromA2ui({ store });
  const [{ updateDataModel }] = from.translate(update("/x", 1)).messages;
  assert.deepEqual(updateDataModel.nodes, { root: { x: 1 } });
});

test("a surface that is created again in a shared store begins without the data of the last one", () => {
  const store = new HamStore();
  store.apply({ mine: { a: 1 } });
  const surface = new Surface({ store, catalog: basicCatalog });
  const from = new FromA2ui({ store });
  const send = (message) => {
    for (const one of from.translate(message).messages) {
      assert.deepEqual(surface.receive(one).diagnostics, []);
    }
  };
  const create = { createSurface: { surfaceId: "s", catalogId: "basic" } };
  send(create);
  send(update("/", { rows: [{ n: 1 }] }));
  send({ deleteSurface: { surfaceId: "s" } });
  send(create);
  assert.deepEqual(store.export(), { mine: { a: 1 } });
  send(update("/x", 1));
  assert.deepEqual(store.export(), { mine: { a: 1 }, root: { x: 1 } });
});

test("an update that is not an object is rejected with a help for A2UI", () => {
  for (const body of ["text", 1, null, [1]]) {
    const { messages, diagnostics } = new FromA2ui().translate({ updateDataModel: body });
    assert.deepEqual([codes({ diagnostics }), messages], [["A2UI009"], []]);
    assert.match(diagnostics[0].help, /`path` and `value`/);
    assert.match(diagnostics[0].message, /^expected an object as `updateDataModel`, found /);
  }
});
