// Data and responses of the agent in the place of a function's name: they choose no function.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";

await init();

const any = { type: "any" };
const catalog = basicCatalog.extend({
  functions: {
    stock: { args: {}, returns: "any", allowedCallers: "rendererOnly" },
    pay: { args: { to: any }, returns: "any" },
    echo: { args: { value: any }, returns: "any", allowedCallers: "rendererOrAgent" },
  },
});
const version = "v1.0";

/** Returns a target with a button, and what it sends and calls. */
function connect(context) {
  const [sent, called, pending] = [[], [], []];
  const surface = new Surface({
    catalog,
    onAction: (action) => pending.push(target.sendAction(action)),
  });
  const functions = {
    pay: () => called.push("pay"),
    echo: ({ value }) => value,
  };
  const options = { catalogs: { basic: catalog }, functions, onMessage: (one) => sent.push(one) };
  const target = a2uiTarget(surface, options);
  const components = [
    { id: "root", component: "Button", child: "label", action: { event: { name: "go", context } } },
    { id: "label", component: "Text", text: "Go" },
  ];
  const dataModel = { row: { call: "pay" } };
  target.receive({
    version,
    createSurface: { surfaceId: "s", catalogId: "basic", dataModel, components },
  });
  return { surface, target, sent, called, pending };
}

test("a call of the agent whose function is a path is data", () => {
  const { target, sent, called } = connect({});
  const inner = { call: { "@path": "/row/call" }, args: { to: "x" } };
  const nested = { "@call": "echo", args: { value: inner } };
  for (const value of [inner, nested, { "@call": "echo", args: { value: nested } }]) {
    const callFunction = { call: "echo", catalogId: "basic", args: { value } };
    target.receive({
      version,
      callRendererFunction: { surfaceId: "s", functionCallId: `c${sent.length}`, callFunction },
    });
  }
  const data = { call: "pay", args: { to: "x" } };
  assert.deepEqual(
    sent.map(({ rendererFunctionResponse }) => rendererFunctionResponse?.value),
    [data, data, data],
  );
  assert.deepEqual(called, []);
});

test("a call in a context whose function is a response of the agent is data", async () => {
  const chosen = { call: { "@call": "stock", args: {} }, args: { to: "x" } };
  const { surface, target, sent, called, pending } = connect({ chosen });
  surface.trigger("root", "action");
  await wait(5);
  const { functionCallId } = sent.shift().callAgentFunction;
  target.receive({ version, agentFunctionResponse: { functionCallId, value: "pay" } });
  await pending[0];
  assert.deepEqual(sent[0].action.context, { chosen: { call: "pay", args: { to: "x" } } });
  assert.deepEqual(called, []);
});
