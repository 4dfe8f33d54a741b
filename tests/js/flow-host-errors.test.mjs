// Errors of the listeners and of the storage of a run, while a node runs a workflow.

import assert from "node:assert/strict";
import test from "node:test";
import { init } from "byname";
import { subflow } from "byname/flow";
import { memoryStorage } from "byname/storage";
import { runTask } from "../../pkg/task-driver.js";
import { after, flowOf, never } from "../flow/make.mjs";

await init();

const outputs = { parcel: {} };
const child = flowOf(
  [
    ["pay", "", "receipt", { type: "pay" }],
    ["ship", "receipt", "parcel", { type: "ship" }],
  ],
  { outputs },
);

/** Returns a workflow whose node `order` runs a workflow, with other parts of that node. */
const parentFlow = (more = {}) =>
  flowOf(
    [
      ["order", "", "parcel", { type: "order", ...more }],
      ["refund", "", "z"],
      ["done", "", "z2"],
    ],
    { edges: ["order refund error", "order done"] },
  );

/** Returns functions for the nodes, with the ids of the nodes that were called. */
function recorder(order = subflow(child)) {
  const calls = [];
  const answer = (outputs) => (call) => {
    calls.push(call.id);
    return { outputs };
  };
  const nodes = {
    order,
    pay: answer({ receipt: 1 }),
    ship: answer({ parcel: 2 }),
    work: answer({ z: 3, z2: 4 }),
  };
  return { calls, nodes };
}

/** Returns a function that throws at its call with a number. */
const throwAt = (number, message) => {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === number) throw new Error(message);
  };
};

/** Returns a storage in which another writer precedes the save with a number. */
function conflictAt(number) {
  const storage = memoryStorage();
  let saves = 0;
  const at = (key) => {
    const place = storage.at(key);
    const save = async (value, options) => {
      if (key === "m") saves += 1;
      if (key === "m" && saves === number) {
        const stored = await place.load();
        await place.save({ other: 1 }, { expectedRev: stored?.rev ?? null });
      }
      return place.save(value, options);
    };
    return { ...place, load: () => place.load(), save };
  };
  return { ...storage, at };
}

const retry = { max_attempts: 2, backoff_ms: 0 };
const grandchild = flowOf([["inner", "", "parcel", { type: "inner" }]], { outputs });
const batch = { batch: { items: [1, 2, 3], on_error: "continue" } };
/** Workflows that run others, with the functions of their nodes. */
const shapes = {
  "a node": () => [parentFlow({ retry }), recorder()],
  "a node in a node": () => {
    const { calls, nodes } = recorder(subflow(grandchild));
    return [parentFlow({ retry }), { calls, nodes: { ...nodes, inner: subflow(child) } }];
  },
  "items of a batch": () => [parentFlow(batch), recorder()],
  "a function that catches errors": () => {
    const run = subflow(child);
    const order = (call) => run(call).catch(() => ({ outputs: { parcel: "caught" } }));
    return [parentFlow({ retry }), recorder(order)];
  },
};

/** Runs each position of an error of the host. The run must reject with it and repeat no call. */
async function assertStops(makeOptions, expected) {
  for (const [name, make] of Object.entries(shapes)) {
    for (const concurrency of [1, 3]) {
      let rejections = 0;
      for (let number = 1; number <= rejections + 1; number += 1) {
        const [flow, { calls, nodes }] = make();
        const options = makeOptions(number);
        try {
          await flow.run({ nodes, concurrency, ...options });
        } catch (error) {
          const text = `${name}, ${concurrency}, ${number}: ${calls}`;
          assert.match(error.message, expected, text);
          assert.ok(!calls.includes("refund"), text);
          if (name !== "items of a batch") assert.ok(calls.length <= new Set(calls).size, text);
          rejections += 1;
        }
      }
      assert.ok(rejections >= 3, `${name}: ${rejections}`);
    }
  }
}

test("an error of `onCheckpoint` inside of a node stops the run", async () => {
  await assertStops((number) => ({ onCheckpoint: throwAt(number, "the disk is full") }), /disk/);
});

test("an error of `onEvent` inside of a node stops the run", async () => {
  await assertStops((number) => ({ onEvent: throwAt(number, "no listener") }), /no listener/);
});

test("a conflict of the storage inside of a node stops the run", async () => {
  await assertStops((number) => ({ run: "m", storage: conflictAt(number) }), /another writer/);
});

test("after an error of `onCheckpoint` it is not called again", async () => {
  const [flow, { nodes }] = shapes["items of a batch"]();
  let count = 0;
  const onCheckpoint = async () => {
    count += 1;
    await after(1);
    throw new Error("the disk is full");
  };
  await assert.rejects(flow.run({ nodes, concurrency: 3, onCheckpoint }), /disk/);
  await after(20);
  assert.equal(count, 1);
});

test("a promise of `onEvent` that rejects after the end of the inner workflow stops the run", async () => {
  const flow = flowOf([
    ["order", "", "parcel", { type: "order" }],
    ["last", "parcel", "z", { type: "last" }],
  ]);
  const { nodes } = recorder();
  const onEvent = async ({ kind, node }) => {
    if (kind !== "finished" || node !== "order/ship") return;
    await after(20);
    throw new Error("the log is closed");
  };
  await assert.rejects(flow.run({ nodes: { ...nodes, last: never }, onEvent }), /log is closed/);
});

test("a host whose effect rejects ends its task", async () => {
  const effect = { kind: "wait", number: 0 };
  const start = () => ({ events: [], effects: [effect] });
  const cancelled = { events: [], effects: [], done: null };
  const host = {
    perform: async () => {
      throw new Error("no effect");
    },
    cancel: () => cancelled,
  };
  await assert.rejects(runTask(host, start, undefined), /no effect/);
  // The effect after the cancellation rejects too.
  const again = { ...host, cancel: start };
  await assert.rejects(runTask(again, start, undefined), /no effect/);
});
