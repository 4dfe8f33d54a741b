// Runs that resume an interrupted run: finished steps are not repeated.

import assert from "node:assert/strict";
import test from "node:test";
import { init } from "byname";
import { after, answerOf, codesOf, flowOf, never } from "../flow/make.mjs";

await init();

const LINE = [
  ["a", "", "x"],
  ["b", "x", "y"],
  ["c", "x y", "z"],
];
const OUTPUTS = { a: ["x"], b: ["y"], c: ["z"] };

/** Calls each node of LINE, and records its inputs. */
function recordingNodes(fail = () => undefined) {
  const calls = [];
  const work = async (call) => {
    calls.push([call.id, call.inputs]);
    await fail(call);
    return answerOf(call.id, ...OUTPUTS[call.id]);
  };
  return { calls, nodes: { work } };
}

const copy = (trace) => JSON.parse(JSON.stringify(trace));

const failing = {
  "a failure": {
    fail: ({ id }) => {
      if (id === "b") throw new Error("broken");
    },
    status: "failed",
  },
  "a timeout": { fail: ({ id }) => (id === "b" ? never() : undefined), status: "failed" },
  "an abort": { fail: ({ id }) => (id === "b" ? never() : undefined), status: "cancelled" },
};

for (const [name, { fail, status }] of Object.entries(failing)) {
  test(`repeats no finished step after ${name}`, async () => {
    const nodes = structuredClone(LINE);
    if (name === "a timeout") nodes[1].push({ timeout_ms: 20 });
    const flow = flowOf(nodes, { outputs: { z: {} } });
    const first = recordingNodes(fail);
    const stop = new AbortController();
    if (name === "an abort") setTimeout(() => stop.abort(), 20);
    const interrupted = await flow.run({ nodes: first.nodes, signal: stop.signal });
    assert.equal(interrupted.status, status);
    const second = recordingNodes();
    const events = [];
    const onEvent = ({ kind, node }) => events.push(`${kind} ${node}`);
    const complete = await flow.run({
      nodes: second.nodes,
      resume: copy(interrupted.trace),
      onEvent,
    });
    assert.deepEqual([complete.status, complete.outputs], ["completed", { z: "c z" }]);
    assert.deepEqual(second.calls, [
      ["b", { x: "a x" }],
      ["c", { x: "a x", y: "b y" }],
    ]);
    assert.deepEqual(events, ["started b", "finished b", "started c", "finished c"]);
    // The trace of the second run contains both runs.
    assert.deepEqual(
      complete.trace.steps.map(({ node, status }) => `${node} ${status}`),
      ["a finished", "b finished", "c finished"],
    );
    const third = recordingNodes();
    const again = await flow.run({ nodes: third.nodes, resume: copy(complete.trace) });
    assert.deepEqual([again.outputs, third.calls], [{ z: "c z" }, []]);
  });
}

test("a trace resumes at every step, with one call at a time and with eight", async () => {
  const nodes = [
    ["s", "", "n"],
    ["a", "n", "x"],
    ["b", "n", "y"],
    ["j", "x y", "n", { params: { seen: "$x $y" } }],
    ["e", "n x", "z"],
  ];
  const edges = ["s a", "s b", "a j", "b j", "j s again", "j e"];
  const flow = flowOf(nodes, { edges, outputs: { z: {}, n: {} } });
  const keys = { s: ["n"], a: ["x"], b: ["y"], j: ["n"], e: ["z"] };
  const answer = (id, pass) => ({
    outputs: Object.fromEntries(keys[id].map((key) => [key, `${id}${pass}`])),
    ...(id === "j" && pass < 3 ? { action: "again" } : {}),
  });
  const runFrom = async (resume, most, concurrency) => {
    const calls = [];
    const passes = {};
    for (const { node, status } of resume?.steps ?? []) {
      if (status === "finished") passes[node] = (passes[node] ?? 0) + 1;
    }
    const work = async ({ id, inputs, params }) => {
      passes[id] = (passes[id] ?? 0) + 1;
      const pass = passes[id];
      if (calls.length >= most) throw new Error("power cut");
      calls.push(`${id}${pass} ${JSON.stringify([inputs, params])}`);
      await after(0);
      return answer(id, pass);
    };
    const result = await flow.run({ nodes: { work }, resume, concurrency, graceMs: 1000 });
    return { calls, result };
  };
  const complete = await runFrom(undefined, Infinity, 1);
  assert.equal(complete.calls.length, 13);
  for (const concurrency of [1, 8]) {
    for (let most = 0; most < 13; most += 1) {
      const cut = await runFrom(undefined, most, concurrency);
      assert.equal(cut.result.status, "failed");
      const rest = await runFrom(copy(cut.result.trace), Infinity, concurrency);
      assert.deepEqual(rest.result.outputs, complete.result.outputs);
      const both = [...cut.calls, ...rest.calls];
      assert.deepEqual(both.sort(), [...complete.calls].sort(), `${most}, ${concurrency}`);
    }
  }
});

test("does not repeat finished items of a batch", async () => {
  const batch = { items: "$list" };
  const flow = flowOf(
    [
      ["l", "", "list"],
      ["b", "", "x o?", { batch }],
    ],
    { outputs: { x: {}, o: {} } },
  );
  const run = async (bad, resume) => {
    const calls = [];
    const work = async ({ id, inputs: { item } }) => {
      if (id === "l") return { outputs: { list: [1, 2, 3, 4, 5] } };
      calls.push(item);
      await after(1);
      if (item === bad) throw new Error("broken");
      return { outputs: { x: item * 10, ...(item === 2 ? { o: "two" } : {}) } };
    };
    const options = { resume, concurrency: 2, graceMs: 1000 };
    return { calls, result: await flow.run({ nodes: { work }, ...options }) };
  };
  const interrupted = await run(4);
  assert.equal(interrupted.result.status, "failed");
  const rest = await run(undefined, copy(interrupted.result.trace));
  const { outputs } = rest.result;
  assert.deepEqual(outputs, { x: [10, 20, 30, 40, 50], o: [null, "two", null, null, null] });
  const finished = interrupted.calls.filter((item) => item !== 4);
  assert.deepEqual(
    rest.calls,
    [1, 2, 3, 4, 5].filter((item) => !finished.includes(item)),
  );
  assert.ok(finished.length >= 3);
});

test("a run that fails again resumes from its last step", async () => {
  const flow = flowOf(LINE, { outputs: { z: {} } });
  const failAt = (bad) =>
    recordingNodes(({ id }) => {
      if (id === bad) throw new Error("broken");
    });
  const one = await flow.run({ nodes: failAt("b").nodes });
  const second = failAt("c");
  const two = await flow.run({ nodes: second.nodes, resume: copy(one.trace) });
  assert.deepEqual(
    second.calls.map(([id]) => id),
    ["b", "c"],
  );
  const third = recordingNodes();
  const three = await flow.run({ nodes: third.nodes, resume: copy(two.trace) });
  assert.deepEqual([three.status, third.calls.map(([id]) => id)], ["completed", ["c"]]);
});

test("reuses the inputs of the first run, unless the second passes others", async () => {
  const more = { inputs: { who: { required: true } }, outputs: { x: {} } };
  const flow = flowOf([["a", "who", "x"]], more);
  const invalid = await flow.run({
    nodes: { work: () => Promise.reject(new Error("broken")) },
    inputs: { who: "Ada" },
  });
  const work = ({ inputs }) => ({ outputs: { x: `hello ${inputs.who}` } });
  const { outputs } = await flow.run({ nodes: { work }, resume: copy(invalid.trace) });
  assert.deepEqual(outputs, { x: "hello Ada" });
});

test("a run that a limit of steps stopped resumes with another limit", async () => {
  const flow = flowOf(LINE, { outputs: { z: {} } });
  const first = recordingNodes();
  const cut = await flow.run({ nodes: first.nodes, maxSteps: 2 });
  const second = recordingNodes();
  const complete = await flow.run({ nodes: second.nodes, resume: cut.trace });
  assert.deepEqual([complete.status, second.calls.length], ["completed", 1]);
});

test("rejects an invalid trace, and calls no node", async () => {
  const flow = flowOf(LINE);
  const none = [
    {},
    [],
    "trace",
    5,
    { version: 2, steps: [] },
    { version: 1, steps: 5, inputs: {} },
  ];
  for (const resume of none) {
    const { calls, nodes } = recordingNodes();
    const result = await flow.run({ nodes, resume });
    assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW052"]]);
    assert.deepEqual(calls, []);
  }
});

test("a damaged trace causes a repetition, never a wrong value", async () => {
  const flow = flowOf(LINE, { outputs: { z: {} } });
  const complete = await flow.run({ nodes: recordingNodes().nodes });
  const damages = [
    (steps) => steps.splice(0, 1),
    (steps) => delete steps[0].outputs,
    (steps) => (steps[0].outputs = 5),
    (steps) => (steps[0].outputs = {}),
    (steps) => (steps[0].status = "odd"),
    (steps) => delete steps[0].action,
    (steps) => (steps[0].node = "zzz"),
    (steps) => (steps[0].pass = -1),
    (steps) => (steps[0].pass = 1e99),
    (steps) => (steps[0] = null),
    (steps) => (steps[0] = "a"),
    (steps) => (steps[0].type = "other"),
    (steps) => steps.reverse(),
  ];
  for (const damage of damages) {
    const trace = copy(complete.trace);
    damage(trace.steps);
    const { calls, nodes } = recordingNodes();
    const { status, outputs, diagnostics } = await flow.run({ nodes, resume: trace });
    const what = `${damage} ${JSON.stringify(diagnostics)}`;
    assert.deepEqual([status, outputs], ["completed", { z: "c z" }], what);
    for (const [id, inputs] of calls) {
      const expected = { a: {}, b: { x: "a x" }, c: { x: "a x", y: "b y" } };
      assert.deepEqual(inputs, expected[id], what);
    }
    assert.ok(calls.length <= 1, `${what}: ${JSON.stringify(calls)}`);
  }
});

test("reports the trace of another workflow, and reuses the equal steps", async () => {
  const one = flowOf(LINE, { outputs: { z: {} } });
  const interrupted = await one.run({ nodes: recordingNodes().nodes, maxSteps: 2 });
  const other = flowOf([LINE[0], ["b", "x", "y", { type: "other" }], LINE[2]], {
    outputs: { z: {} },
  });
  const { calls, nodes } = recordingNodes();
  const result = await other.run({
    nodes: { ...nodes, other: nodes.work },
    resume: interrupted.trace,
  });
  assert.deepEqual([result.status, codesOf(result)], ["completed", ["FLOW053", "FLOW054"]]);
  assert.deepEqual(
    calls.map(([id]) => id),
    ["b", "c"],
  );
});

const FORK = [["s"], ["a", "", "x"], ["b", "", "y"], ["j", "x y", "z"]];
const FORKED = { edges: ["s a", "s b", "a j", "b j"] };

/** Calls each node of FORK; `a` fails after the others have finished. */
function forkRecorder(fails = true) {
  const calls = [];
  const outputs = { s: [], a: ["x"], b: ["y"], j: ["z"] };
  const work = async ({ id }) => {
    calls.push(id);
    if (id === "a" && fails) {
      await after(20);
      throw new Error("broken");
    }
    return answerOf(id, ...outputs[id]);
  };
  return { calls, nodes: { work } };
}

const ended = ({ trace }) => trace.steps.map(({ node, status }) => `${node} ${status}`).sort();

test("keeps the steps of an earlier run, though a later one stops before them", async () => {
  const flow = flowOf(FORK, FORKED);
  const first = await flow.run({ nodes: forkRecorder().nodes, concurrency: 4 });
  assert.deepEqual(ended(first), ["a failed", "b finished", "s finished"]);
  const stops = {
    "another failure": { nodes: forkRecorder().nodes, concurrency: 1 },
    "a signal": { nodes: forkRecorder(false).nodes, signal: AbortSignal.abort() },
    "a limit of steps": { nodes: forkRecorder(false).nodes, maxSteps: 1 },
  };
  for (const [name, options] of Object.entries(stops)) {
    const second = await flow.run({ ...options, resume: copy(first.trace) });
    assert.notEqual(second.status, "completed", name);
    assert.ok(ended(second).includes("b finished"), `${name}: ${ended(second)}`);
    assert.ok(ended(second).includes("s finished"), `${name}: ${ended(second)}`);
    const last = forkRecorder(false);
    const third = await flow.run({ nodes: last.nodes, resume: copy(second.trace) });
    assert.equal(third.status, "completed", name);
    assert.deepEqual(last.calls, ["a", "j"], name);
    assert.deepEqual(ended(third), ["a finished", "b finished", "j finished", "s finished"]);
  }
});

test("a run without its secret loses no part of the trace", async () => {
  const nodes = [
    ["a", "key", "x"],
    ["b", "x", "y"],
  ];
  const inputs = { key: { secret: true } };
  const flow = flowOf(nodes, { inputs });
  const failing = ({ id, inputs: { key } }) => {
    if (id === "b") throw new Error("broken");
    return { outputs: { x: `with ${key}` } };
  };
  const first = await flow.run({ nodes: { work: failing }, inputs: { key: "s3cret" } });
  const second = await flow.run({ nodes: { work: failing }, resume: copy(first.trace) });
  assert.deepEqual(codesOf(second), ["FLOW049"]);
  assert.deepEqual(second.trace.inputs, first.trace.inputs);
  assert.deepEqual(second.trace.steps, first.trace.steps);
  const calls = [];
  const work = ({ id, inputs: { x } }) => {
    calls.push([id, x]);
    return { outputs: { y: 1 } };
  };
  const resume = copy(second.trace);
  const third = await flow.run({ nodes: { work }, inputs: { key: "s3cret" }, resume });
  assert.equal(third.status, "completed");
  assert.deepEqual(calls, [["b", "with s3cret"]]);
});

test("does not repeat items of a batch that failed before it was scheduled", async () => {
  const flow = flowOf([
    ["a", "", ""],
    ["b", "", "y", { batch: { items: [1, 2, 3] }, actions: ["default"] }],
  ]);
  const stop = new AbortController();
  const calls = [];
  const work = async ({ id, index }) => {
    if (id === "a") {
      await after(20);
      stop.abort();
      return never();
    }
    calls.push(index);
    if (index === 1) throw new Error("no");
    return { outputs: { y: index } };
  };
  const interrupted = await flow.run({ concurrency: 2, signal: stop.signal, nodes: { work } });
  assert.deepEqual([interrupted.status, calls], ["cancelled", [0, 1]]);
  calls.length = 0;
  const again = ({ id, index }) => {
    if (id === "b") calls.push(index);
    return { outputs: id === "b" ? { y: index } : {} };
  };
  const result = await flow.run({ nodes: { work: again }, resume: copy(interrupted.trace) });
  assert.deepEqual([result.status, calls], ["completed", [1, 2]]);
  assert.deepEqual(result.store, { y: [0, 1, 2] });
});
