// Runs of workflows: retries, failures, aborts, concurrency and events.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";
import { after, answerOf, codesOf, flowOf, never } from "../flow/make.mjs";

await init();

test("retries a node with doubled delays, and at most as often as its limit", async () => {
  const retry = { max_attempts: 4, backoff_ms: 20 };
  const flow = flowOf([["a", "", "x", { retry }]], { outputs: { x: {} } });
  const calls = [];
  const events = [];
  const work = ({ attempt }) => {
    calls.push([attempt, performance.now()]);
    if (attempt < 4) throw new Error(`not yet ${attempt}`);
    return { outputs: { x: attempt } };
  };
  const result = await flow.run({ nodes: { work }, onEvent: (event) => events.push(event) });
  assert.deepEqual([result.status, result.outputs], ["completed", { x: 4 }]);
  assert.deepEqual(
    calls.map(([attempt]) => attempt),
    [1, 2, 3, 4],
  );
  const waits = calls.slice(1).map(([, time], index) => time - calls[index][1]);
  for (const [index, least] of [20, 40, 80].entries()) {
    assert.ok(waits[index] > least - 2, `${waits}`);
    assert.ok(waits[index] < least + 200, `${waits}`);
  }
  assert.deepEqual(
    events.map(({ kind, attempt }) => `${kind} ${attempt}`),
    ["started 1", "retried 1", "started 2", "retried 2", "started 3", "retried 3"].concat([
      "started 4",
      "finished 4",
    ]),
  );
  assert.deepEqual(
    events.filter(({ kind }) => kind === "retried").map(({ wait_ms }) => wait_ms),
    [20, 40, 80],
  );
  const most = await flow.run({
    nodes: {
      work: () => {
        throw new Error("never");
      },
    },
  });
  assert.deepEqual([most.status, codesOf(most)], ["failed", ["FLOW040"]]);
  assert.match(most.diagnostics[0].message, /`a` failed: never/);
  assert.equal(most.trace.steps[0].attempts, 4);
});

test("retries an invalid result too", async () => {
  const flow = flowOf([["a", "", "x", { retry: { max_attempts: 2 } }]], { outputs: { x: {} } });
  const work = ({ attempt }) => (attempt === 1 ? { outputs: {} } : { outputs: { x: 1 } });
  assert.equal((await flow.run({ nodes: { work } })).status, "completed");
});

test("makes no other call while a node waits for its retry, unless the concurrency allows it", async () => {
  const nodes = [
    ["a", "", "x", { retry: { max_attempts: 2, backoff_ms: 50 } }],
    ["b", "", "y"],
  ];
  const flow = flowOf([["s", "", ""], ...nodes], { edges: ["s a", "s b"] });
  const calls = [];
  const work = ({ id, attempt }) => {
    calls.push(`${id}${attempt}`);
    if (id === "a" && attempt === 1) throw new Error("busy");
    return id === "a" ? answerOf("a", "x") : answerOf(id, ...(id === "b" ? ["y"] : []));
  };
  const { status } = await flow.run({ nodes: { work }, concurrency: 2 });
  assert.equal(status, "completed");
  assert.deepEqual(calls, ["s1", "a1", "b1", "a2"]);
});

test("a callback that hangs ends at its timeout, and its signal has the reason", async () => {
  const flow = flowOf([["a", "", "x", { timeout_ms: 40 }]]);
  let reason;
  const work = ({ signal }) => {
    signal.addEventListener("abort", () => (reason = signal.reason));
    return never();
  };
  const start = performance.now();
  const result = await flow.run({ nodes: { work } });
  const took = performance.now() - start;
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW040"]]);
  assert.match(result.diagnostics[0].message, /no response within 40 ms/);
  assert.ok(took > 35 && took < 1000, `${took} ms`);
  assert.ok(reason instanceof Error);
});

test("each attempt has the complete timeout", async () => {
  const retry = { max_attempts: 3, backoff_ms: 0 };
  const flow = flowOf([["a", "", "x", { timeout_ms: 60, retry }]]);
  const work = async ({ attempt }) => {
    await (attempt < 3 ? never() : after(20));
    return answerOf("a", "x");
  };
  const { status, trace } = await flow.run({ nodes: { work } });
  assert.deepEqual([status, trace.steps[0].attempts], ["completed", 3]);
});

test("a run that is aborted before it begins makes no call", async () => {
  const flow = flowOf([["a", "", "x"]]);
  const work = () => assert.fail("called");
  const onEvent = () => assert.fail("an event was emitted");
  const result = await flow.run({ nodes: { work }, signal: AbortSignal.abort(), onEvent });
  assert.deepEqual([result.status, result.outputs, result.store], ["cancelled", {}, {}]);
  assert.deepEqual(result.trace.steps, []);
});

test("an abort ends the run at once, and ignores late results", async () => {
  const flow = flowOf([
    ["a", "", "x"],
    ["b", "x", "y"],
    ["c", "y", "z"],
  ]);
  const stop = new AbortController();
  const calls = [];
  const events = [];
  let late;
  const work = ({ id, signal }) => {
    calls.push(id);
    if (id === "a") return answerOf("a", "x");
    setTimeout(() => stop.abort(new Error("enough")), 10);
    return new Promise((resolve) => {
      late = () => resolve(answerOf("b", "y"));
      signal.addEventListener("abort", () => setTimeout(late, 20));
    });
  };
  const onEvent = ({ kind, node }) => events.push(`${kind} ${node}`);
  const result = await flow.run({ nodes: { work }, signal: stop.signal, onEvent });
  const { status, store, trace } = result;
  assert.deepEqual([status, store], ["cancelled", { x: "a x" }]);
  assert.deepEqual(
    trace.steps.map(({ node, status }) => `${node} ${status}`),
    ["a finished", "b interrupted"],
  );
  const before = JSON.stringify(result);
  await after(50);
  assert.deepEqual([JSON.stringify(result), calls], [before, ["a", "b"]]);
  assert.deepEqual(events, ["started a", "finished a", "started b"]);
});

test("an abort ends the delay between two attempts", async () => {
  const flow = flowOf([["a", "", "x", { retry: { max_attempts: 9, backoff_ms: 60_000 } }]]);
  const stop = new AbortController();
  const work = () => {
    setTimeout(() => stop.abort(), 5);
    throw new Error("busy");
  };
  const { status } = await flow.run({ nodes: { work }, signal: stop.signal });
  assert.equal(status, "cancelled");
});

for (const concurrency of [1, 3, 8]) {
  test(`makes at most ${concurrency} calls at once, and as many as possible`, async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const edges = ids.flatMap((id) => [`s ${id}`, `${id} e`]);
    const flow = flowOf([["s", "", ""], ...ids.map((id) => [id, "", `o${id}`]), ["e", "", ""]], {
      edges,
    });
    let now = 0;
    let most = 0;
    const calls = [];
    const work = async ({ id }) => {
      now += 1;
      most = Math.max(most, now);
      calls.push(id);
      await after(5);
      now -= 1;
      return answerOf(id, ...(id.startsWith("n") ? [`o${id}`] : []));
    };
    const { status } = await flow.run({ nodes: { work }, concurrency });
    assert.deepEqual([status, most], ["completed", Math.min(concurrency, 12)]);
    // Ties are ordered by position; the end runs once, after all.
    assert.deepEqual(calls, ["s", ...ids, "e"]);
  });
}

test("runs one call at a time by default", async () => {
  const flow = flowOf([["a"], ["b"], ["c"]], { edges: ["a b", "a c"] });
  let now = 0;
  const work = async () => {
    now += 1;
    assert.equal(now, 1);
    await after(2);
    now -= 1;
    return { outputs: {} };
  };
  assert.equal((await flow.run({ nodes: { work } })).status, "completed");
});

test("runs the items of a batch in parallel, in the order of the items", async () => {
  const flow = flowOf([["a", "", "x", { batch: { items: [5, 1, 3, 2] } }]], {
    outputs: { x: {} },
  });
  let now = 0;
  let most = 0;
  const work = async ({ inputs }) => {
    now += 1;
    most = Math.max(most, now);
    await after(inputs.item * 2);
    now -= 1;
    return { outputs: { x: inputs.item * 10 } };
  };
  const { outputs } = await flow.run({ nodes: { work }, concurrency: 3 });
  assert.deepEqual([outputs, most], [{ x: [50, 10, 30, 20] }, 3]);
});

test("after a failure, lets concurrent calls finish in the grace period, and starts no others", async () => {
  const flow = flowOf([["s"], ["a", "", "x"], ["b", "", "y"], ["c"]], {
    edges: ["s a", "s b", "b c"],
  });
  const calls = [];
  const work = async ({ id }) => {
    calls.push(id);
    if (id === "a") throw new Error("broken");
    await after(20);
    return answerOf(id, ...(id === "b" ? ["y"] : []));
  };
  const { status, store, outputs } = await flow.run({
    nodes: { work },
    concurrency: 4,
    graceMs: 10_000,
  });
  assert.deepEqual([status, store, outputs], ["failed", { y: "b y" }, {}]);
  assert.deepEqual(calls, ["s", "a", "b"]);
});

test("a run that failed and is then aborted has failed", async () => {
  const flow = flowOf([["s"], ["a"], ["b"]], { edges: ["s a", "s b"] });
  const stop = new AbortController();
  const work = ({ id }) => {
    if (id === "a") throw new Error("no paper");
    return id === "b" ? never() : answerOf(id);
  };
  const onEvent = ({ kind }) => kind === "failed" && setTimeout(() => stop.abort());
  const options = { nodes: { work }, concurrency: 2, signal: stop.signal, onEvent };
  const { status, diagnostics } = await flow.run(options);
  assert.equal(status, "failed");
  assert.equal(diagnostics[0].message, "`a` failed: no paper");
});

test("a loop without end stops at the limit of steps", async () => {
  const loop = { edges: ["a b", "b a again"] };
  const flow = flowOf([["a", "", "x"], ["b"]], loop);
  const calls = { a: 0, b: 0 };
  const work = ({ id }) => {
    calls[id] += 1;
    return id === "a" ? answerOf("a", "x") : { outputs: {}, action: "again" };
  };
  const result = await flow.run({ nodes: { work }, maxSteps: 7 });
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW051"]]);
  assert.deepEqual(calls, { a: 4, b: 3 });
  assert.equal((await flow.run({ nodes: { work } })).status, "failed");
});

test("accepts exactly the maximum number of steps", async () => {
  const flow = flowOf([["a"], ["b"], ["c"]]);
  const work = () => ({ outputs: {} });
  assert.equal((await flow.run({ nodes: { work }, maxSteps: 3 })).status, "completed");
  assert.equal((await flow.run({ nodes: { work }, maxSteps: 2 })).status, "failed");
});

test("emits events in order, each with its times", async () => {
  const flow = flowOf(
    [
      ["a", "", "x"],
      ["b", "x", "y", { params: { p: "see $x" } }],
    ],
    {},
  );
  const events = [];
  const work = async ({ id }) => {
    await after(10);
    return answerOf(id, id === "a" ? "x" : "y");
  };
  await flow.run({ nodes: { work }, onEvent: (event) => events.push(event) });
  assert.deepEqual(
    events.map(({ kind, node, type, pass, item, attempt }) => [
      kind,
      node,
      type,
      pass,
      item,
      attempt,
    ]),
    [
      ["started", "a", "work", 1, null, 1],
      ["finished", "a", "work", 1, null, 1],
      ["started", "b", "work", 1, null, 1],
      ["finished", "b", "work", 1, null, 1],
    ],
  );
  const [, first, second] = events;
  assert.deepEqual([second.params, second.inputs], [{ p: "see a x" }, { x: "a x" }]);
  assert.deepEqual([first.outputs, first.action], [{ x: "a x" }, "default"]);
  assert.ok(first.duration_ms > 8 && first.duration_ms < 500, `${first.duration_ms}`);
  const times = events.map(({ at }) => Date.parse(at));
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  assert.ok(times.every((time) => Math.abs(time - Date.now()) < 10_000));
});

test("a listener that throws stops the run, and gets the error", async () => {
  const flow = flowOf([["a", "", "x"], ["b"]]);
  const calls = [];
  const work = ({ id }) => {
    calls.push(id);
    return answerOf(id, ...(id === "a" ? ["x"] : []));
  };
  const onEvent = ({ kind }) => {
    if (kind === "finished") throw new TypeError("deaf");
  };
  await assert.rejects(flow.run({ nodes: { work }, onEvent }), /deaf/);
  assert.deepEqual(calls, ["a"]);
  assert.equal((await flow.run({ nodes: { work } })).status, "completed");
});

test("two concurrent runs of one flow are independent", async () => {
  const flow = flowOf(
    [
      ["a", "", "x"],
      ["b", "x", "y"],
    ],
    {
      inputs: { who: {} },
      outputs: { y: {} },
    },
  );
  const run = (who, pause) => {
    const work = async ({ id, inputs }) => {
      await after(pause);
      return { outputs: id === "a" ? { x: `${who} x` } : { y: `${inputs.x} y` } };
    };
    return flow.run({ nodes: { work }, inputs: { who } });
  };
  const [one, two] = await Promise.all([run("one", 9), run("two", 4)]);
  assert.deepEqual([one.outputs, two.outputs], [{ y: "one x y" }, { y: "two x y" }]);
});

test("runs a flow inside one of its own nodes", async () => {
  const flow = flowOf([["a", "", "x"]], { inputs: { depth: {} }, outputs: { x: {} } });
  const run = async (depth) => {
    const work = async () => ({ outputs: { x: depth === 0 ? [] : [depth, await run(depth - 1)] } });
    return (await flow.run({ nodes: { work }, inputs: { depth } })).outputs.x;
  };
  assert.deepEqual(await run(3), [3, [2, [1, []]]]);
});

test("a flow that is disposed of within a run finishes the run, and starts no more", async () => {
  const flow = flowOf(
    [
      ["a", "", "x"],
      ["b", "x", "y"],
    ],
    { outputs: { y: {} } },
  );
  const work = ({ id }) => {
    flow[Symbol.dispose]();
    return answerOf(id, id === "a" ? "x" : "y");
  };
  const { status, outputs } = await flow.run({ nodes: { work } });
  assert.deepEqual([status, outputs], ["completed", { y: "b y" }]);
  await assert.rejects(flow.run({ nodes: { work } }), { name: "BynameError", code: "disposed" });
  assert.throws(() => flow.toJSON(), { code: "disposed" });
  flow[Symbol.dispose]();
});

test("causes no platform warning for many concurrent calls", async () => {
  const warnings = [];
  const listen = (warning) => warnings.push(warning.name);
  process.on("warning", listen);
  const flow = flowOf([["a", "", "x", { batch: { items: Array(40).fill(0) } }]]);
  const work = async () => {
    await after(5);
    return answerOf("a", "x");
  };
  await flow.run({ nodes: { work }, concurrency: 40, signal: new AbortController().signal });
  await after(5);
  process.off("warning", listen);
  assert.deepEqual(warnings, []);
});

test("reports nodes of unregistered types before any call", async () => {
  const workflow = {
    nodes: [
      { id: "a", type: "work" },
      { id: "b", type: "wrk" },
    ],
  };
  const { flow } = compileFlow(workflow, { work: {}, wrk: {} });
  const work = () => assert.fail("called");
  const result = await flow.run({ nodes: { work } });
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW048"]]);
  assert.match(result.diagnostics[0].help, /the type to `work`.* or .* function `wrk`/);
});

test("makes no more calls of a batch that failed before it was scheduled", async () => {
  const registry = {
    first: { inputs: [], outputs: ["o"] },
    each: { inputs: [], outputs: ["p"], actions: ["default"] },
  };
  const batch = { items: [1, 2, 3, 4, 5, 6] };
  const each = {
    id: "b",
    type: "each",
    batch,
    params: { q: "${item}" },
    retry: { max_attempts: 3 },
  };
  const { flow } = compileFlow({ nodes: [{ id: "a", type: "first" }, each] }, registry);
  const ran = async (concurrency) => {
    const calls = [];
    let end;
    const failed = new Promise((resolve) => {
      end = resolve;
    });
    const nodes = {
      first: async () => {
        if (concurrency > 1) await failed;
        return { outputs: { o: 1 } };
      },
      each: async ({ params: { q } }) => {
        calls.push(q);
        if (q !== 2) return { outputs: { p: q } };
        // The next call would have started by then.
        if (calls.filter((one) => one === 2).length === 3) setTimeout(end, 20);
        throw new Error("no 2");
      },
    };
    const { status, diagnostics } = await flow.run({ concurrency, nodes });
    return { status, faults: diagnostics.length, seen: calls.filter((one) => one > 3) };
  };
  const alone = await ran(1);
  assert.deepEqual(alone, { status: "failed", faults: 1, seen: [] });
  assert.deepEqual(await ran(2), alone);
});

test("restores the values before a step that is withdrawn", async () => {
  const registry = {
    gate: { outputs: [] },
    write: { outputs: ["x"] },
    choose: { outputs: ["x"], actions: ["default", "other"] },
  };
  const nodes = [
    { id: "w0", type: "write" },
    { id: "gate", type: "gate" },
    { id: "w1", type: "choose" },
    { id: "w2", type: "write" },
  ];
  const { flow } = compileFlow({ nodes, outputs: { x: "${x}" } }, registry);
  const write = async ({ id }) => ({ outputs: { x: id } });
  for (const concurrency of [1, 2, 4]) {
    const gate = async () => {
      await after(20);
      return { outputs: {}, action: "stop" };
    };
    const { status, outputs } = await flow.run({
      concurrency,
      nodes: { write, choose: write, gate },
    });
    assert.deepEqual([status, outputs], ["completed", { x: "w0" }], `${concurrency} at once`);
  }
});

test("reports the message of a thrown value that is not an error", async () => {
  const flow = flowOf([["a", "", "x"]]);
  const work = () => {
    throw { message: "quota is used up", status: 429 };
  };
  const { diagnostics } = await flow.run({ nodes: { work } });
  assert.equal(diagnostics[0].message, "`a` failed: quota is used up");
});
