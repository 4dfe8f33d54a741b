// Hosts and workflows that misbehave: they give a status or a diagnostic, and the flow stays
// usable.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import {
  assignIds,
  BynameError,
  buildContext,
  compileFlow,
  detectCollisions,
  Flow,
  generateMappings,
  init,
  resolveTemplate,
} from "byname";
import { answerOf, codesOf, flowOf } from "../flow/make.mjs";

await init();

const flow = flowOf([["a", "", "x"]], { outputs: { x: {} } });
const good = { work: () => answerOf("a", "x") };

/** Asserts that the flow still runs. */
async function expectUsable() {
  const { status, outputs } = await flow.run({ nodes: good });
  assert.deepEqual([status, outputs], ["completed", { x: "a x" }]);
}

test("rejects invalid arguments of a run", async () => {
  const misuse = { name: "BynameError", code: "argument" };
  for (const options of [
    undefined,
    null,
    5,
    {},
    { nodes: null },
    { nodes: 5 },
    { nodes: { work: 5 } },
    { nodes: { work: null } },
    { nodes: good, signal: {} },
    { nodes: good, onEvent: 5 },
    { nodes: good, concurrency: -1 },
    { nodes: good, concurrency: 0 },
    { nodes: good, concurrency: 1.5 },
    { nodes: good, maxSteps: 1.5 },
    { nodes: good, concurrency: "8" },
    { nodes: good, concurrency: Number.NaN },
    { nodes: good, maxSteps: -1 },
    { nodes: good, maxSteps: "x" },
    { nodes: good, input: {} },
    { nodes: good, inputs: [] },
    { nodes: good, inputs: 5 },
    { nodes: good, inputs: "x" },
    { nodes: good, inputs: new Map([["x", 1]]) },
  ]) {
    await assert.rejects(flow.run(options), misuse, JSON.stringify(options));
  }
  await expectUsable();
});

test("rejects invalid arguments of all other calls", () => {
  const workflow = { nodes: [{ id: "a", type: "t" }] };
  const misuse = { name: "BynameError", code: "argument" };
  assert.throws(() => new Flow(), misuse);
  for (const options of [null, 5, { prefixes: "" }, { context: {}, odd: 1 }]) {
    assert.throws(() => compileFlow(workflow, { t: {} }, options), misuse, JSON.stringify(options));
  }
  assert.throws(() => buildContext(workflow, { t: {} }, { context: {} }), misuse);
  for (const none of [5, null, "x"]) assert.throws(() => assignIds(none, {}), misuse);
  // An invalid workflow is returned as a diagnostic where the result has diagnostics, and otherwise
  // thrown.
  for (const none of [5, null, [], {}, "{", ""]) {
    assert.equal(compileFlow(none, {}).ok, false, JSON.stringify(none));
    assert.ok(buildContext(none, {}).diagnostics.length > 0, JSON.stringify(none));
    assert.throws(() => detectCollisions(none, {}), BynameError, JSON.stringify(none));
    assert.throws(() => generateMappings(none, {}), BynameError, JSON.stringify(none));
  }
  for (const none of [5, null, [], "x"]) {
    assert.equal(compileFlow(workflow, none).ok, false, JSON.stringify(none));
  }
  assert.throws(() => compileFlow({ nodes: [1n] }, {}), BynameError);
  assert.throws(() => resolveTemplate("$x", 5), BynameError);
  assert.throws(() => resolveTemplate("$x", null), BynameError);
});

test("rejects workflows that contain themselves, without exhausting memory", () => {
  const around = { nodes: [] };
  around.nodes.push(around);
  assert.throws(() => compileFlow(around, {}), BynameError);
  assert.throws(() => assignIds(around, {}), BynameError);
});

test("reports what a callback throws as text", async () => {
  const thrown = {
    text: "broken",
    number: 5,
    nothing: undefined,
    null: null,
    symbol: Symbol("s"),
    object: { message: "half" },
    proxy: new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    ),
    lines: new Error("one\ntwo\u0000three"),
    long: new Error("long ".repeat(1_000_000)),
    empty: new Error(""),
    surrogate: new Error("\ud800"),
    abort: new DOMException("gone", "AbortError"),
  };
  for (const [name, reason] of Object.entries(thrown)) {
    for (const work of [
      () => {
        throw reason;
      },
      async () => {
        throw reason;
      },
    ]) {
      const result = await flow.run({ nodes: { work } });
      assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW040"]], name);
      const [{ message, help }] = result.diagnostics;
      assert.ok(message.length < 700 && !message.includes("\n") && help.length > 0, message);
    }
  }
  await expectUsable();
});

test("reports an invalid result", async () => {
  const around = { outputs: {} };
  around.outputs.x = around;
  const answers = {
    nothing: undefined,
    null: null,
    number: 5,
    text: "x",
    list: [],
    "no outputs": {},
    "outputs null": { outputs: null },
    "outputs in a list": { outputs: [1] },
    "outputs in a Map": { outputs: new Map([["x", 1]]) },
    "action number": { outputs: { x: 1 }, action: 5 },
    "a function": { outputs: { x: () => 1 } },
    undefined: { outputs: { x: undefined } },
    symbol: { outputs: { x: Symbol("x") } },
    itself: around,
    bigint: { outputs: { x: 1n } },
    "lone surrogate": { outputs: { x: "\ud800" } },
    "a function itself": () => 1,
    "throwing getter": {
      get outputs() {
        throw new Error("no");
      },
    },
    "throwing toJSON": {
      outputs: {
        x: {
          toJSON() {
            throw new Error("no");
          },
        },
      },
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    const result = await flow.run({ nodes: { work: () => answer } });
    assert.equal(result.status, "failed", name);
    assert.equal(result.diagnostics.length, 1, name);
    const [{ code, message }] = result.diagnostics;
    assert.ok(["FLOW040", "FLOW041", "FLOW042"].includes(code), `${name}: ${code}`);
    assert.ok(!message.includes("undefined"), `${name}: ${message}`);
  }
  await expectUsable();
});

test("converts values as JSON does", async () => {
  const values = [
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [-0, 0],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [1e300, 1e300],
    [{ __proto__: null, a: 1 }, { a: 1 }],
    [
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
      JSON.parse('{"__proto__": 1, "constructor": 2}'),
    ],
  ];
  for (const [value, expected] of values) {
    const { outputs } = await flow.run({ nodes: { work: () => ({ outputs: { x: value } }) } });
    assert.equal(JSON.stringify(outputs.x), JSON.stringify(expected));
  }
});

test("rejects values that JSON cannot represent", async () => {
  const values = [new Map([["a", 1]]), new Set([1]), Promise.resolve(1), Number.NaN, [undefined]];
  for (const value of values) {
    const result = await flow.run({ nodes: { work: () => ({ outputs: { x: value } }) } });
    assert.equal(result.status, "failed", String(value));
  }
});

test("drops and reports undeclared outputs, or fails where the flow is strict", async () => {
  const work = () => ({ outputs: { x: 1, y: 2 } });
  const loose = await flow.run({ nodes: { work } });
  assert.deepEqual(
    [loose.status, loose.store, codesOf(loose)],
    ["completed", { x: 1 }, ["FLOW043"]],
  );
  assert.equal(loose.diagnostics[0].severity, "warning");
  const strict = flowOf([["a", "", "x"]], {}, { strict: true });
  const result = await strict.run({ nodes: { work } });
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW044"]]);
});

test("a missing declared output is an error unless it is optional", async () => {
  const work = () => ({ outputs: {} });
  const result = await flow.run({ nodes: { work } });
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW042"]]);
  const optional = flowOf([["a", "", "x?"]], { outputs: { x: {} } });
  const { status, outputs } = await optional.run({ nodes: { work } });
  assert.deepEqual([status, outputs], ["completed", {}]);
});

test("passes many megabytes", async () => {
  const large = "ä".repeat(4_000_000);
  const many = flowOf(
    [
      ["a", "", "x"],
      ["b", "x", "y", { params: { p: "got $x" } }],
      ["c", "y", "z"],
    ],
    { outputs: { z: {} } },
  );
  const outputs = {
    a: () => ({ x: large }),
    b: ({ params }) => ({ y: { text: params.p, list: Array(50_000).fill({ n: 1 }) } }),
    c: ({ inputs }) => ({ z: [inputs.y.text.length, inputs.y.list.length] }),
  };
  const work = (call) => ({ outputs: outputs[call.id](call) });
  const start = process.cpuUsage();
  const result = await many.run({ nodes: { work }, onEvent: () => {} });
  assert.deepEqual(result.outputs, { z: [4_000_004, 50_000] });
  // Measures processor time, which does not depend on other processes.
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 10_000_000, `${user + system} µs`);
});

test("time does not grow with the number of duplicate or unknown keys", () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `"k${at}": 1`).join(", ");
  for (const [text, code] of [
    [`{"nodes": [], ${keys}, ${keys}}`, "JSON012"],
    [`{"nodes": [{"id": "a", "type": "t", ${keys}, ${keys}}]}`, "JSON012"],
  ]) {
    const start = process.cpuUsage();
    const { diagnostics } = compileFlow(text, { t: {} });
    const { user, system } = process.cpuUsage(start);
    assert.equal(
      diagnostics.some((diagnostic) => diagnostic.code === code),
      true,
      codesOf({ diagnostics })[0],
    );
    // Comparing each with all the others would take a minute.
    assert.ok(user + system < 10_000_000, `${user + system} µs`);
  }
});

test("limits short texts that expand to large ones, and compiles the next workflow", () => {
  const registry = { t: { inputs: [], outputs: ["o"] } };
  const key = "k".repeat(70_000);
  const params = { [key]: ["$x", ...Array(70_000).fill(0)] };
  const wide = { nodes: [{ id: "a", type: "t", params }], inputs: { x: {} } };
  assert.ok(compileFlow(wide, registry).ok);
  // Each of many nodes of one type with each of its many outputs.
  const outputs = Array.from({ length: 4000 }, (_, at) => `o${at}`);
  const nodes = outputs.map((id) => ({ id, type: "t" }));
  const { ok, diagnostics } = compileFlow({ nodes }, { t: { inputs: [], outputs } });
  assert.equal(ok, false);
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [["FLOW001", "/nodes/250"]],
  );
  assert.ok(compileFlow({ nodes: [{ id: "a", type: "t" }] }, registry).ok);
});

test("rejects templates that repeat a long value, and the flow still runs", async () => {
  const x = "x".repeat(1_000_000);
  const all = Array(20_000).fill("$x");
  for (const template of [all.join(" "), all]) {
    const { value, diagnostics } = resolveTemplate(template, { x });
    assert.equal(diagnostics[0].code, "TPL005");
    assert.equal(Array.isArray(value) ? value.at(-1) : value.slice(-2), "$x");
    const types = { t: { inputs: ["x"], outputs: ["y"] } };
    const workflow = { nodes: [{ id: "a", type: "t", params: { template } }], inputs: { x: {} } };
    const { flow } = compileFlow(workflow, types);
    const nodes = { t: ({ params }) => ({ outputs: { y: params.template.length } }) };
    const long = await flow.run({ nodes, inputs: { x } });
    assert.deepEqual([long.status, long.diagnostics[0].code], ["failed", "TPL005"]);
    assert.equal((await flow.run({ nodes, inputs: { x: "x" } })).status, "completed");
  }
});

test("parses templates in linear time, whatever they contain", () => {
  const scope = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`${at}`.padEnd(64, "n"), 0]),
  );
  const start = process.cpuUsage();
  for (const [template, codes] of [
    ["${".repeat(400_000), 1],
    ["$x[".repeat(200_000), 200_000],
    [`$${"a-".repeat(200_000)}`, 1],
    [`\${${"a.".repeat(200_000)}a}`, 1],
    [`$${"b".repeat(64)} `.repeat(2000), 2000],
  ]) {
    assert.equal(resolveTemplate(template, scope).diagnostics.length, codes, template.slice(0, 9));
  }
  const { user, system } = process.cpuUsage(start);
  // Each of the first four took many seconds.
  assert.ok(user + system < 10_000_000, `${user + system} µs`);
});

test("takes linear time for the mappings of one node", () => {
  const keys = Array.from({ length: 30_000 }, (_, at) => `k${at}`);
  const registry = { t: { inputs: keys, outputs: keys } };
  const mapped = Object.fromEntries(keys.map((key) => [key, `x_${key}`]));
  const nodes = ["a", "b"].map((id) => ({ id, type: "t" }));
  const edges = [{ from: "a", to: "b" }];
  const mappings = { a: { output_mappings: mapped }, b: { input_mappings: mapped } };
  const workflow = {
    nodes,
    edges,
    mappings,
    inputs: Object.fromEntries(keys.map((key) => [key, {}])),
  };
  const start = process.cpuUsage();
  assert.ok(compileFlow(workflow, registry).ok);
  const context = buildContext(workflow, registry);
  assert.ok(compileFlow(workflow, registry, { context }).ok);
  const { user, system } = process.cpuUsage(start);
  // It took more than a minute.
  assert.ok(user + system < 10_000_000, `${user + system} µs`);
});

test("deep results do not overflow the stack", async () => {
  let deep = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  const result = await flow.run({ nodes: { work: () => ({ outputs: { x: deep } }) } });
  assert.equal(result.status, "failed");
  await expectUsable();
});

test("accepts names of object prototypes as names", async () => {
  const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  for (const name of names) {
    const compiled = compileFlow(
      JSON.stringify({
        nodes: [{ id: name, type: name, inputs: [], outputs: [{ key: name }] }],
        outputs: { out: { source: `\${${name}}` } },
      }),
      {},
    );
    assert.ok(compiled.ok, JSON.stringify(compiled.diagnostics));
    const nodes = Object.fromEntries([
      [name, () => ({ outputs: Object.fromEntries([[name, 7]]) })],
    ]);
    const { outputs, store } = await compiled.flow.run({ nodes });
    assert.deepEqual([outputs, Object.entries(store)], [{ out: 7 }, [[name, 7]]], name);
  }
  const odd = compileFlow({ nodes: [{ id: "a", type: "toString" }] }, {});
  assert.deepEqual(codesOf(odd), ["FLOW004"]);
  const { flow: typed } = compileFlow({ nodes: [{ id: "a", type: "toString" }] }, { toString: {} });
  assert.deepEqual(codesOf(await typed.run({ nodes: {} })), ["FLOW048"]);
});

test("a process waits for each unfinished run, and for no finished one", () => {
  const url = import.meta.resolve("byname");
  const code = `
    import { compileFlow } from ${JSON.stringify(url)};
    const node = { id: "a", type: "t", timeout_ms: 60_000 };
    const { flow } = compileFlow({ nodes: [node] }, { t: {} });
    const { status } = await flow.run({ nodes: { t: async () => ({ outputs: {} }) } });
    node.timeout_ms = 50;
    const late = compileFlow({ nodes: [node] }, { t: {} }).flow;
    const other = await late.run({ nodes: { t: () => new Promise(() => {}) } });
    console.log(status, other.status);`;
  const started = performance.now();
  const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
  });
  assert.equal(stdout, "completed failed\n");
  assert.equal(status, 0);
  assert.ok(performance.now() - started < 20_000);
});

test("reports unknown inputs, and requires the necessary ones", async () => {
  const more = { inputs: { topic: { required: true }, size: { default: 3 } }, outputs: { x: {} } };
  const one = flowOf([["a", "topic size", "x"]], more);
  const work = ({ inputs }) => ({ outputs: { x: inputs } });
  const none = await one.run({ nodes: { work } });
  assert.deepEqual([none.status, codesOf(none)], ["failed", ["FLOW049"]]);
  const other = await one.run({ nodes: { work }, inputs: { topic: "t", topics: 1 } });
  assert.deepEqual(other.outputs, { x: { topic: "t", size: 3 } });
  assert.deepEqual(codesOf(other), ["FLOW050"]);
  assert.match(other.diagnostics[0].help, /did you mean `topic`/);
  const nothing = await one.run({ nodes: { work }, inputs: { topic: null } });
  assert.deepEqual([nothing.status, codesOf(nothing)], ["failed", ["FLOW049"]]);
  const empty = await one.run({ nodes: { work }, inputs: { topic: "", size: null } });
  assert.deepEqual(empty.outputs, { x: { topic: "", size: null } });
});

test("reports an invalid registry, also where the workflow is a text", () => {
  const { diagnostics } = compileFlow('{"nodes": [{"id": "a", "type": "t"}]}', "{}");
  assert.deepEqual(diagnostics[0].location, { kind: "pointer", pointer: "/registry" });
});

test("keeps a template unchanged if it cannot be transferred", () => {
  for (const template of ["\ud800 $x", { deep: ["$x", "\udfff"] }]) {
    const { value, diagnostics } = resolveTemplate(template, { x: 1 });
    assert.deepEqual(value, template);
    assert.ok(diagnostics.length > 0);
  }
});

test("a node that fails without a message gives a status", async () => {
  const circular = {};
  circular.self = circular;
  for (const message of [1n, circular, { status: 500 }, undefined, ""]) {
    // An unhandled rejection fails the test in which it happens.
    const work = async () => {
      throw Object.assign(new Error("x"), { message });
    };
    const { status, diagnostics } = await flow.run({ nodes: { work } });
    assert.equal(status, "failed");
    assert.match(diagnostics[0].message, /Error$/);
  }
  const work = () => Promise.reject(Object.create(null));
  const { diagnostics } = await flow.run({ nodes: { work } });
  assert.match(diagnostics[0].message, /a value without a message was thrown$/);
  await expectUsable();
});
