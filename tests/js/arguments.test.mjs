// What can never be right is refused at once, with what to do about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assignIds,
  BynameError,
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
import { renderToString } from "byname/dom/server";
import { messageStream, receiveAll } from "byname/messages";
import { SurfaceView, useBinding, useSurface } from "byname/react";
import { createElement } from "react";
import { renderToString as renderReact } from "react-dom/server";

await init();

/** Calls what must throw `argument`, with a message of one line that has these words in it. */
function refused(call, words) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof BynameError, String(error));
    assert.equal(error.code, "argument");
    assert.ok(error.message.includes(words), `${error.message} lacks ${words}`);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

test("a message whose content JSON does not show is refused", () => {
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
  for (const [message, words] of strangers) {
    refused(() => store.apply(message), words);
    refused(() => surface.receive(message), words);
    refused(() => stream.push(message), "expected a chunk to be text or bytes");
  }
  refused(() => stream.push({ a: 1 }), "expected a chunk to be text or bytes, found an Object");
  refused(() => stream.push(undefined), "found undefined");
  assert.deepEqual(store.export(), {});
  assert.ok(stream.push("{}").ok && stream.end().ok);
});

test("objects of classes, of nobody and of other realms are messages", async () => {
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

test("what JSON does not show inside a message is told with its place", () => {
  const store = new HamStore();
  const told = (part) => {
    const { ok, diagnostics } = store.apply({ at: new Date(0), a: { b: part } });
    assert.equal(ok, false);
    const [{ code, message, help, location }] = diagnostics;
    assert.equal(code, "JSON013");
    assert.deepEqual(location, { kind: "pointer", pointer: "/a/b" });
    return `${message}; ${help}`;
  };
  const usual = "write null, a boolean, a finite number, a string, a list or an object";
  assert.equal(told(undefined), `JSON has no value for \`undefined\`; ${usual}`);
  assert.equal(told(Number.NaN), `JSON has no value for \`NaN\`; ${usual}`);
  assert.equal(
    told(() => {}),
    `JSON has no value for a function; ${usual}`,
  );
  const digits = "write it as a number, or its digits as a string";
  assert.equal(told(12n), `JSON has no value for the bigint \`12\`; ${digits}`);
  assert.equal(told(new Map()), "JSON has no value for a Map; pass `Object.fromEntries(map)`");
  assert.equal(told(new Set()), "JSON has no value for a Set; pass `[...set]`");
  const wait = "`await` it and pass the result";
  assert.equal(told(Promise.resolve(1)), `JSON has no value for a Promise; ${wait}`);
  assert.ok(store.apply({ at: new Date(0) }).ok);
  assert.equal(store.get("at"), "1970-01-01T00:00:00.000Z");
});

test("a surface is no message, and no part of one", () => {
  const store = new HamStore();
  store.apply({ root: { a: 1 } });
  const surface = new Surface({ store });
  refused(() => store.apply(surface), "found a Surface");
  refused(() => surface.receive(surface), "found a Surface");
  refused(() => store.diff(surface), "a Surface");
  refused(() => HamStore.from(surface), "a Surface");
  const { ok, diagnostics } = store.apply({ root: { surface } });
  assert.deepEqual([ok, diagnostics[0].location.pointer], [false, "/root/surface"]);
  assert.deepEqual(store.export(), { root: { a: 1 } });
});

test("an object that throws when it is read, or contains itself, is told with what was thrown", () => {
  const told = (update) => new HamStore().apply(update).diagnostics[0].message;
  const begin = "the object is circular or unreadable: ";
  const throwing = (thrown) => ({
    get a() {
      throw thrown;
    },
  });
  assert.equal(told(throwing(new Error("no\n  luck"))), `${begin}no luck`);
  assert.equal(told(throwing(Object.create(null))), `${begin}an Object`);
  assert.equal(told(throwing(new Error("x".repeat(1_000)))), begin + "x".repeat(200));
  const circle = {};
  circle.inner = { circle };
  assert.match(told(circle), /^the object is circular or unreadable: .*circular/);
});

test("an option that nobody knows is refused, and the names that there are told", () => {
  refused(
    () => new HamStore({ sigl: "@" }),
    "unknown key `sigl` in the options of a store; available: `sigil`, `repair`",
  );
  refused(
    () => new HamStore({ limits: { node: 1 } }),
    "unknown key `node` in `limits`; available: `bytes`, `nodes`",
  );
  refused(() => new HamStore({ extensions: { listEdit: true } }), "available: `listEdits`");
  refused(() => new HamStore({ limits: 5 }), "expected `limits` to be an object, found a number");
  refused(() => HamStore.from({}, { limit: {} }), "`limit`");
  refused(
    () => new Surface({ onaction: () => {} }),
    "unknown key `onaction` in the options of a surface; available: `store`, `catalog`",
  );
  refused(() => new HamStore(null), "expected the options of a store to be an object, found null");
  refused(
    () => new Surface("basic"),
    "expected the options of a surface to be an object, found a string",
  );
});

test("a limit is a whole number, or as much as there can be", () => {
  for (const nodes of [-1, 1.5, Number.NaN]) {
    refused(() => new HamStore({ limits: { nodes } }), "`limits.nodes` is a whole number");
  }
  refused(() => new HamStore({ limits: { depth: "deep" } }), "`depth` is a number");
  const store = new HamStore({ limits: { nodes: 2, bytes: Number.POSITIVE_INFINITY } });
  assert.ok(store.apply({ a: 1, b: 2 }).ok);
  assert.equal(store.apply({ c: 3 }).ok, false);
});

test("the deepest message has a thousand levels, whatever the limit says", () => {
  const store = new HamStore({ limits: { depth: 5000 } });
  const nested = (levels) => `{"a": ${"[".repeat(levels)}${"]".repeat(levels)}}`;
  assert.ok(store.apply(nested(999)).ok);
  assert.equal(store.apply(nested(1000)).diagnostics[0].code, "JSON009");
});

test("what is no function is no listener", () => {
  const store = new HamStore();
  const surface = new Surface({ store });
  refused(
    () => store.subscribe({ node: "a" }),
    "expected a listener to be a function, found undefined",
  );
  refused(() => surface.subscribe({}), "expected a listener to be a function, found an Object");
  refused(
    () => new Surface({ onAction: "go" }),
    "expected `onAction` to be a function, found a string",
  );
  refused(() => new Surface({ catalog: 5 }), "expected `catalog` to be an object, found a number");
  refused(() => new Surface({ catalog: [] }), "expected `catalog` to be an object, found an Array");
  const hole = { components: { Card: { child: undefined } } };
  refused(() => new Surface({ catalog: hole }), '`undefined` (at "/components/Card/child")');
  refused(() => new Surface({ now: 0 }), "expected `now` to be a function, found a number");
});

test("a context is of the store that it came from", () => {
  const store = HamStore.from({ items: [{ n: 1 }] });
  const [{ context }] = store.children({ binding: { key: "items" } });
  assert.equal(store.read({ key: "n" }, context).value, 1);
  const other = HamStore.from({ items: [{ n: 2 }] });
  const uses = [
    (given) => other.read({ key: "n" }, given),
    (given) => other.write({ key: "n" }, 3, given),
    (given) => other.children({ binding: {} }, given),
    (given) => other.subscribe({ key: "n" }, () => {}, given),
  ];
  for (const use of uses) {
    refused(() => use(context), "this context belongs to another store");
    for (const stranger of [null, {}, "root", { node: "root" }]) {
      refused(() => use(stranger), "expected a context from `children()`");
    }
  }
});

test("what is no list, no store, no surface and no place is refused", () => {
  const store = new HamStore();
  refused(() => store.children(), "missing `binding` of a ChildList");
  refused(() => store.children({ template: "row" }), "missing `binding` of a ChildList");
  refused(() => new Surface({ store: {} }), "expected `store` to be a HamStore");
  refused(() => mount(null, null), "to be a surface, found null");
  refused(() => mount(new Surface(), null), "check that it is in the page");
  refused(() => mount(new Surface(), "#app"), 'pass `document.querySelector("#app")`');
  for (const use of ["href", undefined, "constructor"]) {
    refused(() => safeUrl("https://example.org", use), "`link`, `image` or `media`");
  }
});

test("a `locale` that is no language tag is refused before anything is drawn", () => {
  const surface = new Surface();
  const text = { call: "pluralize", args: { value: 1, other: "one" } };
  const components = [{ id: "root", component: "Text", text }];
  assert.ok(surface.receive({ createSurface: { surfaceId: "s", components } }).ok);
  const action = { name: "n", context: { text } };
  for (const [locale, words] of [
    ["not_a_locale", '"de-CH", found "not_a_locale"'],
    ["", 'found ""'],
    [null, "found null"],
    [["de"], "found an Array"],
  ]) {
    refused(() => renderToString(surface, { locale }), words);
    refused(() => renderToString(null, { locale }), words);
    refused(() => toA2uiAction(action, { locale }), words);
    refused(() => mount(surface, { append() {} }, { locale }), words);
  }
  assert.match(renderToString(surface, { locale: "de-CH" }), /one/);
  assert.equal(toA2uiAction(action, { locale: "de-CH" }).action.context.text, "one");
});

test("what is drawn on a server is a surface, with options that there are", () => {
  for (const source of ["x", 5, undefined, {}, Promise.resolve(null)])
    refused(() => renderToString(source), "to be a surface or its tree, found ");
  refused(() => renderToString(null, { styles: false }), "unknown key `styles`");
  refused(() => renderToString(null, null), "to be an object, found null");
});

test("useBinding expects a store and a binding", () => {
  const render = (store, binding) => () =>
    renderReact(createElement(() => useBinding(store, binding)[0].status));
  assert.equal(render(new HamStore(), { key: "name" })(), "missing");
  for (const binding of [undefined, null, "name"])
    refused(render(new HamStore(), binding), "expects a binding");
  for (const store of [undefined, null, {}])
    refused(render(store, { key: "name" }), "expects a store");
});

test("an option of `mount` that nobody knows is refused", () => {
  const element = { append: () => {} };
  refused(() => mount(new Surface(), element, { component: {} }), "unknown key `component`");
  refused(
    () => mount(new Surface(), element, null),
    "expected the options of `mount` to be an object",
  );
  refused(() => renderToString(new Surface(), { hydrate: true }), "unknown key `hydrate`");
});

test("a binding that disposes of the store while it is looked at is told so", () => {
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

test("bytes that were transferred to somebody else are refused, and empty ones are not", async () => {
  const gone = (make) => {
    const given = make(new ArrayBuffer(8));
    structuredClone(given.buffer ?? given, { transfer: [given.buffer ?? given] });
    return given;
  };
  const words = "transferred to another owner";
  for (const make of [
    (buffer) => new Uint8Array(buffer),
    (buffer) => new DataView(buffer),
    (buffer) => buffer,
  ]) {
    refused(() => new HamStore().apply(gone(make)), words);
    refused(() => new HamStore().stream().push(gone(make)), words);
    refused(() => new Surface().receive(gone(make)), words);
    refused(() => Graph.fromGraphML(gone(make)), words);
    refused(() => Graph.fromNodeLink(gone(make)), words);
  }
  const bytes = gone((buffer) => new Uint8Array(buffer));
  refused(() => messageStream(new Surface()).push(bytes), words);
  const late = receiveAll(new Surface(), [bytes]);
  await assert.rejects(late, { code: "argument", message: /transferred/ });
  assert.ok(new HamStore().stream().push(new Uint8Array(0)).ok);
  assert.equal(new HamStore().apply(new Uint8Array(0)).diagnostics[0].code, "JSON002");
});

test("options and bindings of which JSON shows nothing are refused", () => {
  for (const hidden of [new Map([["sigil", "#"]]), Promise.resolve({}), new Date(0)]) {
    refused(() => new HamStore(hidden), "expected the options of a store to be an object, found a");
    refused(
      () => new Surface(hidden),
      "expected the options of a surface to be an object, found a",
    );
    refused(() => new Surface({ catalog: hidden }), "expected `catalog` to be an object, found a");
    const store = new HamStore();
    store.apply({ root: { a: 1 } });
    assert.equal(store.read(hidden).status, "error");
    refused(() => store.subscribe(hidden, () => {}), "");
    assert.equal(store.write(hidden, 1).ok, false);
  }
  class Options {
    sigil = "#";
  }
  assert.deepEqual(new HamStore(new Options()).toJSON(), new HamStore().toJSON());
  refused(() => new HamStore({ sigil: "\ud800" }), "a lone surrogate");
});

test("what makes no graph, no catalog and no time is refused", () => {
  refused(() => new Graph({}), "create graphs with");
  const components = { Text: { props: { text: "string" } } };
  for (const examples of [{}, "x", [1], null]) {
    refused(() => defineCatalog({ components, examples }), "`examples` must be a list of objects");
  }
  refused(() => defineCatalog({ components, common: null }), "expected `common` to be an object");
  refused(
    () => defineCatalog({ components, functions: [] }),
    "expected `functions` to be an object",
  );
  refused(() => new TypedCatalog({}), "expected `components` of a catalog to be an object");
  const surface = new Surface({ now: () => 5 });
  const action = { event: { name: "go" } };
  surface.receive({
    createSurface: { surfaceId: "s", components: [{ id: "root", component: "Button", action }] },
  });
  refused(
    () => surface.trigger("root", "action"),
    "expected the result of `now` to be a string, found a number",
  );
});

test("messages of A2UI are what JSON holds, and so is the context of an action", () => {
  const update = (value) => ({ updateDataModel: { surfaceId: "s", value } });
  const round = {};
  round.round = round;
  for (const value of [1n, Number.NaN, new Map(), Promise.resolve(1), () => {}]) {
    refused(() => new FromA2ui().translate(update({ value })), "JSON has no value for");
    refused(() => toA2uiAction({ name: "a", context: { value } }), "JSON has no value for");
  }
  refused(() => toA2uiAction({ name: "a", context: { round } }), "circular");
  const date = new Date(0);
  const { messages } = new FromA2ui().translate(update({ date }));
  assert.equal(messages[0].updateDataModel.nodes.root.date, date.toISOString());
  const { action } = toA2uiAction({ name: "a", context: { date } });
  assert.equal(action.context.date, date.toISOString());
  for (const message of [null, 5, "{}", [], new Date(0), undefined]) {
    refused(() => new ToA2ui().translate(message), "message");
    refused(() => new FromA2ui().translate(message), "message");
  }
});

test("a proposal that was aborted for no reason says so, and not that it is too late", async () => {
  const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], edges: [] });
  const session = new GaslSession({ graph, llm: () => new Promise(() => {}) });
  const stop = new AbortController();
  const proposal = session.propose("?", { signal: stop.signal });
  stop.abort(null);
  await assert.rejects(proposal, (reason) => reason === null);
});

test("a catalog that the core cannot read is refused, and not taken for none", () => {
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

test("views and hooks of React say what they are given in place of a surface or a binding", () => {
  const draws = (Component, props) => () => renderReact(createElement(Component, props));
  for (const [surface, what] of [
    [undefined, "undefined"],
    [null, "null"],
    [{}, "an Object"],
    [Promise.resolve(new Surface()), "a Promise"],
  ]) {
    refused(draws(SurfaceView, { surface }), `\`SurfaceView\` expects a surface, not ${what}`);
    const Made = () => useSurface(() => surface) && null;
    refused(draws(Made), `\`useSurface\` expects a function that returns a surface, not ${what}`);
  }
  const round = {};
  round.round = round;
  for (const binding of [round, { key: 1n }, { toJSON() {} }, new Map(), [], "a"]) {
    const Bound = () => useBinding(new HamStore(), binding) && null;
    refused(draws(Bound), "`useBinding` expects a binding, as in");
  }
});

test("a surface that lacks a part of one, and a document, are not mounted", () => {
  const surface = new Surface();
  const element = { ownerDocument: {}, append() {} };
  for (const part of ["tree", "subscribe", "input", "trigger"]) {
    const lame = { tree() {}, subscribe() {}, input() {}, trigger() {}, [part]: undefined };
    refused(() => mount(lame, element), "of `mount` to be a surface, found an Object");
  }
  const page = { append() {}, ownerDocument: null };
  refused(() => mount(surface, page), "to be an element, found an Object");
});

test("a text that no engine holds is too large, and not too deep", () => {
  const half = "x".repeat(2 ** 28 + 2 ** 27);
  const { diagnostics } = new HamStore().apply({ a: half, b: half });
  assert.equal(diagnostics[0].code, "JSON010");
});

test("whatever JSON shows nothing of is misuse in workflows and templates too", () => {
  const registry = { work: { inputs: [], outputs: ["x"] } };
  const node = (more) => ({ nodes: [{ id: "a", type: "work", ...more }] });
  for (const value of [new Map(), Promise.resolve(1), Number.NaN, () => {}, 1n]) {
    refused(() => resolveTemplate("$a", { a: value }), "JSON has no value for");
    refused(() => compileFlow(node({ params: { value } }), registry), "JSON has no value for");
    refused(() => assignIds(node({ params: { value } })), "JSON has no value for");
  }
  assert.ok(compileFlow(node({ params: undefined }), registry).ok);
});
