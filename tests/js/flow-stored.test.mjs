// Runs in a storage: what is stored when, two processes with one run, and processes that are killed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { BynameError, init } from "byname";
import { suspend, traceSchema } from "byname/flow";
import { memoryStorage, StorageError } from "byname/storage";
import { codesOf, flowOf } from "../flow/make.mjs";

await init();

const twoNodes = (more) =>
  flowOf(
    [
      ["a", "x", "y"],
      ["b", "y", "z"],
    ],
    { outputs: { z: {} }, ...more },
  );
const outputsOf = { a: "y", b: "z" };
const work = ({ id }) => ({ outputs: { [outputsOf[id]]: id } });
const stateOf = async (storage, key = "r") => (await storage.at(key).load())?.state;
const statusesOf = (trace) => trace.steps.map(({ node, status }) => `${node} ${status}`);

test("the trace is stored before calls and before events", async () => {
  const storage = memoryStorage();
  const seen = [];
  const record = async (what) => seen.push([what, statusesOf(await stateOf(storage))]);
  const flow = twoNodes();
  const result = await flow.run({
    nodes: {
      work: async (call) => {
        await record(`call ${call.id}`);
        return work(call);
      },
    },
    storage,
    run: "r",
    onEvent: ({ kind, node }) => kind === "finished" && record(`event ${node}`),
  });
  assert.deepEqual(seen, [
    ["call a", ["a interrupted"]],
    ["event a", ["a finished", "b interrupted"]],
    ["call b", ["a finished", "b interrupted"]],
    ["event b", ["a finished", "b finished"]],
  ]);
  assert.deepEqual(await stateOf(storage), result.trace);
  assert.deepEqual(await storage.list(), ["r", "r/result"]);
  assert.deepEqual(Object.keys(result.trace).sort(), [...traceSchema().required].sort());
});

test("a completed run returns its stored result, without calls", async () => {
  const storage = memoryStorage();
  const inputs = { token: "s3cret" };
  const more = { inputs: { token: { secret: true }, x: {} } };
  const flow = flowOf([["a", "token x", "y"]], { ...more, outputs: { y: {} } });
  const nodes = { work: ({ inputs: { token } }) => ({ outputs: { y: `got ${token}` } }) };
  const first = await flow.run({ nodes, inputs: { ...inputs, x: 1 }, storage, run: "r" });
  for (const key of await storage.list())
    assert.ok(!JSON.stringify(await stateOf(storage, key)).includes("s3cret"), key);
  const refused = { work: () => assert.fail("called") };
  const options = { nodes: refused, storage, run: "r" };
  assert.deepEqual(await flow.run({ ...options, inputs: { ...inputs, x: 1 } }), first);
  assert.equal(first.outputs.y, "got s3cret");
  await assert.rejects(flow.run(options), (error) => {
    return error instanceof BynameError && /missing secret `token`/.test(error.message);
  });
  const other = await flow.run({ ...options, inputs: { ...inputs, x: 2 } });
  assert.deepEqual([codesOf(other), other.outputs], [["FLOW082"], first.outputs]);
  assert.match(other.diagnostics[0].message, /another input `x`/);
  const changed = flowOf([["a", "token x", "y", { params: { x: 3 } }]], more);
  const { diagnostics } = await changed.run({ ...options, inputs });
  assert.match(diagnostics[0].message, /another workflow/);
});

test("a failed run continues, and a paused one takes answers", async () => {
  const storage = memoryStorage();
  const flow = twoNodes();
  const calls = [];
  let outcome = () => {
    throw new Error("no network");
  };
  const nodes = {
    work: (call) => {
      calls.push(call.id);
      return call.id === "b" ? outcome(call) : work(call);
    },
  };
  const run = (more) => flow.run({ nodes, storage, run: "r", ...more });
  assert.equal((await run()).status, "failed");
  outcome = ({ resumed }) => (resumed ? { outputs: { z: resumed } } : suspend("sure?"));
  assert.deepEqual((await run()).waiting, [{ node: "b", payload: "sure?" }]);
  assert.equal((await run()).status, "paused");
  const done = await run({ answers: { b: "yes" } });
  assert.deepEqual([done.status, done.outputs], ["completed", { z: "yes" }]);
  assert.deepEqual(calls, ["a", "b", "b", "b"]);
});

test("an aborted run stores its trace", async () => {
  const storage = memoryStorage();
  const stop = new AbortController();
  const nodes = {
    work: (call) => {
      if (call.id === "a") return work(call);
      stop.abort();
      return new Promise(() => {});
    },
  };
  const result = await twoNodes().run({ nodes, storage, run: "r", signal: stop.signal });
  assert.equal(result.status, "cancelled");
  assert.deepEqual(await stateOf(storage), result.trace);
  assert.deepEqual(statusesOf(result.trace), ["a finished", "b interrupted"]);
});

test("a process that loses its run to another one stops with a conflict", async () => {
  const storage = memoryStorage();
  const flow = twoNodes();
  const called = [];
  let takeOver;
  const other = new Promise((resolve) => {
    takeOver = resolve;
  });
  const first = flow.run({
    nodes: {
      work: async (call) => {
        called.push(call.id);
        await other;
        return work(call);
      },
    },
    storage,
    run: "r",
    onEvent: ({ kind }) => assert.notEqual(kind, "finished"),
  });
  while (called.length === 0) await new Promise(setImmediate);
  const second = await flow.run({ nodes: { work }, storage, run: "r" });
  takeOver();
  await assert.rejects(first, (error) => {
    return error instanceof StorageError && error.reason === "conflict";
  });
  assert.deepEqual([second.status, called], ["completed", ["a"]]);
});

test("a storage that throws stops the run, which rejects with its error", async () => {
  const flow = twoNodes();
  const thrown = new TypeError("the disk is full");
  // Saves: before the call of each node, after the last one, and of the result.
  for (const [failing, calls] of [
    [1, []],
    [2, ["a"]],
    [3, ["a", "b"]],
  ]) {
    const inner = memoryStorage();
    let saves = 0;
    const at = (key) => ({
      ...inner.at(key),
      async save(...args) {
        saves += 1;
        if (saves >= failing) throw thrown;
        return await inner.at(key).save(...args);
      },
    });
    const called = [];
    const nodes = {
      work: (call) => {
        called.push(call.id);
        return work(call);
      },
    };
    const run = flow.run({ nodes, storage: { ...inner, at }, run: "r" });
    await assert.rejects(run, (error) => error === thrown);
    assert.deepEqual(called, calls);
    assert.equal((await flow.run({ nodes, storage: inner, run: "r" })).status, "completed");
  }
});

test("an invalid stored trace is reported and not replaced", async () => {
  const storage = memoryStorage();
  await storage.at("r").save({ version: 99, steps: [], inputs: {} }, { expectedRev: null });
  const result = await twoNodes().run({ nodes: { work }, storage, run: "r" });
  assert.deepEqual([result.status, codesOf(result)], ["failed", ["FLOW052"]]);
  assert.equal((await stateOf(storage)).version, 99);
});

test("invalid arguments throw", async () => {
  const storage = memoryStorage();
  const cases = [
    [{ storage }, /expected `run` to be a string/],
    [{ run: "r" }, /expected `storage` to be a storage of `byname\/storage`/],
    [{ storage: {}, run: "r" }, /expected `storage`/],
    [{ storage: "abc", run: "r" }, /expected `storage` to be .*, found a string/],
    [{ storage: ["abc"], run: "r" }, /expected `storage` to be .*, found an Array/],
    [{ storage, run: "" }, /expected `run` to be the id/],
    [{ storage, run: "r/result" }, /expected `run` not to end with `\/result`.*rename the run/],
    [{ storage, run: "r", resume: {} }, /pass `resume` or `storage`, not both/],
  ];
  for (const [options, message] of cases)
    await assert.rejects(twoNodes().run({ nodes: { work }, ...options }), message);
});

test("a run whose processes are killed at random times loses no reported result", async () => {
  const folder = mkdtempSync(join(tmpdir(), "byname-stored-"));
  const linesOf = (name) =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), "utf8").trim().split("\n")
      : [];
  let kills = 0;
  // Number of processes in a row that reported nothing, as on a busy machine. The next one gets more time.
  let stalled = 0;
  try {
    for (let attempt = 0; linesOf("result.json").length === 0; attempt += 1) {
      assert.ok(attempt < 60, "no process made progress");
      const [callCount, reported] = [linesOf("calls").length, linesOf("events")];
      const hasCalled = () => linesOf("calls").length > callCount;
      const signal = await runUntilKilled(folder, hasCalled, 45 * (1 + stalled));
      if (signal === "SIGKILL") kills += 1;
      stalled = linesOf("events").length > reported.length ? 0 : stalled + 1;
      const repeated = linesOf("calls")
        .slice(callCount)
        .filter((call) => reported.includes(call));
      assert.deepEqual(repeated, [], "a call that was reported as finished is made again");
    }
    const { status, outputs } = JSON.parse(linesOf("result.json")[0]);
    const textOf = (name) => `a5 a4 a3 a2 a1 a0 3,1,2,3,5,8`.replaceAll("a", name);
    const ends = { a5: textOf("a"), b5: textOf("b"), c5: textOf("c") };
    assert.deepEqual([status, outputs], ["completed", { r: { k: 30, ...ends } }]);
    assert.ok(kills >= 3, `${kills} kills`);
    const calls = linesOf("calls");
    // One call of `start` and `end`, three branches of six, six items and five iterations.
    assert.equal(new Set(calls).size, 2 + 18 + 6 + 5);
    // A kill repeats the calls that ran, and items whose group was not stored.
    assert.ok(calls.length - 31 <= kills * 6, `${calls.length} calls, ${kills} kills`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs a process, and kills it at most `delay` milliseconds after it made a call. Returns its signal. */
function runUntilKilled(folder, hasCalled, delay) {
  const script = fileURLToPath(new URL("../flow/stored-run.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  let timer;
  const poll = setInterval(() => {
    if (!hasCalled()) return;
    clearInterval(poll);
    timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * delay);
  }, 2);
  return new Promise((resolve, reject) => {
    child.on("close", (_, signal) => {
      clearInterval(poll);
      clearTimeout(timer);
      if (errors === "") resolve(signal);
      else reject(new Error(errors));
    });
  });
}
