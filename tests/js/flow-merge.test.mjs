// Merged workflows through the facade: the same calls and outputs as their parts.

import assert from "node:assert/strict";
import test from "node:test";
import { compileFlow, init, mergeWorkflows } from "byname";
import { mergeWorkflows as fromFlow } from "byname/flow";

await init();

const registry = {
  http: { inputs: ["url"], outputs: ["response"] },
  llm: { inputs: ["prompt"], outputs: ["text"] },
};

const chain = (url, prompt) => ({
  nodes: [
    { id: "fetch", type: "http", params: { url } },
    { id: "ask", type: "llm", params: { prompt } },
  ],
  outputs: { text: {} },
});

const nodes = {
  http: ({ inputs }) => ({ outputs: { response: `page ${inputs.url}` } }),
  llm: ({ inputs }) => ({ outputs: { text: `<${inputs.prompt}>` } }),
};

async function run(workflow, options = {}) {
  const { ok, flow, diagnostics } = compileFlow(workflow, registry);
  assert.ok(ok, JSON.stringify(diagnostics));
  const result = await flow.run({ nodes, concurrency: 4, ...options });
  assert.equal(result.status, "completed", JSON.stringify(result.diagnostics));
  return result.outputs;
}

test("two workflows with equal ids keep their own values", async () => {
  const sum = chain("A", "Sum ${fetch.response}");
  const translate = chain("B", "Translate $response");
  const { workflow, diagnostics } = mergeWorkflows({ sum, translate });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(await run(workflow), {
    sum_text: "<Sum page A>",
    translate_text: "<Translate page B>",
  });
  const twice = mergeWorkflows({ a: workflow, b: sum }).workflow;
  assert.deepEqual(await run(twice), {
    a_sum_text: "<Sum page A>",
    a_translate_text: "<Translate page B>",
    b_text: "<Sum page A>",
  });
});

test("inputs are qualified", async () => {
  const part = { ...chain("$url", "Read ${fetch.response}"), inputs: { url: { required: true } } };
  const { workflow } = mergeWorkflows({ a: part, b: part });
  const inputs = { a_url: "1", b_url: "2" };
  assert.deepEqual(await run(workflow, { inputs }), {
    a_text: "<Read page 1>",
    b_text: "<Read page 2>",
  });
});

test("an invalid part is reported, and the result does not compile", () => {
  assert.equal(fromFlow, mergeWorkflows);
  const { workflow, diagnostics } = mergeWorkflows({ a: { nodes: [] }, a_b: {} });
  const messages = diagnostics.map(({ code, message }) => `${code} ${message}`);
  assert.deepEqual(messages, [
    "FLOW001 the names `a` and `a_b` overlap",
    "FLOW001 expected a workflow with `nodes` for `a_b`",
  ]);
  assert.equal(compileFlow(workflow, registry).ok, false);
  assert.throws(() => mergeWorkflows("a"), /an object of workflows by their names, found a string/);
});
