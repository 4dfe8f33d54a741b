// Statements of docs/security.md that no other test covers.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, toA2uiAction } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { render } from "byname/testing";
import { evaluate } from "../../pkg/functions/evaluate.js";

await init();

const root = new URL("../../", import.meta.url);

/** Names under which code of the package is imported. */
const entries = Object.keys(JSON.parse(readFileSync(new URL("package.json", root), "utf8")).exports)
  .filter((name) => !/\.(?:wasm|json)$/.test(name))
  .map((name) => `byname${name.slice(1)}`);

test("the package works where code generation from strings is forbidden", () => {
  const script = `
    import assert from "node:assert/strict";
    import { compileFlow, GaslSession, Graph, HamStore, Surface } from "byname";
    assert.throws(() => new Function("return 1"));
    for (const entry of ${JSON.stringify(entries)}) await import(entry);
    const surface = new Surface({ store: new HamStore() });
    const text = { binding: { key: "x" } };
    const components = [{ id: "root", component: "Text", text }];
    surface.receive({ createSurface: { surfaceId: "s", components } });
    surface.store.apply('{"root": {"x": 1}}');
    const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] });
    const record = await new GaslSession({ graph }).execute("FIND nodes AS x");
    const { flow } = compileFlow({ nodes: [{ id: "a", type: "t" }] }, { t: {} });
    const run = await flow.run({ nodes: { t: () => ({ outputs: {} }) } });
    console.log(surface.tree().props.text, record.status, run.status);
  `;
  const flags = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script];
  const printed = execFileSync(process.execPath, flags, {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
  assert.equal(printed, "1 success completed\n");
});

test("the built code passes no text to a parser of code or HTML", () => {
  const folder = new URL("pkg/", root);
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
  assert.ok(scripts.some((name) => name.includes("dom")) && scripts.length > 20);
  const parsers =
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc|(?<!-)eval|document\.write)\b|new Function\(/;
  for (const name of scripts) {
    const code = readFileSync(new URL(name, folder), "utf8");
    assert.equal(parsers.exec(code)?.[0], undefined, name);
  }
});

test("names of prototypes in a surface are data", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  const actions = [];
  const surface = new Surface({ onAction: (action) => actions.push(action) });
  const receive = (message) => assert.ok(surface.receive(JSON.stringify(message)).ok);
  const polluting = JSON.parse('{"__proto__": {"polluted": 1}}');
  const component = {
    ...{ id: "__proto__", component: "constructor" },
    style: polluting,
    action: { event: { name: "toString", context: polluting } },
  };
  Object.defineProperty(component, "__proto__", { value: { polluted: 2 }, enumerable: true });
  const components = [{ id: "root", component: "Column", children: ["__proto__"] }, component];
  receive({ createSurface: { surfaceId: "__proto__", components } });
  surface.subscribe(() => {});
  receive({ updateComponents: { surfaceId: "__proto__", components: [component] } });
  const [instance] = surface.tree().children;
  assert.deepEqual([instance.id, instance.component], ["__proto__", "constructor"]);
  assert.ok(Object.hasOwn(instance.props, "__proto__"));
  assert.deepEqual(Object.keys(instance.props.style), ["__proto__"]);
  surface.trigger(instance.key, "action");
  assert.deepEqual(Object.keys(actions[0].context), ["__proto__"]);
  surface.trigger(instance.key, "constructor");
  assert.equal(surface.diagnostics()[0].code, "HAM030");
  assert.equal({}.polluted, undefined);
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), before);
});

test("names of prototypes in a catalog are data", () => {
  const names = ["constructor", "toString", "__proto__"];
  const components = Object.fromEntries(
    names.map((name) => [name, { props: { [name]: "any", child: "component" } }]),
  );
  const surface = new Surface({ catalog: defineCatalog({ components }) });
  const described = names.map((name, at) => ({
    ...{ id: at === 0 ? "root" : name, component: name, child: names[at + 1] ?? "gone" },
    ...JSON.parse(`{"${name}": {"polluted": 1}}`),
  }));
  const created = surface.receive(
    JSON.stringify({ createSurface: { surfaceId: "s", components: described } }),
  );
  assert.ok(created.ok);
  let instance = surface.tree();
  for (const name of names) {
    assert.equal(instance.component, name);
    assert.ok(Object.hasOwn(instance.props, name), name);
    [instance] = instance.children;
  }
  assert.equal({}.polluted, undefined);
  // A name that the catalog does not list is unknown.
  const other = new Surface({ catalog: defineCatalog({ components: { Box: {} } }) });
  const root = { id: "root", component: "toString" };
  other.receive({ createSurface: { surfaceId: "s", components: [root] } });
  assert.deepEqual(
    other.diagnostics().map(({ code }) => code),
    ["HAM033"],
  );
});

/** Data that look like calls and checks, and texts that look like templates. */
const named = { call: "wipe", args: { id: "1" } };
const hostile = {
  ...{ named, list: [named, { deep: named }], "@data": false, template: "${wipe(id: '2')}" },
  ...{ basic: { call: "formatString", args: { value: "${wipe(id: '3')}" } } },
  ...{ args: { value: "${wipe(id: '4')}" }, checks: [{ condition: named, message: "no" }] },
  ...{ remote: { call: "@remote", args: { "@call": "wipe" } }, own: { call: "wipe", "@data": 0 } },
};
/** The same without the reserved key of an object with a `call`. */
const readable = { ...hostile, own: { call: "wipe" } };
const bound = (key) => ({ binding: { node: "data", key } });

test("does not call a function that data names", async () => {
  const called = [];
  const wipe = (args) => called.push(args);
  const echoed = [];
  const echo = (args) => {
    echoed.push(args);
    return args.value ?? null;
  };
  const functions = { wipe, echo };
  const catalog = basicCatalog.extend({
    components: { Card2: { props: { details: "any" } } },
    functions: { wipe: {}, echo: { args: { value: "any" } } },
  });
  const keys = Object.keys(hostile).filter((key) => key !== "@data");
  const call = (name, args) => ({ call: name, args });
  const values = keys.flatMap((key) => [
    bound(key),
    call("echo", { value: bound(key) }),
    call("echo", { value: call("echo", { value: bound(key) }) }),
    call("and", { values: [bound(key), call("echo", { value: bound(key) })] }),
    call("not", { value: bound(key) }),
    call("required", { value: bound(key) }),
    call("capitalize", { value: bound(key) }),
    call("formatString", { value: bound(key) }),
    call("formatString", { value: call("echo", { value: bound(key) }) }),
    call("formatString", bound(key)),
    call("formatString", { value: "${x}${echo(value: ${x})}", values: { x: bound(key) } }),
    call("formatString", { value: "${formatString(value: ${x})}", values: { x: bound(key) } }),
    call("formatString", { value: "${and(value: ${x})}", values: { x: bound(key) } }),
  ]);
  const context = Object.fromEntries(values.map((value, at) => [`v${at}`, value]));
  const action = {
    event: { name: "send", context: { ...context, all: { binding: { node: "data" } } } },
  };
  const checks = [
    ...values.map((condition) => ({ condition, message: "no" })),
    ...keys.map((key) => ({ condition: call("echo", { value: bound(key) }), message: "no" })),
  ];
  const components = [
    { id: "root", component: "Column", children: ["texts", "cards", "field", "bound", "button"] },
    { id: "texts", component: "Column", children: values.map((_, at) => `text${at}`) },
    ...values.map((text, at) => ({ id: `text${at}`, component: "Text", text })),
    { id: "cards", component: "Card2", details: [{ values }, { binding: { node: "data" } }] },
    { id: "field", component: "TextField", label: "l", value: bound("named"), checks },
    {
      id: "bound",
      component: "TextField",
      label: "l",
      value: bound("template"),
      checks: bound("checks"),
    },
    { id: "button", component: "Button", child: "text0", action, checks },
  ];
  const nodes = { data: hostile };
  const messages = [
    { createSurface: { surfaceId: "s", components } },
    { updateDataModel: { surfaceId: "s", nodes: { data: { ...hostile, named: 1 } } } },
    { updateDataModel: { surfaceId: "s", nodes } },
  ];
  const sent = [];
  const surface = new Surface({ catalog, onAction: (one) => sent.push(one) });
  const target = a2uiTarget(surface, {
    catalogs: { shop: catalog },
    functions,
    onMessage: (one) => sent.push(one),
  });
  for (const message of messages) assert.ok(surface.receive(message).ok);
  const html = renderToString(surface, { functions });
  assert.ok(html.includes("wipe"), "a template that is data is shown");
  assert.ok(!html.includes("@data"));
  surface.validity();
  const rendered = render(messages, { catalog, functions });
  const cards = rendered.get({ component: "Card2" }).props.details;
  for (const one of ["button", "field", "bound"]) rendered.error({ id: one });
  assert.deepEqual(cards[1], readable);
  assert.equal(cards[0].values[0].call, "wipe");
  surface.trigger("root/button", "action");
  const [raw] = sent;
  const message = toA2uiAction(JSON.parse(JSON.stringify(raw)), { functions }).action;
  assert.deepEqual(message.context.all, readable);
  assert.deepEqual(message.context.v0, named);
  await target.sendAction(raw);
  const { action: own } = sent.find(({ action: one }) => one !== undefined);
  assert.deepEqual(own.context, message.context);
  assert.deepEqual(called, []);
  const all = JSON.stringify([message, echoed, surface.store.export()]);
  assert.ok(!all.includes('"@data":true'));
  assert.ok(all.includes('"call":"wipe"'));
  // The same call of the author runs.
  surface.receive({
    updateComponents: {
      surfaceId: "s",
      components: [{ id: "root", component: "Text", text: named }],
    },
  });
  renderToString(surface, { functions });
  assert.deepEqual(called, [{ id: "1" }]);
});

test("marks the data that look like calls in the tree of a surface", () => {
  const surface = new Surface();
  const components = [{ id: "root", component: "Text", text: bound("named") }];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.store.apply({ data: hostile });
  assert.deepEqual(surface.tree().props.text, { "@data": true, ...named });
  const quoted = { 'x"call': "y", text: '{"call":"z"}', call: { of: 1 } };
  surface.store.apply({ data: { named: quoted } });
  assert.deepEqual(surface.tree().props.text, quoted);
  const written = { ...named, args: { value: bound("x") } };
  surface.receive({
    updateComponents: { surfaceId: "s", components: [{ ...components[0], text: written }] },
  });
  surface.store.apply({ data: { x: 1 } });
  assert.deepEqual(surface.tree().props.text, { call: "wipe", args: { value: 1 } });
});

test("data choose neither the function of a call nor a template", () => {
  const called = [];
  const functions = { wipe: (args) => called.push(args) };
  const show = (receive) => {
    const surface = new Surface({ catalog: basicCatalog });
    receive(surface);
    const html = renderToString(surface, { functions, style: false });
    assert.ok(!html.includes("@data"));
    return surface.tree();
  };
  const texts = [
    { call: bound("name"), args: { id: "1" } },
    { call: bound("format"), args: { value: bound("template") } },
    { of: [{ args: {}, call: bound("name") }] },
  ];
  const components = [
    { id: "root", component: "Column", children: texts.map((_, at) => `t${at}`) },
    ...texts.map((text, at) => ({ id: `t${at}`, component: "Text", text })),
  ];
  const data = { name: "wipe", format: "formatString", template: "${wipe(id: '2')}" };
  const { children } = show((surface) => {
    surface.receive({ createSurface: { surfaceId: "s", components } });
    surface.store.apply({ data });
  });
  assert.deepEqual(children[0].props.text, { "@data": true, call: "wipe", args: { id: "1" } });
  show((surface) => {
    const text = { call: { path: "/name" }, args: { id: "3" } };
    const root = [{ id: "root", component: "Text", text }];
    const createSurface = { surfaceId: "s", catalogId: "c", dataModel: data, components: root };
    a2uiTarget(surface, { functions }).receive({ version: "v1.0", createSurface });
    assert.equal(surface.tree().props.text.call, "wipe");
  });
  // The id of an item is data.
  show((surface) => {
    const text = { call: "formatString", args: { value: { call: "@id" } } };
    const children = { binding: { node: "list" }, template: "row" };
    const rows = [
      { id: "root", component: "List", children },
      { id: "row", component: "Text", text },
    ];
    surface.receive({ createSurface: { surfaceId: "s", components: rows } });
    surface.store.apply({ list: ["*${wipe(id: '4')}"], "${wipe(id: '4')}": 1 });
    assert.equal(surface.tree().children.length, 1);
  });
  assert.deepEqual(called, []);
});

test("replaces `@index` by the index of the row", () => {
  const surface = new Surface();
  const rows = { binding: { key: "rows" }, template: "row" };
  const props = { text: { call: "@index" }, nested: [{ at: { call: "@index" } }] };
  const components = [
    { id: "root", component: "List", children: rows },
    { id: "row", component: "Text", ...props, data: { binding: { node: "d" } } },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  const data = { call: "@index" };
  const marked = { "@data": true, ...data };
  surface.store.apply({ root: { rows: ["*a", "text", "*b"] }, a: 1, b: 2, d: { of: data } });
  const expectIndexes = (count) =>
    assert.deepEqual(
      surface.tree().children.map((row) => row.props),
      Array.from({ length: count }, (_, at) => ({
        ...{ text: at, nested: [{ at }], data: { of: marked } },
      })),
    );
  expectIndexes(3);
  surface.store.apply({ root: { rows: ["*b", "*a", "*c", "text"] }, c: 3 });
  expectIndexes(4);
});

/** Texts that a user could type to reach other data, or to be read as a template or markup. */
const typedTexts = [
  "*secret",
  "**secret",
  "!secret",
  "@index",
  "${secret}",
  "${/secret}",
  "${formatNumber(value: 1)}",
  '{"binding": {"node": "secret"}}',
  '{"call": "formatNumber", "args": {"value": 1}}',
  "<img src=x onerror=alert(1)>",
  "</textarea><script>alert(1)</script>",
];

test("typed text is never a pointer, a template or HTML", () => {
  const actions = [];
  const surface = new Surface({ catalog: basicCatalog, onAction: (one) => actions.push(one) });
  const value = { binding: { node: "form", key: "x" } };
  const call = { call: "formatString", args: { value: "${typed}", values: { typed: value } } };
  const action = { event: { name: "send", context: { typed: value } } };
  const components = [
    { id: "root", component: "Column", children: ["field", "shown", "made", "button"] },
    { id: "field", component: "TextField", label: "typed", value },
    { id: "shown", component: "Text", text: value },
    { id: "made", component: "Text", text: call },
    { id: "button", component: "Button", child: "label", action },
    { id: "label", component: "Text", text: "Send" },
  ];
  assert.ok(surface.receive({ createSurface: { surfaceId: "s", components } }).ok);
  surface.store.apply({ form: { x: "" }, secret: "not to be shown" });
  for (const typed of typedTexts) {
    surface.input("root/field", "value", typed);
    const reading = surface.store.read(value.binding);
    assert.deepEqual([reading.value, reading.ref ?? null], [typed, null]);
    const [field, shown, made] = surface.tree().children;
    assert.deepEqual([field.props.value, shown.props.text], [typed, typed]);
    assert.equal(evaluate(made.props.text), typed);
    surface.trigger("root/button", "action");
    assert.equal(actions.at(-1).context.typed, typed);
    const html = renderToString(surface);
    assert.doesNotMatch(html, /not to be shown|<img|<script/, typed);
    // Another store reads the exported document in the same way.
    const copy = new HamStore();
    copy.apply(surface.store.export());
    assert.deepEqual(copy.toJSON("form"), { x: typed });
  }
});

/** Pattern of a test in the documentation: `tests/js/a.test.mjs`: "title", "title" */
const CITED = /`((?:tests|src)\/[\w./-]+)`(?:: | \()("[^"]+"(?:, "[^"]+")*)/g;

/** Returns a function that reports whether a file has a test whose title contains a text. */
function titlesOf(path) {
  const text = readFileSync(new URL(path, root), "utf8");
  if (path.endsWith(".json")) {
    const names = JSON.parse(text).map(({ name }) => name);
    return (title) => names.includes(title);
  }
  // Tests of proptest have no `#[test]` of their own.
  if (path.endsWith(".rs")) return (title) => new RegExp(`^\\s*fn ${title}\\(`, "m").test(text);
  const found = text.matchAll(/\btest\w*\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g);
  const titles = [...found].map(([, plain, template]) => plain ?? template);
  return (title) => titles.some((one) => one.includes(title));
}

test("the tests that the documentation names exist", () => {
  const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
  const counts = { files: 0, titles: 0 };
  for (const name of pages) {
    const page = readFileSync(new URL(`docs/${name}`, root), "utf8");
    for (const [, path] of page.matchAll(/`((?:tests|benches|fuzz|scripts)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(new URL(path, root)), `${name}: ${path}`);
      counts.files += 1;
    }
    for (const [, path, list] of page.matchAll(CITED)) {
      const hasTitle = titlesOf(path);
      for (const [, title] of list.matchAll(/"([^"]+)"/g)) {
        assert.ok(hasTitle(title), `${name}: ${path} has no test "${title}"`);
        counts.titles += 1;
      }
    }
  }
  assert.ok(counts.files > 40 && counts.titles > 80, JSON.stringify(counts));
});

test("docs/security.md names each test by its title", () => {
  const page = readFileSync(new URL("docs/security.md", root), "utf8");
  const untitled = page.replaceAll(CITED, "").match(/`tests\/[^`]+`/g);
  assert.deepEqual(untitled ?? [], []);
});

test("a title that does not exist is not found", () => {
  for (const path of [
    "tests/js/stack.test.mjs",
    "tests/store_memory.rs",
    "tests/cases/gasl/limits.json",
  ])
    assert.equal(titlesOf(path)("no such title"), false);
});
