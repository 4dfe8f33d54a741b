// Workflows of many thousands of nodes: compiled, displayed and run in limited time.

import assert from "node:assert/strict";
import test from "node:test";
import { buildContext, compileFlow, init } from "byname";
import { wasmMemory } from "../../pkg/wasm.js";

await init();

const registry = {
  work: { description: "", inputs: [{ key: "x" }], outputs: [{ key: "x" }, { key: "y" }] },
  other: { description: "", inputs: [{ key: "y" }], outputs: [{ key: "x", optional: true }] },
};

const nodesOf = (count) =>
  Array.from({ length: count }, (_, place) => ({
    id: `n${place}`,
    type: place % 3 === 0 ? "other" : "work",
    ...(place % 6 === 1 ? { params: { p: `$y and $n${place - 1}_x` } } : {}),
  }));

const link = (from, to, action) => ({ from: `n${from}`, to: `n${to}`, ...(action && { action }) });

const line = (count) => Array.from({ length: count - 1 }, (_, place) => link(place, place + 1));

const SHAPES = {
  "a chain without edges": () => undefined,
  "a line": line,
  "branches that skip": (count) => [
    ...line(count),
    ...Array.from({ length: Math.floor(count / 4) }, (_, nth) =>
      link(nth * 4, Math.min(nth * 4 + 3, count - 1), "skip"),
    ),
  ],
  "short loops": (count) => [
    ...line(count),
    ...Array.from({ length: Math.floor(count / 5) }, (_, nth) =>
      link(nth * 5 + 4, nth * 5 + 1, "again"),
    ),
  ],
  "loops within loops": (count) => [
    ...line(count),
    ...Array.from({ length: Math.floor(count / 2) - 1 }, (_, nth) =>
      link(count - 1 - nth, nth, "again"),
    ),
  ],
  "branches that never join": (count) =>
    Array.from({ length: count - 1 }, (_, nth) =>
      link(Math.floor(nth / 2), nth + 1, nth % 2 === 0 ? "default" : "right"),
    ),
};

// Most of the time is spent in the engine, which scans its heap whenever the memory grows. So no
// ratio is checked: quadratic work would take minutes.
function compiles(nodes, edges, seconds) {
  const text = JSON.stringify({ nodes, edges, start_node: nodes[0].id });
  const start = process.cpuUsage();
  const { ok, flow, diagnostics } = compileFlow(text, registry);
  const { user } = process.cpuUsage(start);
  assert.ok(ok, JSON.stringify(diagnostics.slice(0, 3)));
  flow[Symbol.dispose]();
  assert.ok(user < seconds * 1e6, `${user / 1000} ms`);
}

for (const [name, edges] of Object.entries(SHAPES)) {
  test(`compiles 30,000 nodes in time: ${name}`, () =>
    compiles(nodesOf(30_000), edges(30_000), 20));
}

test("compiles 100,000 nodes with branches in time", () => {
  compiles(nodesOf(100_000), SHAPES["branches that skip"](100_000), 90);
});

test("compiles and runs a node with 160,000 outputs in time", async () => {
  const keys = Array.from({ length: 160_000 }, (_, index) => `k${index}`);
  const types = {
    wide: { outputs: keys },
    read: { inputs: keys.slice(0, 80_000), outputs: ["sum"], params: keys },
  };
  const params = Object.fromEntries(keys.slice(80_000).map((key) => [key, `\${a.${key}}`]));
  const workflow = {
    nodes: [
      { id: "a", type: "wide" },
      { id: "b", type: "wide" },
      { id: "r", type: "read", params },
    ],
  };
  const start = process.cpuUsage();
  const { ok, flow, diagnostics } = compileFlow(JSON.stringify(workflow), types);
  assert.ok(ok, JSON.stringify(diagnostics.slice(0, 3)));
  const outputs = (id) => Object.fromEntries(keys.map((key) => [key, id]));
  let seen;
  const result = await flow.run({
    nodes: {
      wide: ({ id }) => ({ outputs: outputs(id) }),
      read: ({ inputs, params: values }) => {
        seen = [inputs.k79999, values.k159999, Object.keys(inputs).length];
        return { outputs: { sum: 1 } };
      },
    },
  });
  assert.equal(result.status, "completed", JSON.stringify(result.diagnostics.slice(0, 3)));
  assert.deepEqual(seen, ["b", "a", 80_000]);
  flow[Symbol.dispose]();
  const { user } = process.cpuUsage(start);
  assert.ok(user < 60e6, `${user / 1000} ms`);
});

test("reports an error in each of many nodes in the same time", () => {
  const nodes = nodesOf(20_000).map((node) => ({ ...node, params: { p: "$absent" } }));
  const edges = nodes.map(({ id }) => ({ from: id, to: `${id}x` }));
  for (const workflow of [{ nodes }, { nodes: nodesOf(20_000), edges }]) {
    const start = process.cpuUsage();
    assert.equal(compileFlow(workflow, registry).ok, false);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 5e6, `${user / 1000} ms`);
  }
});

test("compiles 2,000 parallel nodes in time", () => {
  const count = 2_000;
  const nodes = Array.from({ length: count }, (_, place) => ({
    id: `n${place}`,
    type: "w",
    inputs: [],
    outputs: [{ key: `k${place}` }],
  }));
  const inner = Array.from({ length: count - 2 }, (_, nth) => nth + 1);
  const edges = inner.flatMap((place) => [link(0, place), link(place, count - 1)]);
  const start = process.cpuUsage();
  const { ok } = compileFlow({ nodes, edges }, {});
  const { user } = process.cpuUsage(start);
  assert.ok(ok);
  assert.ok(user < 10_000_000, `${user / 1000} ms`);
});

test("runs a long chain to its end, with one call at a time and with eight", async () => {
  const count = 20_000;
  const nodes = nodesOf(count).map((node) => ({ ...node, type: "work", params: {} }));
  const { flow } = compileFlow({ nodes, outputs: { x: {} } }, registry);
  for (const concurrency of [1, 8]) {
    let calls = 0;
    const work = ({ inputs }) => {
      calls += 1;
      return { outputs: { x: (inputs.x ?? 0) + 1, y: 0 } };
    };
    const start = process.cpuUsage();
    const { status, outputs } = await flow.run({ nodes: { work }, concurrency });
    const { user } = process.cpuUsage(start);
    assert.deepEqual([status, outputs, calls], ["completed", { x: count }, count]);
    assert.ok(user < 30e6, `${user / 1000} ms`);
  }
});

test("limits the context of many nodes to the requested length", () => {
  const nodes = nodesOf(50_000).map((node) => ({ ...node, params: {} }));
  const start = process.cpuUsage();
  const { markdown } = buildContext({ nodes }, registry, { budget: { characters: 10_000 } });
  const { user } = process.cpuUsage(start);
  assert.ok(markdown.length <= 10_000 && markdown.length > 5_000, `${markdown.length}`);
  assert.match(markdown, /omitted/);
  assert.ok(user < 10_000_000, `${user / 1000} ms`);
});

test("a batch builds the call of an item only when it starts", async () => {
  const { flow } = compileFlow(
    {
      inputs: { list: {} },
      nodes: [
        {
          id: "a",
          type: "ask",
          batch: { items: "$list" },
          params: { prompt: "Of $list do $item" },
        },
      ],
    },
    { ask: { outputs: ["y"] } },
  );
  const list = Array.from({ length: 3000 }, (_, at) => `item ${at}`);
  const before = wasmMemory().buffer.byteLength;
  let calls = 0;
  const ask = ({ item, index, inputs }) => {
    calls += inputs.item === list[index] && item === inputs.item ? 1 : 0;
    return { outputs: { y: index } };
  };
  const { status } = await flow.run({ nodes: { ask }, inputs: { list }, concurrency: 4 });
  assert.deepEqual([status, calls], ["completed", 3000]);
  // All of their texts together have 110 MB.
  assert.ok(wasmMemory().buffer.byteLength - before < 50e6);
});

test("calls wait for each other while their arguments need more than `maxBytes` together", async () => {
  // Each call needs about 500 bytes.
  const workflow = {
    inputs: { x: { default: "0123456789" } },
    nodes: [
      {
        id: "a",
        type: "work",
        batch: { items: [1, 2, 3, 4] },
        params: { text: "${x}".repeat(40) },
        outputs: ["y"],
      },
    ],
    outputs: { y: {} },
  };
  const { flow } = compileFlow(workflow, { work: {} });
  for (const [maxBytes, most] of [
    [700, 1],
    [1300, 2],
    [2000, 3],
    [1_000_000, 4],
  ]) {
    const seen = { calls: 0, running: 0, most: 0 };
    const work = async () => {
      seen.calls += 1;
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.running -= 1;
      return { outputs: { y: 1 } };
    };
    const { status, outputs } = await flow.run({ nodes: { work }, maxBytes, concurrency: 4 });
    assert.deepEqual([status, outputs], ["completed", { y: [1, 1, 1, 1] }]);
    assert.deepEqual(seen, { calls: 4, running: 0, most }, `${maxBytes} bytes`);
  }
});

test("without the option, the values of a run have at most 64 MB", async () => {
  const workflow = { nodes: [{ id: "a", type: "work", outputs: [{ key: "x" }] }] };
  const { flow } = compileFlow(workflow, { work: {} });
  const run = (length) =>
    flow.run({ nodes: { work: () => ({ outputs: { x: "x".repeat(length) } }) } });
  assert.equal((await run(63_000_000)).status, "completed");
  const { status, diagnostics } = await run(70_000_000);
  assert.deepEqual([status, diagnostics.map(({ code }) => code)], ["failed", ["FLOW086"]]);
});
