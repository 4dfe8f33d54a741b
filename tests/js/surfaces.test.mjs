// Several surfaces of one agent: creation, routing, deletion, early parts and streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { defineCatalog } from "byname/catalog";
import { messageStream, receiveAll, Surfaces } from "byname/messages";

await init();

const text = (key) => ({ id: "root", component: "Text", text: { binding: { key } } });
const create = (surfaceId, ...components) => ({
  version: "v1.0",
  createSurface: { surfaceId, ...(components.length > 0 && { components }) },
});
const components = (surfaceId, ...list) => ({
  updateComponents: { surfaceId, components: list },
});
const nodes = (surfaceId, root) => ({ updateDataModel: { surfaceId, nodes: { root } } });
const data = (surfaceId, value) => ({ updateDataModel: { surfaceId, path: "/", value } });
const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
const shown = (surfaces) =>
  Object.fromEntries([...surfaces].map(([id, surface]) => [id, surface.tree()?.props.text]));

test("messages reach the surface that they name", () => {
  const found = [];
  const surfaces = new Surfaces({ onSurface: (surface, id) => found.push([surface, id]) });
  for (const id of ["a", "b"]) {
    assert.deepEqual(surfaces.receive(create(id, text("title"))), { ok: true, diagnostics: [] });
    assert.deepEqual(
      surfaces.receive(JSON.stringify(nodes(id, { title: `title ${id}` }))).ok,
      true,
    );
  }
  assert.deepEqual(shown(surfaces), { a: "title a", b: "title b" });
  assert.deepEqual(
    found.map(([surface, id]) => [surface === surfaces.get(id), id]),
    [
      [true, "a"],
      [true, "b"],
    ],
  );
  assert.equal(surfaces.size, 2);
  assert.ok(surfaces.get("a") instanceof Surface);
  assert.equal(surfaces.get("c"), undefined);
});

test("a stream of plain A2UI updates several surfaces", async () => {
  const bound = { id: "root", component: "Text", text: { path: "/title" } };
  const surfaces = new Surfaces({ a2ui: true });
  const log = [create("a"), create("b"), components("b", bound), components("a", bound)];
  log.push(data("a", { title: "A" }), data("b", { title: "B" }));
  const source = log.map((message) => `${JSON.stringify(message)}\n`);
  assert.deepEqual(await receiveAll(surfaces, source), { ok: true, diagnostics: [] });
  assert.deepEqual(shown(surfaces), { a: "A", b: "B" });
  assert.equal(surfaces.target("a").translator.version, "v1.0");
});

test("components and nodes are applied while they arrive, in chunks of any size", () => {
  const log = [
    create("a", text("title")),
    create("b"),
    components("b", text("title")),
    nodes("b", { title: "B" }),
    nodes("a", { title: "A" }),
  ].map((message) => JSON.stringify(message));
  for (const size of [1, 7, 1000]) {
    const surfaces = new Surfaces();
    const stream = messageStream(surfaces);
    const all = log.join("\n");
    for (let at = 0; at < all.length; at += size)
      assert.deepEqual(codes(stream.push(all.slice(at, at + size))), []);
    assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
    assert.deepEqual(shown(surfaces), { a: "A", b: "B" });
  }
  const surfaces = new Surfaces();
  const stream = messageStream(surfaces);
  stream.push(
    `${log[1]}${log[2]}{"updateDataModel":{"surfaceId":"b","nodes":{"root":{"title":"B"},`,
  );
  assert.deepEqual(shown(surfaces), { b: "B" });
});

test("components and data before createSurface are kept", () => {
  const surfaces = new Surfaces();
  assert.ok(surfaces.receive(nodes("a", { title: "A" })).ok);
  assert.ok(surfaces.receive(components("a", text("title"))).ok);
  assert.deepEqual([...surfaces], []);
  assert.deepEqual(
    surfaces.diagnostics().map(({ code }) => code),
    ["HAM040"],
  );
  surfaces.receive(create("a"));
  assert.deepEqual(shown(surfaces), { a: "A" });
  assert.deepEqual(surfaces.diagnostics(), []);
});

test("the end of a stream reports a surface that was not created", async () => {
  const surfaces = new Surfaces();
  const { ok, diagnostics } = await receiveAll(surfaces, [components("a", text("title"))]);
  assert.equal(ok, true);
  assert.deepEqual(codes({ diagnostics }), ["HAM040"]);
  assert.match(diagnostics[0].help, /"createSurface"/);
});

test("a deleted surface is forgotten and can be created again", () => {
  const surfaces = new Surfaces();
  let changes = 0;
  const stop = surfaces.subscribe(() => {
    changes += 1;
  });
  surfaces.receive(create("a", text("title")));
  const list = surfaces.list();
  surfaces.receive(nodes("a", { title: "A" }));
  assert.equal(surfaces.list(), list);
  const first = surfaces.get("a");
  const deletion = { deleteSurface: { surfaceId: "a" } };
  assert.deepEqual(surfaces.receive(deletion), { ok: true, diagnostics: [] });
  assert.deepEqual(surfaces.receive(deletion), { ok: true, diagnostics: [] });
  assert.deepEqual([surfaces.get("a"), surfaces.size, first.tree()], [undefined, 0, null]);
  surfaces.receive(create("a", text("title")));
  assert.notEqual(surfaces.get("a"), first);
  assert.equal(changes, 3);
  stop();
  surfaces.receive(create("b"));
  assert.equal(changes, 3);
});

test("a message without a surface id is for the only surface, else an error", () => {
  const surfaces = new Surfaces();
  const update = { updateDataModel: { nodes: { root: { title: "A" } } } };
  assert.deepEqual(codes(surfaces.receive(update)), ["HAM029"]);
  surfaces.receive(create("a", text("title")));
  assert.ok(surfaces.receive(update).ok);
  assert.deepEqual(shown(surfaces), { a: "A" });
  surfaces.receive(create("b"));
  const { ok, diagnostics } = surfaces.receive(update);
  assert.equal(ok, false);
  assert.match(diagnostics[0].help, /`a`, `b`/);
});

test("broken and unknown messages are errors, with and without surfaces", () => {
  const surfaces = new Surfaces();
  for (const message of ['{"createSurface": {', { hello: 1 }, "null", "[]"]) {
    const { ok, diagnostics } = surfaces.receive(message);
    assert.deepEqual([ok, diagnostics.length], [false, 1], JSON.stringify(message));
  }
  surfaces.receive(create("a"));
  assert.equal(surfaces.receive({ hello: 1 }).ok, false);
  assert.deepEqual([...surfaces].length, 1);
});

test("a second createSurface resets only its own surface, with a warning", () => {
  for (const a2ui of [false, true]) {
    const surfaces = new Surfaces({ a2ui });
    const root = a2ui ? { id: "root", component: "Text", text: { path: "/title" } } : text("title");
    const update = a2ui ? data : nodes;
    for (const id of ["a", "b"]) {
      surfaces.receive(create(id, root));
      surfaces.receive(update(id, { title: id, old: { x: 1 } }));
    }
    assert.deepEqual(codes(surfaces.receive(create("a", root))), []);
    assert.deepEqual(shown(surfaces), { a: "a", b: "b" });
    const other = create("a", root);
    other.createSurface.catalogId = "other";
    assert.deepEqual(codes(surfaces.receive(other)), ["HAM039"]);
    assert.deepEqual(shown(surfaces), { a: null, b: "b" });
    surfaces.receive(update("a", { title: "again" }));
    assert.deepEqual(shown(surfaces), { a: "again", b: "b" });
  }
});

test("a new createSurface of plain A2UI replaces the data model", () => {
  const surfaces = new Surfaces({ a2ui: true });
  const root = { id: "root", component: "Text", text: { path: "/user/name" } };
  const message = (dataModel) => {
    const one = create("a", root);
    one.createSurface.dataModel = dataModel;
    return one;
  };
  surfaces.receive(message({ user: { name: "Ann" }, list: [{ x: 1 }, { x: 2 }] }));
  assert.deepEqual(shown(surfaces), { a: "Ann" });
  surfaces.receive(message({ user: { name: "Ann", age: 3 } }));
  assert.deepEqual(shown(surfaces), { a: "Ann" });
  assert.deepEqual(surfaces.get("a").store.toJSON(), { user: { name: "Ann", age: 3 } });
});

test("the number of surfaces is limited", () => {
  const surfaces = new Surfaces();
  for (let at = 0; at < 1000; at += 1) assert.ok(surfaces.receive(create(`s${at}`)).ok);
  assert.deepEqual(codes(surfaces.receive(create("one more"))), ["HAM029"]);
  surfaces[Symbol.dispose]();
  assert.equal(surfaces.size, 0);
});

test("wrong options are rejected", () => {
  assert.throws(() => new Surfaces({ onSurfaces: () => {} }), /onSurfaces/);
  assert.throws(() => new Surfaces({ onSurface: 5 }), /onSurface/);
  assert.throws(() => new Surfaces({ a2ui: 5 }), /a2ui/);
});

test("calls of an agent are answered, also without a surface, and responses find their surface", async () => {
  const sent = [];
  const onMessage = (message, metadata) => sent.push({ message, metadata });
  const catalog = defineCatalog({
    components: { Text: { props: { text: "string" } } },
    functions: {
      double: { args: { n: "number" }, returns: "number", allowedCallers: "agentOnly" },
    },
  });
  const functions = { double: ({ n }) => 2 * n };
  const surfaces = new Surfaces({
    catalog,
    a2ui: { onMessage, functions, catalogs: { c: catalog } },
  });
  const call = (functionCallId, surfaceId) => ({
    version: "v1.0",
    callRendererFunction: {
      functionCallId,
      ...(surfaceId && { surfaceId }),
      callFunction: { "@call": "double", catalogId: "c", args: { n: 4 } },
    },
  });
  surfaces.receive(call("early"));
  surfaces.receive({
    ...create("a"),
    createSurface: { surfaceId: "a", catalogId: "c", sendDataModel: true, dataModel: { x: 1 } },
  });
  surfaces.receive({
    ...create("b"),
    createSurface: { surfaceId: "b", catalogId: "c", sendDataModel: true },
  });
  surfaces.receive(call("late", "b"));
  surfaces.receive(call("lost", "gone"));
  await new Promise((done) => setTimeout(done));
  const responses = sent.map(({ message }) => message.rendererFunctionResponse);
  assert.deepEqual(
    responses.map(({ functionCallId, value, error }) => [functionCallId, value, error?.code]),
    [
      ["early", 8, undefined],
      ["late", 8, undefined],
      ["lost", undefined, "INVALID_FUNCTION_CALL"],
    ],
  );
  const { surfaces: models } = sent.at(-1).metadata.a2uiRendererDataModel;
  assert.deepEqual(models, { a: { x: 1 }, b: {} });

  const result = surfaces.target("b").callAgentFunction({ call: "search", args: {} });
  const { functionCallId } = sent.at(-1).message.callAgentFunction;
  const response = { version: "v1.0", agentFunctionResponse: { functionCallId, value: 7 } };
  assert.deepEqual(surfaces.receive(response), { ok: true, diagnostics: [] });
  assert.deepEqual(await result, { ok: true, value: 7 });
  assert.deepEqual(codes(surfaces.receive(response)), ["A2UI018"]);
  surfaces[Symbol.dispose]();
});

test("an error of a listener does not end the stream", async (t) => {
  const reported = t.mock.method(console, "error", () => {});
  const fail = () => {
    throw new Error("not mounted");
  };
  const surfaces = new Surfaces({ onSurface: fail });
  surfaces.subscribe(fail);
  const root = { id: "root", component: "Text", text: "literal" };
  const log = [create("a", root), create("b", root)];
  assert.deepEqual(await receiveAll(surfaces, log), { ok: true, diagnostics: [] });
  assert.deepEqual([surfaces.size, reported.mock.callCount()], [2, 4]);
});

test("a call runs once, also if its surface was deleted", async () => {
  const catalog = defineCatalog({
    components: { Text: { props: { text: "string" } } },
    functions: { go: { args: {}, allowedCallers: "rendererOrAgent" } },
  });
  let runs = 0;
  const sent = [];
  const functions = { go: () => ++runs };
  const a2ui = { catalogs: { c: catalog }, functions, onMessage: (message) => sent.push(message) };
  const surfaces = new Surfaces({ a2ui });
  const callFunction = { "@call": "go", catalogId: "c", args: {} };
  const call = { version: "v1.0", callRendererFunction: { functionCallId: "1", callFunction } };
  const log = [call, create("s"), call, { deleteSurface: { surfaceId: "s" } }];
  for (const source of [log, log, log.map((message) => JSON.stringify(message))])
    assert.deepEqual(await receiveAll(surfaces, source), { ok: true, diagnostics: [] });
  assert.deepEqual([runs, sent.length], [1, 1]);
  // A rejected call is reported each time.
  const invalid = { version: "v1.0", callRendererFunction: { functionCallId: "2" } };
  for (const _ of [1, 2]) assert.deepEqual(codes(surfaces.receive(invalid)), ["A2UI017"]);
});

test("deleteSurface ends a surface that was never created", async () => {
  const deletion = { deleteSurface: { surfaceId: "a" } };
  const log = [nodes("a", { title: "A" }), components("a", text("title")), deletion];
  const surfaces = new Surfaces();
  // The second time is a replay.
  for (const source of [log, [create("a", text("title")), deletion, ...log]])
    assert.deepEqual(await receiveAll(surfaces, source), { ok: true, diagnostics: [] });
  surfaces.receive(create("a", text("title")));
  assert.deepEqual(shown(surfaces), { a: null });
});

test("surfaces of plain A2UI cannot share a store", () => {
  const store = new HamStore();
  assert.throws(() => new Surfaces({ a2ui: true, store }), { code: "argument" });
  const surfaces = new Surfaces({ store });
  surfaces.receive(create("a", text("title")));
  surfaces.receive(create("b", text("title")));
  store.apply({ root: { title: "both" } });
  assert.deepEqual(shown(surfaces), { a: "both", b: "both" });
});

test("a surface that the page disposes of is forgotten", async () => {
  const surfaces = new Surfaces();
  const root = { id: "root", component: "Text", text: "literal" };
  for (const id of ["a", "b"]) surfaces.receive(create(id, root));
  surfaces.get("a")[Symbol.dispose]();
  const log = [components("b", root), { deleteSurface: { surfaceId: "a" } }, create("c", root)];
  assert.deepEqual(await receiveAll(surfaces, log), { ok: true, diagnostics: [] });
  assert.deepEqual(
    [...surfaces].map(([id]) => id),
    ["b", "c"],
  );
  surfaces.receive(create("a", root));
  assert.deepEqual(shown(surfaces), { b: "literal", c: "literal", a: "literal" });
});

test("a surface with an invalid component is created, in one message and in a stream", async () => {
  const root = { id: "root", component: "Text", text: { path: "/title" } };
  const bad = { component: "Text" };
  const message = create("a", root, bad);
  message.createSurface.catalogId = "c";
  for (const source of [[message], [JSON.stringify(message)]]) {
    const surfaces = new Surfaces({ a2ui: true });
    const { ok, diagnostics } = await receiveAll(surfaces, [...source, data("a", { title: "A" })]);
    assert.deepEqual([ok, codes({ diagnostics })], [false, ["HAM029"]]);
    assert.deepEqual(shown(surfaces), { a: "A" });
    assert.equal(surfaces.get("a").info().catalogId, "c");
    // A rejected message changes neither the surface nor its information.
    const other = { createSurface: { surfaceId: "b", catalogId: "d", components: [root] } };
    surfaces.get("a").receive(other);
    surfaces.get("a").receive('{"createSurface": {"surfaceId": "a", "catalogId": "e"');
    assert.equal(surfaces.get("a").info().catalogId, "c");
    surfaces.receive({ deleteSurface: { surfaceId: "a" } });
    assert.equal(surfaces.size, 0);
  }
});
