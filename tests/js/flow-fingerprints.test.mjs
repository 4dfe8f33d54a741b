// Traces: a finished call is reused only if it is the same, and a trace that is not intact is reported.

import assert from "node:assert/strict";
import test from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { init } from "byname";
import { traceSchema } from "byname/flow";
import { codesOf, flowOf } from "../flow/make.mjs";

await init();

const copy = (value) => JSON.parse(JSON.stringify(value));
const isValid = new Ajv2020({ strict: false }).compile(traceSchema());

const LINE = [
  ["a", "topic", "x"],
  ["b", "x tone", "y", { params: { hint: "${tone}!" } }],
  ["c", "other", "z"],
];
const INPUTS = { inputs: { topic: {}, tone: {}, other: {} }, outputs: { y: {}, z: {} } };

/** Calls the nodes of LINE; `fails` names the one that throws. */
function recorder(fails) {
  const calls = [];
  const work = ({ id, inputs }) => {
    calls.push(id);
    if (id === fails) throw new Error("broken");
    const key = { a: "x", b: "y", c: "z" }[id];
    return { outputs: { [key]: `${id}(${Object.values(inputs).join()})` } };
  };
  return { calls, nodes: { work } };
}

test("a changed input runs its readers again, and names what changed", async () => {
  const flow = flowOf(LINE, INPUTS);
  const inputs = { topic: "cats", tone: "dry", other: 1 };
  const first = await flow.run({ nodes: recorder("c").nodes, inputs });
  const cases = [
    [{}, ["c"], []],
    [{ topic: "dogs" }, ["a", "b", "c"], ["`a` runs again, because its input `topic` changed"]],
    [
      { tone: "warm" },
      ["b", "c"],
      ["`b` runs again, because its param `hint`, input `tone` changed"],
    ],
  ];
  for (const [changed, expected, messages] of cases) {
    const { calls, nodes } = recorder();
    const all = { ...inputs, ...changed };
    const resumed = await flow.run({ nodes, inputs: all, resume: copy(first.trace) });
    assert.deepEqual(calls, expected);
    const fresh = await flow.run({ nodes: recorder().nodes, inputs: all });
    assert.deepEqual(resumed.outputs, fresh.outputs);
    const warnings = resumed.diagnostics.filter(({ code }) => code === "FLOW054");
    assert.equal(warnings.length, messages.length);
    for (const [at, message] of messages.entries()) {
      assert.ok(warnings[at].message.startsWith(message), warnings[at].message);
    }
  }
});

test("nodes after a changed one run again, even with the same inputs", async () => {
  const nodes = [
    ["a", "topic", "x"],
    ["b", "x", "y"],
    ["c", "", "z"],
  ];
  const flow = flowOf(nodes, { ...INPUTS, edges: ["a b", "b c"] });
  const run = async (topic, resume) => {
    const calls = [];
    const work = ({ id }) => {
      calls.push(id);
      return { outputs: { [{ a: "x", b: "y", c: "z" }[id]]: "always the same" } };
    };
    const result = await flow.run({
      nodes: { work },
      inputs: { topic },
      ...(resume && { resume }),
    });
    return { calls, result };
  };
  const { result } = await run("one");
  assert.deepEqual((await run("one", copy(result.trace))).calls, []);
  assert.deepEqual((await run("two", copy(result.trace))).calls, ["a", "b", "c"]);
});

test("matches finished items of a batch by their value", async () => {
  const flow = flowOf([["b", "", "y", { batch: { items: "$list", as: "each" } }]], {
    inputs: { list: {} },
    outputs: { y: {} },
  });
  const run = async (list, bad, resume) => {
    const calls = [];
    const work = ({ inputs: { each }, index }) => {
      calls.push(each);
      if (each === bad) throw new Error("broken");
      return { outputs: { y: `${each}@${resume ? "new" : index}` } };
    };
    const result = await flow.run({ nodes: { work }, inputs: { list }, ...(resume && { resume }) });
    return { calls, result };
  };
  const failed = await run(["a", "b", "a", "bad"], "bad");
  const finished = await run(["a", "b", "a"]);
  for (const [name, { result }] of Object.entries({ failed, finished })) {
    const again = await run(["b", "z", "a", "a", "a"], undefined, copy(result.trace));
    assert.deepEqual(again.calls, ["z", "a"], name);
    assert.deepEqual(again.result.outputs, { y: ["b@1", "z@new", "a@0", "a@2", "a@new"] }, name);
  }
});

test("an index of the batch belongs to the call of its item", async () => {
  const batch = { items: "$list", index: "at" };
  const flow = flowOf([["b", "", "y", { batch, params: { file: "f${at}" } }]], {
    inputs: { list: {} },
    outputs: { y: {} },
  });
  const work = ({ inputs, params }) => ({
    outputs: { y: `${inputs.item}${inputs.at}${params.file}` },
  });
  const first = await flow.run({ nodes: { work }, inputs: { list: ["a", "b"] } });
  assert.deepEqual(first.outputs, { y: ["a0f0", "b1f1"] });
  const resume = copy(first.trace);
  const second = await flow.run({ nodes: { work }, inputs: { list: ["b"] }, resume });
  assert.deepEqual(second.outputs, { y: ["b0f0"] });
});

test("fingerprints do not depend on the value of a secret, and do not contain it", async () => {
  const flow = flowOf(
    [
      ["a", "key", "x"],
      ["b", "x", "y"],
    ],
    { inputs: { key: { secret: true } } },
  );
  let isBroken = true;
  const calls = [];
  const work = ({ id, inputs }) => {
    calls.push(id);
    if (id === "b" && isBroken) throw new Error("broken");
    return { outputs: id === "a" ? { x: `with ${inputs.key}` } : { y: inputs.x } };
  };
  const first = await flow.run({ nodes: { work }, inputs: { key: "s3cret-1" } });
  assert.ok(!JSON.stringify(first.trace).includes("s3cret-1"));
  isBroken = false;
  const resume = copy(first.trace);
  const second = await flow.run({ nodes: { work }, inputs: { key: "s3cret-2" }, resume });
  assert.deepEqual([second.status, calls], ["completed", ["a", "b", "b"]]);
  assert.equal(second.store.y, "with s3cret-2");
  assert.deepEqual(codesOf(second), []);
});

test("reports traces that were edited or cut, and runs these steps again", async () => {
  const flow = flowOf(LINE, INPUTS);
  const inputs = { topic: "cats", tone: "dry", other: 1 };
  const complete = await flow.run({ nodes: recorder().nodes, inputs });
  const changes = {
    "an output": [({ steps }) => (steps[0].outputs.x = "forged"), ["a"], /edited at `?a/],
    "a status": [({ steps }) => (steps[1].status = "failed"), ["b"], /edited at `?b/],
    "a missing step": [({ steps }) => steps.splice(1, 1), ["b"], /removed, added or moved/],
    "an input": [(trace) => (trace.inputs.topic = "dogs"), ["a", "b"], /inputs of the trace/],
    "a checksum": [(trace) => (trace.checksum = "0"), [], /removed, added or moved/],
  };
  for (const [name, [change, expected, message]] of Object.entries(changes)) {
    const resume = copy(complete.trace);
    change(resume);
    const { calls, nodes } = recorder();
    const result = await flow.run({ nodes, resume });
    assert.deepEqual([result.status, calls], ["completed", expected], name);
    const warning = result.diagnostics.find(({ code }) => code === "FLOW056");
    assert.match(warning?.message ?? "", message, name);
  }
});

test("rejects a newer trace, and says so", async () => {
  const flow = flowOf(LINE, INPUTS);
  const { trace } = await flow.run({ nodes: recorder().nodes });
  const { calls, nodes } = recorder();
  const result = await flow.run({ nodes, resume: { ...copy(trace), version: 3 } });
  assert.deepEqual([result.status, calls, codesOf(result)], ["failed", [], ["FLOW052"]]);
  assert.match(result.diagnostics[0].message, /version 2 or earlier, found version 3/);
});

/** Returns a trace as version 1 had it. */
function legacy({ flow, inputs, steps }) {
  const kept = ["node", "type", "pass", "status", "attempts", "started_at", "action", "outputs"];
  const old = steps.map((step) => Object.fromEntries(kept.map((key) => [key, step[key]])));
  return copy({ version: 1, flow, inputs, steps: old });
}

test("continues a trace of version 1 only with the same workflow and inputs", async () => {
  const flow = flowOf(LINE, INPUTS);
  const inputs = { topic: "cats", tone: "dry", other: 1 };
  const { trace } = await flow.run({ nodes: recorder("c").nodes, inputs });
  const same = recorder();
  const result = await flow.run({ nodes: same.nodes, inputs, resume: legacy(trace) });
  assert.deepEqual([result.status, same.calls], ["completed", ["c"]]);
  assert.deepEqual(codesOf(result), ["FLOW060"]);
  assert.ok(isValid(result.trace), JSON.stringify(isValid.errors));
  const again = recorder();
  await flow.run({ nodes: again.nodes, inputs, resume: copy(result.trace) });
  assert.deepEqual(again.calls, []);
  const other = recorder();
  const changed = { ...inputs, topic: "dogs" };
  const rejected = await flow.run({ nodes: other.nodes, inputs: changed, resume: legacy(trace) });
  assert.deepEqual([rejected.status, other.calls], ["failed", []]);
  assert.match(rejected.diagnostics[0].message, /its own inputs; changed: `?topic/);
  const foreign = flowOf(LINE.slice(0, 2), { inputs: INPUTS.inputs });
  const unknown = await foreign.run({ nodes: recorder().nodes, resume: legacy(trace) });
  assert.deepEqual([unknown.status, codesOf(unknown)], ["failed", ["FLOW052"]]);
});

test("the schema accepts real traces, and rejects others", async () => {
  const batch = { items: "$list", on_error: "continue" };
  const nodes = [
    ["a", "", "list"],
    ["b", "", "y o?", { batch }],
    ["c", "", "z", { actions: ["default", "error"] }],
    ["d"],
  ];
  const flow = flowOf(nodes, { edges: ["a b", "b c", "c d error"] });
  for (const stop of ["a", "b", "d", undefined]) {
    const work = ({ id, index }) => {
      if (id === stop) throw new Error("stop");
      if (id === "a") return { outputs: { list: [1, 2, 3] } };
      if (id === "c" || index === 1) throw new Error("no");
      return { outputs: id === "b" ? { y: 1 } : {} };
    };
    const traces = [];
    const onCheckpoint = (trace) => void traces.push(trace);
    const { trace } = await flow.run({ nodes: { work }, onCheckpoint, concurrency: 2 });
    assert.ok(traces.length > 0 || stop === "a");
    for (const each of [...traces, trace]) assert.ok(isValid(each), JSON.stringify(isValid.errors));
    assert.ok(!isValid({ ...trace, version: 1 }));
    assert.ok(!isValid({ ...trace, steps: [{ node: "a" }] }));
  }
});
