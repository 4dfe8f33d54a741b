// Imports of LangGraph and ComfyUI: every edge and link keeps its meaning, or is reported.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compileFlow, init } from "byname";
import { importWorkflow } from "byname/flow";
import { placesOf, runImported } from "../flow/import.mjs";

await init();

/** Returns a state graph of edges such as `a b` and, with a label, `a b yes`. */
function graphOf(edges, nodes = []) {
  const written = edges.map((edge) => {
    const [source, target, data] = edge.split(" ");
    return { source, target, ...(data && { data, conditional: true }) };
  });
  const names = new Set(edges.flatMap((edge) => edge.split(" ").slice(0, 2)));
  const missing = [...names].filter((name) => nodes.every(({ id }) => id !== name));
  return { nodes: [...missing.map((id) => ({ id, type: "runnable" })), ...nodes], edges: written };
}

/** Returns a callback whose nodes return actions, and add their ids to the state. */
const actingNodes =
  (actions) =>
  ({ id, inputs }) => ({
    outputs: id === "start" ? {} : { state: { steps: [...(inputs.state.steps ?? []), id] } },
    ...(actions[id] && { action: actions[id] }),
  });

test("state graph: a router chooses between conditional edges from the start", async () => {
  const source = graphOf(["__start__ a yes", "__start__ b no", "a __end__", "b __end__"]);
  const { workflow, ids, diagnostics } = await runImported(source, actingNodes({ start: "no" }));
  assert.deepEqual(ids, ["start", "b"]);
  assert.equal(workflow.start_node, "start");
  assert.deepEqual(workflow.nodes[0], {
    id: "start",
    type: "__start__",
    inputs: ["state"],
    outputs: [],
    actions: ["yes", "no"],
  });
  assert.deepEqual(diagnostics, []);
});

test("state graph: all nodes with an edge from the start begin", () => {
  const loop = graphOf(["__start__ a", "__start__ b", "b b again", "b c done", "a __end__"]);
  const imported = importWorkflow(loop);
  assert.deepEqual(imported.workflow.start_node, ["a", "b"]);
  const ends = importWorkflow(graphOf(["START a", "a END", "START b", "b END"]));
  assert.deepEqual(ends.workflow.start_node, ["a", "b"]);
  assert.deepEqual(ends.workflow.edges, [
    { from: "a", to: "__end__" },
    { from: "b", to: "__end__" },
  ]);
  // The states of both branches have the same key.
  assert.deepEqual(placesOf(ends), [["FLOW071", "/edges"]]);
  assert.match(ends.diagnostics[0].message, /states of parallel branches are not merged/);
  const codes = compileFlow(ends.workflow, {}).diagnostics.map(({ code }) => code);
  assert.ok(codes.includes("FLOW025"), codes.join(" "));
});

test("state graph: a node that only `Command` reaches does not run, and is reported", async () => {
  const source = graphOf(["__start__ a", "a __end__"], [{ id: "b", type: "runnable" }]);
  const imported = await runImported(source, actingNodes({}));
  assert.deepEqual(imported.ids, ["a"]);
  assert.deepEqual(placesOf(imported), [["FLOW071", "/nodes/3"]]);
  assert.match(imported.diagnostics[0].message, /no edge leads to `b`/);
  const alone = { nodes: [{ id: "a" }, { id: "b" }], edges: [], entry_point: "a" };
  assert.deepEqual((await runImported(alone, actingNodes({}))).ids, ["a"]);
});

test("state graph: fixed and conditional edges of a node are both followed", async () => {
  const edges = ["__start__ a", "a log", "a b yes", "a c no", "b __end__", "log __end__"];
  const { workflow, diagnostics } = importWorkflow(graphOf(edges));
  const out = workflow.edges.filter(({ from }) => from === "a");
  assert.deepEqual(out, [
    { from: "a", to: "log", action: "yes" },
    { from: "a", to: "log", action: "no" },
    { from: "a", to: "b", action: "yes" },
    { from: "a", to: "c", action: "no" },
  ]);
  assert.match(diagnostics[0].message, /states of parallel branches/);
  for (const node of workflow.nodes) node.outputs = [];
  const { flow } = compileFlow({ ...workflow, outputs: {} }, {});
  const called = [];
  const call = ({ id }) => {
    called.push(id);
    return { outputs: {}, ...(id === "a" && { action: "no" }) };
  };
  await flow.run({ nodes: Object.fromEntries(workflow.nodes.map(({ type }) => [type, call])) });
  assert.deepEqual(called.sort(), ["a", "c", "log"]);
});

test("state graph: interrupts and `defer` of nodes are reported", () => {
  const nodes = [
    { id: "a", type: "runnable", metadata: { __interrupt: "before" } },
    { id: "b", type: "runnable", metadata: { defer: true } },
    { id: "c", type: "runnable", defer: true },
  ];
  const imported = importWorkflow(graphOf(["__start__ a", "a b", "b c"], nodes));
  assert.deepEqual(placesOf(imported), [
    ["FLOW071", "/nodes/1/metadata/__interrupt"],
    ["FLOW071", "/nodes/2/metadata/defer"],
    ["FLOW071", "/nodes/3/defer"],
  ]);
  assert.match(imported.diagnostics[0].help, /suspend\(payload\).*`a`/);
});

test("state graph: the label `error` is not the action for failures", async () => {
  const edges = ["__start__ a", "a b error", "a c ok", "a d fine"];
  const source = graphOf(edges);
  source.edges[3] = { source: "a", target: "error", conditional: true };
  source.nodes.push({ id: "error" });
  const imported = importWorkflow(source);
  assert.deepEqual(
    imported.workflow.edges.map(({ to, action }) => [to, action]),
    [
      ["b", "label_error"],
      ["c", "ok"],
      ["error", "label_error"],
    ],
  );
  assert.match(imported.diagnostics[0].message, /the label of `a` is renamed to `label_error`/);
  assert.match(imported.diagnostics[0].help, /return the action `label_error`/);
  const failing = await runImported(graphOf(edges.slice(0, 3)), () => {
    throw new Error("broken");
  });
  assert.deepEqual([failing.result.status, failing.ids], ["failed", ["a"]]);
});

test("state graph: unknown nodes, unnamed nodes, other keys and a missing start are reported", () => {
  const source = { nodes: [{ id: "a" }, 5], edges: [{ source: "a", target: "x" }], channels: {} };
  assert.deepEqual(placesOf(importWorkflow(source)), [
    ["FLOW071", "/nodes/1"],
    ["FLOW071", "/channels"],
    ["FLOW071", "/edges/0"],
    ["FLOW071", "/edges"],
  ]);
  const wide = graphOf(["__start__ a"]);
  for (let at = 0; at < 3000; at += 1) {
    wide.nodes.push({ id: `n${at}` });
    const label = at % 2 === 0 && { data: `l${at}`, conditional: true };
    wide.edges.push({ source: "a", target: `n${at}`, ...label });
  }
  const imported = importWorkflow(wide);
  assert.ok(imported.workflow.edges.length < 20_000);
  assert.match(imported.diagnostics[0].message, /followed without an action only/);
});

test("state graph: handles become actions, and types and data of nodes are kept", async () => {
  const source = {
    nodes: [
      { id: "classify", type: "llm", data: { prompt: "Spam? $5", type: "x" } },
      { id: "delete", type: "tool", data: {}, position: { x: 0, y: 0 } },
      { id: "archive", type: "custom", data: { type: "tool", keep: true }, parentId: "g" },
    ],
    edges: [
      { source: "classify", sourceHandle: "spam", target: "delete" },
      { source: "classify", sourceHandle: "ham", target: "archive", label: "no spam" },
      { source: "delete", sourceHandle: "source", target: "archive", targetHandle: "second" },
    ],
    viewport: { x: 0, y: 0, zoom: 1 },
  };
  const { workflow, calls, ids, result, ...imported } = await runImported(source, ({ id }) => ({
    outputs: { state: {} },
    ...(id === "classify" && { action: "ham" }),
  }));
  assert.deepEqual([result.status, ids], ["completed", ["classify", "archive"]]);
  assert.deepEqual(calls[0][1], { prompt: "Spam? $5", type: "x" });
  assert.deepEqual(
    workflow.nodes.map(({ type, params, actions }) => [type, params, actions]),
    [
      ["llm", { prompt: "Spam? $$5", type: "x" }, ["spam", "ham"]],
      ["tool", undefined, undefined],
      ["tool", { type: "tool", keep: true }, undefined],
    ],
  );
  assert.deepEqual(placesOf(imported), [
    ["FLOW071", "/edges/2/targetHandle"],
    ["FLOW071", "/edges/0/sourceHandle"],
    ["FLOW071", "/edges"],
    ["FLOW071", "/nodes/0/data"],
    ["FLOW071", "/nodes/2/parentId"],
    ["FLOW071", "/nodes/2/data"],
  ]);
  assert.match(imported.diagnostics[1].message, /`classify` become actions: `spam`, `ham`/);
});

test("state graph: an edge without a handle is the default next to others", () => {
  const nodes = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const edges = [
    { source: "a", sourceHandle: "source", target: "b" },
    { source: "a", sourceHandle: "fail-branch", target: "c" },
    { source: "b", target: "c", when: "x > 1", label: "yes", data: { condition: "y" } },
  ];
  const imported = importWorkflow({ nodes, edges, entry_point: "a" });
  assert.deepEqual(imported.workflow.edges, [
    { from: "a", to: "b", action: "default" },
    { from: "a", to: "c", action: "fail-branch" },
    { from: "b", to: "c" },
  ]);
  assert.deepEqual(placesOf(imported), [
    ["FLOW071", "/edges/2/when"],
    ["FLOW071", "/edges/2/label"],
    ["FLOW071", "/edges/2/data"],
    ["FLOW071", "/edges/1/sourceHandle"],
  ]);
});

test("state graph: the descriptions of LangGraph are not params", () => {
  const id = ["langchain", "schema", "runnable", "RunnablePassthrough"];
  const nodes = [
    { id: "__start__", type: "schema", data: "__start__" },
    { id: "a", type: "runnable", data: { id, name: "a" } },
    { id: "__end__", type: "schema", data: "__end__" },
  ];
  const edges = [
    { source: "__start__", target: "a" },
    { source: "a", target: "__end__" },
  ];
  const { workflow, diagnostics } = importWorkflow({ nodes, edges });
  assert.deepEqual(workflow.nodes, [{ id: "a", type: "a", inputs: ["state"], outputs: ["state"] }]);
  assert.deepEqual(diagnostics, []);
});

const comfyOf = (inputs) => ({
  1: { class_type: "L", inputs: {} },
  2: { class_type: "S", inputs },
});
const paramsOf = ({ workflow }) => workflow.nodes.find(({ type }) => type === "S").params;

test("ComfyUI: dollar signs in lists and objects stay text", async () => {
  const inputs = {
    list: ["US$$ style", "${L_1.output_0}", "$cash"],
    object: { a: { b: "$L_1" } },
    wrapped: { __value__: ["1", 0] },
    texts: { __value__: ["$a", { b: "$b" }] },
    range: [1, 5],
  };
  const { calls, diagnostics } = await runImported(comfyOf(inputs), () => ({ outputs: {} }));
  assert.deepEqual(calls[1][1], {
    ...inputs,
    wrapped: ["1", 0],
    texts: ["$a", { b: "$b" }],
  });
  assert.deepEqual(diagnostics, []);
});

test("ComfyUI: links without a source are reported and left out", () => {
  for (const [link, message] of [
    [["9", 0], /links to node `9`, which does not exist/],
    [["1", 1e10], /expected an output from 0 to 999, found 10000000000/],
    [["1", 5_000_000], /expected an output from 0 to 999, found 5000000/],
    [["1", 0.5], /found 0.5/],
    [["1", -1], /found -1/],
  ]) {
    const imported = importWorkflow(comfyOf({ m: link, n: 1 }));
    assert.deepEqual(paramsOf(imported), { n: 1 });
    assert.deepEqual(placesOf(imported), [["FLOW071", "/2/inputs/m"]]);
    assert.match(imported.diagnostics[0].message, message);
    assert.deepEqual(imported.workflow.nodes[0].outputs, []);
  }
  const odd = importWorkflow(comfyOf({ m: [{ toString: 1, valueOf: 1 }, 0] }));
  assert.deepEqual(paramsOf(odd), { m: [{ toString: 1, valueOf: 1 }, 0] });
});

test("documents that are nested too deeply are errors", () => {
  let value = [];
  for (let depth = 0; depth < 5000; depth += 1) value = [value];
  const { workflow, diagnostics } = importWorkflow(comfyOf({ m: value }));
  assert.equal(workflow, null);
  assert.match(diagnostics[0].message, /nested too deeply/);
  const cycle = comfyOf({});
  cycle[2].inputs.m = { a: cycle, b: cycle };
  assert.equal(importWorkflow(cycle).workflow, null);
});
