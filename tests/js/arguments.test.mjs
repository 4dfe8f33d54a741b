// Arguments that are never valid: they are rejected at once, with instructions in the error.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assignIds,
  compileFlow,
  GaslSession,
  Graph,
  HamStore,
  init,
  resolveTemplate,
  Surface,
} from "byname";
import { FromA2ui, ToA2ui, toA2uiAction } from "byname/a2ui";
import { defineCatalog, TypedCatalog } from "byname/catalog";
import { mount, safeUrl } from "byname/dom";
import { messageStream, receiveAll } from "byname/messages";
import { expectArgumentError } from "./argument-error.mjs";

await init();

test("rejects a message whose content JSON cannot represent", () => {
  const store = new HamStore();
  const surface = new Surface();
  const stream = store.stream();
  const strangers = [
    [Promise.resolve({}), "`await` it"],
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library
    [{ then: () => {} }, "`await` it"],
    [new Response("{}"), "pass `await response.text()`"],
    [new Blob(["{}"]), "pass `await blob.text()`"],
    [new Map([["a", 1]]), "pass `Object.fromEntries(map)`"],
    [new Set(["a"]), "found a Set"],
    [new Date(0), "found a Date"],
    [new Error("no"), "found an Error"],
    [(function* () {})(), "found a Generator"],
  ];
  for (const [message, expectedText] of strangers) {
    expectArgumentError(() => store.apply(message), expectedText);
    expectArgumentError(() => surface.receive(message), expectedText);
    expectArgumentError(() => stream.push(message), "expected a chunk to be text or bytes");
  }
  expectArgumentError(
    () => stream.push({ a: 1 }),
    "expected a chunk to be text or bytes, found an Object",
  );
  expectArgumentError(() => stream.push(undefined), "found undefined");
  assert.deepEqual(store.export(), {});
  assert.ok(stream.push("{}").ok && stream.end().ok);
});

test("accepts objects of classes, without a prototype and of other realms as messages", async () => {
  const { runInNewContext } = await import("node:vm");
  class Nodes {
    a = 1;
  }
  const bare = Object.assign(Object.create(null), { a: 1 });
  const boxed = { a: new Number(1) };
  const foreign = runInNewContext("({ a: [1].pop() })");
  for (const update of [new Nodes(), bare, boxed, foreign, new Proxy({ a: 1 }, {})]) {
    const store = new HamStore();
    assert.ok(store.apply(update).ok);
    assert.equal(store.get("a"), 1);
  }
});

test("reports the location of a value that JSON cannot represent", () => {
  const store = new HamStore();
  const messageFor = (part) => {
    const { ok, diagnostics } = store.apply({ at: new Date(0), a: { b: part } });
    assert.equal(ok, false);
    const [{ code, message, help, location }] = diagnostics;
    assert.equal(code, "JSON013");
    assert.deepEqual(location, { kind: "pointer", pointer: "/a/b" });
    return `${message}; ${help}`;
  };
  const usual = "write null, a boolean, a finite number, a string, a list or an object";
  assert.equal(messageFor(undefined), `JSON has no value for \`undefined\`; ${usual}`);
  assert.equal(messageFor(Number.NaN), `JSON has no value for \`NaN\`; ${usual}`);
  assert.equal(
    messageFor(() => {}),
    `JSON has no value for a function; ${usual}`,
  );
  const digits = "write it as a number, or its digits as a string";
  assert.equal(messageFor(12n), `JSON has no value for the bigint \`12\`; ${digits}`);
  assert.equal(
    messageFor(new Map()),
    "JSON has no value for a Map; pass `Object.fromEntries(map)`",
  );
  assert.equal(messageFor(new Set()), "JSON has no value for a Set; pass `[...set]`");
  const wait = "`await` it and pass the result";
  assert.equal(messageFor(Promise.resolve(1)), `JSON has no value for a Promise; ${wait}`);
  assert.ok(store.apply({ at: new Date(0) }).ok);
  assert.equal(store.get("at"), "1970-01-01T00:00:00.000Z");
});

test("rejects a surface as a message, and as a part of one", () => {
  const store = new HamStore();
  store.apply({ root: { a: 1 } });
  const surface = new Surface({ store });
  expectArgumentError(() => store.apply(surface), "found a Surface");
  expectArgumentError(() => surface.receive(surface), "found a Surface");
  expectArgumentError(() => store.diff(surface), "a Surface");
  expectArgumentError(() => HamStore.from(surface), "a Surface");
  const { ok, diagnostics } = store.apply({ root: { surface } });
  assert.deepEqual([ok, diagnostics[0].location.pointer], [false, "/root/surface"]);
  assert.deepEqual(store.export(), { root: { a: 1 } });
});

test("reports what an object throws when it is read, and an object that contains itself", () => {
  const messageFor = (update) => new HamStore().apply(update).diagnostics[0].message;
  const begin = "the object is circular or unreadable: ";
  const throwing = (thrown) => ({
    get a() {
      throw thrown;
    },
  });
  assert.equal(messageFor(throwing(new Error("no\n  luck"))), `${begin}no luck`);
  assert.equal(messageFor(throwing(Object.create(null))), `${begin}an Object`);
  assert.equal(messageFor(throwing(new Error("x".repeat(1_000)))), begin + "x".repeat(200));
  const circle = {};
  circle.inner = { circle };
  assert.match(messageFor(circle), /^the object is circular or unreadable: .*circular/);
});

test("rejects an unknown option, and lists the available names", () => {
  expectArgumentError(
    () => new HamStore({ sigl: "@" }),
    "unknown key `sigl` in the options of a store; available: `sigil`, `repair`",
  );
  expectArgumentError(
    () => new HamStore({ limits: { node: 1 } }),
    "unknown key `node` in `limits`; available: `bytes`, `memory`, `nodes`",
  );
  expectArgumentError(
    () => new HamStore({ extensions: { listEdit: true } }),
    "available: `listEdits`",
  );
  expectArgumentError(
    () => new HamStore({ limits: 5 }),
    "expected `limits` to be an object, found a number",
  );
  expectArgumentError(() => HamStore.from({}, { limit: {} }), "`limit`");
  expectArgumentError(
    () => new Surface({ onaction: () => {} }),
    "unknown key `onaction` in the options of a surface; available: `store`, `catalog`",
  );
  expectArgumentError(
    () => new HamStore(null),
    "expected the options of a store to be an object, found null",
  );
  expectArgumentError(
    () => new Surface("basic"),
    "expected the options of a surface to be an object, found a string",
  );
});

test("a limit is an integer, or unlimited", () => {
  for (const nodes of [-1, 1.5, Number.NaN]) {
    expectArgumentError(
      () => new HamStore({ limits: { nodes } }),
      "`limits.nodes` is a whole number",
    );
  }
  expectArgumentError(() => new HamStore({ limits: { depth: "deep" } }), "`depth` is a number");
  const store = new HamStore({ limits: { nodes: 2, bytes: Number.POSITIVE_INFINITY } });
  assert.ok(store.apply({ a: 1, b: 2 }).ok);
  assert.equal(store.apply({ c: 3 }).ok, false);
});

test("accepts at most 1,000 levels of nesting, whatever the limit", () => {
  const store = new HamStore({ limits: { depth: 5000 } });
  const nested = (levels) => `{"a": ${"[".repeat(levels)}${"]".repeat(levels)}}`;
  assert.ok(store.apply(nested(999)).ok);
  assert.equal(store.apply(nested(1000)).diagnostics[0].code, "JSON009");
});

test("rejects a listener that is not a function", () => {
  const store = new HamStore();
  const surface = new Surface({ store });
  expectArgumentError(
    () => store.subscribe({ node: "a" }),
    "expected a listener to be a function, found undefined",
  );
  expectArgumentError(
    () => surface.subscribe({}),
    "expected a listener to be a function, found an Object",
  );
  expectArgumentError(
    () => new Surface({ onAction: "go" }),
    "expected `onAction` to be a function, found a string",
  );
  expectArgumentError(
    () => new Surface({ catalog: 5 }),
    "expected `catalog` to be an object, found a number",
  );
  expectArgumentError(
    () => new Surface({ catalog: [] }),
    "expected `catalog` to be an object, found an Array",
  );
  const hole = { components: { Card: { child: undefined } } };
  expectArgumentError(
    () => new Surface({ catalog: hole }),
    '`undefined` (at "/components/Card/child")',
  );
  expectArgumentError(
    () => new Surface({ now: 0 }),
    "expected `now` to be a function, found a number",
  );
});

test("accepts a context only in the store that it comes from", () => {
  const store = HamStore.from({ items: [{ n: 1 }] });
  const [{ context }] = store.children({ binding: { key: "items" } });
  assert.equal(store.read({ key: "n" }, context).value, 1);
  const other = HamStore.from({ items: [{ n: 2 }] });
  const uses = [
    (context) => other.read({ key: "n" }, context),
    (context) => other.write({ key: "n" }, 3, context),
    (context) => other.children({ binding: {} }, context),
    (context) => other.subscribe({ key: "n" }, () => {}, context),
  ];
  for (const use of uses) {
    expectArgumentError(() => use(context), "this context belongs to another store");
    for (const stranger of [null, {}, "root", { node: "root" }]) {
      expectArgumentError(() => use(stranger), "expected a context from `children()`");
    }
  }
});

test("rejects arguments that are not a list, a store, a surface or a location", () => {
  const store = new HamStore();
  expectArgumentError(() => store.children(), "missing `binding` of a ChildList");
  expectArgumentError(
    () => store.children({ template: "row" }),
    "missing `binding` of a ChildList",
  );
  expectArgumentError(() => new Surface({ store: {} }), "expected `store` to be a HamStore");
  expectArgumentError(() => mount(null, null), "to be a surface, found null");
  expectArgumentError(() => mount(new Surface(), null), "check that it is in the page");
  expectArgumentError(() => mount(new Surface(), "#app"), 'pass `document.querySelector("#app")`');
  for (const use of ["href", undefined, "constructor"]) {
    expectArgumentError(() => safeUrl("https://example.org", use), "`link`, `image` or `media`");
  }
});

test("reports a binding that disposes of the store while it is read", () => {
  for (const act of ["read", "subscribe", "write"]) {
    const store = new HamStore();
    const binding = {
      toJSON: () => {
        store[Symbol.dispose]();
        return { key: "a" };
      },
    };
    const more = { read: [], subscribe: [() => {}], write: [1] }[act];
    assert.throws(
      () => store[act](binding, ...more),
      { name: "BynameError", code: "disposed" },
      act,
    );
  }
});

test("rejects transferred bytes, and accepts empty ones", async () => {
  const transferred = (make) => {
    const context = make(new ArrayBuffer(8));
    structuredClone(context.buffer ?? context, { transfer: [context.buffer ?? context] });
    return context;
  };
  const expectedText = "transferred to another owner";
  for (const create of [
    (buffer) => new Uint8Array(buffer),
    (buffer) => new DataView(buffer),
    (buffer) => buffer,
  ]) {
    expectArgumentError(() => new HamStore().apply(transferred(create)), expectedText);
    expectArgumentError(() => new HamStore().stream().push(transferred(create)), expectedText);
    expectArgumentError(() => new Surface().receive(transferred(create)), expectedText);
    expectArgumentError(() => Graph.fromGraphML(transferred(create)), expectedText);
    expectArgumentError(() => Graph.fromNodeLink(transferred(create)), expectedText);
  }
  const bytes = transferred((buffer) => new Uint8Array(buffer));
  expectArgumentError(() => messageStream(new Surface()).push(bytes), expectedText);
  const late = receiveAll(new Surface(), [bytes]);
  await assert.rejects(late, { code: "argument", message: /transferred/ });
  assert.ok(new HamStore().stream().push(new Uint8Array(0)).ok);
  assert.equal(new HamStore().apply(new Uint8Array(0)).diagnostics[0].code, "JSON002");
});

test("rejects options and bindings that JSON cannot represent", () => {
  for (const hidden of [new Map([["sigil", "#"]]), Promise.resolve({}), new Date(0)]) {
    expectArgumentError(
      () => new HamStore(hidden),
      "expected the options of a store to be an object, found a",
    );
    expectArgumentError(
      () => new Surface(hidden),
      "expected the options of a surface to be an object, found a",
    );
    expectArgumentError(
      () => new Surface({ catalog: hidden }),
      "expected `catalog` to be an object, found a",
    );
    const store = new HamStore();
    store.apply({ root: { a: 1 } });
    assert.equal(store.read(hidden).status, "error");
    expectArgumentError(() => store.subscribe(hidden, () => {}), "");
    assert.equal(store.write(hidden, 1).ok, false);
  }
  class Options {
    sigil = "#";
  }
  assert.deepEqual(new HamStore(new Options()).toJSON(), new HamStore().toJSON());
  expectArgumentError(() => new HamStore({ sigil: "\ud800" }), "a lone surrogate");
});

test("rejects an invalid graph, catalog and time", () => {
  expectArgumentError(() => new Graph({}), "create graphs with");
  const components = { Text: { props: { text: "string" } } };
  for (const examples of [{}, "x", [1], null]) {
    expectArgumentError(
      () => defineCatalog({ components, examples }),
      "expected `examples` to be a list of objects",
    );
  }
  expectArgumentError(
    () => defineCatalog({ components, common: null }),
    "expected `common` to be an object",
  );
  expectArgumentError(
    () => defineCatalog({ components, functions: [] }),
    "expected `functions` to be an object",
  );
  expectArgumentError(
    () => new TypedCatalog({}),
    "expected `components` of a catalog to be an object",
  );
  const surface = new Surface({ now: () => 5 });
  const action = { event: { name: "go" } };
  surface.receive({
    createSurface: { surfaceId: "s", components: [{ id: "root", component: "Button", action }] },
  });
  expectArgumentError(
    () => surface.trigger("root", "action"),
    "expected the result of `now` to be a string, found a number",
  );
});

test("rejects A2UI messages and action contexts that JSON cannot represent", () => {
  const update = (value) => ({ updateDataModel: { surfaceId: "s", value } });
  const round = {};
  round.round = round;
  for (const value of [1n, Number.NaN, new Map(), Promise.resolve(1), () => {}]) {
    expectArgumentError(() => new FromA2ui().translate(update({ value })), "JSON has no value for");
    expectArgumentError(
      () => toA2uiAction({ name: "a", context: { value } }),
      "JSON has no value for",
    );
  }
  expectArgumentError(() => toA2uiAction({ name: "a", context: { round } }), "circular");
  const date = new Date(0);
  const { messages } = new FromA2ui().translate(update({ date }));
  assert.equal(messages[0].updateDataModel.nodes.root.date, date.toISOString());
  const { action } = toA2uiAction({ name: "a", context: { date } });
  assert.equal(action.context.date, date.toISOString());
  for (const message of [null, 5, "{}", [], new Date(0), undefined]) {
    expectArgumentError(() => new ToA2ui().translate(message), "message");
    expectArgumentError(() => new FromA2ui().translate(message), "message");
  }
});

test("a proposal that was aborted without a reason says so, and does not report a timeout", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], edges: [] });
  const session = new GaslSession({ graph, llm: () => new Promise(() => {}) });
  const stop = new AbortController();
  const proposal = session.propose("?", { signal: stop.signal });
  stop.abort(null);
  await assert.rejects(proposal, (reason) => reason === null);
});

test("rejects a catalog that the core cannot parse, instead of ignoring it", () => {
  let deep = 1;
  for (let level = 0; level < 600; level++) deep = [deep];
  for (const [description, code] of [
    ["cut in a 😀".slice(0, -1), "JSON006"],
    [deep, "JSON009"],
  ]) {
    const catalog = { components: { Card: {} }, functions: { f: { description } } };
    assert.throws(
      () => new Surface({ catalog }),
      (error) => {
        assert.deepEqual([error.name, error.code], ["BynameError", "argument"]);
        return error.diagnostics[0].code === code;
      },
    );
  }
});

test("a text beyond the engine's limit is too large, not too deep", () => {
  const half = "x".repeat(2 ** 28 + 2 ** 27);
  const { diagnostics } = new HamStore().apply({ a: half, b: half });
  assert.equal(diagnostics[0].code, "JSON010");
});

test("rejects values without a JSON form in workflows and templates too", () => {
  const registry = { work: { inputs: [], outputs: ["x"] } };
  const node = (more) => ({ nodes: [{ id: "a", type: "work", ...more }] });
  for (const value of [new Map(), Promise.resolve(1), Number.NaN, () => {}, 1n]) {
    expectArgumentError(() => resolveTemplate("$a", { a: value }), "JSON has no value for");
    expectArgumentError(
      () => compileFlow(node({ params: { value } }), registry),
      "JSON has no value for",
    );
    expectArgumentError(() => assignIds(node({ params: { value } })), "JSON has no value for");
  }
  assert.ok(compileFlow(node({ params: undefined }), registry).ok);
});
