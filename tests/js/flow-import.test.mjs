// Imports of workflows: each compiles, and runs with the values that its writer intended.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { importWorkflow } from "byname/flow";
import { runImported } from "../flow/import.mjs";

await init();

const n8n = {
  name: "orders",
  nodes: [
    { name: "When clicking", type: "n8n-nodes-base.manualTrigger", parameters: {} },
    {
      name: "Get order",
      type: "n8n-nodes-base.httpRequest",
      parameters: { url: "https://example.org/orders?price=$5", options: {} },
      retryOnFail: true,
      maxTries: 4,
    },
    {
      name: "Is paid?",
      type: "n8n-nodes-base.if",
      parameters: { left: "={{ $json.status }}", right: "paid" },
    },
    {
      name: "Thank",
      type: "n8n-nodes-base.slack",
      parameters: { text: "=Thanks {{ $('Get order').item.json.customer.name }}, {{ $now }}" },
      credentials: { slackApi: { id: "1" } },
    },
    { name: "Remind", type: "n8n-nodes-base.slack", parameters: { text: "Pay" } },
    { name: "Note", type: "n8n-nodes-base.stickyNote", parameters: { content: "hi" } },
  ],
  connections: {
    "When clicking": { main: [[{ node: "Get order", type: "main", index: 0 }]] },
    "Get order": { main: [[{ node: "Is paid?", type: "main", index: 0 }]] },
    "Is paid?": { main: [[{ node: "Thank" }], [{ node: "Remind" }]] },
  },
};

test("n8n: references, branches, retries and literals", async () => {
  const order = { status: "paid", customer: { name: "Ann" } };
  const { format, calls, diagnostics, result } = await runImported(n8n, ({ id, type, params }) => {
    const json = id === "Get_order" ? order : {};
    const action = type === "if" ? { action: String(params.left === params.right) } : {};
    return { outputs: { json }, ...action };
  });
  assert.equal(format, "n8n");
  assert.equal(result.status, "completed");
  assert.deepEqual(calls, [
    ["When_clicking", {}],
    ["Get_order", { url: "https://example.org/orders?price=$5", options: {}, input: {} }],
    ["Is_paid", { left: "paid", right: "paid", input: order }],
    ["Thank", { text: "Thanks Ann, {{ $now }}", input: {} }],
  ]);
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [
      ["FLOW071", "/nodes/3/credentials"],
      ["FLOW072", "/nodes/3/parameters/text"],
    ],
  );
  const retry = importWorkflow(n8n).workflow.nodes[1].retry;
  assert.deepEqual(retry, { max_attempts: 4, backoff_ms: 1000 });
});

test("n8n: the error output is an error edge; other ways to go on after a failure are warnings", async () => {
  const fetch = { name: "Fetch", type: "n8n-nodes-base.httpRequest", parameters: {} };
  const nodes = [
    { ...fetch, onError: "continueErrorOutput" },
    { name: "Use", type: "n8n-nodes-base.set", parameters: { text: "={{ $json.body }}" } },
    { name: "Alert", type: "n8n-nodes-base.slack", parameters: { text: "failed" } },
  ];
  const connections = { Fetch: { main: [[{ node: "Use" }], [{ node: "Alert" }]] } };
  const { calls, diagnostics, result } = await runImported({ nodes, connections }, ({ id }) => {
    if (id === "Fetch") throw new Error("offline");
    return { outputs: { json: {} } };
  });
  assert.deepEqual(diagnostics, []);
  assert.equal(result.status, "completed");
  assert.deepEqual(
    calls.map(([id]) => id),
    ["Fetch", "Alert"],
  );
  for (const [setting, pointer] of [
    [{ continueOnFail: true }, "/nodes/0/continueOnFail"],
    [{ onError: "continueRegularOutput" }, "/nodes/0/onError"],
  ]) {
    const imported = importWorkflow({ nodes: [{ ...fetch, ...setting }], connections: {} });
    assert.deepEqual(
      imported.diagnostics.map(({ code, location }) => [code, location.pointer]),
      [["FLOW071", pointer]],
    );
  }
  // The second output of a loop is not for failures.
  const loop = { name: "Loop", type: "n8n-nodes-base.splitInBatches", parameters: {} };
  const looping = importWorkflow({
    nodes: [{ ...loop, onError: "continueErrorOutput" }, nodes[2]],
    connections: { Loop: { main: [[], [{ node: "Alert" }]] } },
  });
  assert.deepEqual(looping.workflow.edges, [{ from: "Loop", to: "Alert", action: "output_1" }]);
  assert.deepEqual(
    looping.diagnostics.map(({ code, location }) => [code, location.pointer]),
    [["FLOW071", "/nodes/0/onError"]],
  );
  const stopping = { nodes: [{ ...fetch, onError: "stopWorkflow" }], connections: {} };
  assert.deepEqual(importWorkflow(stopping).diagnostics, []);
});

test("n8n: an expression of a node with two predecessors stays text, with a warning", () => {
  const nodes = ["a", "b", "c"].map((name) => ({
    name,
    type: "n8n-nodes-base.set",
    parameters: {},
  }));
  nodes[2].parameters = { value: "={{ $json.x }}" };
  const connections = { a: { main: [[{ node: "c" }]] }, b: { main: [[{ node: "c" }]] } };
  const { workflow, diagnostics } = importWorkflow({ nodes, connections });
  assert.equal(workflow.nodes[2].params.value, "{{ $$json.x }}");
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["FLOW072", "FLOW071"],
  );
  assert.match(diagnostics[1].message, /several nodes are connected to input 0 of `c`/);
});

test("ComfyUI: links become templates, and nodes follow their sources", async () => {
  const source = {
    9: { class_type: "SaveImage", inputs: { images: ["8", 0], prefix: "out$" } },
    8: { class_type: "VAEDecode", inputs: { samples: ["3", 0], vae: ["4", 2] } },
    3: { class_type: "KSampler", inputs: { seed: 5, model: ["4", 0] }, _meta: { title: "Sample" } },
    4: { class_type: "Load", inputs: { name: "sd" } },
  };
  const { format, calls, workflow } = await runImported(JSON.stringify(source), ({ id, type }) => {
    const keys = workflowOutputs(source, id);
    return { outputs: Object.fromEntries(keys.map((key) => [key, `${type}.${key}`])) };
  });
  assert.equal(format, "comfyui");
  assert.equal(workflow.nodes[1].purpose, "Sample");
  assert.deepEqual(calls, [
    ["Load_4", { name: "sd" }],
    ["KSampler_3", { seed: 5, model: "Load.output_0" }],
    ["VAEDecode_8", { samples: "KSampler.output_0", vae: "Load.output_2" }],
    ["SaveImage_9", { images: "VAEDecode.output_0", prefix: "out$" }],
  ]);
});

function workflowOutputs(source, id) {
  return importWorkflow(source).workflow.nodes.find((node) => node.id === id).outputs;
}

test("state graph: conditional edges become actions, and the state is passed on", async () => {
  const source = {
    nodes: [
      { id: "__start__", type: "schema" },
      { id: "agent", type: "runnable" },
      { id: "tools", type: "runnable" },
      { id: "__end__", type: "schema" },
    ],
    edges: [
      { source: "__start__", target: "agent" },
      { source: "agent", target: "tools", data: "continue", conditional: true },
      { source: "agent", target: "__end__", data: "end", conditional: true },
      { source: "tools", target: "agent" },
    ],
  };
  const { format, result, diagnostics } = await runImported(source, ({ id, inputs }) => {
    const steps = [...(inputs.state.steps ?? []), id];
    const action = id === "agent" ? { action: steps.length > 3 ? "end" : "continue" } : {};
    return { outputs: { state: { steps } }, ...action };
  });
  assert.equal(format, "state-graph");
  assert.deepEqual([result.status, diagnostics], ["completed", []]);
  assert.deepEqual(result.outputs.state, { steps: ["agent", "tools", "agent", "tools", "agent"] });
});

test("pflow: inputs are required unless they state otherwise, and batches keep their policy", () => {
  const source = {
    ir_version: "0.1.0",
    inputs: {
      url: { type: "string" },
      style: { type: "string", required: false },
      n: { default: 1 },
    },
    nodes: [
      {
        id: "each",
        type: "http",
        params: { url: "${url}" },
        batch: {
          items: "${url}",
          error_handling: "continue",
          max_concurrent: 3,
          parallel: true,
          max_retries: 2,
        },
      },
    ],
    edges: [],
  };
  const { format, workflow, diagnostics } = importWorkflow(source);
  assert.equal(format, "pflow");
  assert.deepEqual(
    Object.entries(workflow.inputs).map(([name, { required }]) => [name, required]),
    [
      ["url", true],
      ["style", false],
      ["n", undefined],
    ],
  );
  assert.deepEqual(workflow.nodes[0].batch, {
    items: "${url}",
    on_error: "continue",
    concurrency: 3,
  });
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [["FLOW071", "/nodes/0/batch/max_retries"]],
  );
});

test("other documents are errors that name the forms", () => {
  const editor = {
    nodes: [{ id: 1, type: "KSampler", widgets_values: [5] }],
    links: [[1, 1, 0, 2, 0, "X"]],
  };
  for (const [source, message] of [
    ["{", /not JSON/],
    ["[]", /expected an object/],
    [{ steps: [] }, /unknown form of a workflow with the keys `steps`/],
    [editor, /ComfyUI editor/],
  ]) {
    const { workflow, format, diagnostics } = importWorkflow(source);
    assert.deepEqual([workflow, format], [null, null]);
    assert.equal(diagnostics[0].code, "FLOW070");
    assert.match(diagnostics[0].message, message);
    assert.ok(diagnostics[0].help.length > 10);
  }
  assert.throws(() => importWorkflow(5), /JSON text or an object/);
});
