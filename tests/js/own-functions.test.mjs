// Functions of one's own: given to whoever draws, by the names that the catalog tells the model.
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

/** The text that a server draws. */
function drawn(text, functions, nodes = { root: { name: "Ada" } }) {
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

/** What is reported while a task runs. */
function reported(task) {
  const kept = globalThis.reportError;
  const faults = [];
  globalThis.reportError = (fault) => faults.push(fault.message);
  try {
    task();
  } finally {
    globalThis.reportError = kept;
  }
  return faults;
}

test("a call of the page's own function is what it returns, also within others", () => {
  const name = { binding: { key: "name" } };
  const call = { call: "shout", args: { value: name } };
  assert.equal(drawn(call, { shout }), "Ada!");
  assert.equal(drawn({ call: "shout", args: { value: call } }, { shout }), "Ada!!");
  const format = "Hello ${shout(value: ${name})}";
  const filled = { call: "formatString", args: { value: format, values: { name } } };
  assert.equal(drawn(filled, { shout }), "Hello Ada!");
});

test("it knows the language, and may stand in place of one of the basic catalog", () => {
  const formatNumber = ({ value }, { locale }) => `${value} ${locale}`;
  const call = { call: "formatNumber", args: { value: 3 } };
  assert.equal(drawn(call, { formatNumber }), "3 de-CH");
});

test("what throws, or answers no value at once, has none, and is reported", () => {
  const call = { call: "broken" };
  const cases = [
    [() => assert.fail("no luck"), "no luck"],
    [async () => "later", "`broken` must return a JSON value synchronously, not a Promise"],
    [() => new Map(), "`broken` must return a JSON value synchronously, not a Map"],
    [() => Number.NaN, "`broken` must return a JSON value synchronously, not a number"],
    [() => () => {}, "`broken` must return a JSON value synchronously, not a function"],
  ];
  for (const [broken, message] of cases) {
    const faults = reported(() => assert.equal(drawn(call, { broken }), ""));
    assert.deepEqual(faults, [message]);
  }
  const faults = reported(() => assert.equal(drawn(call, { broken: () => {} }), ""));
  assert.deepEqual(faults, []);
});

test("the context of an action is told with what they return", () => {
  const who = { call: "shout", args: { value: "Ada" } };
  const { action } = toA2uiAction({ name: "n", context: { who } }, { functions: { shout } });
  assert.deepEqual(action.context, { who: "Ada!" });
});

test("what is no function is refused", () => {
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
