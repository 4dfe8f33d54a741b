// Calls that ran ahead in a workflow without edges, and barriers that nothing passes.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init } from "byname";

await init();

const node = (id, inputs, outputs, more = {}) => ({ id, type: id, inputs, outputs, ...more });

const compiled = (nodes) => {
  const { ok, flow, diagnostics } = compileFlow({ nodes }, {});
  assert.ok(ok, JSON.stringify(diagnostics));
  return flow;
};

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

const chain = [node("validate", [], ["valid"]), node("charge", [], ["receipt"])];

const ENDS = {
  "an action without an edge": () => ({ outputs: { valid: false }, action: "stop" }),
  "a failure": () => {
    throw new Error("invalid");
  },
};

for (const [what, validate] of Object.entries(ENDS)) {
  test(`a call that ran ahead of ${what} is withdrawn, and called again`, async () => {
    const flow = compiled(chain);
    let charged = 0;
    const charge = () => {
      charged += 1;
      return { outputs: { receipt: "r" } };
    };
    const slow = async () => {
      await later();
      return validate();
    };
    const result = await flow.run({ concurrency: 8, nodes: { validate: slow, charge } });
    assert.equal(charged, 1);
    const step = result.trace.steps.find((one) => one.node === "charge");
    assert.equal(step.status, "withdrawn");
    assert.equal("outputs" in step, false);
    assert.equal("receipt" in result.store, false);
    if (result.status !== "failed") return;
    const valid = () => ({ outputs: { valid: true } });
    const resumed = await flow.run({ resume: result.trace, nodes: { validate: valid, charge } });
    assert.deepEqual([resumed.status, charged], ["completed", 2]);
  });
}

for (const [what, more] of [
  ["effects", { effects: true }],
  ["an action", { actions: ["default", "stop"] }],
]) {
  test(`a node with ${what} starts after all before it, and nothing starts before it has ended`, async () => {
    const nodes = [node("a", [], ["x"]), node("gate", [], ["y"], more), node("b", [], ["z"])];
    const log = [];
    const work = async ({ id }) => {
      log.push(`${id} starts`);
      await later();
      log.push(`${id} ends`);
      return { outputs: { a: { x: 1 }, gate: { y: 1 }, b: { z: 1 } }[id] };
    };
    const flow = compiled(nodes);
    const callbacks = { a: work, gate: work, b: work };
    assert.equal((await flow.run({ concurrency: 8, nodes: callbacks })).status, "completed");
    const order = ["a starts", "a ends", "gate starts", "gate ends", "b starts", "b ends"];
    assert.deepEqual(log, order);
  });
}

test("an info lists the nodes that may start early", () => {
  const { diagnostics } = compileFlow({ nodes: chain }, {});
  const [info] = diagnostics;
  assert.deepEqual([diagnostics.length, info.code, info.severity], [1, "FLOW033", "info"]);
  assert.match(info.message, /`charge`/);
  const gate = { ...chain[0], effects: true };
  assert.deepEqual(compileFlow({ nodes: [gate, chain[1]] }, {}).diagnostics, []);
});
