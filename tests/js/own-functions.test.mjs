// Custom functions: passed to the renderer, under the names that the catalog lists for the model.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { toA2uiAction } from "../../pkg/a2ui.js";
import { basicCatalog } from "../../pkg/dom/catalog.js";
import { renderToString } from "../../pkg/dom/server.js";
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
