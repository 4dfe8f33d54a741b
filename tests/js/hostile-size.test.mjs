// Deep, wide, circular and oddly named input: limited time and memory, and unchanged prototypes.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { wasmMemory } from "../../pkg/wasm.js";
import { flatten } from "../mirror.mjs";

await init();

const toPlainJson = (value) => JSON.parse(JSON.stringify(value));

function expectWithin(milliseconds, act) {
  const start = performance.now();
  const result = act();
  const spent = performance.now() - start;
  assert.ok(spent < milliseconds, `${Math.round(spent)} ms`);
  return result;
}

test("rejects 100,000 levels of nesting as text, bytes, stream and object", () => {
  const store = new HamStore();
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ]) {
    for (const depth of [100_000, 1_000_000]) {
      const closed = `{"x": ${open.repeat(depth)}1${close.repeat(depth)}}`;
      for (const text of [closed, `{"x": ${open.repeat(depth)}`]) {
        const result = expectWithin(5000, () => store.apply(text));
        assert.equal(result.ok, false);
        assert.equal(result.diagnostics[0].code, "JSON009");
        assert.equal(store.apply(new TextEncoder().encode(text)).ok, false);
        assert.equal(store.stream().push(text).ok, false);
      }
    }
  }
  let nested = 1;
  for (let level = 0; level < 100_000; level += 1) nested = [nested];
  assert.equal(store.apply({ x: nested }).ok, false);
  assert.deepEqual(toPlainJson(store.export()), {});
  assert.ok(store.apply({ x: [[[1]]] }).ok);
});

test("accepts or rejects a string of 50 MB in limited time", () => {
  const store = new HamStore();
  const text = `{"x": "${"a".repeat(50_000_000)}"}`;
  const result = expectWithin(20_000, () => store.apply(text));
  assert.equal(result.ok, store.has("x"));
  if (result.ok) assert.equal(store.get("x").length, 50_000_000);
  else assert.ok(result.diagnostics[0].help.length > 0);
  assert.ok(store.apply({ y: 1 }).ok);
  assert.equal(store.get("y"), 1);
});

test("names of prototypes leave Object.prototype unchanged, and their values are readable", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  const text = `{"__proto__": {"polluted": 1, "__proto__": {"polluted": 2}}, "constructor": {
    "prototype": {"polluted": 3}}, "root": {"__proto__": "*__proto__", "toString": "*constructor"}}`;
  const store = new HamStore();
  assert.ok(store.apply(text).ok);
  assert.equal({}.polluted, undefined);
  assert.equal(store.read({ node: "__proto__", key: "polluted" }).value, 1);
  assert.equal(store.read({ node: "root", key: "toString" }).value.prototype.polluted, 3);
  const root = store.toJSON();
  assert.deepEqual(Object.keys(root), ["__proto__", "toString"]);
  assert.ok(Object.hasOwn(root, "__proto__") && Object.hasOwn(store.export(), "__proto__"));
  assert.equal(Object.getPrototypeOf(root), Object.getPrototypeOf({}));
  assert.ok(store.write({ node: "root", key: "valueOf" }, "*x").ok);
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), before);
});

const doubling = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `n${at}`,
    at < 29 ? [`*n${at + 1}`, `*n${at + 1}`] : "end",
  ]),
);

test("rejects the root of thirty nodes that each name the next one twice, and accepts each node", () => {
  const store = new HamStore();
  let calls = 0;
  store.subscribe({ node: "n0" }, () => (calls += 1));
  expectWithin(5000, () => assert.ok(store.apply(doubling).ok));
  const reading = expectWithin(5000, () => store.read({ node: "n0" }));
  assert.equal(reading.status, "error");
  assert.equal(reading.value, null);
  assert.ok(reading.diagnostics.some((diagnostic) => diagnostic.code === "HAM013"));
  assert.throws(() => store.toJSON("n0"), Error);
  assert.deepEqual(toPlainJson(store.export()), doubling);
  assert.equal(store.read({ node: "n28" }).value[1], "end");
  assert.equal(calls, 1);
});

test("a surface refuses doubling nodes at its limit of instances", () => {
  const surface = new Surface();
  receiveValid(surface, { createSurface: { surfaceId: "s", catalogId: "c" } });
  receiveValid(surface, {
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: { binding: { node: "n0" }, template: "t" } },
        { id: "t", component: "Column", children: { binding: {}, template: "t" } },
      ],
    },
  });
  const message = { updateDataModel: { surfaceId: "s", nodes: doubling } };
  const { ok, diagnostics } = expectWithin(1_000, () => surface.receive(message));
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["HAM018"]]);
  assert.ok(surface.diagnostics().some(({ code }) => code === "HAM018"));
  receiveValid(surface, {
    updateDataModel: { surfaceId: "s", nodes: { n0: ["*n29", "*n29"], n29: 1 } },
  });
  assert.equal(flatten(surface.tree()).filter((instance) => instance.id === "t").length, 2);
});

test("reports circular pointers and templates that contain themselves, and terminates", () => {
  const surface = new Surface();
  receiveValid(surface, { createSurface: { surfaceId: "s", catalogId: "c" } });
  receiveValid(surface, {
    updateDataModel: {
      surfaceId: "s",
      nodes: {
        a: ["*b", "*a"],
        b: ["*a", "*b"],
        literal: [[[[]]]],
      },
    },
  });
  receiveValid(surface, {
    updateComponents: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["cycle", "self", "deep"] },
        { id: "cycle", component: "List", children: { binding: { node: "a" }, template: "t" } },
        {
          id: "t",
          component: "List",
          children: { binding: {}, template: "t" },
          all: { binding: {} },
        },
        { id: "self", component: "Card", child: "self" },
        {
          id: "deep",
          component: "List",
          children: { binding: { node: "literal" }, template: "t" },
        },
      ],
    },
  });
  const instances = flatten(surface.tree());
  assert.equal(instances.filter((instance) => instance.id === "t").length, 7);
  assert.equal(instances.filter((instance) => instance.id === "self").length, 1);
  const codes = surface.diagnostics().map((diagnostic) => diagnostic.code);
  assert.ok(codes.includes("HAM017"), codes.join());
});

function receiveValid(surface, body) {
  const result = surface.receive({ version: "v0.9", ...body });
  assert.ok(result.ok, JSON.stringify(result.diagnostics).slice(0, 500));
}

test("rejects an envelope that is repeated many times in limited time", () => {
  const body = '"updateDataModel": {"nodes": {}}, "updateDataModel": {}';
  const text = `{${Array(60_000).fill(body).join(", ")}}`;
  const store = new HamStore();
  const { ok, diagnostics } = expectWithin(10_000, () => store.apply(text));
  assert.equal(ok, false);
  assert.ok(diagnostics.some(({ severity }) => severity === "error"));
  assert.ok(store.apply({ y: 1 }).ok);
});

test("appending to many lists in one message takes linear time", () => {
  const surface = new Surface();
  const count = 40_000;
  const ids = Array.from({ length: count }, (_, at) => `r${at}`);
  const document = (tags) =>
    Object.fromEntries(ids.map((id) => [id, { tags: tags.map((tag) => `*${tag}`) }]));
  surface.receive({
    createSurface: {
      surfaceId: "s",
      components: [
        { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
        { id: "row", component: "Row", children: { binding: { key: "tags" }, template: "tag" } },
        { id: "tag", component: "Text", text: { binding: { key: "name" } } },
      ],
    },
  });
  const root = { rows: ids.map((id) => `*${id}`) };
  surface.store.apply({ root, a: { name: "A" }, b: { name: "B" }, ...document(["a"]) });
  let mounts = 0;
  surface.subscribe((changes) => {
    mounts += changes.filter(({ kind }) => kind === "mount").length;
  });
  // Comparing each list with all changes would take seconds for each ten thousand.
  expectWithin(10_000, () => assert.ok(surface.store.apply(document(["a", "b"])).ok));
  assert.equal(mounts, count);
  surface[Symbol.dispose]();
});

test("reports only the changed property of a component with very many properties", () => {
  const surface = new Surface();
  const props = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`p${at}`, at]));
  const described = (more) => ({
    updateComponents: {
      surfaceId: "s",
      components: [{ id: "root", component: "Text", ...props, ...more }],
    },
  });
  surface.receive({ createSurface: { surfaceId: "s" } });
  assert.ok(surface.receive(described({})).ok);
  const changes = [];
  surface.subscribe((batch) => changes.push(...batch));
  expectWithin(10_000, () => assert.ok(surface.receive(described({ p7: "other" })).ok));
  assert.deepEqual(
    changes.map(({ kind, prop, value }) => [kind, prop, value]),
    [["set", "p7", "other"]],
  );
  surface[Symbol.dispose]();
});

test("reports a repeated error a hundred times, and then counts it", () => {
  const store = new HamStore();
  const many = 3_000_000;
  for (const [text, code, remaining] of [
    [`{"n": [${'"*",'.repeat(many)} 1]}`, "HAM009", true],
    [`{${'"a":1,'.repeat(many)} "z": 1}`, "JSON012", true],
    [`{"n": {${'"a":1,'.repeat(many)} "z": 1}}`, "JSON012", true],
    [`{${'"!a":1,'.repeat(many)} "z": 1}`, "HAM006", true],
    // One error after all the warnings.
    [`{${'"!a":1,'.repeat(many)} "!": 1}`, "HAM002", false],
  ]) {
    const before = wasmMemory().buffer.byteLength;
    const { ok, diagnostics } = store.apply(text);
    assert.equal(ok, remaining);
    assert.equal(diagnostics.length, 101);
    assert.equal(diagnostics[0].code, code, diagnostics[0].message);
    assert.match(diagnostics[100].message, /^at least 9990[01] more/);
    // All of them would take a gigabyte.
    assert.ok(wasmMemory().buffer.byteLength - before < 2 ** 29);
  }
  assert.ok(store.apply({ a: 2 }).ok);
});

test("reads or rejects a long chain of pointers quickly", () => {
  const length = 200_000;
  const chain = Object.fromEntries(
    Array.from({ length }, (_, at) => [`c${at}`, { next: `*c${at + 1}` }]),
  );
  const store = new HamStore();
  expectWithin(20_000, () => assert.ok(store.apply(chain).ok));
  const reading = expectWithin(20_000, () => store.read({ node: "c0" }));
  assert.ok(["ok", "error"].includes(reading.status));
  expectWithin(20_000, () => store.orphans());
  expectWithin(20_000, () => store.check());
  assert.equal(store.read({ node: `c${length - 1}`, key: "next" }).status, "missing");
  assert.ok(store.apply({ c5: 1 }).ok);
});

test("a template that names itself over a long list uses memory only for its output", () => {
  const surface = new Surface({ store: new HamStore({ limits: { instances: 20_000 } }) });
  const ids = Array.from({ length: 150 }, (_, at) => `r${at}`);
  const rows = ids.map((id) => [id, { n: 1 }]);
  surface.store.apply({ root: { rows: ids.map((id) => `*${id}`) }, ...Object.fromEntries(rows) });
  const children = { binding: { node: "root", key: "rows" }, template: "row" };
  const components = [
    { id: "root", component: "List", children },
    { id: "row", component: "Column", children },
  ];
  const before = wasmMemory().buffer.byteLength;
  const { diagnostics } = surface.receive({
    updateComponents: { surfaceId: "s", components },
  });
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["HAM018"],
  );
  assert.equal(surface.tree(), null);
  const more = wasmMemory().buffer.byteLength - before;
  assert.ok(more < 25e6, `${more} bytes`);
  surface[Symbol.dispose]();
});

test("one update returns at most 256 MB of text, and null for the values above", () => {
  const surface = new Surface();
  const changes = [];
  surface.subscribe((batch) => changes.push(...batch));
  const list = { binding: { key: "list" }, template: "row" };
  const components = [
    { id: "root", component: "Column", children: list },
    { id: "row", component: "Text", text: { binding: { node: "long" } } },
  ];
  receiveValid(surface, { createSurface: { surfaceId: "s", components } });
  const long = "x".repeat(1_000_000);
  const rows = Array.from({ length: 300 }, (_, at) => at);
  const set = (nodes) => {
    changes.length = 0;
    receiveValid(surface, { updateDataModel: { surfaceId: "s", nodes } });
  };
  const expectLimited = (texts) => {
    assert.equal(texts.filter((text) => text === long).length, 268);
    assert.equal(texts.filter((text) => text === null).length, 32);
  };
  set({ long: "short", root: { list: rows } });
  set({ long });
  assert.ok(changes.every(({ kind }) => kind === "set"));
  expectLimited(changes.map(({ value }) => value));
  expectLimited(surface.tree().children.map(({ props }) => props.text));
  set({ root: { list: [] } });
  set({ root: { list: rows } });
  assert.ok(changes.every(({ kind }) => kind === "mount"));
  expectLimited(changes.map(({ instance }) => instance.props.text));
  surface[Symbol.dispose]();
});
