// Runs in a storage that fails, hangs, lags, or confirms nothing.

import assert from "node:assert/strict";
import test from "node:test";
import { init } from "byname";
import { subflow } from "byname/flow";
import { memoryStorage } from "byname/storage";
import { codesOf, flowOf, never } from "../flow/make.mjs";

await init();

const flow = flowOf(
  [
    ["a", "", "y"],
    ["b", "y", "z"],
  ],
  { outputs: { z: {} } },
);
const outputsOf = { a: "y", b: "z" };

/** Returns functions of the nodes with the ids of those that were called. */
function recorder() {
  const calls = [];
  const work = ({ id, inputs }) => {
    calls.push(id);
    return { outputs: { [outputsOf[id]]: `${id}${inputs.y ?? ""}` } };
  };
  return { calls, nodes: { work } };
}

/** Returns the storage of the run `r` with other methods for its trace. */
function storageWith(inner, methodsOf) {
  const at = (key) => {
    const storage = inner.at(key);
    return key === "r" ? { ...storage, ...methodsOf(storage) } : storage;
  };
  return { ...inner, at };
}

test("a save whose confirmation is lost, or that fails once, is repeated", async () => {
  for (const isStored of [true, false]) {
    for (const number of [1, 2, 3]) {
      let saves = 0;
      const storage = storageWith(memoryStorage(), ({ save }) => ({
        save: async (...args) => {
          saves += 1;
          if (saves === number) {
            if (isStored) await save(...args);
            throw new Error("no confirmation");
          }
          return save(...args);
        },
      }));
      const { calls, nodes } = recorder();
      const { status } = await flow.run({ nodes, storage, run: "r" });
      assert.deepEqual([status, calls], ["completed", ["a", "b"]], `${isStored} ${number}`);
    }
  }
});

/** Returns a value with sorted keys, as a database with a binary JSON type does. */
function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sortKeys(one)]));
}

test("a storage may change the order of keys", async () => {
  const inputs = { topic: { b: 1, a: { d: 2, c: 3 } } };
  const own = flowOf([["a", "topic", "y"]], { inputs: { topic: {} }, outputs: { y: {} } });
  for (const number of [0, 1, 2, 3]) {
    let saves = 0;
    const inner = memoryStorage();
    const at = (key) => ({
      ...inner.at(key),
      async save(value, ...rest) {
        saves += 1;
        const saved = await inner.at(key).save(sortKeys(value), ...rest);
        if (saves === number) throw new Error("no confirmation");
        return saved;
      },
    });
    const calls = [];
    const work = ({ id }) => {
      calls.push(id);
      return { outputs: { y: 1 } };
    };
    const options = { inputs, nodes: { work }, storage: { ...inner, at }, run: "r" };
    for (const _ of [1, 2]) {
      const result = await own.run(options);
      assert.deepEqual([result.status, codesOf(result), calls], ["completed", [], ["a"]]);
    }
    assert.ok(saves >= number, `${saves} saves`);
  }
});

test("a replica that returns an earlier trace after a failed save causes no conflict", async () => {
  let saves = 0;
  const traces = [];
  const storage = storageWith(memoryStorage(), ({ save, load }) => ({
    save: async (...args) => {
      saves += 1;
      if (saves === 3) throw new Error("no confirmation");
      const saved = await save(...args);
      traces.push(await load());
      return saved;
    },
    load: async () => (saves === 3 ? traces[0] : load()),
  }));
  const { calls, nodes } = recorder();
  const { status } = await flow.run({ nodes, storage, run: "r" });
  assert.deepEqual([status, calls], ["completed", ["a", "b"]]);
});

test("events of a workflow in a node are reported after their trace is stored", async () => {
  const outer = flowOf([["order", "", "z", { type: "order" }]], { outputs: { z: {} } });
  for (let failing = 1; failing <= 6; failing += 1) {
    const inner = memoryStorage();
    let saves = 0;
    const storage = storageWith(inner, ({ save }) => ({
      save: async (...args) => {
        saves += 1;
        if (saves >= failing) throw new Error("disk full");
        return save(...args);
      },
    }));
    const finished = [];
    const onEvent = ({ kind, node }) => kind === "finished" && finished.push(node);
    const first = recorder();
    const nodes = ({ work }) => ({ order: subflow(flow), work });
    const run = outer.run({ nodes: nodes(first.nodes), storage, run: "r", onEvent });
    const error = await run.then(
      () => undefined,
      ({ message }) => message,
    );
    const before = [...finished];
    const { calls, nodes: others } = recorder();
    const result = await outer.run({ nodes: nodes(others), storage: inner, run: "r", onEvent });
    assert.equal(result.status, "completed");
    if (error === undefined) continue;
    assert.equal(error, "disk full");
    // No call whose result was reported is made again, and each result is reported once.
    const repeated = calls.filter((id) => before.includes(`order/${id}`));
    assert.deepEqual(repeated, [], `${failing}`);
    assert.equal(new Set(finished).size, finished.length, `${failing}: ${finished}`);
  }
});

test("an abort during a save loses no event", async () => {
  for (const [number, isConfirmed] of [1, 2, 3].flatMap((one) => [
    [one, true],
    [one, false],
  ])) {
    const stop = new AbortController();
    let saves = 0;
    const inner = memoryStorage();
    const storage = storageWith(inner, ({ save }) => ({
      save: async (...args) => {
        const saved = await save(...args);
        saves += 1;
        if (saves === number) stop.abort();
        if (saves === number && !isConfirmed) throw new Error("no confirmation");
        return saved;
      },
    }));
    const events = [];
    const onEvent = ({ kind, node }) => events.push(`${kind} ${node}`);
    const options = { nodes: recorder().nodes, run: "r", onEvent };
    const stopped = await flow.run({ ...options, storage, signal: stop.signal });
    assert.equal(stopped.status, number === 3 ? "completed" : "cancelled");
    assert.equal((await flow.run({ ...options, storage: inner })).status, "completed");
    assert.deepEqual(
      events.filter((one) => one.startsWith("finished")),
      ["finished a", "finished b"],
    );
  }
});

test("an abort ends a run whose storage does not respond", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const method of ["load", "save"]) {
    const stop = new AbortController();
    const storage = storageWith(memoryStorage(), () => ({ [method]: never }));
    const { calls, nodes } = recorder();
    const running = flow.run({ nodes, storage, run: "r", signal: stop.signal });
    await new Promise(setImmediate);
    stop.abort();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    context.mock.timers.tick(5_000);
    const result = await running;
    assert.deepEqual([result.status, calls], ["cancelled", []]);
    assert.equal(codesOf(result).includes("FLOW088"), method === "save");
  }
});

test("a storage that does not respond in 30 s ends a run", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const storage = storageWith(memoryStorage(), () => ({ save: never }));
  const running = flow.run({ nodes: recorder().nodes, storage, run: "r" });
  const rejected = assert.rejects(running, /`save` of the storage did not respond in 30 s/);
  for (let turn = 0; turn < 4; turn += 1) {
    for (let wait = 0; wait < 20; wait += 1) await new Promise(setImmediate);
    context.mock.timers.tick(30_000);
  }
  await rejected;
});

test("the result of an earlier run, or a damaged one, is not that of a later trace", async () => {
  const storage = memoryStorage();
  const run = async (y, isOnline = true) => {
    const work = ({ id, inputs }) => {
      if (id === "b" && !isOnline) throw new Error("offline");
      return { outputs: { [outputsOf[id]]: id === "a" ? y : inputs.y } };
    };
    const { status, outputs } = await flow.run({ nodes: { work }, storage, run: "r" });
    return [status, outputs.z];
  };
  assert.deepEqual(await run(1), ["completed", 1]);
  await storage.at("r").delete();
  assert.deepEqual((await run(2, false))[0], "failed");
  assert.deepEqual(await run(3), ["completed", 2]);
  assert.deepEqual(await run(4), ["completed", 2]);
  for (const damaged of [42, {}, { diagnostics: 1 }]) {
    const { rev } = await storage.at("r/result").load();
    await storage.at("r/result").save(damaged, { expectedRev: rev });
    assert.deepEqual(await run(5), ["completed", 2]);
  }
});
