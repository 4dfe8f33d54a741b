// State of a store after rejected messages, at its limits, and after long use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const codes = (result) => result.diagnostics.map(({ code }) => code);

test("a rejected list edit does not change rows that an earlier part touched", () => {
  const store = new HamStore({ extensions: { listEdits: true } });
  store.apply({ l: ["*a", "*b"], a: 1, b: 2 });
  const edits = { "-l": ["*a"], "+l": { items: ["*a"], before: "*b" }, "+none": { items: ["*x"] } };
  assert.deepEqual(codes(store.apply(edits)), ["HAM023"]);
  const stream = store.stream();
  stream.push('{"fill": ["*x", "*y", "*z"], "more": {"text": "overwrites what was cut"}}');
  assert.deepEqual(store.get("l"), ["*a", "*b"]);
});

test("a message beyond the limit of nodes does not change equal values", () => {
  const store = new HamStore({ limits: { nodes: 2 } });
  store.apply({ a: ["one", "two"], b: { c: "three" } });
  assert.deepEqual(codes(store.apply({ a: ["one", "two"], "!b": null, c: 1, d: 2 })), ["HAM022"]);
  store.apply({ "!b": null, e: ["other", "text"] });
  assert.deepEqual(store.export(), { a: ["one", "two"], e: ["other", "text"] });
});

test("long use loses neither writes nor names", () => {
  const store = new HamStore({ limits: { undo: 5 } });
  const text = "x".repeat(20_000);
  for (let at = 0; at < 600; at++) {
    const result = store.write({ node: `n${at}`, key: `key${at}` }, text);
    assert.deepEqual(result.changed, [`n${at}`]);
  }
  for (let at = 0; at < 600; at++) {
    assert.equal(store.read({ node: `n${at}`, key: `key${at}` }).value, text);
  }
});

test("versions of a list share their common rows", () => {
  const store = new HamStore({ limits: { bytes: 8_000_000 } });
  store.apply({ root: { list: Array.from({ length: 100_000 }, (_, at) => at), text: "" } });
  for (let at = 0; at < 900; at++) store.write({ key: "text" }, `${at}`.repeat(2_000));
  let steps = 0;
  while (store.undo()) steps += 1;
  assert.ok(steps > 800, `${steps} steps could be undone`);
  while (store.redo()) steps -= 1;
  assert.equal(steps, 0);
  assert.equal(store.read({ key: "list" }).value.length, 100_000);
});

test("a document near its limits keeps the last steps", () => {
  const store = new HamStore({ limits: { bytes: 100_000 } });
  for (let at = 0; at < 12; at++) store.apply({ [`n${at}`]: "y".repeat(40_000) });
  for (let at = 0; at < 200; at++) store.apply({ small: at });
  assert.equal(store.get("small"), 199);
  assert.equal(store.undo(), true);
  assert.equal(store.get("small"), 198);
  const full = [];
  for (let at = 0; at < 40; at++)
    full.push(...codes(store.apply({ [`m${at}`]: "z".repeat(90_000) })));
  assert.ok(full.includes("HAM022"), full.join());
  assert.equal(store.get("small"), 198);
});

test("writes nested ever deeper into a literal end with an error, not a stack overflow", () => {
  const store = new HamStore();
  store.apply({ l: [[0]] });
  const nested = (depth, leaf) => JSON.parse("[".repeat(depth) + leaf + "]".repeat(depth));
  let context;
  let list = { binding: { node: "l" }, template: "t" };
  let last;
  for (let round = 0; round < 12; round++) {
    for (;;) {
      const [item] = store.children(list, context);
      if (item === undefined) break;
      context = item.context;
      list = { binding: {}, template: "t" };
    }
    last = store.write({}, nested(100, "0"), context);
    if (!last.ok) break;
  }
  assert.equal(last.ok, false);
  assert.deepEqual(codes(last), ["HAM019"]);
  assert.ok(store.apply({ a: 1 }).ok);
});

test("plain JSON with long keys at every level takes memory in proportion", () => {
  const key = "k".repeat(20_000);
  const deep = Array.from({ length: 200 }).reduce((inner) => ({ [key]: inner }), 1);
  const store = HamStore.from(deep);
  assert.deepEqual(store.toJSON(), deep);
  assert.ok(Object.keys(store.export()).every((id) => id.length < 100));
});

const catalog = { components: { TextField: { value: ["value"] } } };

/** Ways in which a document can grow. Each adds the node `b`. */
const additions = {
  object: (store) => store.apply({ b: 2 }),
  text: (store) => store.apply('{"b": 2}'),
  bytes: (store) => store.apply(new TextEncoder().encode('{"b": 2}')),
  "merge edit": (store) => store.apply({ "~b": { x: 1 } }),
  stream: (store) => store.stream().push('{"b": 2}'),
  "stream of text": (store) => {
    const stream = store.stream({ partialText: true });
    stream.push(`{"b": "${"x".repeat(99)}`);
    return stream.push('"}');
  },
  write: (store) => store.write({ node: "b" }, 2),
  "message of a surface": (store) =>
    new Surface({ store }).receive({ updateDataModel: { surfaceId: "s", nodes: { b: 2 } } }),
  input: (store) => {
    const surface = new Surface({ store, catalog });
    const value = { binding: { node: "b" } };
    const components = [{ id: "root", component: "TextField", value }];
    assert.ok(surface.receive({ createSurface: { surfaceId: "s", components } }).ok);
    surface.input("root", "value", "typed");
    return { ok: false, diagnostics: surface.diagnostics() };
  },
};

test("every input path applies the limit of nodes", () => {
  for (const [name, add] of Object.entries(additions)) {
    const full = new HamStore({ limits: { nodes: 1 }, extensions: { merge: true } });
    assert.ok(full.write({ node: "a" }, 1).ok);
    const result = add(full);
    assert.equal(result.ok, false, name);
    assert.ok(codes(result).includes("HAM022"), `${name}: ${codes(result)}`);
    assert.deepEqual(full.export(), { a: 1 }, name);
    const space = new HamStore({ limits: { nodes: 2 }, extensions: { merge: true } });
    space.write({ node: "a" }, 1);
    add(space);
    assert.deepEqual(Object.keys(space.export()), ["a", "b"], name);
  }
  assert.throws(() => HamStore.from({ a: {}, b: {} }, { limits: { nodes: 1 } }), {
    code: "argument",
  });
});

test("a stream that needs too much memory keeps the nodes of earlier chunks", () => {
  for (const size of [2 ** 12, 2 ** 16, 2 ** 22]) {
    const store = new HamStore({ limits: { memory: 2 ** 23 } });
    const stream = store.stream();
    assert.ok(stream.push('{"kept": {"n": [1, 2]}, "large": [').ok);
    const rest = "0,".repeat(2 ** 20);
    let refused;
    for (let at = 0; at < rest.length && !refused; at += size) {
      const result = stream.push(rest.slice(at, at + size));
      if (!result.ok) refused = result;
    }
    assert.deepEqual(codes(refused), ["HAM022"], `chunks of ${size}`);
    assert.deepEqual(store.export(), { kept: { n: [1, 2] } });
    assert.equal(stream.push("1]}").ok, false);
    assert.ok(store.apply({ more: 1 }).ok);
  }
});

test("a difference is the same at every call", () => {
  const store = new HamStore();
  assert.deepEqual(store.diff({ a: { b: 1 } }), store.diff({ a: { b: 1 } }));
});

test("reports the first of many errors in one message, and the number of the rest", () => {
  const twice = Array.from({ length: 40_000 }, (_, at) => `"n${at % 20_000}":${at}`).join(",");
  const { ok, diagnostics } = new HamStore().apply(`{${twice}}`);
  assert.ok(ok);
  assert.equal(diagnostics.length, 101);
  assert.equal(diagnostics[100].code, "JSON014");
  assert.match(diagnostics[100].message, /19900/);
});

test("an export can be applied again", () => {
  const deep = (levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  const store = new HamStore();
  const { ok, diagnostics } = store.write({ node: "w" }, deep(512));
  assert.equal(ok, false);
  assert.match(diagnostics[0].message, /more than 512 levels/);
  assert.ok(store.write({ node: "w" }, deep(511)).ok);
  const again = new HamStore();
  assert.deepEqual(again.apply(store.export()).diagnostics, []);
  assert.deepEqual(again.get("w"), deep(511));
});

test("notifies a surface of changes in one format", () => {
  const surface = new Surface();
  const nodes = { root: { a: 1 } };
  const data = { updateDataModel: { surfaceId: "s", nodes } };
  assert.deepEqual(codes(surface.receive({ ...data, createSurface: { surfaceId: "s" } })), [
    "HAM029",
  ]);
  assert.deepEqual(codes(surface.receive({ createSurface: { surfaceId: "s" }, ...data })), [
    "HAM029",
  ]);
  assert.deepEqual(codes(surface.receive({ ...data, foo: 1 })), ["HAM029"]);
  assert.deepEqual(codes(surface.receive(nodes)), ["HAM029"]);
  assert.deepEqual(surface.store.export(), {});
  const components = [{ id: "root", component: "Text", text: { binding: { key: "a" } } }];
  assert.ok(surface.receive({ updateComponents: { surfaceId: "s", components } }).ok);
  assert.ok(surface.receive({ createSurface: { surfaceId: "s" } }).ok);
  assert.deepEqual(codes(surface.receive({ createSurface: { surfaceId: "s" } })), []);
  assert.ok(surface.receive(data).ok);
  assert.deepEqual(surface.tree().props, { text: 1 });
});

test("replaces literal rows of another list, and keeps rows of a node", () => {
  const surface = new Surface();
  const list = (key) => ({
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "List", children: { binding: { key }, template: "t" } },
        { id: "t", component: "Text", text: { binding: {} } },
      ],
    },
  });
  surface.receive(list("a"));
  surface.store.apply({ root: { a: ["x1"], b: ["y1"] } });
  const kinds = [];
  surface.subscribe((changes) => kinds.push(...changes.map(({ kind }) => kind)));
  surface.receive(list("b"));
  assert.deepEqual(kinds, ["unmount", "mount"]);
  assert.deepEqual(surface.tree().children[0].props, { text: "y1" });
  surface.store.apply({ root: { a: ["*u", "*v"], b: ["*v", "*w"] }, u: 1, v: 2, w: 3 });
  kinds.length = 0;
  surface.receive(list("a"));
  assert.deepEqual(kinds, ["unmount", "mount"]);
  assert.deepEqual(
    surface.tree().children.map(({ key }) => key),
    ["root/t:u", "root/t:v"],
  );
});

test("reports duplicate parts of an envelope, and uses the last one", () => {
  const store = new HamStore();
  const twice = store.apply('{"updateDataModel":{"nodes":{"a":1},"nodes":{"b":2}}}');
  assert.deepEqual([twice.ok, codes(twice)], [true, ["JSON012"]]);
  assert.deepEqual(store.export(), { b: 2 });
  const result = store.apply(
    '{"updateDataModel":{"nodes":{"c":1}},"updateDataModel":{"nodes":{"d":2}}}',
  );
  assert.deepEqual([result.ok, codes(result)], [true, ["JSON012"]]);
  assert.deepEqual(store.export(), { b: 2, d: 2 });
  assert.deepEqual(codes(store.apply('{"updateDataModel":{"surfaceId":5,"nodes":{}}}')), [
    "HAM004",
  ]);
  assert.ok(store.apply('{"updateDataModel":5,"x":1}').ok);
  assert.ok(store.apply('{"x":1,"updateDataModel":5}').ok);
});

test("locations in a stream are right at every chunk size", () => {
  const bytes = new TextEncoder().encode('{"é😀": 1, "ä": {"*": "é"}, "*x": 2}');
  const text = new TextDecoder().decode(bytes);
  for (const size of [1, 2, 3, 5, 7, bytes.length]) {
    const stream = new HamStore().stream();
    const reported = [];
    for (let at = 0; at < bytes.length; at += size) {
      reported.push(...stream.push(bytes.slice(at, at + size)).diagnostics);
    }
    const { start, end } = reported[0].location;
    assert.equal(text.slice(start, end), '"*x"', `in pieces of ${size}`);
  }
});

test("rejects a binding with an unknown key", () => {
  const store = new HamStore();
  store.apply({ root: { a: 1 } });
  assert.equal(store.read({ id: "x" }).status, "error");
  const [diagnostic] = store.read({ path: "/user/name" }).diagnostics;
  assert.equal(diagnostic.code, "HAM027");
  assert.match(diagnostic.help, /"node": "user", "key": "name"/);
  assert.equal(store.read({ node: undefined, key: "a" }).value, 1);
});

test("rejects an argument of the wrong type before it reaches the store", () => {
  const store = new HamStore();
  const surface = new Surface({ store });
  const uses = [
    () => store.get(5),
    () => store.has(null),
    () => store.toJSON({}),
    () => surface.input("root", 5, 5),
    () => surface.trigger("root", undefined),
    () => store.diff(new HamStore({ sigil: "@" })),
  ];
  for (const use of uses) assert.throws(use, { name: "BynameError", code: "argument" });
  assert.ok(store.apply({ a: 1 }).ok);
});
