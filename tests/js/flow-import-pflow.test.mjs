// Imports of pflow: templates, the namespaces of nodes, batches and the first node.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { importWorkflow } from "byname/flow";
import { placesOf, runImported } from "../flow/import.mjs";

await init();

const registry = {
  up: { inputs: ["p", "q"], outputs: ["text"] },
  low: { inputs: ["q", "text"], outputs: ["text"] },
};

test("pflow: only `${name}` is a template", async () => {
  const imported = await runImported(
    {
      ir_version: "0.1.0",
      inputs: { cash: {}, i: {} },
      outputs: { bare: { source: "a.text" }, plain: "costs $cash ${a.text}" },
      nodes: [
        {
          id: "a",
          type: "up",
          params: { p: "$cash, $$, ${cash}", q: [{ deep: "$i $${i} ${i:-1} ${a.b[${i}]}" }] },
        },
      ],
    },
    ({ params }) => ({ outputs: { text: params.p } }),
    { registry, inputs: { cash: 5, i: 1 } },
  );
  const p = "$cash, $$, 5";
  assert.deepEqual(imported.calls, [["a", { p, q: [{ deep: "$i $${i} ${i:-1} ${a.b[${i}]}" }] }]]);
  assert.deepEqual(imported.result.outputs, { bare: p, plain: `costs $cash ${p}` });
  assert.deepEqual(placesOf(imported), [
    ["FLOW071", "/nodes/0/params/q/0/deep"],
    ["FLOW072", "/nodes/0/params/q/0/deep"],
    ["FLOW072", "/nodes/0/params/q/0/deep"],
  ]);
  assert.match(imported.diagnostics[0].message, /recent versions of pflow remove the first/);
});

const chain = {
  inputs: { text: {} },
  nodes: [
    { id: "a", type: "up", params: { p: "${text}" } },
    { id: "b", type: "low", params: { q: '${text}, ${a.text ?? "none"}' } },
  ],
  edges: [{ from: "a", to: "b" }],
};

test("pflow: a workflow without a version that contains `$name` is reported", () => {
  const params = { p: "$text, $5, $$cash", q: ["of ${text}", "a $text"] };
  const { diagnostics } = importWorkflow({ nodes: [{ id: "a", type: "up", params }] });
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [
      ["FLOW071", "/nodes/0/params/p"],
      ["FLOW071", "/nodes/0/params/q/1"],
    ],
  );
  assert.match(diagnostics[0].help, /^write `\$\{text\}` for a template/);
});

test("pflow: a node reads no output of another node by its name", async () => {
  const inputs = [];
  const call = (one) => {
    inputs.push(one.inputs);
    return { outputs: { text: one.id } };
  };
  const options = { registry, inputs: { text: "T" } };
  const { diagnostics } = await runImported(chain, call, options);
  assert.deepEqual(inputs, [{ p: "T" }, { q: "T, a" }]);
  assert.deepEqual(diagnostics, []);
  inputs.length = 0;
  await runImported({ ...chain, enable_namespacing: false }, call, options);
  assert.deepEqual(inputs[1], { q: "a, a", text: "a" });
});

test("pflow: items run one after the other unless the batch is parallel", async () => {
  const batchOf = (batch) => {
    const nodes = [{ id: "a", type: "up", batch: { items: ["$a", "b"], ...batch } }];
    return importWorkflow({ nodes }).workflow.nodes[0].batch;
  };
  assert.deepEqual(batchOf({}), { items: ["$$a", "b"], concurrency: 1 });
  assert.equal(batchOf({ parallel: false, max_concurrent: 5 }).concurrency, 1);
  assert.equal(batchOf({ parallel: true }).concurrency, 10);
  assert.equal(batchOf({ parallel: true, max_concurrent: 5 }).concurrency, 5);
  const source = {
    inputs: { list: {} },
    nodes: [{ id: "a", type: "up", batch: { items: "${list}" }, params: { p: "${item}" } }],
  };
  let running = 0;
  const { calls, result } = await runImported(
    source,
    async ({ params }) => {
      running += 1;
      assert.equal(running, 1);
      await new Promise(setImmediate);
      running -= 1;
      return { outputs: { text: params.p } };
    },
    { registry, inputs: { list: ["x", "y"] }, concurrency: 4 },
  );
  assert.deepEqual([calls.length, result.store.a_text], [2, ["x", "y"]]);
});

test("pflow: a run begins at the first node, and permissive templates are reported", async () => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, type: "up" }));
  const source = { nodes, edges: [{ from: "a", to: "b" }], template_resolution_mode: "permissive" };
  const imported = await runImported(source, () => ({ outputs: { text: "" } }), { registry });
  assert.deepEqual(imported.ids, ["a", "b"]);
  assert.deepEqual(placesOf(imported), [["FLOW071", "/template_resolution_mode"]]);
});
