// Features of runs combined with features of workflows. Examples are withdrawn calls in workflows
// without edges, merged batches that continue, and failures of workflows inside of nodes.

import assert from "node:assert/strict";
import test from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { compileFlow, init, mergeWorkflows } from "byname";
import { subflow, suspend, traceSchema } from "byname/flow";
import { after, codesOf, flowOf, never, workflowOf } from "../flow/make.mjs";

await init();

const isValid = new Ajv2020({ strict: false }).compile(traceSchema());
const copy = (value) => JSON.parse(JSON.stringify(value));
const own = (nodes) =>
  nodes.map(([id, inputs, outputs, more]) => [id, inputs, outputs, { type: id, ...more }]);
const fail = () => {
  throw new Error("boom");
};

for (const concurrency of [1, 8]) {
  test(`no node reads past a waiting one, with ${concurrency} calls at a time`, async () => {
    const nodes = [
      ["a", "", "s"],
      ["b", "", "s t"],
      ["c", "s", "r"],
    ];
    const flow = flowOf(own(nodes), { outputs: { r: {} } });
    const calls = [];
    const callbacks = {
      a: () => ({ outputs: { s: "a" } }),
      b: ({ resumed }) =>
        resumed === undefined ? suspend("?") : { outputs: { s: resumed, t: 1 } },
      c: ({ inputs }) => {
        calls.push(inputs.s);
        return { outputs: { r: inputs.s } };
      },
    };
    let resume;
    for (let round = 0; round < 2; round += 1) {
      const paused = await flow.run({ nodes: callbacks, concurrency, ...(resume && { resume }) });
      assert.deepEqual([paused.status, calls], ["paused", []]);
      resume = copy(paused.trace);
      assert.equal("finished_at" in resume.steps[1], false);
    }
    const options = { nodes: callbacks, concurrency, resume, answers: { b: "B" } };
    const done = await flow.run(options);
    assert.deepEqual([done.outputs, calls, codesOf(done)], [{ r: "B" }, ["B"], []]);
  });
}

test("a reused result after a failed node is kept for the next run", async () => {
  const nodes = [
    ["a", "q", "v"],
    ["b", "", "w"],
    ["c", "v w", "r"],
  ];
  const flow = flowOf(own(nodes), { inputs: { q: {} }, outputs: { r: {} } });
  let isBroken = false;
  const calls = [];
  const callbacks = {
    a: async () => {
      await after(2);
      return isBroken ? fail() : { outputs: { v: 1 } };
    },
    b: () => {
      calls.push("b");
      return { outputs: { w: 2 } };
    },
    c: ({ inputs }) => ({ outputs: { r: inputs.w } }),
  };
  const run = (q, resume) =>
    flow.run({ nodes: callbacks, inputs: { q }, concurrency: 8, ...(resume && { resume }) });
  const first = await run(1);
  isBroken = true;
  const failed = await run(2, copy(first.trace));
  assert.deepEqual(
    failed.trace.steps.map(({ node, status }) => `${node} ${status}`),
    ["a failed", "b finished", "c finished"],
  );
  isBroken = false;
  const done = await run(2, copy(failed.trace));
  assert.deepEqual([done.status, done.outputs, calls], ["completed", { r: 2 }, ["b"]]);
});

test("the signal of a withdrawn call is aborted", async () => {
  const flow = flowOf(
    own([
      ["a", "", "v"],
      ["b", "", "w"],
    ]),
  );
  for (const end of [() => ({ outputs: { v: 1 }, action: "stop" }), fail]) {
    let signal;
    const a = async () => {
      await after(2);
      return end();
    };
    const b = (call) => {
      signal = call.signal;
      return never();
    };
    const { trace } = await flow.run({ nodes: { a, b }, concurrency: 8 });
    assert.deepEqual([signal.aborted, trace.steps[1].status], [true, "withdrawn"]);
    assert.ok(isValid(trace), JSON.stringify(isValid.errors));
  }
});

test("the failed items of a merged batch are readable", async () => {
  const batch = { items: [1, 2], on_error: "continue" };
  const nodes = [
    ["get", "", "y", { batch }],
    ["end", "p", "r", { params: { p: "${get.errors[0].message} of ${get.y[0]}" } }],
  ];
  const part = workflowOf(own(nodes), { outputs: { r: {} } });
  const get = ({ id, item }) => (item === 2 ? fail() : { outputs: { y: id } });
  const callbacks = { get, end: ({ inputs }) => ({ outputs: { r: inputs.p } }) };
  const { ok, flow, diagnostics } = compileFlow(mergeWorkflows({ a: part, b: part }).workflow, {});
  assert.ok(ok, JSON.stringify(diagnostics));
  const { outputs } = await flow.run({ nodes: callbacks });
  assert.deepEqual(outputs, { a_r: "boom of a_get", b_r: "boom of b_get" });
});

const CHILD = [["x", "i", "o", { type: "x" }]];

for (const [name, more, result] of [
  ["a retry", { retry: { max_attempts: 3 } }, { o: 3 }],
  ["a failed item", { batch: { items: [1, 2], on_error: "continue" } }, { o: [null, null] }],
]) {
  test(`the errors of a workflow in a node are dropped after ${name}`, async () => {
    const child = flowOf(CHILD, { inputs: { i: {} }, outputs: { o: {} } });
    const flow = flowOf([["sub", "", "o", { type: "sub", ...more }]], { outputs: { o: {} } });
    let calls = 0;
    const x = () => {
      calls += 1;
      return calls < 3 ? fail() : { outputs: { o: calls } };
    };
    const { status, outputs, diagnostics } = await flow.run({ nodes: { sub: subflow(child), x } });
    assert.deepEqual([status, outputs], ["completed", result]);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === "error"),
      [],
    );
    const [{ code, message }] = diagnostics.filter(({ code }) => code === "FLOW035");
    assert.equal(
      `${code} ${message}`,
      "FLOW035 `sub`: the input `i` has no value, and `x` reads it",
    );
  });
}

test("a warning about the trace of a workflow in a node names that node", async () => {
  const child = (more) => flowOf([["x", "", "o", { type: "x", ...more }]], { outputs: { o: {} } });
  const flow = flowOf([["sub", "", "o", { type: "sub" }]], { outputs: { o: {} } });
  const failed = await flow.run({ nodes: { sub: subflow(child()), x: fail } });
  const x = () => ({ outputs: { o: 1 } });
  const nodes = { sub: subflow(child({ params: { p: 1 } })), x };
  const { diagnostics } = await flow.run({ nodes, resume: copy(failed.trace) });
  const [{ message }] = diagnostics;
  assert.equal(message, "the trace of `sub` belongs to another workflow");
});

test("a response that is not JSON is reported without an empty pointer", async () => {
  const flow = flowOf([["a", "", "x"]]);
  const { diagnostics } = await flow.run({ nodes: { work: () => suspend(1n) } });
  assert.equal(diagnostics[0].message, "`a` failed: JSON has no value for the bigint `1`");
});

test("a returned failure without an error edge fails the run", async () => {
  const more = { actions: ["default", "error"] };
  const flow = flowOf(
    own([
      ["a", "", "x", more],
      ["b", "", "y"],
    ]),
    { edges: ["a b"] },
  );
  const a = () => ({ outputs: { x: 1 }, action: "error", error: "no" });
  const { diagnostics } = await flow.run({ nodes: { a, b: fail } });
  const [{ code, message, help }] = diagnostics;
  assert.deepEqual([code, message], ["FLOW040", "`a` failed: no"]);
  assert.match(help, /add an edge from `a` with the action `error`$/);
});

test("a reference to a failure that a node does not have names the remedy", () => {
  const helps = (more, p) =>
    compileFlow(
      workflowOf(
        own([
          ["a", "", "x", more],
          ["b", "p", "y", { params: { p } }],
        ]),
      ),
      {},
    )
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ help }) => help);
  const edge = "add an edge from `a` with the action `error`";
  assert.deepEqual(helps({}, "${a.error.message}"), [edge]);
  const remedy = 'add `"on_error": "continue"` to the batch';
  assert.deepEqual(helps({ batch: { items: [1] } }, "${a.errors}"), [remedy]);
});
