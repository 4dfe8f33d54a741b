// The workflow of this example: 1,000 nodes in parallel lanes with branches, a loop and a batch.

import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { compileFlow } from "byname";

const LANES = 24;
const NODE_COUNT = 1_000;
/** Nodes outside of the lanes: `start`, `each`, `sum`, `loop`, `sign` and `end`. */
const OTHER_COUNT = 6;
const MODULUS = 1_000_003;

const registry = {
  start: { inputs: ["seed"], outputs: ["out", "items"] },
  step: { inputs: ["value"], outputs: ["out"] },
  check: { inputs: ["value"], outputs: ["out"], actions: ["low", "high"] },
  flaky: { inputs: ["value"], outputs: ["out"] },
  sum: { inputs: ["values"], outputs: ["out"] },
  loop: { inputs: ["value", "count"], outputs: ["out", "count"], actions: ["again", "default"] },
  sign: { inputs: ["value"], params: ["token"], outputs: ["out"] },
};

/** Returns the compiled workflow. */
export function createFlow() {
  const compiled = compileFlow(createWorkflow(), registry);
  if (compiled.ok) return compiled.flow;
  throw new Error(compiled.diagnostics.map(({ message }) => message).join("; "));
}

/** Returns the workflow as JSON. */
export function createWorkflow() {
  const nodes = [
    { id: "start", type: "start" },
    { id: "each", type: "step", batch: { items: "${start.items}", as: "value" } },
    { id: "sum", type: "sum", params: { values: "${each.out}" } },
    {
      id: "loop",
      type: "loop",
      params: { value: "${sum.out}", count: "${loop.count ?? 0}" },
    },
    { id: "sign", type: "sign", params: { value: "${loop.out}", token: "$token" } },
  ];
  const edges = [
    { from: "start", to: "each" },
    { from: "each", to: "sum" },
    { from: "sum", to: "loop" },
    { from: "loop", to: "loop", action: "again" },
    { from: "loop", to: "sign" },
    { from: "sign", to: "end" },
  ];
  const ends = ["${sign.out}"];
  const laneNodes = NODE_COUNT - OTHER_COUNT;
  for (let lane = 0; lane < LANES; lane += 1) {
    const length = Math.floor(laneNodes / LANES) + (lane < laneNodes % LANES ? 1 : 0);
    const last = addLane(nodes, edges, `lane${lane}`, length);
    ends.push(`\${${last}.out}`);
    edges.push({ from: last, to: "end" });
  }
  nodes.push({ id: "end", type: "sum", params: { values: ends } });
  return {
    inputs: { seed: { type: "integer", required: true }, token: { secret: true, required: true } },
    nodes,
    edges,
    start_node: "start",
    outputs: { total: "${end.out}", signature: "${sign.out}" },
  };
}

/** Adds a lane: steps, every tenth of which is a branch. Returns the id of its last node. */
function addLane(nodes, edges, lane, length) {
  let last = "start";
  let value = "${start.out}";
  const add = (id, type, more) =>
    nodes.push({ id, type, params: { value, ...more?.params }, ...more?.parts });
  for (let index = 0; index < length; ) {
    const id = `${lane}_${index}`;
    if (index % 10 === 3 && index + 4 <= length) {
      const [low, high, join] = [1, 2, 3].map((offset) => `${lane}_${index + offset}`);
      add(id, "check");
      edges.push({ from: last, to: id });
      value = `\${${id}.out}`;
      for (const [branch, action] of [
        [low, "low"],
        [high, "high"],
      ]) {
        add(branch, "step");
        edges.push({ from: id, to: branch, action }, { from: branch, to: join });
      }
      value = `\${${low}.out ?? ${high}.out}`;
      add(join, "step");
      last = join;
      index += 4;
    } else {
      const isFlaky = index % 10 === 8;
      const retry = { max_attempts: 2, backoff_ms: 10 };
      add(id, isFlaky ? "flaky" : "step", { parts: isFlaky ? { retry } : {} });
      edges.push({ from: last, to: id });
      last = id;
      index += 1;
    }
    value = `\${${last}.out}`;
  }
  return last;
}

const next = (value, salt) => (value * 31 + salt) % MODULUS;

/** Functions of the node types. A real one would be a request, a query or a model. */
export const nodes = {
  start: async ({ inputs: { seed } }) => ({
    outputs: { out: seed, items: Array.from({ length: 40 }, (_, index) => seed + index) },
  }),
  step: async ({ inputs: { value }, id }) => ({ outputs: { out: next(value, id.length) } }),
  check: async ({ inputs: { value } }) => ({
    outputs: { out: next(value, 7) },
    action: value % 2 === 0 ? "low" : "high",
  }),
  flaky: async ({ inputs: { value }, attempt }) => {
    if (attempt === 1) throw new Error("the service is busy");
    return { outputs: { out: next(value, 11) } };
  },
  sum: async ({ inputs: { values } }) => ({
    outputs: { out: values.reduce((sum, value) => next(sum, value), 0) },
  }),
  loop: async ({ inputs: { value, count } }) => ({
    outputs: { out: next(value, count), count: count + 1 },
    action: count < 5 ? "again" : "default",
  }),
  sign: async ({ inputs: { value }, params: { token } }) => ({
    outputs: {
      out: parseInt(createHash("sha256").update(`${token}${value}`).digest("hex").slice(0, 6), 16),
    },
  }),
};

/** Makes a call and returns its outcome. Takes `workMs` milliseconds. */
export async function makeCall(call, workMs) {
  const wait = (call.notBefore ?? 0) - Date.now();
  if (wait > 0) await delay(wait);
  try {
    await delay(workMs);
    const work = nodes[call.type](call);
    if (call.timeoutMs === undefined) return await work;
    return await Promise.race([work, timeout(call.timeoutMs)]);
  } catch (error) {
    return { failed: error.message };
  }
}

async function timeout(milliseconds) {
  await delay(milliseconds, undefined, { ref: false });
  return { failed: `no response within ${milliseconds} ms`, timeout: true };
}
