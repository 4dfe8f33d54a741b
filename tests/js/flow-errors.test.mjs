// Failures: error edges, batches that continue, and runs that end at the first failure.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";
import { after, codesOf, flowOf, never, workflowOf } from "../flow/make.mjs";

await init();

const copy = (value) => JSON.parse(JSON.stringify(value));
const failing = { actions: ["default", "error"] };

/** A node `f` with an error edge to `g`, which reads the failure. */
function errorFlow(more = {}) {
  const text = "${f.error.message}|${f.error.kind}|${f.error.attempts}";
  const nodes = [
    ["f", "", "x", { ...failing, ...more }],
    ["g", "", "seen", { params: { text, all: "${f.error}" } }],
    ["h", "x", "y"],
  ];
  return flowOf(nodes, { edges: ["f g error", "f h"], outputs: { seen: {}, y: {} } });
}

const follow = ({ params }) => ({ outputs: { seen: params.text } });

test("a throw, a timeout and a returned action follow the error edge", async () => {
  const cases = {
    throw: [
      { retry: { max_attempts: 3 } },
      () => Promise.reject(new Error("a\n 503")),
      "a 503|throw|3",
    ],
    timeout: [{ timeout_ms: 10 }, () => never(), "no response within 10 ms|timeout|1"],
    returned: [{}, () => ({ outputs: {}, action: "error", error: "empty" }), "empty|returned|1"],
    unnamed: [
      {},
      () => ({ outputs: {}, action: "error" }),
      "`f` returned the action `error`|returned|1",
    ],
    invalid: [{}, () => ({ outputs: {} }), "`f` did not return its output `x`|throw|1"],
  };
  for (const [name, [more, f, expected]] of Object.entries(cases)) {
    const events = [];
    const work = (call) => (call.id === "f" ? f() : follow(call));
    const onEvent = ({ kind, node }) => events.push(`${kind} ${node}`);
    const result = await errorFlow(more).run({ nodes: { work }, onEvent });
    assert.deepEqual([result.status, result.outputs.seen], ["completed", expected], name);
    assert.ok(events.includes("failed f"), name);
    const [step] = result.trace.steps;
    assert.deepEqual([step.status, step.action], ["finished", "error"], name);
    // A resumed run follows the edge again without another call.
    const calls = [];
    const again = await errorFlow(more).run({
      nodes: { work: ({ id }) => calls.push(id) },
      resume: copy(result.trace),
    });
    assert.deepEqual([again.outputs, calls], [result.outputs, []], name);
  }
});

test("without a failure the other edge is followed, and the failure has no value", async () => {
  const work = ({ id }) => ({ outputs: id === "f" ? { x: 1 } : { y: 2 } });
  const result = await errorFlow().run({ nodes: { work } });
  // The output `seen` is written only after a failure.
  assert.deepEqual([result.outputs, codesOf(result)], [{ y: 2 }, ["FLOW047"]]);
});

test("without an error edge the run fails, and the help names it", async () => {
  const flow = flowOf([["f", "", "x", failing], ["h"]], { edges: ["f h"] });
  const work = () => Promise.reject(new Error("503"));
  const { status, diagnostics } = await flow.run({ nodes: { work } });
  assert.deepEqual([status, diagnostics[0].code], ["failed", "FLOW040"]);
  assert.match(diagnostics[0].help, /add an edge from `f` with the action `error`/);
});

test("a declared output `error` contains the failure, and earlier values are kept", async () => {
  const nodes = [
    ["a", "", "x"],
    ["f", "", "x error?", failing],
    ["g", "x", "y", { params: { why: "${f.error.kind}" } }],
  ];
  const flow = flowOf(nodes, { edges: ["a f", "f g error", "f g"], outputs: { y: {} } });
  const work = ({ id, inputs, params }) => {
    if (id === "f") throw new Error("no");
    return { outputs: id === "a" ? { x: 1 } : { y: [inputs.x, params.why] } };
  };
  // In one flat store, the failed node has not overwritten `x`.
  assert.deepEqual((await flow.run({ nodes: { work } })).outputs, { y: [1, "throw"] });
});

test("a secret in an error stays hidden from the nodes after it", async () => {
  const text = "${f.error.message}";
  const nodes = [
    ["f", "key", "x", failing],
    ["g", "", "seen", { params: { text } }],
  ];
  const more = { inputs: { key: { secret: true } }, edges: ["f g error"], outputs: { seen: {} } };
  const work = (call) => {
    if (call.id === "f") throw new Error(`bad key ${call.inputs.key}`);
    return follow(call);
  };
  const options = { nodes: { work }, inputs: { key: "s3cret" } };
  const { outputs, trace } = await flowOf(nodes, more).run(options);
  assert.equal(outputs.seen, "bad key «secret:key»");
  assert.ok(!JSON.stringify(trace).includes("s3cret"));
});

/** A batch over `items` that continues after failed items. */
function batchFlow(more = {}, readsFirst = true) {
  const batch = { items: "$items", on_error: "continue", ...more };
  const first = readsFirst ? { first: "${b.errors[0].message}" } : {};
  const nodes = [
    ["b", "", "x", { batch }],
    ["r", "", "report", { params: { failed: "${b.errors}", ...first } }],
  ];
  return flowOf(nodes, { inputs: { items: {} }, outputs: { x: {}, report: {} } });
}

test("a batch continues after failed items, and lists them", async () => {
  const items = ["one.csv", "bad.csv", { name: "slow" }];
  const work = ({ id, item, index, params }) => {
    if (id === "r") return { outputs: { report: params } };
    assert.deepEqual(item, items[index]);
    if (item === "bad.csv") throw new Error("no such file");
    if (index === 2) return { outputs: {} };
    return { outputs: { x: index } };
  };
  const events = [];
  const onEvent = ({ kind, node, index, item }) => {
    if (kind === "failed") events.push([node, index, item]);
  };
  const options = { nodes: { work }, inputs: { items }, onEvent };
  const { status, outputs, diagnostics, trace } = await batchFlow().run(options);
  assert.deepEqual([status, outputs.x], ["completed", [0, null, null]]);
  assert.deepEqual(outputs.report.failed, [
    { index: 1, item: "bad.csv", message: "no such file", kind: "throw", attempts: 1 },
    {
      index: 2,
      item: { name: "slow" },
      message: '`b` (item 2: `{"name":"slow"}`) did not return its output `x`',
      kind: "throw",
      attempts: 1,
    },
  ]);
  assert.equal(outputs.report.first, "no such file");
  assert.deepEqual(events, [
    ["b", 1, "bad.csv"],
    ["b", 2, '{"name":"slow"}'],
  ]);
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["FLOW059", "FLOW059"],
  );
  assert.match(diagnostics[0].message, /^`b` \(item 1: `bad.csv`\) failed: no such file/);
  const calls = [];
  const resume = copy(trace);
  const again = await batchFlow().run({ nodes: { work: ({ id }) => calls.push(id) }, resume });
  assert.deepEqual([again.outputs, calls], [outputs, []]);
});

test("a batch without failed items has an empty list of errors", async () => {
  const work = ({ id, params, item }) => ({
    outputs: id === "r" ? { report: params.failed } : { x: item },
  });
  for (const items of [[], [1]]) {
    const { outputs } = await batchFlow({}, false).run({ nodes: { work }, inputs: { items } });
    assert.deepEqual(outputs, { x: items, report: [] });
  }
});

test("a batch has its own limit of concurrent items", async () => {
  let running = 0;
  let most = 0;
  const work = async ({ id, item }) => {
    if (id === "r") return { outputs: { report: 1 } };
    running += 1;
    most = Math.max(most, running);
    await after(2);
    running -= 1;
    if (item % 3 === 0) throw new Error("no");
    return { outputs: { x: item } };
  };
  const inputs = { items: [1, 2, 3, 4, 5, 6, 7] };
  const options = { nodes: { work }, inputs, concurrency: 5 };
  const { outputs } = await batchFlow({ concurrency: 2 }).run(options);
  assert.deepEqual([outputs.x, most], [[1, 2, null, 4, 5, null, 7], 2]);
});

test("a failed item follows the error edge of its node, and aborts the other items", async () => {
  const batch = { items: [1, 2, 3] };
  const nodes = [
    ["b", "", "x", { batch, ...failing }],
    ["g", "", "seen", { params: { text: "${b.error.message}" } }],
  ];
  const flow = flowOf(nodes, { edges: ["b g error"], outputs: { seen: {} } });
  const aborted = [];
  const work = (call) => {
    if (call.id === "g") return follow(call);
    call.signal.addEventListener("abort", () => aborted.push(call.item));
    if (call.item === 2) throw new Error("no");
    return never();
  };
  const { status, outputs } = await flow.run({ nodes: { work }, concurrency: 2 });
  assert.deepEqual([status, outputs, aborted], ["completed", { seen: "no" }, [1]]);
});

test("reports invalid policies of a batch", () => {
  const check = (batch) => {
    const compiled = compileFlow(
      workflowOf([["b", "", "x", { batch: { items: [], ...batch } }]]),
      {},
    );
    return compiled.diagnostics.map(({ code, message }) => `${code} ${message}`);
  };
  assert.deepEqual(check({ on_error: "contnue" }), [
    "FLOW001 expected `fail` or `continue`, found `contnue`",
  ]);
  assert.deepEqual(check({ on_error: true }), [
    "FLOW001 expected `fail` or `continue`, found a boolean",
  ]);
  assert.match(check({ concurrency: 0 })[0], /must be at least 1/);
  assert.match(check({ index: 5 })[0], /expected a name for `index`/);
  assert.match(check({ index: "item" })[0], /have the same name `item`/);
  assert.deepEqual(check({ index: "at", concurrency: 3, on_error: "fail", as: "one" }), []);
});

test("a failed run aborts its other calls, and waits only for the grace period", async () => {
  const nodesOfFlow = [["s"], ["bad", "", "x"], ["slow", "", "y"], ["deaf", "", "z"]];
  const flow = flowOf(nodesOfFlow, { edges: ["s bad", "s slow", "s deaf"] });
  const started = Date.now();
  const seen = [];
  const nodes = {
    work: async ({ id, signal }) => {
      signal.addEventListener("abort", () => seen.push(`${id}: ${signal.reason.message}`));
      if (id === "bad") {
        await after(5);
        throw new Error("no");
      }
      if (id === "s") return { outputs: {} };
      if (id === "deaf") return never();
      await after(30);
      return { outputs: { y: 1 } };
    },
  };
  const fast = await flow.run({ nodes, concurrency: 3 });
  assert.deepEqual([fast.status, fast.store, codesOf(fast)], ["failed", {}, ["FLOW040"]]);
  assert.deepEqual(seen.slice(0, 2), ["slow: another node failed", "deaf: another node failed"]);
  const graced = await flow.run({ nodes, concurrency: 3, graceMs: 200 });
  assert.deepEqual([graced.status, graced.store], ["failed", { y: 1 }]);
  assert.deepEqual(
    graced.trace.steps.map(({ node, status }) => `${node} ${status}`),
    ["s finished", "bad failed", "slow finished", "deaf interrupted"],
  );
  assert.ok(Date.now() - started < 5_000);
});
