// Tree search over the forks of a session.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { byOutcome, search } from "byname/gasl";
import { record, replay } from "byname/llm";

await init();

const graph = Graph.fromCsv({
  nodes: "id,kind\na,PERSON\nb,PERSON\nc,PLACE\n",
  edges: "source,target\na,b\n",
});

const plan = (id, ...commands) => ({ plan_id: id, why: id, commands });
const good = plan(
  "good",
  "DECLARE people AS LIST",
  "FIND nodes WHERE kind = PERSON AS p",
  "UPDATE people WITH p",
);
const bad = plan("bad", "FIND nodes WHERE kind = ABSENT AS p");

/** Proposes a bad and a good plan; after the good one has run, the answer. */
function fakeModel(request) {
  if (request.prompt.includes("people LIST, 2 items")) return "COMPLETE: two";
  const next_actions = [
    { plan: bad, confidence: 0.9, rationale: "a guess" },
    { plan: good, confidence: 0.6, rationale: "better" },
    { plan: { commands: ["NONSENSE"] }, confidence: 1, rationale: "no plan" },
  ];
  return { json: { decision: "continue", next_actions } };
}

test("finds the answer after the better plan, and does not change the session", async () => {
  const session = new GaslSession({ graph, llm: fakeModel });
  const before = session.snapshot().hash;
  const result = await search(session, "How many?", { iterations: 8 });
  assert.equal(result.answer, "two");
  assert.equal(session.snapshot().hash, before);
  assert.deepEqual(
    result.root.children.map((child) => child.plan.plan_id),
    ["bad", "good"],
  );
  const [first, second] = result.root.children;
  assert.equal(first.status, "stopped_empty");
  assert.equal(second.status, "completed");
  assert.ok(second.visits > first.visits, `${second.visits} visits, ${first.visits} visits`);
  assert.equal(result.root.visits, first.visits + second.visits);
  assert.equal(result.path.at(-1).plan.plan_id, "good");
  assert.equal(result.session.variable("people").length, 2);
});

test("returns the same for the same seed and recorded replies", async () => {
  const recorder = record(fakeModel);
  const rollout = (session, reached) => byOutcome(session, reached) * reached.random();
  const options = { iterations: 6, seed: 7, rollout };
  const first = await search(new GaslSession({ graph, llm: recorder.llm }), "How many?", options);
  const llm = replay(recorder.recording());
  const second = await search(new GaslSession({ graph, llm }), "How many?", options);
  assert.deepEqual(second.root, first.root);
  const third = await search(new GaslSession({ graph, llm: fakeModel }), "How many?", {
    ...options,
    seed: 8,
  });
  assert.notDeepEqual(third.root, first.root);
});

test("keeps the answer of a plan, however often the search continues there", async () => {
  const llm = () => ({ json: plan("p", "FIND nodes AS x", "COMPLETE: done") });
  const result = await search(new GaslSession({ graph, llm }), "How many?", { iterations: 4 });
  assert.equal(result.answer, "done");
  assert.equal(result.root.children[0].answer, "done");
});

test("reports a model that cannot be asked", async () => {
  const llm = () => {
    throw new Error("rate limited");
  };
  const result = await search(new GaslSession({ graph, llm }), "How many?", { iterations: 4 });
  assert.deepEqual(
    result.diagnostics.map(({ code }) => code),
    ["GASL051"],
  );
});

test("keeps the candidates on the snapshot", async () => {
  const session = new GaslSession({ graph, llm: fakeModel });
  const { candidates, diagnostics } = await session.propose("How many?");
  assert.deepEqual(
    candidates.map(({ confidence }) => confidence),
    [0.9, 0.6],
  );
  assert.ok(diagnostics.some(({ code }) => code === "GASL002"));
  assert.equal(session.snapshot().candidates.length, 2);
});

test("a model that proposes nothing ends the search", async () => {
  const session = new GaslSession({ graph, llm: () => "I do not know" });
  const result = await search(session, "How many?", { iterations: 5 });
  assert.deepEqual([result.answer, result.root.children], [null, []]);
});

test("an abort ends the search", async () => {
  const stop = new AbortController();
  const session = new GaslSession({ graph, llm: fakeModel });
  const rollout = () => {
    stop.abort(new Error("enough"));
    return 1;
  };
  await assert.rejects(search(session, "?", { rollout, signal: stop.signal }), /enough/);
});

test("accepts any exploration weight from 0 on, and a rollout that returns one", async () => {
  const session = new GaslSession({ graph, llm: () => '["FIND nodes AS x"]' });
  const { root } = await search(session, "q", { iterations: 1, exploration: Math.SQRT2 });
  assert.equal(root.children.length, 1);
  for (const exploration of [-1, Number.NaN, Infinity, "1"]) {
    await assert.rejects(search(session, "q", { exploration }), { code: "argument" });
  }
  for (const judged of [Number.NaN, "0.8", undefined]) {
    const rollout = () => judged;
    await assert.rejects(
      search(session, "q", { rollout }),
      /expected `rollout` to return a number from 0 to 1/,
    );
  }
});

test("an abort ends a search whose rollout ignores the signal", async () => {
  const stop = new AbortController();
  const reason = new Error("enough");
  const rollout = () => {
    stop.abort(reason);
    return new Promise(() => {});
  };
  const session = new GaslSession({ graph, llm: fakeModel });
  const { signal } = stop;
  const late = setTimeout(() => assert.fail("it goes on"), 5_000);
  await assert.rejects(search(session, "How many?", { rollout, signal }), (one) => one === reason);
  clearTimeout(late);
});
