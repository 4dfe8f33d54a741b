// Workflows inside of nodes: nested traces, events, secrets, signals and suspended nodes.

import assert from "node:assert/strict";
import test from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { init } from "byname";
import { subflow, suspend, traceSchema } from "byname/flow";
import { after, codesOf, flowOf, never } from "../flow/make.mjs";

await init();

const copy = (value) => JSON.parse(JSON.stringify(value));
const isValid = new Ajv2020({ strict: false }).compile(traceSchema());

/** A workflow that pays and then asks, with its own types. */
function childFlow(more = {}) {
  return flowOf(
    [
      ["pay", "who", "receipt", { type: "pay" }],
      ["ask", "receipt answer", "done", { type: "ask" }],
    ],
    { inputs: { answer: { default: null }, who: {} }, outputs: { done: {} }, ...more },
  );
}

const parentFlow = (more = {}) =>
  flowOf(
    [
      ["sub", "answer who", "done", { type: "sub", ...more }],
      ["end", "done", "z", { type: "end" }],
    ],
    {
      inputs: { answer: { default: null }, who: { secret: true } },
      outputs: { z: {} },
    },
  );

/** Returns the nodes of both, with the calls that they got. */
function recorder({ ask, child = childFlow() } = {}) {
  const calls = [];
  const inner = {
    pay: ({ id, inputs }) => {
      calls.push(id);
      return { outputs: { receipt: `for ${inputs.who}` } };
    },
    ask:
      ask ??
      (({ id, inputs }) => {
        calls.push(id);
        if (!inputs.answer) throw new Error(`needs an answer for ${inputs.receipt}`);
        return { outputs: { done: inputs.answer } };
      }),
  };
  const end = ({ inputs }) => ({ outputs: { z: `${inputs.done}!` } });
  return { calls, nodes: { sub: subflow(child, { nodes: inner }), end } };
}

test("a resumed parent continues inside of the child", async () => {
  const first = recorder();
  const events = [];
  const onEvent = (event) => events.push(event);
  const failed = await parentFlow().run({ nodes: first.nodes, inputs: { who: "s3cret" }, onEvent });
  assert.deepEqual([failed.status, first.calls], ["failed", ["pay", "ask"]]);
  assert.deepEqual(
    failed.diagnostics.map(({ code, message }) => `${code} ${message}`),
    [
      "FLOW040 `sub` failed: `sub/ask` failed: needs an answer for for «secret:who»",
      "FLOW040 `sub/ask` failed: needs an answer for for «secret:who»",
    ],
  );
  assert.equal(failed.diagnostics[1].location.pointer, "/nodes/0");
  assert.deepEqual(
    events.map(({ kind, node }) => `${kind} ${node}`),
    [
      "started sub",
      "started sub/pay",
      "finished sub/pay",
      "started sub/ask",
      "failed sub/ask",
      "failed sub",
    ],
  );
  const shown = JSON.stringify([events, failed.trace, failed.diagnostics]);
  assert.ok(!shown.includes("s3cret"), shown);
  assert.ok(isValid(failed.trace), JSON.stringify(isValid.errors));
  assert.equal(failed.trace.steps[0].child.steps.length, 2);
  const second = recorder();
  const inputs = { answer: "yes", who: "s3cret" };
  const resumed = await parentFlow().run({
    nodes: second.nodes,
    inputs,
    resume: copy(failed.trace),
  });
  assert.deepEqual([resumed.status, resumed.outputs], ["completed", { z: "yes!" }]);
  assert.deepEqual(second.calls, ["ask"]);
  const third = recorder();
  const again = await parentFlow().run({ nodes: third.nodes, inputs, resume: copy(resumed.trace) });
  assert.deepEqual([again.outputs, third.calls], [{ z: "yes!" }, []]);
});

test("a retry of the node continues inside of the child", async () => {
  let attempts = 0;
  const calls = [];
  const ask = () => {
    attempts += 1;
    if (attempts < 3) throw new Error("busy");
    return { outputs: { done: "ok" } };
  };
  const { nodes } = recorder({ ask });
  const retry = { max_attempts: 3, backoff_ms: 0 };
  const onEvent = ({ kind, node }) => kind === "started" && calls.push(node);
  const { outputs } = await parentFlow({ retry }).run({ nodes, onEvent, inputs: { who: "x9x" } });
  assert.deepEqual(outputs, { z: "ok!" });
  const expected = ["sub", "sub/pay", "sub/ask", "sub", "sub/ask", "sub", "sub/ask", "end"];
  assert.deepEqual(calls, expected);
});

test("a changed child runs again, but keeps the nodes whose calls are the same", async () => {
  const first = recorder();
  const inputs = { answer: "yes", who: "s3cret" };
  const complete = await parentFlow().run({ nodes: first.nodes, inputs });
  const child = flowOf(
    [
      ["pay", "who", "receipt", { type: "pay" }],
      ["ask", "receipt answer", "done", { type: "ask", params: { polite: true } }],
    ],
    { inputs: { answer: { default: null }, who: {} }, outputs: { done: {} } },
  );
  const second = recorder({ child });
  const result = await parentFlow().run({
    nodes: second.nodes,
    inputs,
    resume: copy(complete.trace),
  });
  assert.deepEqual([result.status, second.calls], ["completed", ["ask"]]);
  const messages = result.diagnostics.map(({ message }) => message).join("\n");
  assert.match(messages, /`sub` runs again, because its workflow changed since the trace/);
  assert.match(messages, /`sub\/ask` runs again, because its param `polite` changed/);
});

test("a suspended node of a child pauses the parent", async () => {
  const calls = [];
  const ask = ({ inputs, resumed }) => {
    calls.push(resumed);
    return resumed === undefined
      ? suspend({ for: inputs.receipt })
      : { outputs: { done: resumed } };
  };
  const { nodes } = recorder({ ask });
  const grand = flowOf([["deep", "answer who", "done", { type: "deep" }]], {
    inputs: { answer: { default: null }, who: {} },
    outputs: { done: {} },
  });
  const nested = { ...nodes, deep: nodes.sub, sub: subflow(grand) };
  for (const [all, path] of [
    [nodes, "sub/ask"],
    [nested, "sub/deep/ask"],
  ]) {
    const inputs = { who: "ann" };
    const paused = await parentFlow().run({ nodes: all, inputs });
    assert.deepEqual(paused.waiting, [{ node: path, payload: { for: "for ann" } }]);
    assert.equal(paused.status, "paused");
    assert.ok(isValid(paused.trace), JSON.stringify(isValid.errors));
    const resume = copy(paused.trace);
    const still = await parentFlow().run({ nodes: all, inputs, resume });
    assert.deepEqual([still.status, still.waiting], ["paused", paused.waiting]);
    calls.length = 0;
    const options = { inputs, resume: copy(still.trace), answers: { [path]: "fine" } };
    const done = await parentFlow().run({ nodes: all, ...options });
    assert.deepEqual([done.status, done.outputs, codesOf(done)], ["completed", { z: "fine!" }, []]);
    assert.deepEqual(calls, ["fine"]);
    const wrong = await parentFlow().run({ nodes: all, ...options, answers: { sub: 1 } });
    assert.deepEqual([wrong.status, codesOf(wrong)], ["paused", ["FLOW057"]]);
  }
});

test("an abort, a timeout and a failure elsewhere stop the child and keep its steps", async () => {
  const ends = {
    abort: { status: "cancelled" },
    timeout: { status: "failed", more: { timeout_ms: 30 } },
  };
  for (const [name, { status, more }] of Object.entries(ends)) {
    let signal;
    const stop = new AbortController();
    const ask = (call) => {
      signal = call.signal;
      if (name === "abort") setTimeout(() => stop.abort(), 5);
      return never();
    };
    const { nodes, calls } = recorder({ ask });
    const inputs = { who: "ann" };
    const result = await parentFlow(more).run({ nodes, inputs, signal: stop.signal });
    assert.deepEqual([result.status, signal.aborted, calls], [status, true, ["pay"]], name);
    assert.equal(result.trace.steps[0].child.steps[0].status, "finished", name);
    const rest = recorder();
    const options = { inputs: { ...inputs, answer: "yes" }, resume: copy(result.trace) };
    const done = await parentFlow(more).run({ nodes: rest.nodes, ...options });
    assert.deepEqual([done.status, rest.calls], ["completed", ["ask"]], name);
  }
});

test("checkpoints contain the steps of a running child, and are stored in order", async () => {
  const { nodes } = recorder();
  const sizes = [];
  let isStoring = false;
  const onCheckpoint = async (trace) => {
    assert.ok(!isStoring);
    isStoring = true;
    await after(1);
    isStoring = false;
    assert.ok(isValid(trace), JSON.stringify(isValid.errors));
    sizes.push(
      (trace.steps[0]?.child?.steps ?? []).filter((step) => step.status === "finished").length,
    );
  };
  const inputs = { who: "ann", answer: "yes" };
  const { status } = await parentFlow().run({ nodes, inputs, onCheckpoint });
  assert.equal(status, "completed");
  assert.deepEqual(sizes, [1, 2, 2, 2]);
});

test("a child runs for each item of a batch, and unfinished ones continue", async () => {
  const child = flowOf(
    [
      ["one", "item", "x", { type: "one" }],
      ["two", "x", "y", { type: "two" }],
    ],
    {
      inputs: { item: {} },
      outputs: { y: {} },
    },
  );
  const flow = flowOf([["each", "", "y", { type: "each", batch: { items: [1, 2, 3] } }]], {
    outputs: { y: {} },
  });
  const run = async (bad, resume) => {
    const calls = [];
    const nodes = {
      each: subflow(child),
      one: ({ inputs }) => {
        calls.push(`one ${inputs.item}`);
        return { outputs: { x: inputs.item * 10 } };
      },
      two: ({ inputs }) => {
        if (inputs.x === bad) throw new Error("no");
        calls.push(`two ${inputs.x}`);
        return { outputs: { y: inputs.x + 1 } };
      },
    };
    return { calls, result: await flow.run({ nodes, ...(resume && { resume }) }) };
  };
  const { result } = await run(20);
  assert.match(result.diagnostics[0].message, /^`each` \(item 1: `2`\) failed: `each\/two` failed/);
  const again = await run(undefined, copy(result.trace));
  assert.deepEqual(again.result.outputs, { y: [11, 21, 31] });
  assert.deepEqual(again.calls, ["two 20", "one 3", "two 30"]);
});

test("a wrapped callback of a child keeps its context", async () => {
  const { nodes, calls } = recorder();
  const wrapped = { ...nodes, sub: async (call) => nodes.sub({ ...call, attempt: 1 }) };
  const inputs = { who: "ann", answer: "yes" };
  const result = await parentFlow().run({ nodes: wrapped, inputs });
  assert.deepEqual([result.outputs, calls], [{ z: "yes!" }, ["pay", "ask"]]);
  assert.equal(result.trace.steps[0].child.steps.length, 2);
});

test("a child that fails follows the error edge of its node", async () => {
  const flow = flowOf(
    [
      ["sub", "answer who", "done", { type: "sub", actions: ["default", "error"] }],
      ["why", "", "z", { type: "why", params: { text: "${sub.error.message}" } }],
    ],
    {
      edges: ["sub why error"],
      inputs: { answer: { default: null }, who: {} },
      outputs: { z: {} },
    },
  );
  const { nodes } = recorder();
  const why = ({ params }) => ({ outputs: { z: params.text } });
  const { status, outputs } = await flow.run({ nodes: { ...nodes, why }, inputs: { who: "ann" } });
  const expected = "`sub/ask` failed: needs an answer for for ann";
  assert.deepEqual([status, outputs], ["completed", { z: expected }]);
});

test("rejects other arguments", async () => {
  assert.throws(() => subflow({}), { name: "BynameError" });
  assert.throws(() => subflow(childFlow(), { node: {} }), { name: "BynameError" });
  assert.throws(() => subflow(childFlow(), { nodes: { pay: 5 } }), { name: "BynameError" });
  await assert.rejects(async () => subflow(childFlow())({ inputs: {} }), { name: "BynameError" });
});
