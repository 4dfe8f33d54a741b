// Custom functions: passed to the renderer, under the names that the catalog lists for the model.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { toA2uiAction } from "../../pkg/a2ui.js";
import { basicCatalog } from "../../pkg/dom/catalog.js";
import { renderToString } from "../../pkg/dom/server.js";
import { evaluate } from "../../pkg/functions/evaluate.js";
import { init, Surface } from "../../pkg/index.inline.js";

const catalog = basicCatalog.extend({
  functions: {
    shout: { args: { value: { type: "string", required: true } }, returns: "string" },
    broken: { returns: "string" },
  },
});
const shout = ({ value }) => `${value}!`;

before(() => init());

/** Returns the text that a server renders. */
function renderedText(text, functions, nodes = { root: { name: "Ada" } }) {
  const surface = new Surface({ catalog });
  const components = [{ id: "root", component: "Text", text }];
  const answers = [
    surface.receive({ createSurface: { surfaceId: "s", components } }),
    surface.receive({ updateDataModel: { surfaceId: "s", nodes } }),
  ];
  assert.deepEqual(
    answers.flatMap(({ diagnostics }) => diagnostics),
    [],
  );
  const html = renderToString(surface, { style: false, functions, locale: "de-CH" });
  return html.match(/data-id="root"[^>]*>(.*?)<\/div>/)[1];
}

/** Returns the reports during a task. */
function reportsDuring(task) {
  const original = globalThis.reportError;
  const errors = [];
  globalThis.reportError = (error) => errors.push(error.message);
  try {
    task();
  } finally {
    globalThis.reportError = original;
  }
  return errors;
}

test("a call of a custom function has its return value, also within others", () => {
  const name = { binding: { key: "name" } };
  const call = { call: "shout", args: { value: name } };
  assert.equal(renderedText(call, { shout }), "Ada!");
  assert.equal(renderedText({ call: "shout", args: { value: call } }, { shout }), "Ada!!");
  const format = "Hello ${shout(value: ${name})}";
  const filled = { call: "formatString", args: { value: format, values: { name } } };
  assert.equal(renderedText(filled, { shout }), "Hello Ada!");
});

test("a custom function gets the language, and may replace one of the basic catalog", () => {
  const formatNumber = ({ value }, { locale }) => `${value} ${locale}`;
  const call = { call: "formatNumber", args: { value: 3 } };
  assert.equal(renderedText(call, { formatNumber }), "3 de-CH");
});

test("a function that throws, or returns a promise, has no value, and is reported", () => {
  const call = { call: "broken" };
  const cases = [
    [() => assert.fail("no luck"), "no luck"],
    [async () => "later", "`broken` must return a JSON value synchronously, not a Promise"],
    [() => new Map(), "`broken` must return a JSON value synchronously, not a Map"],
    [() => Number.NaN, "`broken` must return a JSON value synchronously, not a number"],
    [() => () => {}, "`broken` must return a JSON value synchronously, not a function"],
  ];
  for (const [invalid, message] of cases) {
    const errors = reportsDuring(() => assert.equal(renderedText(call, { broken: invalid }), ""));
    assert.deepEqual(errors, [message]);
  }
  const errors = reportsDuring(() => assert.equal(renderedText(call, { broken: () => {} }), ""));
  assert.deepEqual(errors, []);
});

test("the context of an action contains the results of custom functions", () => {
  const who = { call: "shout", args: { value: "Ada" } };
  const { action } = toA2uiAction({ name: "n", context: { who } }, { functions: { shout } });
  assert.deepEqual(action.context, { who: "Ada!" });
});

test("a result may contain an object several times, or itself", () => {
  const call = { call: "f", args: {} };
  const resultOf = (value) => evaluate(call, { functions: { f: () => value } });
  const tree = { name: "p", children: [] };
  for (let at = 0; at < 3; at += 1) tree.children.push({ parent: tree });
  assert.equal(resultOf(tree), tree);
  let shared = { call: "shout", args: { value: "Ada" } };
  for (let at = 0; at < 60; at += 1) shared = { a: shared, b: shared };
  let [one, other] = [resultOf({ shared }).shared, shared];
  for (let at = 0; at < 60; at += 1) [one, other] = [one.a, other.b];
  assert.deepEqual(one, other);
  const named = { call: "shout", args: { value: "Ada" } };
  named.list = [named];
  const { call: name, list } = resultOf(named);
  assert.deepEqual([name, list.length], ["shout", 1]);
});

test("removes the marks of data at any depth", () => {
  let data = { call: "shout", args: { value: "Ada" } };
  for (let at = 0; at < 100; at += 1) data = at % 2 ? { data } : [data];
  const surface = new Surface();
  const context = { data: { binding: { node: "n", key: "data" } } };
  const root = { id: "root", component: "Button", action: { event: { name: "send", context } } };
  surface.receive({ createSurface: { surfaceId: "s", components: [root] } });
  assert.ok(surface.store.apply({ n: { data } }).ok);
  const action = surface.trigger("root", "action");
  assert.ok(JSON.stringify(action.context).includes('"@data":true'));
  assert.deepEqual(toA2uiAction(action, { functions: { shout } }).action.context, { data });
});

test("rejects a value that is not a function", () => {
  const argument = (message) => ({ code: "argument", message });
  assert.throws(
    () => renderToString(null, { functions: { shout: "Ada!" } }),
    argument("expected `shout` to be a function, found a string"),
  );
  assert.throws(
    () => renderToString(null, { functions: [shout] }),
    argument("expected `functions` to be a plain object, found an Array"),
  );
});
