// Calls of an agent to functions of the page, and their responses.
import assert from "node:assert/strict";
import test from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";

await init();

const shop = defineCatalog({
  id: "shop",
  components: { Shelf: {} },
  functions: {
    price: {
      args: { sku: { type: "string", required: true }, count: "number", any: "any" },
      returns: "number",
      allowedCallers: "rendererOrAgent",
    },
    secret: { returns: "string" },
    open: { allowedCallers: "agentOnly", requiresUserActivation: true },
    slow: { allowedCallers: "rendererOrAgent" },
    gone: { allowedCallers: "rendererOrAgent" },
  },
});

const functions = {
  price: ({ sku, count = 1 }) => sku.length * count,
  secret: () => "s",
  open: () => undefined,
  slow: ({ promise = "value" }) => results[promise](),
};
const results = {
  value: async () => ({ done: true }),
  none: async () => {},
  never: () => new Promise(() => {}),
  fails: async () => {
    throw new Error("no luck");
  },
  throws: () => {
    throw new Error("at once");
  },
  map: () => new Map([[1, 2]]),
  twice: () => ({
    // biome-ignore lint/suspicious/noThenProperty: a promise that settles twice, as a faulty library's
    then(resolve, reject) {
      resolve(1);
      resolve(2);
      reject(new Error("late"));
    },
  }),
  broken: () => ({
    // biome-ignore lint/suspicious/noThenProperty: an object that looks like a promise
    then() {
      throw new Error("broken");
    },
  }),
};

/** Returns a target with a surface `s`, and the messages to its agent. */
function connect(options = {}, version = "v1.0") {
  const sent = [];
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface, {
    catalogs: { shop, basic: basicCatalog },
    functions,
    onMessage: (message) => sent.push(message),
    ...options,
  });
  const dataModel = { sku: "abc", count: 2, file: { path: "/x", call: "y" } };
  const created = target.receive({
    version,
    createSurface: { surfaceId: "s", catalogId: "shop", dataModel },
  });
  assert.deepEqual(created, { ok: true, diagnostics: [] });
  return { target, surface, sent };
}

let count = 0;
/** Returns the message of a call. */
function callMessage(call, body = {}, version = "v1.0") {
  count += 1;
  const callFunction = { catalogId: "shop", ...call };
  return { version, callRendererFunction: { functionCallId: `c${count}`, callFunction, ...body } };
}

/** Returns the response to a call that is answered at once. */
function responseTo(call, body, options) {
  const { target, sent } = connect(options);
  const message = callMessage(call, body);
  assert.deepEqual(target.receive(message), { ok: true, diagnostics: [] });
  assert.equal(sent.length, 1, JSON.stringify(sent));
  const { version, rendererFunctionResponse } = sent[0];
  assert.deepEqual(Object.keys(sent[0]), ["version", "rendererFunctionResponse"]);
  const { functionCallId, ...result } = rendererFunctionResponse;
  assert.deepEqual([version, functionCallId], ["v1.0", `c${count}`]);
  return result;
}

const invalid = (message) => ({ error: { code: "INVALID_FUNCTION_CALL", message } });

test("an agent calls a function with literal and bound arguments", () => {
  assert.deepEqual(responseTo({ call: "price", args: { sku: "ab" } }), { value: 2 });
  const bound = { sku: { "@path": "/sku" }, count: { "@path": "/count" } };
  assert.deepEqual(responseTo({ "@call": "price", args: bound }, { surfaceId: "s" }), { value: 6 });
  const bare = { sku: { path: "/sku" }, count: { path: "/count" } };
  assert.deepEqual(responseTo({ call: "price", args: bare }, { surfaceId: "s" }), { value: 6 });
  const nested = { sku: { call: "formatNumber", args: { value: 1234 } } };
  assert.deepEqual(responseTo({ call: "price", args: nested }, {}, { locale: "en" }), { value: 5 });
});

test("without a surface, paths begin at an empty model", () => {
  const bound = { sku: { "@path": "/sku" } };
  assert.match(
    responseTo({ call: "price", args: bound }).error.message,
    /expected a string in `sku` of `price`, found null/,
  );
});

test("a function without a result returns null", () => {
  const options = { hasUserActivation: () => true };
  assert.deepEqual(responseTo({ call: "open" }, {}, options), { value: null });
});

test("each refusal has the code and the text of the specification", () => {
  const cases = [
    [{ call: "nothing" }, {}, "Function not found: nothing"],
    [{ call: "gone" }, {}, "Function not found: gone"],
    [{ call: "toString" }, {}, "Function not found: toString"],
    [{ call: "price", catalogId: "other" }, {}, "Catalog not found: other"],
    [{ call: "price", catalogId: "constructor" }, {}, "Catalog not found: constructor"],
    [{ call: "price", args: { sku: "a" } }, { surfaceId: "t" }, "Surface not found: t"],
    [
      { call: "secret" },
      {},
      "Function 'secret' cannot be called by agent (allowedCallers is rendererOnly).",
    ],
    [{ call: "open" }, {}, "Function 'open' requires user activation context to execute."],
    [
      { call: "price", args: {} },
      {},
      "Invalid arguments of function 'price': missing property `sku` of `price` (for `price`)",
    ],
    [
      { call: "price", args: { sku: 3 } },
      {},
      "Invalid arguments of function 'price': expected a string in `sku` of `price`, found a number",
    ],
    [
      { call: "price", args: { sku: "a", more: 1 } },
      {},
      "Invalid arguments of function 'price': unknown property `more` of `price` (for `price`)",
    ],
  ];
  const called = [];
  const recorded = Object.keys(functions).map((name) => [name, () => called.push(name)]);
  const options = { functions: Object.fromEntries(recorded) };
  for (const args of ["text", [1], 5]) {
    const { message } = responseTo({ call: "slow", args }, {}, options).error;
    assert.match(message, /^Invalid arguments of function 'slow': expected an object in `args`/);
  }
  for (const [call, body, message] of cases)
    assert.deepEqual(responseTo(call, body, options), invalid(message), JSON.stringify(call));
  assert.deepEqual(
    responseTo({ call: "price", catalogId: undefined }, {}, options),
    invalid("Missing catalogId of the call"),
  );
  assert.deepEqual(called, [], "no function was called");
});

test("a function that requires user activation is called only while the user acts", () => {
  let isActing = false;
  let calls = 0;
  const open = () => {
    calls += 1;
  };
  const options = { functions: { ...functions, open }, hasUserActivation: () => isActing };
  for (const [acting, expected] of [
    [false, 0],
    [true, 1],
    [false, 1],
  ]) {
    isActing = acting;
    const { error } = responseTo({ call: "open" }, {}, options);
    assert.equal(error === undefined, acting);
    assert.equal(calls, expected);
  }
});

test("a nested call has the limits of a property, and data in arguments are not called", (context) => {
  const called = [];
  const note = (name) => (args) => {
    called.push([name, args]);
    return "";
  };
  const reported = [];
  context.mock.method(console, "error", (error) => reported.push(error.message));
  const options = {
    functions: { price: note("price"), secret: note("secret"), open: note("open") },
    hasUserActivation: () => true,
  };
  const nested = { sku: { call: "open" }, any: { call: "secret" } };
  assert.match(
    responseTo({ call: "price", args: nested }, {}, options).error.message,
    /found null/,
  );
  assert.equal(reported.length, 1);
  const sku = { call: "formatString", args: { value: { "@path": "/named" } } };
  const any = { call: "secret", args: { value: { "@path": "/named" } } };
  const { target, sent } = connect(options);
  const named = { call: "secret" };
  target.receive({
    version: "v1.0",
    updateDataModel: { surfaceId: "s", path: "/named", value: named },
  });
  target.receive(callMessage({ call: "price", args: { sku, any } }, { surfaceId: "s" }));
  assert.deepEqual(sent[0].rendererFunctionResponse.value, "");
  assert.deepEqual(called, [
    ["secret", {}],
    ["secret", { value: named }],
    ["price", { sku: JSON.stringify(named), any: "" }],
  ]);
});

test("data in a call are neither a template, nor a call or binding", () => {
  const called = [];
  const note = (name) => (args) => {
    called.push([name, args]);
    return name;
  };
  const { formatString } = basicCatalog.functions;
  const basic = basicCatalog.extend({
    functions: { formatString: { ...formatString, allowedCallers: "rendererOrAgent" } },
  });
  const { target, sent } = connect({
    catalogs: { shop, basic },
    functions: { price: note("price"), secret: note("secret") },
  });
  const template = "hi ${secret(to: 'x')}";
  const write = (path, value) =>
    target.receive({ version: "v1.0", updateDataModel: { surfaceId: "s", path, value } });
  write("/template", template);
  const call = (one) => {
    target.receive(callMessage(one, { surfaceId: "s" }));
    return sent.pop().rendererFunctionResponse;
  };
  const text = (value) => ({ "@call": "formatString", args: { value } });
  const path = { "@path": "/template" };
  for (const sku of [
    text(path),
    text(text(path)),
    text({ "@call": "capitalize", args: { value: path } }),
  ])
    call({ "@call": "price", args: { sku } });
  assert.deepEqual(
    called.splice(0).map(([name, { sku }]) => [name, sku.toLowerCase()]),
    Array(3).fill(["price", template]),
  );
  assert.equal(call({ ...text(path), catalogId: "basic" }).value, template);
  assert.deepEqual(called, []);
  assert.equal(call({ ...text("a ${secret()}"), catalogId: "basic" }).value, "a secret");
  called.length = 0;
  for (const value of [{ call: "formatString" }, { binding: { key: "a" } }, { path: "/a" }]) {
    write("/object", value);
    const { error } = call({ "@call": "price", args: { sku: { "@path": "/object" } } });
    assert.match(error?.message, /expected a string in `sku` of `price`, found an object/);
    const any = { sku: "a", any: { "@path": "/object" } };
    assert.equal(call({ "@call": "price", args: any }).value, "price");
    assert.deepEqual(called.pop(), ["price", { sku: "a", any: value }]);
  }
});

test("a basic function is called only if a catalog allows it", () => {
  const call = { call: "formatNumber", catalogId: "basic", args: { value: 1 } };
  assert.match(responseTo(call).error.message, /allowedCallers is rendererOnly/);
  const { formatNumber } = basicCatalog.functions;
  const allowed = basicCatalog.extend({
    functions: { formatNumber: { ...formatNumber, allowedCallers: "rendererOrAgent" } },
  });
  assert.deepEqual(responseTo(call, {}, { catalogs: { shop, basic: allowed } }), { value: "1" });
});

test("a function that throws or returns no JSON has failed", () => {
  const call = (promise) => ({ call: "slow", args: { promise } });
  const loose = shop.extend({
    functions: { slow: { args: { promise: "string" }, allowedCallers: "rendererOrAgent" } },
  });
  const failed = (message) => ({ error: { code: "EXECUTION_ERROR", message } });
  assert.deepEqual(
    responseTo(call("throws"), {}, { catalogs: { shop: loose } }),
    failed("Function 'slow' failed: at once"),
  );
  assert.deepEqual(
    responseTo(call("map"), {}, { catalogs: { shop: loose } }),
    failed("Function 'slow' did not return a JSON value."),
  );
});

test("a promise is awaited, and answered once, also if it never settles", async () => {
  const catalog = shop.extend({
    functions: { slow: { args: { promise: "string" }, allowedCallers: "rendererOrAgent" } },
  });
  const { target, sent } = connect({ catalogs: { shop: catalog }, callTimeout: 20 });
  const ids = {};
  for (const promise of ["value", "none", "never", "fails", "twice", "broken"]) {
    const message = callMessage({ call: "slow", args: { promise } });
    ids[message.callRendererFunction.functionCallId] = promise;
    assert.ok(target.receive(message).ok);
  }
  while (sent.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
  const byName = Object.fromEntries(
    sent.map(({ rendererFunctionResponse: { functionCallId, ...result } }) => [
      ids[functionCallId],
      result.error?.message ?? result.value,
    ]),
  );
  assert.deepEqual(byName, {
    value: { done: true },
    none: null,
    twice: 1,
    fails: "Function 'slow' failed: no luck",
    broken: "Function 'slow' failed: broken",
    never: "Function 'slow' did not return within 0.02 s.",
  });
  // The time of all calls is over.
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(sent.length, 6);
});

test("a repeated call runs once", () => {
  let runs = 0;
  const price = () => {
    runs += 1;
    return 1;
  };
  const { target, sent } = connect({ functions: { price } });
  const message = callMessage({ call: "price", args: { sku: "a" } });
  for (let at = 0; at < 3; at += 1) assert.deepEqual(target.receive(message).diagnostics, []);
  assert.deepEqual([runs, sent.length], [1, 1]);
});

test("a call without an id or a function is reported in an error message", () => {
  const cases = [
    [{ functionCallId: "a" }, { functionCallId: "a" }, "Missing callFunction of the call"],
    [
      { callFunction: { call: "price", catalogId: "shop" } },
      { surfaceId: "s" },
      "Missing functionCallId of the call",
    ],
    [
      { functionCallId: "b", callFunction: { args: {} } },
      { functionCallId: "b" },
      "Missing the name of the function in callFunction",
    ],
  ];
  for (const [callRendererFunction, about, message] of cases) {
    const { target, sent } = connect();
    const { ok, diagnostics } = target.receive({ version: "v1.0", callRendererFunction });
    assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["A2UI017"]]);
    const error = { code: "INVALID_FUNCTION_CALL", message, ...about };
    assert.deepEqual(sent, [{ version: "v1.0", error }]);
  }
});

test("the first drafts of v1.0 get a response in their form, if they request one", () => {
  const draft = (call, body) => ({
    version: "v1.0",
    functionCallId: "d",
    callFunction: { catalogId: "shop", ...call },
    ...body,
  });
  const answers = (call, body) => {
    const { target, sent } = connect();
    assert.ok(target.receive(draft(call, body)).ok);
    return sent;
  };
  const price = { call: "price", args: { sku: "abc" } };
  const functionResponse = { functionCallId: "d", call: "price", value: 3 };
  assert.deepEqual(answers(price, { wantResponse: true }), [{ version: "v1.0", functionResponse }]);
  assert.deepEqual(answers(price), []);
  const [{ error }] = answers({ call: "secret" });
  assert.deepEqual([error.code, error.functionCallId], ["INVALID_FUNCTION_CALL", "d"]);
});

test("arguments of ten megabytes and deep ones are checked like others", () => {
  const sku = "a".repeat(10_000_000);
  assert.deepEqual(responseTo({ call: "price", args: { sku } }), { value: sku.length });
  const list = Array.from({ length: 500_000 }, () => "abcdefghijklmnopqrst");
  assert.match(responseTo({ call: "price", args: { sku: list } }).error.message, /, found a list/);
  let any = 1;
  for (let at = 0; at < 5_000; at += 1) any = [any];
  const { target, sent } = connect();
  const { ok, diagnostics } = target.receive(
    callMessage({ call: "price", args: { sku: "a", any } }),
  );
  assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [false, ["A2UI006"]]);
  assert.deepEqual(
    sent.map(({ error }) => error.message),
    ["the message is nested too deep"],
  );
});

test("a literal argument is data on a surface that writes `@` keys", () => {
  let received;
  const price = ({ any }) => {
    received = any;
    return 1;
  };
  const { target } = connect({ functions: { price } }, "1.0");
  const any = { path: "/a", "@@x": 1, call: "z", in: { "@path": "/sku" } };
  const message = callMessage(
    { "@call": "price", args: { sku: "a", any } },
    { surfaceId: "s" },
    "1.0",
  );
  assert.deepEqual(target.receive(message), { ok: true, diagnostics: [] });
  assert.deepEqual(received, { path: "/a", "@x": 1, call: "z", in: "abc" });
});

test("a call for a deleted surface is rejected, one without a surface is not", () => {
  const { target, sent } = connect();
  assert.ok(target.receive({ version: "v1.0", deleteSurface: { surfaceId: "s" } }).ok);
  const args = { sku: "abcd" };
  target.receive(callMessage({ call: "price", args }, { surfaceId: "s" }));
  target.receive(callMessage({ call: "price", args }));
  const [rejected, called] = sent.map((one) => one.rendererFunctionResponse);
  assert.equal(rejected.error.message, "Surface not found: s");
  assert.equal(called.value, 4);
});

test("without `onMessage` a call is rejected, because no response could be sent", () => {
  let runs = 0;
  const price = () => {
    runs += 1;
  };
  const { target } = connect({ onMessage: undefined, functions: { price } });
  const { ok, diagnostics } = target.receive(callMessage({ call: "price", args: { sku: "a" } }));
  assert.deepEqual([ok, diagnostics.map(({ code }) => code), runs], [false, ["A2UI007"], 0]);
});

test("a listener that throws does not stop the stream", () => {
  const original = globalThis.reportError;
  const errors = [];
  globalThis.reportError = (error) => errors.push(error.message);
  try {
    const onMessage = () => {
      throw new Error("offline");
    };
    const { target } = connect({ onMessage });
    assert.ok(target.receive(callMessage({ call: "price", args: { sku: "a" } })).ok);
  } finally {
    globalThis.reportError = original;
  }
  assert.deepEqual(errors, ["offline"]);
});

test("throws on misuse", () => {
  const wrong = (options, message) =>
    assert.throws(() => a2uiTarget(new Surface(), options), { code: "argument", message });
  wrong({ onMessage: 1 }, /`onMessage`/);
  wrong({ catalogs: { a: {} } }, /`components` of `a`/);
  wrong({ catalogs: [basicCatalog] }, /`catalogs`/);
  wrong({ functions: { f: 1 } }, /`f`/);
  wrong({ callTimeout: Number.POSITIVE_INFINITY }, /`callTimeout`/);
  wrong({ hasUserActivation: true }, /`hasUserActivation`/);
  wrong({ store: 1 }, /unknown key `store`/);
});

test("calls in a stream of text are read like other messages", async () => {
  const messages = [
    { version: "v1.0", createSurface: { surfaceId: "s", catalogId: "shop" } },
    callMessage({ call: "price", args: { sku: "abc" } }),
    { version: "v1.0", agentFunctionResponse: { functionCallId: "none", value: 1 } },
    callMessage({ call: "price", args: { sku: "ab" } }),
  ];
  const lines = messages.map((message) => JSON.stringify(message)).join("\n");
  for (const text of [lines, JSON.stringify(messages), JSON.stringify({ messages })]) {
    for (const size of [7, text.length]) {
      const sent = [];
      const target = a2uiTarget(new Surface({ catalog: basicCatalog }), {
        catalogs: { shop },
        functions,
        onMessage: ({ rendererFunctionResponse }) => sent.push(rendererFunctionResponse.value),
      });
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g"));
      const { ok, diagnostics } = await receiveAll(target, chunks);
      assert.deepEqual([ok, diagnostics.map(({ code }) => code)], [true, ["A2UI018"]]);
      assert.deepEqual(sent, [3, 2]);
    }
  }
});
