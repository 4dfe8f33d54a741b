// Functions of the agent that components, checks and actions of a page call.
import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, toA2uiAction } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";

await init();

const name = { type: "any" };
const catalog = basicCatalog.extend({
  functions: {
    stock: { args: { sku: name }, returns: "number" },
    isFree: { args: { value: name }, returns: "boolean" },
    order: { args: { sku: name }, returns: "void" },
    shout: { args: { value: name }, returns: "string" },
    fails: { returns: "string" },
  },
});
const functions = {
  shout: ({ value }) => `${value}!`,
  fails: () => {
    throw new Error("no luck");
  },
};

/** Returns a target of a surface with components, and the messages to its agent. */
function connect(components, { dataModel = {}, version = "v1.0", ...options } = {}) {
  const sent = [];
  const surface = new Surface({
    catalog,
    onAction: (action) => pending.push(target.sendAction(action)),
  });
  const pending = [];
  const target = a2uiTarget(surface, {
    catalogs: { basic: catalog },
    functions,
    locale: "en",
    onMessage: (message) => sent.push(message),
    ...options,
  });
  const create = { surfaceId: "s", catalogId: "basic", dataModel, components };
  const { diagnostics } = target.receive({ version, createSurface: create });
  return { target, surface, sent, pending, diagnostics };
}

const text = (value) => [{ id: "root", component: "Text", text: value }];
const button = (action) => [
  { id: "root", component: "Button", child: "label", action },
  { id: "label", component: "Text", text: "Send" },
];
const shown = ({ surface, target }) =>
  renderToString(surface, { style: false, functions: target.functions, locale: "en" });
const tick = () => new Promise((resolve) => setTimeout(resolve));
const respond = (target, functionCallId, response) =>
  target.receive({ version: "v1.0", agentFunctionResponse: { functionCallId, ...response } });

test("a property waits for the function of the agent, then shows its value", async () => {
  const call = { "@call": "stock", args: { sku: { "@path": "/sku" } } };
  const connection = connect(text(call), { dataModel: { sku: "a1" } });
  const { sent, target, surface, diagnostics } = connection;
  assert.deepEqual(diagnostics, []);
  assert.match(shown(connection), /data-id="root"[^>]*><\/div>/);
  const [{ version, callAgentFunction }] = sent;
  const { functionCallId, ...body } = callAgentFunction;
  assert.equal(version, "v1.0");
  assert.deepEqual(body, {
    surfaceId: "s",
    callFunction: { call: "stock", args: { sku: "a1" } },
  });
  const changes = [];
  surface.subscribe((list) => changes.push(...list));
  assert.deepEqual(respond(target, functionCallId, { value: 12 }), { ok: true, diagnostics: [] });
  await tick();
  assert.deepEqual(
    changes.map(({ kind, prop }) => [kind, prop]),
    [["set", "text"]],
  );
  assert.match(shown(connection), />12</);
  assert.equal(sent.length, 1);
  target.receive({
    version: "v1.0",
    updateDataModel: { surfaceId: "s", path: "/sku", value: "b2" },
  });
  shown(connection);
  assert.deepEqual(sent[1].callAgentFunction.callFunction.args, { sku: "b2" });
  assert.deepEqual(
    surface.diagnostics().filter(({ code }) => code !== "HAM031"),
    [],
  );
  assert.deepEqual(target.diagnostics(), []);
});

test("each row of a template calls with its own data, equal calls once", async () => {
  const components = [
    { id: "root", component: "Column", children: { componentId: "row", path: "/items" } },
    { id: "row", component: "Text", text: { call: "stock", args: { sku: { path: "sku" } } } },
  ];
  const items = [{ sku: "a" }, { sku: "b" }, { sku: "a" }];
  const connection = connect(components, { dataModel: { items } });
  shown(connection);
  const skus = connection.sent.map(
    ({ callAgentFunction }) => callAgentFunction.callFunction.args.sku,
  );
  assert.deepEqual(skus, ["a", "b"]);
  for (const [at, { callAgentFunction }] of connection.sent.entries())
    respond(connection.target, callAgentFunction.functionCallId, { value: at + 5 });
  await tick();
  assert.deepEqual(shown(connection).match(/>\d</g), [">5<", ">6<", ">5<"]);
});

test("an error makes a property null and a check invalid", async () => {
  const value = { path: "/name" };
  const field = {
    id: "root",
    component: "TextField",
    label: { call: "stock", args: {} },
    value,
    checks: [{ condition: { call: "isFree", args: { value } }, message: "Taken" }],
  };
  const connection = connect([field], { dataModel: { name: "Ann" } });
  assert.doesNotMatch(shown(connection), /Taken/);
  const { props } = connection.surface.tree();
  const read = connection.target.functions["@remote"];
  const args = [props.label.args, props.checks[0].condition.args];
  for (const one of args) assert.equal(read(one), null);
  const error = { code: "INVALID_FUNCTION_CALL", message: "unknown" };
  for (const { callAgentFunction } of connection.sent)
    respond(connection.target, callAgentFunction.functionCallId, { error });
  await tick();
  assert.deepEqual(args.map(read), [null, { valid: false, message: "unknown" }]);
  assert.deepEqual(
    connection.target.diagnostics().map(({ code, message }) => `${code} ${message}`),
    [
      "A2UI020 the call of `stock` failed with INVALID_FUNCTION_CALL: unknown",
      "A2UI020 the call of `isFree` failed with INVALID_FUNCTION_CALL: unknown",
    ],
  );
});

test("every way to fail has its code", async () => {
  const { target, sent } = connect(text("Hi"), { callTimeout: 10 });
  const call = { call: "stock", args: { sku: "a" } };
  const code = async (result) => (await result).error?.code;
  assert.equal(await code(target.callAgentFunction(call)), "TIMEOUT");
  const first = target.callAgentFunction({ ...call, functionCallId: "x" });
  assert.equal(await code(target.callAgentFunction({ ...call, functionCallId: "x" })), "DUPLICATE");
  respond(target, "x", { value: null });
  assert.deepEqual(await first, { ok: true, value: null });
  const odd = target.callAgentFunction({ ...call, functionCallId: "y" });
  respond(target, "y", { error: "broken" });
  assert.equal(await code(odd), "UNKNOWN_ERROR");
  const cancelled = target.callAgentFunction(call);
  target.receive({ version: "v1.0", deleteSurface: { surfaceId: "s" } });
  assert.equal(await code(cancelled), "CANCELLED");
  const disposed = target.callAgentFunction(call);
  target[Symbol.dispose]();
  assert.equal(await code(disposed), "DISPOSED");
  assert.equal(await code(target.callAgentFunction(call)), "DISPOSED");
  assert.equal(sent.length, 5);
  const silent = connect(text("Hi"), { onMessage: undefined });
  assert.equal(await code(silent.target.callAgentFunction(call)), "NO_LISTENER");
  const older = connect(text("Hi"), { version: "v0.9" });
  assert.equal(await code(older.target.callAgentFunction(call)), "NO_LISTENER");
});

test("a response is dropped if no call waits for it, or it is incomplete", async () => {
  const { target } = connect(text("Hi"));
  const codes = (id, response) => respond(target, id, response).diagnostics.map(({ code }) => code);
  assert.deepEqual(codes("x", { value: 1 }), ["A2UI018"]);
  const result = target.callAgentFunction({ call: "stock", functionCallId: "x" });
  assert.deepEqual(codes("x", {}), ["A2UI017"]);
  assert.deepEqual(codes("x", { value: 1, error: { code: "E", message: "m" } }), ["A2UI017"]);
  assert.deepEqual(codes(undefined, { value: 1 }), ["A2UI017"]);
  assert.deepEqual(codes("x", { value: 1 }), []);
  assert.deepEqual(codes("x", { value: 2 }), ["A2UI018"]);
  assert.deepEqual(await result, { ok: true, value: 1 });
});

test("an action is sent in the version of the agent, at once if it calls nothing", () => {
  const event = { name: "go", userMessage: "Going", context: { who: { path: "/name" } } };
  const expected = { name: "go", surfaceId: "s", sourceComponentId: "root", timestamp: "now" };
  const cases = [
    [
      "v1.0",
      { version: "v1.0", action: { ...expected, context: { who: "Ann" }, userMessage: "Going" } },
    ],
    [
      "1.0",
      {
        version: "1.0",
        action: { ...expected, context: { who: { path: "/name" } }, userMessage: "Going" },
      },
    ],
    ["v0.9", { version: "v0.9", action: { ...expected, context: { who: "Ann" } } }],
    ["v0.9.1", { version: "v0.9.1", action: { ...expected, context: { who: "Ann" } } }],
  ];
  for (const [version, message] of cases) {
    const { surface, sent } = connect(button({ event }), { version, dataModel: { name: "Ann" } });
    surface.trigger("root", "action");
    const [{ action, ...rest }] = sent;
    assert.deepEqual({ ...rest, action: { ...action, timestamp: "now" } }, message);
  }
});

test("an action waits for the functions of the agent in its context", async () => {
  const context = {
    stock: { call: "stock", args: { sku: { call: "shout", args: { value: { path: "/sku" } } } } },
    kept: { call: "shout", args: { value: "a" } },
  };
  const connection = connect(button({ event: { name: "buy", context } }), {
    dataModel: { sku: "x" },
  });
  const { surface, sent, target, pending } = connection;
  surface.trigger("root", "action");
  await tick();
  const [{ callAgentFunction }] = sent;
  assert.deepEqual(callAgentFunction.callFunction, { call: "stock", args: { sku: "x!" } });
  respond(target, callAgentFunction.functionCallId, { value: 3 });
  await pending[0];
  assert.deepEqual(sent[1].action.context, { stock: 3, kept: "a!" });
  surface.trigger("root", "action");
  await tick();
  const error = { code: "E", message: "sold out" };
  respond(target, sent[2].callAgentFunction.functionCallId, { error });
  await pending[1];
  assert.equal(sent.length, 3);
});

test("a function call of an action runs here or at the agent, without an event", async () => {
  let runs = 0;
  const shout = () => {
    runs += 1;
  };
  const own = { shout, fails: functions.fails };
  const trigger = async (call) => {
    const connection = connect(button({ functionCall: call }), { functions: own });
    connection.surface.trigger("root", "action");
    const [remote] = connection.sent;
    if (remote?.callAgentFunction)
      respond(connection.target, remote.callAgentFunction.functionCallId, { value: null });
    await connection.pending[0];
    return connection.sent.map(
      ({ callAgentFunction, error }) => callAgentFunction?.callFunction ?? error,
    );
  };
  assert.deepEqual(await trigger({ call: "shout", args: { value: "a" } }), []);
  assert.equal(runs, 1);
  assert.deepEqual(await trigger({ call: "order", args: { sku: "a" } }), [
    { call: "order", args: { sku: "a" } },
  ]);
  assert.deepEqual(await trigger({ call: "fails" }), [
    { code: "EXPRESSION_ERROR", surfaceId: "s", message: "Function 'fails' failed: no luck" },
  ]);
  const [unknown, expression] = await trigger({ call: "nothing" });
  assert.equal(unknown.code, "VALIDATION_FAILED");
  assert.deepEqual(expression, {
    code: "EXPRESSION_ERROR",
    surfaceId: "s",
    message: "Function not found: nothing",
  });
});

test("an unknown or failing function in a context is null, and reported", async () => {
  const context = { a: { call: "nothing" }, b: { call: "fails" }, kept: 1 };
  const { surface, sent } = connect(button({ event: { name: "go", context } }));
  sent.length = 0;
  surface.trigger("root", "action");
  assert.deepEqual(sent.at(-1).action.context, { a: null, b: null, kept: 1 });
  assert.deepEqual(
    sent.slice(0, -1).map(({ error }) => `${error.code} ${error.message}`),
    [
      "EXPRESSION_ERROR Function not found: nothing",
      "EXPRESSION_ERROR Function 'fails' failed: no luck",
    ],
  );
});

test("the response to an action is written at its path, in the scope of the action", async () => {
  const event = { name: "ask", wantResponse: true };
  const rows = (responsePath) => [
    { id: "root", component: "Column", children: { componentId: "row", path: "/items" } },
    {
      id: "row",
      component: "Button",
      child: "label",
      action: { event: { ...event, responsePath } },
    },
    { id: "label", component: "Text", text: "Ask" },
  ];
  const dataModel = { items: [{ n: 1 }, { n: 2 }], out: null };
  for (const [path, expected] of [
    ["/out", { items: [{ n: 1 }, { n: 2 }], out: "yes" }],
    ["out", { items: [{ n: 1 }, { n: 2, out: "yes" }], out: null }],
  ]) {
    const { surface, sent, target, pending } = connect(rows(path), { dataModel });
    surface.trigger(surface.tree().children[1].key, "action");
    const { actionId, wantResponse } = sent[0].action;
    assert.equal(wantResponse, true);
    target.receive({ version: "v1.0", actionId, actionResponse: { value: "yes" } });
    await pending[0];
    assert.deepEqual(surface.store.toJSON(), expected);
  }
});

test("a property runs no function that its catalog does not allow there", async (context) => {
  const called = [];
  const note = (name) => (args) => {
    called.push([name, args]);
    return name;
  };
  const reported = [];
  context.mock.method(console, "error", (error) => reported.push(error.message));
  const pay = { args: { to: { type: "string", required: true } }, returns: "string" };
  const shop = basicCatalog.extend({
    functions: {
      pay: { ...pay, requiresUserActivation: true },
      typed: pay,
      inner: { allowedCallers: "agentOnly" },
    },
  });
  const functions = { pay: note("pay"), typed: note("typed"), inner: note("inner") };
  const options = { catalogs: { basic: shop }, functions, hasUserActivation: () => true };
  const calls = [
    { call: "pay", args: { to: "x" } },
    { call: "typed", args: { to: 5 } },
    { call: "typed", args: { to: { path: "/absent" } } },
    { call: "typed", args: { to: "y" } },
  ];
  const ids = calls.map((_, at) => `t${at}`);
  const checks = [{ condition: calls[0], message: "no" }];
  const components = [
    { id: "root", component: "Column", children: [...ids, "field", "button"] },
    ...calls.map((text, at) => ({ id: ids[at], component: "Text", text })),
    { id: "field", component: "TextField", label: "l", value: { path: "/f" }, checks },
    { id: "button", component: "Button", child: "t0", action: { functionCall: calls[0] } },
  ];
  const { surface, target, pending } = connect(components, { version: "v0.9", ...options });
  assert.match(shown({ surface, target }), />typed</);
  assert.deepEqual(called.splice(0), [
    ["typed", { to: null }],
    ["typed", { to: "y" }],
  ]);
  const activation = "Function 'pay' requires user activation context to execute.";
  const type =
    "Invalid arguments of function 'typed': expected a string in `to` of `typed`, found a number";
  assert.deepEqual(new Set(reported), new Set([activation, type]));
  // HAM components are not checked against the catalogs of the target.
  const inner = { id: "root", component: "Text", text: { call: "inner" } };
  surface.receive({ updateComponents: { surfaceId: "s", components: [inner] } });
  shown({ surface, target });
  assert.match(reported.at(-1), /'inner' cannot be called in a property/);
  // An action of the user runs the function.
  surface.receive({
    updateComponents: { surfaceId: "s", components: [{ ...components.at(-1), id: "root" }] },
  });
  surface.trigger("root", "action");
  await pending[0];
  assert.deepEqual(called, [["pay", { to: "x" }]]);
});

test("a response of the agent in a context is data", async () => {
  const context = { stock: { "@call": "stock", args: { sku: "a" } } };
  const { surface, target, sent, pending } = connect(button({ event: { name: "send", context } }));
  surface.trigger("root", "action");
  await tick();
  const named = { call: "shout", args: { value: "a" } };
  respond(target, sent[0].callAgentFunction.functionCallId, { value: named });
  await pending[0];
  assert.deepEqual(sent[1].action.context, { stock: named });
});

test("a response of the agent in a context is not a template", async () => {
  const value = { "@call": "stock", args: {} };
  const format = (text) => ({ "@call": "formatString", args: { value: text } });
  const context = { one: format(value), two: { of: [format(format(value))] } };
  const { surface, target, sent, pending } = connect(button({ event: { name: "send", context } }));
  surface.trigger("root", "action");
  await tick();
  const template = "v ${shout(value: 'z')}";
  for (const { callAgentFunction } of sent.splice(0))
    respond(target, callAgentFunction.functionCallId, { value: template });
  await pending[0];
  assert.deepEqual(sent[0].action.context, { one: template, two: { of: [template] } });
});

test("a check of an unknown function passes, and its value in a condition too", () => {
  const unknown = { "@call": "unknown" };
  const open = { "@call": "and", args: { values: [unknown, true] } };
  for (const condition of [unknown, open, { "@call": "required", args: { value: unknown } }]) {
    const [root, label] = button({ event: { name: "go" } });
    const surface = connect([{ ...root, checks: [{ condition, message: "no" }] }, label]);
    assert.match(shown(surface), /aria-disabled="false"/);
  }
});

test("the data model goes with each message if the surface requests it", () => {
  const deliveries = [];
  const onMessage = (message, metadata) => deliveries.push({ message, metadata });
  const data = (version) => {
    const surface = new Surface({ onAction: (action) => target.sendAction(action) });
    const target = a2uiTarget(surface, { onMessage });
    const components = button({ event: { name: "go" } });
    const create = { surfaceId: "s", catalogId: "c", sendDataModel: true, components };
    target.receive({ version, createSurface: create });
    target.receive({ version, updateDataModel: { surfaceId: "s", value: { a: [1] } } });
    surface.trigger("root", "action");
    assert.deepEqual(target.metadata(), deliveries.at(-1).metadata);
    return deliveries.at(-1).metadata;
  };
  const surfaces = { s: { a: [1] } };
  assert.deepEqual(data("v1.0"), { a2uiRendererDataModel: { version: "v1.0", surfaces } });
  assert.deepEqual(data("v0.9"), { a2uiClientDataModel: { version: "v0.9", surfaces } });
  const { surface, target } = connect(text("Hi"));
  assert.equal(surface.info().sendDataModel, false);
  assert.deepEqual(target.metadata(), {});
});

test("data of a wrong type are refused, and missing data are not", (context) => {
  const called = [];
  const reported = [];
  context.mock.method(console, "error", (error) => reported.push(error.message));
  const part = { anyOf: ["string", { items: "string" }, { properties: { of: "string" } }] };
  const args = { parts: { items: "string" }, object: { properties: { a: "string" } }, part };
  const shop = basicCatalog.extend({
    functions: { join: { args, returns: "string" }, typed: { args: { to: "string" } } },
  });
  const functions = { join: (all) => called.push(all), typed: (all) => called.push(all) };
  const call = (name, args, dataModel) => {
    const options = { catalogs: { basic: shop }, functions, dataModel };
    shown(connect(text({ call: name, args }), options));
    return [called.splice(0), reported.splice(0)];
  };
  const [a, b] = [{ path: "/a" }, { path: "/b" }];
  const all = { parts: [a, b], object: { a: b }, part: [b] };
  const missing = { parts: ["Ann", null], object: { a: null }, part: [null] };
  assert.deepEqual(call("join", all, { a: "Ann" }), [[missing], []]);
  const [none, errors] = call("join", { parts: [a, b] }, { a: "Ann", b: 5 });
  assert.deepEqual(none, []);
  assert.match(errors[0], /expected a string in `parts\/1` of `join`, found a number/);
  for (const value of [{ call: "shout" }, { binding: { key: "a" } }, { path: "/a" }, { a: 1 }]) {
    const [refused, [error]] = call("typed", { to: a }, { a: value });
    assert.deepEqual(refused, []);
    assert.match(error, /expected a string in `to` of `typed`, found an object/);
  }
});

test("arguments have the types of any catalog that declares the function", (context) => {
  const reported = [];
  context.mock.method(console, "error", (error) => reported.push(error.message));
  const typed = (type) => basicCatalog.extend({ functions: { f: { args: { x: type } } } });
  const catalogs = { basic: typed("number"), other: typed("string") };
  const functions = { f: ({ x }) => `f ${x}` };
  const show = (x) =>
    shown(connect(text({ call: "f", catalogId: "other", args: { x } }), { catalogs, functions }));
  assert.match(show("a"), />f a</);
  assert.deepEqual(reported, []);
  assert.doesNotMatch(show([1]), />f/);
  assert.match(reported[0], /expected a number in `x` of `f`, found a list/);
});

test("`toA2uiAction` runs the functions of a target that need the user", () => {
  const act = { returns: "string", requiresUserActivation: true };
  const shop = basicCatalog.extend({ functions: { act } });
  const { target } = connect(text("Hi"), {
    catalogs: { basic: shop },
    functions: { act: () => "done" },
  });
  const action = { name: "a", context: { x: { call: "act" } }, userMessage: { call: "act" } };
  const sent = toA2uiAction(action, { target, functions: target.functions }).action;
  assert.deepEqual([sent.context, sent.userMessage], [{ x: "done" }, "done"]);
});

test("`toA2uiAction` takes the version from a target", () => {
  const { target } = connect(text("Hi"), { version: "1.0" });
  const action = { name: "a", context: {}, userMessage: "Hello" };
  assert.equal(toA2uiAction(action, { target }).version, "1.0");
  assert.equal(toA2uiAction(action, { target }).action.userMessage, "Hello");
  assert.equal(toA2uiAction(action, { target, version: "v0.9" }).version, "v0.9");
  assert.equal("userMessage" in toA2uiAction(action).action, false);
  assert.throws(() => toA2uiAction(action, { target: {} }), { code: "argument" });
});

test("a page that deletes its surface ends the calls, and the agent can create it again", async () => {
  const { target, surface } = connect(text("Hi"), { dataModel: { a: 1 } });
  const result = target.callAgentFunction({ call: "stock" });
  surface.receive({ deleteSurface: { surfaceId: "s" } });
  const create = {
    surfaceId: "s",
    catalogId: "basic",
    dataModel: { a: 1 },
    components: text("Hi"),
  };
  const again = target.receive({ version: "v1.0", createSurface: create });
  assert.deepEqual(again, { ok: true, diagnostics: [] });
  assert.equal((await result).error.code, "CANCELLED");
  assert.equal(surface.tree().props.text, "Hi");
  assert.deepEqual(surface.store.toJSON(), { a: 1 });
});
