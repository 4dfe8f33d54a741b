// Stepwise runs: the calls, their keys and their order, the trace after each answer, and wrong answers.

import assert from "node:assert/strict";
import test from "node:test";
import { BynameError, compileFlow, init } from "byname";
import { answerOfScript, inputsWithoutItem } from "../flow/answers.mjs";
import { codesOf, flowOf } from "../flow/make.mjs";
import { interpret, nameOutputs } from "../flow/reference.mjs";
import { randomWorkflow, SHAPES } from "../flow/workflows.mjs";
import { Random } from "../random/random.mjs";

await init();

const MANY = Number(process.env.FLOW_CASES ?? 25);
const copy = (value) => JSON.parse(JSON.stringify(value));
const idsOf = (run) => run.calls.map(({ id }) => id);
const keyOf = (run, id) => run.calls.find((call) => call.id === id).key;

/** Two branches of three nodes each, after a start and before an end. */
const twoBranches = () =>
  flowOf(
    [
      ["start", "", "s"],
      ...["a1", "a2", "a3"].map((id, at) => [id, at === 0 ? "s" : `a${at}`, id]),
      ...["b1", "b2", "b3"].map((id, at) => [id, at === 0 ? "s" : `b${at}`, id]),
      ["end", "a3 b3", "r"],
    ],
    {
      edges: ["start a1", "start b1", "a1 a2", "a2 a3", "b1 b2", "b2 b3", "a3 end", "b3 end"],
      outputs: { r: {} },
    },
  );
const outputsOf = ({ id }) => ({ outputs: { [{ start: "s", end: "r" }[id] ?? id]: id } });

test("a run is driven by its calls and answers", () => {
  const flow = flowOf(
    [
      ["a", "x", "y", { params: { x: 1 }, timeout_ms: 500 }],
      ["b", "y", "z"],
    ],
    { outputs: { z: {} } },
  );
  const run = flow.begin();
  const [call] = run.calls;
  const { key, ...others } = call;
  assert.match(key, /^a\/1\/-\/1\/[0-9a-f]{16}$/);
  assert.deepEqual(others, {
    id: "a",
    type: "work",
    params: { x: 1 },
    inputs: { x: 1 },
    pass: 1,
    attempt: 1,
    effects: false,
    timeoutMs: 500,
  });
  assert.equal(run.result, undefined);
  assert.deepEqual(run.answer(key, { outputs: { y: 2 } }), { ok: true, diagnostics: [] });
  assert.deepEqual(run.calls[0].inputs, { y: 2 });
  run.answer(run.calls[0].key, { outputs: { z: 3 } });
  assert.deepEqual(run.calls, []);
  assert.deepEqual([run.result.status, run.result.outputs], ["completed", { z: 3 }]);
  assert.equal(run.trace.flow, flow.fingerprint);
});

test("the order of the calls does not depend on the order of the answers", () => {
  const orders = new Set();
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = new Random(seed);
    const run = twoBranches().begin({ concurrency: 3 });
    const order = [];
    while (!run.result) {
      for (const { key } of run.calls) if (!order.includes(key)) order.push(key);
      const call = run.calls[random.below(run.calls.length)];
      run.answer(call.key, outputsOf(call));
    }
    assert.deepEqual(run.result.outputs, { r: "end" });
    orders.add(JSON.stringify(order));
  }
  assert.equal(orders.size, 1);
  assert.equal(JSON.parse([...orders][0]).length, 8);
});

test("an answer takes effect after those of earlier calls, or at once", () => {
  const run = twoBranches().begin({ concurrency: 3 });
  const eager = twoBranches().begin({ concurrency: 3, order: "arrival" });
  for (const one of [run, eager]) {
    one.answer(keyOf(one, "start"), { outputs: { s: 1 } });
    one.answer(keyOf(one, "b1"), { outputs: { b1: 1 } });
  }
  assert.deepEqual(idsOf(run), ["a1"]);
  assert.deepEqual(idsOf(eager), ["a1", "b2"]);
  const finished = (one) =>
    one.trace.steps.filter(({ status }) => status === "finished").map(({ node }) => node);
  assert.deepEqual(finished(run), ["start", "b1"]);
  assert.deepEqual(finished(eager), ["start", "b1"]);
  run.answer(keyOf(run, "a1"), { outputs: { a1: 1 } });
  assert.deepEqual(idsOf(run), ["a2", "b2"]);
});

test("at most `concurrency` calls wait for an answer", () => {
  const batch = { items: [1, 2, 3, 4, 5] };
  const run = flowOf([["each", "item", "y", { batch }]]).begin({ concurrency: 2 });
  assert.deepEqual(
    run.calls.map(({ index, item }) => [index, item]),
    [
      [0, 1],
      [1, 2],
    ],
  );
  run.answer(run.calls[1].key, { outputs: { y: 0 } });
  assert.deepEqual(
    run.calls.map(({ index }) => index),
    [0, 2],
  );
});

test("a failed call is called again under another key, not before its backoff", () => {
  const flow = flowOf([["a", "", "y", { retry: { max_attempts: 2, backoff_ms: 60_000 } }]]);
  const run = flow.begin();
  const first = run.calls[0];
  assert.equal(first.notBefore, undefined);
  const before = Date.now();
  run.answer(first.key, { failed: "no network" });
  const [second] = run.calls;
  assert.equal(second.attempt, 2);
  assert.notEqual(second.key, first.key);
  assert.ok(second.notBefore >= before + 60_000 && second.notBefore <= Date.now() + 60_000);
  run.answer(second.key, { failed: "no network", timeout: true });
  assert.equal(run.result.status, "failed");
  assert.match(run.result.diagnostics[0].message, /no network/);
});

test("keys are equal in a resumed run, and differ for other arguments", () => {
  const flow = flowOf(
    [
      ["a", "x", "y"],
      ["b", "y", "z"],
    ],
    { inputs: { x: {} } },
  );
  const begin = (x, options) => flow.begin({ inputs: { x }, ...options });
  const run = begin(1);
  const [{ key }] = run.calls;
  assert.equal(begin(1).calls[0].key, key);
  assert.notEqual(begin(2).calls[0].key, key);
  run.answer(key, { outputs: { y: 5 } });
  const resumed = begin(1, { resume: run.trace });
  assert.deepEqual(resumed.calls, run.calls);
});

test("a waiting call pauses the run; its answer is a call with another key", () => {
  const flow = flowOf([["ask", "", "ok"]], { outputs: { ok: {} } });
  const run = flow.begin();
  const [{ key }] = run.calls;
  run.answer(key, { waiting: { question: "sure?" } });
  assert.equal(run.result.status, "paused");
  assert.deepEqual(run.result.waiting, [{ node: "ask", payload: { question: "sure?" } }]);
  const resumed = flow.begin({ resume: run.trace, answers: { ask: "yes" } });
  const [call] = resumed.calls;
  assert.equal(call.resumed, "yes");
  assert.notEqual(call.key, key);
  resumed.answer(call.key, { outputs: { ok: call.resumed } });
  assert.deepEqual(resumed.result.outputs, { ok: "yes" });
});

test("calls have markers for secrets, which are revealed where the work is done", () => {
  const inputs = { token: "s3cret", page: "«secret:token»" };
  const flow = flowOf(
    [
      ["a", "auth page", "y", { params: { auth: { header: "Bearer $token" } } }],
      ["b", "y", "z"],
    ],
    { inputs: { token: { secret: true }, page: {} }, outputs: { z: {} } },
  );
  const run = flow.begin({ inputs });
  const [call] = run.calls;
  assert.ok(!JSON.stringify(call).includes("s3cret"), JSON.stringify(call));
  assert.deepEqual(call.params, { auth: { header: "Bearer «secret:token»" } });
  const revealed = { auth: { header: "Bearer s3cret" }, page: "«secret:token»" };
  assert.deepEqual(run.reveal(call).inputs, revealed);
  assert.equal(run.reveal(call).key, call.key);
  // A worker has the call as JSON, and the secret from elsewhere.
  assert.deepEqual(flow.reveal(copy(call), { token: "s3cret" }).inputs, revealed);
  assert.throws(
    () => flow.reveal(call),
    (error) => error instanceof BynameError && /missing secret `token`/.test(error.message),
  );
  run.answer(call.key, { outputs: { y: "got s3cret" } });
  assert.deepEqual(run.calls[0].inputs, { y: "got «secret:token»" });
  assert.ok(!JSON.stringify(run.trace).includes("s3cret"));
});

test("wrong answers are diagnostics and change nothing", () => {
  const flow = flowOf([
    ["a", "", "y"],
    ["b", "y", "z"],
  ]);
  const run = flow.begin();
  const [{ key }] = run.calls;
  const before = copy(run.trace);
  const check = (answered, code, message) => {
    assert.equal(answered.ok, false);
    assert.deepEqual(codesOf(answered), [code]);
    assert.match(answered.diagnostics[0].message, message);
    assert.equal(answered.diagnostics[0].severity, "error");
  };
  check(run.answer("a/2", { outputs: {} }), "FLOW078", /unknown call `a\/2`/);
  check(run.answer(undefined, { outputs: {} }), "FLOW078", /unknown call/);
  const outcomes = [
    [undefined, /found undefined/],
    [[], /found an Array/],
    [{}, /found none/],
    [{ output: {} }, /found `output`/],
    [{ outputs: {}, failed: "x" }, /found `outputs`, `failed`/],
    [{ outputs: {}, actoin: "x" }, /unknown key `actoin`/],
    [{ outputs: { y: 1n } }, /bigint/],
    [{ waiting: () => {} }, /function/],
  ];
  for (const [outcome, message] of outcomes) check(run.answer(key, outcome), "FLOW081", message);
  assert.deepEqual([run.calls.length, run.trace], [1, before]);
  assert.ok(run.answer(key, { outputs: { y: 1 } }).ok);
  check(run.answer(key, { outputs: { y: 2 } }), "FLOW079", /answered before/);
  assert.deepEqual(run.calls[0].inputs, { y: 1 });
  const last = run.calls[0].key;
  run.cancel();
  assert.equal(run.result.status, "cancelled");
  check(run.answer(last, { outputs: { z: 1 } }), "FLOW080", /the run is cancelled/);
});

test("a call that another answer made unnecessary is closed", () => {
  const batch = { items: [1, 2] };
  const flow = flowOf(
    [
      ["a", "item", "y", { batch, actions: ["default", "error"] }],
      ["fix", "", "z"],
    ],
    { edges: ["a fix error"] },
  );
  const run = flow.begin({ concurrency: 2 });
  const [first, second] = run.calls.map(({ key }) => key);
  run.answer(first, { failed: "bad item" });
  assert.deepEqual(idsOf(run), ["fix"]);
  const { diagnostics } = run.answer(second, { outputs: { y: 1 } });
  assert.deepEqual(codesOf({ diagnostics }), ["FLOW080"]);
  assert.match(diagnostics[0].message, /another branch was taken/);
});

test("a failure ends the run; results that arrived before it stay in the trace", () => {
  const run = twoBranches().begin({ concurrency: 2 });
  run.answer(keyOf(run, "start"), { outputs: { s: 1 } });
  run.answer(keyOf(run, "b1"), { outputs: { b1: 1 } });
  run.answer(keyOf(run, "a1"), { failed: "disk full" });
  assert.deepEqual([run.result.status, run.calls], ["failed", []]);
  const statuses = Object.fromEntries(run.trace.steps.map(({ node, status }) => [node, status]));
  assert.deepEqual(statuses, { start: "finished", a1: "failed", b1: "finished" });
});

test("missing inputs end the run at once; unknown options throw", () => {
  const flow = flowOf([["a", "x", "y"]], { inputs: { x: { required: true } } });
  const run = flow.begin();
  assert.deepEqual([run.calls, run.result.status], [[], "failed"]);
  assert.deepEqual(codesOf(run.result), ["FLOW049"]);
  assert.throws(() => flow.begin({ nodes: {} }), /unknown key `nodes`/);
  assert.throws(
    () => flow.begin({ order: "random" }),
    /expected `order` to be `fixed` or `arrival`/,
  );
  assert.throws(() => flow.begin({ concurrency: 0 }), /concurrency/);
});

/** Drives a run to its end with answers in random order; reports each new call. */
function drive(run, generated, random, report = () => {}) {
  const known = new Set();
  while (!run.result) {
    for (const call of run.calls) {
      if (!known.has(call.key)) report("call", call);
      known.add(call.key);
    }
    const call = run.calls[random.below(run.calls.length)];
    const outcome = outcomeOf(generated, call);
    assert.ok(run.answer(call.key, outcome).ok);
    report("answer", call, outcome);
  }
  return run.result;
}

function outcomeOf(generated, call) {
  try {
    return answerOfScript(generated, { ...call, index: call.index ?? null });
  } catch (error) {
    return { failed: error.message };
  }
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: results, reads, order and traces of stepwise runs`, async (t) => {
    const counts = { ran: 0, resumed: 0 };
    for (let seed = 1; seed <= MANY; seed += 1) {
      const generated = randomWorkflow(seed, shape);
      const { workflow, registry } = generated;
      if (nameOutputs(workflow, registry).conflict) continue;
      const compiled = compileFlow(workflow, registry);
      if (!compiled.ok) continue;
      try {
        checkStepwise(compiled.flow, generated, seed, counts);
      } catch (error) {
        error.message += `\nseed ${seed}: ${JSON.stringify({ workflow, registry })}`;
        throw error;
      }
      counts.ran += 1;
    }
    t.diagnostic(JSON.stringify(counts));
    assert.ok(counts.ran > MANY / 6 && counts.resumed > counts.ran);
  });
}

function checkStepwise(flow, generated, seed, counts) {
  const expected = interpret(generated.workflow, generated.registry, generated);
  const inputs = generated.given;
  for (const concurrency of [1, 3, 16]) {
    for (const order of ["fixed", "arrival"]) {
      const orders = new Set();
      for (const round of [1, 2, 3]) {
        const run = flow.begin({ inputs, concurrency, order });
        const calls = [];
        const reads = {};
        const traces = [];
        const result = drive(run, generated, new Random(seed * 10 + round), (kind, call) => {
          if (kind === "answer") return void traces.push(copy(run.trace));
          calls.push(call.key);
          const { id, pass, params, index = null } = call;
          const { action } = generated.script(id, pass);
          reads[`${id}#${pass}`] = {
            params,
            inputs: inputsWithoutItem({ ...call, index }),
            action,
          };
        });
        assert.equal(result.status, "completed", JSON.stringify(result.diagnostics));
        assert.deepEqual(result.outputs, expected.outputs);
        assert.deepEqual(reads, expected.reads);
        orders.add(calls.join(" "));
        if (round === 1)
          checkTraces(flow, generated, { traces, calls, concurrency, order }, counts);
      }
      if (order === "fixed") assert.equal(orders.size, 1, `concurrency ${concurrency}`);
    }
  }
}

/** Asserts that a run which is resumed after any answer repeats no finished call. */
function checkTraces(flow, generated, { traces, calls, concurrency, order }, counts) {
  const expected = interpret(generated.workflow, generated.registry, generated);
  for (const [at, resume] of traces.entries()) {
    if (at % 3 !== 0 && at !== traces.length - 1) continue;
    const run = flow.begin({ resume, inputs: generated.given, concurrency, order });
    const finished = new Set(
      resume.steps.filter(({ status }) => status === "finished").map((s) => `${s.node}#${s.pass}`),
    );
    const result = drive(run, generated, new Random(at), (kind, call) => {
      if (kind === "answer") return;
      assert.ok(!finished.has(`${call.id}#${call.pass}`), `${call.key} is repeated`);
      assert.ok(calls.includes(call.key), `${call.key} is new`);
    });
    assert.deepEqual(result.outputs, expected.outputs);
    counts.resumed += 1;
  }
}
