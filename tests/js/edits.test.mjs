// Edits of nodes in `updateDataModel`: their size does not depend on that of the list or map.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, FromA2ui, ToA2ui } from "byname/a2ui";
import { checkMessages } from "byname/catalog";
import { attach, Recorder } from "byname/devtools";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";

await init();

const update = (path, value) => ({
  updateDataModel: { surfaceId: "s", path, ...(value === undefined ? {} : { value }) },
});

/** Returns a surface of an agent that writes A2UI, with the data messages that it receives. */
function recordedSurface(model) {
  const surface = new Surface();
  const from = new FromA2ui({ store: surface.store, edits: 0 });
  const sent = [];
  const receive = (message) => {
    const { messages, diagnostics } = from.translate(message);
    for (const one of messages) {
      sent.push(one.updateDataModel);
      diagnostics.push(...surface.receive(one).diagnostics);
    }
    return diagnostics;
  };
  receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  receive(update("/", model));
  sent.length = 0;
  return { surface, receive, sent };
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
  test(`sends an edit for ${name}`, () => {
    const model = { user: { name: "Ann", "*n": 1 }, rows: [{ n: 1 }, { n: 2 }], empty: [] };
    const { surface, receive, sent } = recordedSurface(model);
    assert.deepEqual(receive(update(path, value)), []);
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
  const { receive, sent, surface } = recordedSurface({ rows: [1, 2, 3] });
  receive(update("/rows/1", 5));
  receive(update("/rows/2", undefined));
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
  for (const options of [{}, { edits: 0 }]) {
    const from = new FromA2ui(options);
    from.translate(update("/", { user: { name: "Ann" } }));
    const [message] = from.translate(update("/user/age", 3)).messages;
    assert.deepEqual(message.updateDataModel.nodes, { "/user": { name: "Ann", age: 3 } });
  }
  assert.throws(() => new FromA2ui({ edits: -1 }), { code: "argument" });
});

test("a target sends edits of maps and lists from 64 entries on", () => {
  const surface = new Surface();
  const sizes = { map: [], list: [] };
  let name = "map";
  const target = a2uiTarget({
    store: surface.store,
    info: () => surface.info(),
    receive(message) {
      const body = message.updateDataModel;
      if (body) sizes[name].push(body.edits === undefined ? 0 : JSON.stringify(body).length);
      return surface.receive(message);
    },
  });
  target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  target.receive(update("/", { map: {}, list: [] }));
  sizes.map.length = 0;
  for (let nth = 0; nth < 1_000; nth++) target.receive(update(`/map/k${nth}`, nth));
  name = "list";
  for (let nth = 0; nth < 1_000; nth++) target.receive(update(`/list/${nth}`, nth));
  for (const all of Object.values(sizes)) {
    assert.equal(all.length, 1_000);
    assert.ok(all.slice(0, 64).every((size) => size === 0));
    assert.ok(all.slice(64).every((size) => size > 0 && size < 100));
  }
});

/** Nodes of the application that point into the data, and a change of the agent. */
const SHARED = [
  [
    "a deleted node with another pointer in its map",
    { ann: { n: 1 } },
    { ann: "*/m/ann", selected: "*/m/ann" },
    ["/m/ann", undefined],
  ],
  [
    "a new node with a dangling pointer in its map",
    { x: 1 },
    { x: 1, ref: "*/m/home" },
    ["/m/home", { city: "Rome" }],
  ],
  ["a new item with a dangling pointer in its list", [], ["*/m/1"], ["/m/1", { n: 1 }]],
];
for (const [name, value, node, [path, next]] of SHARED) {
  test(`edits have the result of complete nodes for ${name}`, () => {
    const results = [0, Infinity].map((edits) => {
      const store = new HamStore();
      const from = new FromA2ui({ store, edits });
      const receive = (message) => {
        const { messages, diagnostics } = from.translate(message);
        assert.deepEqual(diagnostics, []);
        for (const one of messages) assert.ok(store.apply(one).ok);
      };
      receive(update("/", { m: value }));
      store.apply({ "/m": node });
      receive(update(path, next));
      return store.toJSON();
    });
    assert.deepEqual(results[0], results[1]);
  });
}

test("a deleted property whose name begins with the sigil has no diagnostics", () => {
  const { surface, receive } = recordedSurface({ u: { "* note": 1, "*": 2, "**": 3, b: 4 } });
  for (const name of ["* note", "*", "**"]) {
    assert.deepEqual(receive(update(`/u/${name}`)), [], name);
  }
  assert.deepEqual(surface.store.toJSON(), { u: { b: 4 } });
});

test("a store that only reads nodes gets complete nodes, and is not exported each time", () => {
  const store = new HamStore();
  const { has, get, entry, orphans } = HamStore.prototype;
  const calls = Object.entries({ has, get, entry, orphans });
  const wrapper = Object.fromEntries(calls.map(([name, call]) => [name, call.bind(store)]));
  let exports = 0;
  wrapper.export = () => {
    exports += 1;
    return store.export();
  };
  const from = new FromA2ui({ store: wrapper, edits: 0 });
  const messages = [update("/", { m: {} }), update("/m/a", { b: 1 }), update("/m/c", 2)];
  const bodies = messages.map((message) => {
    const [{ updateDataModel }] = from.translate(message).messages;
    store.apply({ updateDataModel });
    return updateDataModel;
  });
  assert.deepEqual(
    bodies.slice(1).map(({ nodes }) => nodes),
    [{ "/m": { a: "*/m/a" }, "/m/a": { b: 1 } }, { "/m": { a: "*/m/a", c: 2 } }],
  );
  assert.equal(exports, 1);
});

test("many edits of one node in a message need the memory of one", () => {
  const store = new HamStore({ limits: { memory: 20_000_000, bytes: 4_000_000 } });
  const map = Object.fromEntries(Array.from({ length: 20_000 }, (_, nth) => [`k${nth}`, nth]));
  store.apply({ log: "x".repeat(1_000_000), m: map });
  const many = (entry) => Array.from({ length: 2_500 }, (_, nth) => entry(nth)).join();
  const texts = [many((nth) => `">log":"${nth}"`), many((nth) => `"~m":{"n${nth}":${nth}}`)];
  const rss = process.memoryUsage().rss;
  for (const edits of texts) {
    const { ok, diagnostics } = store.apply(`{"updateDataModel":{"edits":{${edits}}}}`);
    assert.ok(ok);
    assert.equal(diagnostics[0].code, "JSON012");
  }
  assert.ok(process.memoryUsage().rss - rss < 200_000_000);
  assert.ok(store.get("log").endsWith("x2499"));
  assert.equal(store.sizeOf("m"), 20_001);
});

test("a stream applies edits in the order of the text, in chunks of any size", () => {
  const start = { u: { x: 1, n: 1, y: 2 }, log: "A", l: ["*a"] };
  const texts = {
    '{"~u":{"p":1},"~u":{"q":2}}': { u: { x: 1, n: 1, y: 2, p: 1, q: 2 } },
    '{">log":"B",">log":"C"}': { log: "ABC" },
    '{"~u":{"n":9},"-u":["n","y"]}': { u: { x: 1 } },
    '{"+l":{"items":["*b"]},"-l":["*b"],"l2":1}': { l: ["*a"], l2: 1 },
  };
  for (const [text, changed] of Object.entries(texts))
    for (const size of [1, 12, 1_000]) {
      const store = new HamStore({ extensions: { listEdits: true, merge: true } });
      store.apply(start);
      const stream = store.stream();
      for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
      stream.end();
      assert.deepEqual(store.export(), { ...start, ...changed }, `${text} by ${size}`);
    }
});

test("a removal by name loses no property by mistake", () => {
  const surface = new Surface();
  const text = { id: "root", component: "Text", text: { binding: { node: "u", key: "b" } } };
  surface.receive({ createSurface: { surfaceId: "s", components: [text] } });
  const data = (body) => surface.receive({ updateDataModel: body }).diagnostics;
  const codes = (body) => data(body).map(({ code }) => code);
  data({ nodes: { u: { a: 1, b: 2 } } });
  assert.deepEqual(codes({ edits: { "-u": ["b"] } }).includes("HAM042"), false);
  const others = [
    { nodes: { u: { a: 1 } } },
    { edits: { u: { a: 1 }, "-w": ["a"] } },
    { edits: { u: { a: 1, c: 3 }, "-u": ["c"] } },
  ];
  for (const body of others) {
    data({ nodes: { u: { a: 1, b: 2 }, w: { a: 1, b: 2 } } });
    assert.deepEqual(codes(body).includes("HAM042"), true, JSON.stringify(body));
  }
});

test("a delta before an edit, whose part is set again later, applies the edit once", async () => {
  const surface = new Surface();
  const nodes = (all) => ({ updateDataModel: { surfaceId: "s", nodes: all } });
  const messages = [
    { createSurface: { surfaceId: "s", catalogId: "c" } },
    nodes({ log: "One" }),
    nodes({ a: 1 }),
    { updateDataModel: { surfaceId: "s", edits: { ">log": ", two" } } },
    nodes({ a: 2 }),
  ];
  const activity = { messageId: "m", activityType: "a2ui-surface" };
  const path = "/messages/2/updateDataModel/nodes/a";
  async function* events() {
    yield { type: "ACTIVITY_SNAPSHOT", ...activity, content: { messages } };
    yield { type: "ACTIVITY_DELTA", ...activity, patch: [{ op: "replace", path, value: 7 }] };
  }
  await receiveAll(surface, events());
  assert.deepEqual(surface.store.export(), { log: "One, two", a: 2 });
});

test("an edit is not received again after a delta of another message", async () => {
  const surface = new Surface();
  const show = (text) => {
    const components = [{ id: "root", component: "Text", text }];
    return { updateComponents: { surfaceId: "s", components } };
  };
  const messages = [
    { createSurface: { surfaceId: "s", catalogId: "c" } },
    { updateDataModel: { surfaceId: "s", nodes: { log: "One" } } },
    show("a"),
    { updateDataModel: { surfaceId: "s", edits: { ">log": ", two" } } },
  ];
  const activity = { messageId: "m", activityType: "a2ui-surface" };
  const path = "/messages/2/updateComponents/components/0/text";
  async function* events() {
    yield { type: "ACTIVITY_SNAPSHOT", ...activity, content: { messages } };
    const patch = [{ op: "replace", path, value: "b" }];
    yield { type: "ACTIVITY_DELTA", ...activity, patch };
  }
  await receiveAll(surface, events());
  assert.equal(surface.store.get("log"), "One, two");
  assert.equal(surface.tree().props.text, "b");
});

test("the log of devtools has no secrets in edits and in nodes of paths", () => {
  const surface = new Surface();
  const recorder = new Recorder();
  surface.receive({ updateDataModel: { nodes: { token: "", tokens: [], "/tokens": [] } } });
  attach({ surfaces: surface }, { recorder });
  const edits = {
    ">token": "secret-A",
    "+tokens": { items: ["secret-B"] },
    "~root": { userPin: "secret-C" },
    "+/tokens": { items: ["*/tokens/0"] },
    "/tokens/0": "secret-D",
    "/user/pin": "*secret-E",
    "/usage/tokens/0": 5,
  };
  assert.ok(surface.receive({ updateDataModel: { edits } }).ok);
  const log = recorder.export();
  assert.deepEqual(log.match(/secret-[A-E]/g), null);
  assert.ok(log.includes('"~root"'));
  assert.match(log, /"\/usage\/tokens\/0":\s*5/);
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
    { edits: { "-u": ["m"], "~u": { m: 9 } } },
    { edits: { "~u": { p: 1 }, "-u": ["p", "none"] } },
    { nodes: { l: ["*a", "*b", "*a", "x", "*c"] } },
    { edits: { "-l": ["*a", "x"].slice(0, 1) } },
    { edits: { "+l": { items: ["*a", "x"], before: "*b" } } },
    { edits: { "+l": { items: ["*b", "*b"], after: "*b" } } },
  ];
  for (const updateDataModel of messages) {
    to.translate({ updateDataModel });
    assert.ok(store.apply({ updateDataModel }).ok);
    const model = store.toJSON();
    // The data model has no missing items.
    assert.deepEqual(to.model, { ...model, rows: model.rows.filter((one) => one !== null) });
  }
});

test("ToA2ui leaves out a message with an edit that the store rejects, and reports it", () => {
  const document = { l: ["*a"], t: "x", m: { a: 1 }, n: null };
  const bodies = ['"+none":{"items":[]}', '"+m":{"items":[]}', '"-t":["a"]', '"-m":"a"'];
  bodies.push('">m":"x"', '">none":"x"', '"~l":{"a":1}', '"~n":{"a":1}', '"+l":{"items":1}');
  for (const body of bodies) {
    const message = JSON.parse(`{"updateDataModel":{"edits":{"m":{"a":2},${body}}}}`);
    if (body.includes('m"')) delete message.updateDataModel.edits.m;
    const [to, store] = [new ToA2ui(), new HamStore()];
    const first = { updateDataModel: { nodes: { root: { l: "*l", m: "*m" }, ...document } } };
    to.translate(first);
    store.apply(first);
    const before = structuredClone(to.model);
    const { messages, diagnostics } = to.translate(message);
    assert.equal(store.apply(message).ok, false, body);
    assert.deepEqual(messages, [], body);
    assert.deepEqual(
      diagnostics.map(({ code, severity }) => [code, severity]),
      [["HAM041", "error"]],
      body,
    );
    assert.deepEqual(to.model, before);
  }
});

test("typeOf, sizeOf and countPointers describe a node", () => {
  const store = new HamStore();
  store.apply({ a: 1, b: "x", c: true, d: null, e: [], f: ["x"], g: ["*a"], h: {} });
  const types = ["number", "string", "boolean", "null", "list", "list", "list", "map", undefined];
  assert.deepEqual(
    [..."abcdefghi"].map((id) => store.typeOf(id)),
    types,
  );
  const sizes = [0, 0, 0, 0, 0, 1, 1, 0, 0];
  assert.deepEqual(
    [..."abcdefghi"].map((id) => store.sizeOf(id)),
    sizes,
  );
  assert.equal(store.countPointers("g", "a"), 1);
  assert.equal(store.countPointers("g", "b"), 0);
  assert.equal(store.countPointers("i", "j"), 0);
  const bad = "\ud800";
  assert.deepEqual(
    [store.typeOf(bad), store.sizeOf(bad), store.countPointers(bad, "a")],
    [undefined, 0, 0],
  );
  for (const call of ["typeOf", "sizeOf", "countPointers"])
    assert.throws(() => store[call](1), { code: "argument" });
});

test("the check of messages knows edits, and requires nodes or edits", () => {
  const codes = (body) =>
    checkMessages(basicCatalog, { updateDataModel: body }).map(({ code }) => code);
  assert.deepEqual(codes({ edits: { "~u": { a: 1 }, "!x": null, y: "*" } }), []);
  for (const edits of [1, null, []]) assert.deepEqual(codes({ edits }), ["HAM004"]);
  assert.deepEqual(codes({ nodes: {}, edits: {} }), ["HAM004"]);
  for (const key of ["", "~*u", "~", "+!x", "~!x"])
    assert.deepEqual(codes({ edits: { [key]: {} } }), ["HAM002"], key);
  for (const key of ["~~u", "-+u", "~>u"])
    assert.deepEqual(codes({ edits: { [key]: {} } }), ["HAM025"], key);
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

/** Runs a command of the package with a text as its input. Returns its outputs. */
function byname(words, text) {
  const program = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words], { input: text });
  return `${stdout}${stderr}`;
}

const components = [{ id: "root", component: "Text", text: { binding: { key: "a" } } }];
const logOf = (...messages) =>
  [{ createSurface: { surfaceId: "s", catalogId: "basic", components } }, ...messages]
    .map((one) => JSON.stringify(one))
    .join("\n");
const dataOf = (body) => ({ updateDataModel: { surfaceId: "s", ...body } });

test("`byname check` locates a problem in the node, not in an edit of another part", () => {
  const complete = dataOf({ nodes: { root: { a: "*gone" } } });
  const edit = dataOf({ edits: { "~root": { b: 1 } } });
  assert.match(byname(["check"], logOf(complete, edit)), /^-:2:\d+: warning\[HAM009\]/m);
  const again = dataOf({ edits: { root: { a: "*gone", b: 1 } } });
  assert.match(byname(["check"], logOf(complete, again)), /^-:3:\d+: warning\[HAM009\]/m);
  const alone = dataOf({ edits: { "~root": { a: "*gone" } } });
  assert.match(byname(["check"], logOf(alone)), /^-:2:\d+: warning\[HAM009\]/m);
});

test("`byname convert` converts edits, and rejects `nodes` beside them", () => {
  const log = logOf(
    dataOf({ nodes: { root: { a: "x" } } }),
    dataOf({ edits: { "~root": { b: 2 } } }),
  );
  const converted = byname(["convert", "--to=a2ui"], log);
  assert.match(converted, /"path":"\/b","value":2/);
  const both = logOf(dataOf({ nodes: { root: { a: "x" } }, edits: { "~root": { b: 2 } } }));
  assert.match(byname(["convert", "--to=a2ui"], both), /A2UI009.*found both/);
  const invalid = logOf(dataOf({ edits: 5 }));
  assert.match(byname(["convert", "--to=a2ui"], invalid), /expected an object in `edits`/);
});
