// Nodes that wait for an answer, and traces that are stored during a run.

import assert from "node:assert/strict";
import test from "node:test";
import { init } from "byname";
import { suspend } from "byname/flow";
import { after, answerOf, codesOf, flowOf, never } from "../flow/make.mjs";

await init();

const copy = (value) => JSON.parse(JSON.stringify(value));

const REVIEW = [
  ["draft", "topic", "text"],
  ["ask", "text", "verdict"],
  ["other", "", "side"],
  ["send", "verdict", "sent"],
];
const EDGES = { edges: ["draft ask", "ask send", "draft other"], inputs: { topic: {} } };
const KEYS = { draft: "text", ask: "verdict", other: "side", send: "sent" };

function reviewer() {
  const calls = [];
  const work = ({ id, inputs, resumed }) => {
    calls.push(resumed === undefined ? id : `${id}=${JSON.stringify(resumed)}`);
    if (id === "ask" && resumed === undefined) return suspend({ approve: inputs.text });
    const value = id === "ask" ? resumed : `${id} ${Object.values(inputs).join()}`;
    return { outputs: { [KEYS[id]]: value } };
  };
  return { calls, nodes: { work } };
}

test("a suspended node pauses its branch, and continues with the answer", async () => {
  const flow = flowOf(REVIEW, { ...EDGES, outputs: { sent: {}, side: {} } });
  for (const concurrency of [1, 4]) {
    const first = reviewer();
    const events = [];
    const onEvent = (event) => event.kind === "waiting" && events.push([event.node, event.payload]);
    const inputs = { topic: "cats" };
    const paused = await flow.run({ nodes: first.nodes, inputs, onEvent, concurrency });
    const waiting = [{ node: "ask", payload: { approve: "draft cats" } }];
    assert.deepEqual([paused.status, paused.waiting, paused.outputs], ["paused", waiting, {}]);
    assert.deepEqual([first.calls.sort(), codesOf(paused)], [["ask", "draft", "other"], []]);
    assert.deepEqual(events, [["ask", { approve: "draft cats" }]]);
    // Without an answer it still waits, and is not called.
    const second = reviewer();
    const still = await flow.run({ nodes: second.nodes, resume: copy(paused.trace) });
    assert.deepEqual([still.status, still.waiting, second.calls], ["paused", waiting, []]);
    for (const answer of ["yes", null, false, { no: 1 }]) {
      const third = reviewer();
      const options = { resume: copy(still.trace), answers: { ask: answer } };
      const done = await flow.run({ nodes: third.nodes, ...options });
      assert.deepEqual([done.status, done.waiting, codesOf(done)], ["completed", [], []]);
      assert.deepEqual(third.calls, [`ask=${JSON.stringify(answer)}`, "send"]);
    }
  }
});

test("an answer to changed inputs is not used", async () => {
  const flow = flowOf(REVIEW, EDGES);
  const paused = await flow.run({ nodes: reviewer().nodes, inputs: { topic: "cats" } });
  const { calls, nodes } = reviewer();
  const options = {
    inputs: { topic: "dogs" },
    resume: copy(paused.trace),
    answers: { ask: "yes" },
  };
  const result = await flow.run({ nodes, ...options });
  assert.deepEqual([result.status, calls], ["paused", ["draft", "ask", "other"]]);
  assert.deepEqual(result.waiting, [{ node: "ask", payload: { approve: "draft dogs" } }]);
  assert.match(
    result.diagnostics.map(({ message }) => message).join(),
    /`ask` runs again, and its answer is not used/,
  );
});

test("reports answers that nothing waits for", async () => {
  const flow = flowOf(REVIEW, EDGES);
  const paused = await flow.run({ nodes: reviewer().nodes, inputs: { topic: "cats" } });
  const { nodes } = reviewer();
  const answers = { aks: "yes" };
  const wrong = await flow.run({ nodes, resume: copy(paused.trace), answers });
  assert.deepEqual([wrong.status, codesOf(wrong)], ["paused", ["FLOW057"]]);
  assert.match(wrong.diagnostics[0].help, /`ask`/);
  const fresh = await flow.run({ nodes, inputs: { topic: "x" }, answers: { ask: 1 } });
  assert.deepEqual([fresh.status, codesOf(fresh)], ["paused", ["FLOW057"]]);
  const done = await flow.run({ nodes, resume: copy(paused.trace), answers: { ask: "yes" } });
  const late = await flow.run({ nodes, resume: copy(done.trace), answers: { ask: "no" } });
  assert.deepEqual([late.status, codesOf(late)], ["completed", ["FLOW057"]]);
  assert.equal(late.store.verdict, "yes");
});

test("a missing trace does not start over", async () => {
  const flow = flowOf(REVIEW, EDGES);
  const { calls, nodes } = reviewer();
  const options = { nodes, inputs: { topic: "cats" } };
  await assert.rejects(flow.run({ ...options, resume: null }), {
    name: "BynameError",
    message: /expected `resume` to be a trace, found null: omit it to start a new run/,
  });
  assert.deepEqual(calls, []);
  const result = await flow.run(options);
  for (const [resume, help] of [
    [JSON.stringify(result.trace), "pass `JSON.parse(trace)`"],
    [result, "pass the `trace` of the result"],
  ]) {
    const { status, diagnostics } = await flow.run({ ...options, resume });
    assert.deepEqual(
      [status, diagnostics[0].code, diagnostics[0].help],
      ["failed", "FLOW052", help],
    );
  }
  const fresh = await flow.run({ ...options, resume: undefined });
  assert.equal(fresh.status, "paused");
});

test("a node can be suspended again, and several nodes at once", async () => {
  const flow = flowOf([["s"], ["a", "", "x"], ["b", "", "y"]], { edges: ["s a", "s b"] });
  const work = ({ id, resumed }) => {
    if (id === "s") return { outputs: {} };
    if (resumed === undefined) return suspend("first");
    if (id === "a" && resumed === "more") return suspend("second");
    return answerOf(id, id === "a" ? "x" : "y");
  };
  const nodes = { work };
  const one = await flow.run({ nodes });
  assert.deepEqual(
    one.waiting.map(({ node }) => node),
    ["a", "b"],
  );
  const two = await flow.run({ nodes, resume: copy(one.trace), answers: { a: "more" } });
  assert.deepEqual(two.waiting, [
    { node: "a", payload: "second" },
    { node: "b", payload: "first" },
  ]);
  const done = await flow.run({ nodes, resume: copy(two.trace), answers: { a: "ok", b: "ok" } });
  assert.deepEqual([done.status, done.store], ["completed", { x: "a x", y: "b y" }]);
});

test("an item of a batch cannot be suspended, nor a part of the outputs", async () => {
  const batch = flowOf([["b", "", "x", { batch: { items: [1, 2], on_error: "continue" } }]]);
  const items = await batch.run({ nodes: { work: () => suspend("?") } });
  assert.deepEqual([items.status, codesOf(items)], ["failed", ["FLOW058"]]);
  assert.match(items.diagnostics[0].message, /^`b` \(item 0: `1`\) is suspended/);
  const single = flowOf([["b", "", "x"]]);
  const inside = await single.run({ nodes: { work: () => ({ outputs: { x: suspend("?") } }) } });
  assert.match(inside.diagnostics[0].message, /return `suspend\(payload\)` itself/);
  const invalid = await single.run({ nodes: { work: () => suspend(() => {}) } });
  assert.match(invalid.diagnostics[0].message, /JSON has no value for a function/);
});

test("secrets of a payload stay out of the trace", async () => {
  const flow = flowOf([["a", "key", "x"]], { inputs: { key: { secret: true } } });
  const work = ({ inputs, resumed }) =>
    resumed === undefined ? suspend(`use ${inputs.key}?`) : { outputs: { x: resumed } };
  const inputs = { key: "s3cret" };
  const paused = await flow.run({ nodes: { work }, inputs });
  assert.ok(!JSON.stringify(paused.trace).includes("s3cret"));
  const options = { inputs, resume: copy(paused.trace), answers: { a: "yes" } };
  const done = await flow.run({ nodes: { work }, ...options });
  assert.deepEqual([done.status, done.store.x], ["completed", "yes"]);
});

test("a run with a call that never settles can be aborted while another node waits", async () => {
  const flow = flowOf([["s"], ["a", "", "x"], ["b", "", "y"]], { edges: ["s a", "s b"] });
  const stop = new AbortController();
  const work = ({ id }) => {
    if (id === "s") return { outputs: {} };
    if (id === "a") return suspend("?");
    setTimeout(() => stop.abort(), 10);
    return never();
  };
  const result = await flow.run({ nodes: { work }, concurrency: 2, signal: stop.signal });
  assert.deepEqual([result.status, result.waiting.length], ["cancelled", 1]);
  const done = await flow.run({
    nodes: { work: ({ id }) => answerOf(id, ...(id === "a" ? ["x"] : id === "b" ? ["y"] : [])) },
    resume: copy(result.trace),
    answers: { a: "yes" },
  });
  assert.equal(done.status, "completed");
});

test("a checkpoint is awaited before the next node starts, and can be resumed", async () => {
  const line = [
    ["a", "", "x"],
    ["b", "x", "y"],
    ["c", "y", "z"],
  ];
  const flow = flowOf(line, { outputs: { z: {} } });
  const log = [];
  const traces = [];
  const work = ({ id }) => {
    log.push(id);
    return answerOf(id, { a: "x", b: "y", c: "z" }[id]);
  };
  const onCheckpoint = async (trace) => {
    log.push("store");
    await after(5);
    traces.push(copy(trace));
    log.push("stored");
  };
  await flow.run({ nodes: { work }, onCheckpoint });
  const each = ["store", "stored"];
  assert.deepEqual(log, ["a", ...each, "b", ...each, "c", ...each]);
  for (const [at, resume] of traces.entries()) {
    log.length = 0;
    const { outputs } = await flow.run({ nodes: { work }, resume });
    assert.deepEqual([outputs, log], [{ z: "c z" }, ["a", "b", "c"].slice(at + 1)]);
  }
});

test("the items of a batch have checkpoints in groups", async () => {
  const items = Array.from({ length: 1000 }, (_, at) => at);
  const flow = flowOf([["b", "", "x", { batch: { items } }]], { outputs: { x: {} } });
  const counts = [];
  let last;
  const onCheckpoint = (trace) => {
    last ??= trace;
    counts.push((trace.steps[0].items ?? []).filter((item) => item?.outputs).length);
  };
  const calls = [];
  const work = ({ item }) => {
    calls.push(item);
    return { outputs: { x: item } };
  };
  await flow.run({ nodes: { work }, onCheckpoint });
  assert.ok(counts.length >= 60 && counts.length <= 70, `${counts.length}`);
  calls.length = 0;
  const { outputs } = await flow.run({ nodes: { work }, resume: copy(last) });
  assert.deepEqual([outputs.x, calls], [items, items.slice(counts[0])]);
});

test("an error of the checkpoint ends the run, and an abort does not wait for it", async () => {
  const flow = flowOf([
    ["a", "", "x"],
    ["b", "x", "y"],
  ]);
  const calls = [];
  const work = ({ id }) => {
    calls.push(id);
    return answerOf(id, id === "a" ? "x" : "y");
  };
  const onCheckpoint = () => Promise.reject(new Error("the disk is full"));
  await assert.rejects(flow.run({ nodes: { work }, onCheckpoint }), /the disk is full/);
  assert.deepEqual(calls, ["a"]);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 10);
  const options = { nodes: { work }, onCheckpoint: never, signal: stop.signal };
  const { status, trace } = await flow.run(options);
  assert.deepEqual(
    [status, trace.steps.map((step) => step.status)],
    ["cancelled", ["finished", "interrupted"]],
  );
});

test("rejects invalid options", async () => {
  const flow = flowOf([["a"]]);
  const nodes = { work: () => ({ outputs: {} }) };
  for (const options of [
    { graceMs: -1 },
    { answers: [] },
    { onCheckpoint: 5 },
    { answers: { a: 1n } },
  ]) {
    await assert.rejects(flow.run({ nodes, ...options }), { name: "BynameError" });
  }
});
