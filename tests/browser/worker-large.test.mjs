// A page stays responsive while its worker loads and measures a large graph.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

const NODES = 100_000;
const EDGES = 500_000;
/** Maximum duration of a task of the page in milliseconds. */
const LONGEST_TASK = 50;

let seed = 1;
function below(limit) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

const nodes = ["id,kind,score"];
for (let at = 0; at < NODES; at++) nodes.push(`n${at},KIND_${below(6)},${below(1000) / 10}`);
const edges = ["source,target,type,weight"];
for (let at = 0; at < EDGES; at++)
  edges.push(`n${below(NODES)},n${below(NODES)},T${below(8)},${below(100)}`);
pages["/large/nodes.csv"] = nodes.join("\n");
pages["/large/edges.csv"] = edges.join("\n");

/** Returns the processor time in milliseconds of the longest event in the main thread of a page. */
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace);
  const mainThreads = traceEvents
    .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
    .map(({ pid, tid }) => `${pid} ${tid}`);
  const times = traceEvents
    .filter(({ pid, tid, tdur }) => tdur !== undefined && mainThreads.includes(`${pid} ${tid}`))
    .map(({ tdur }) => tdur / 1000);
  return Math.max(...times);
}

/** Loads and measures the graph, in the worker or in the page. */
const load = async (isRemote) => {
  const { Graph, GaslSession } = isRemote ? window.remote : window.byname;
  const bytes = async (name) =>
    new Uint8Array(await (await fetch(`/large/${name}.csv`)).arrayBuffer());
  const graph = await Graph.fromCsv({ nodes: await bytes("nodes"), edges: await bytes("edges") });
  const session = new GaslSession({ graph });
  const commands = [
    "FIND nodes AS all",
    "MEASURE pagerank OF all AS ranks",
    "RANK ranks BY pagerank LIMIT 10 AS top",
  ];
  const { status } = await session.run({ plan_id: "p", why: "w", commands });
  const top = await session.variable("top");
  return { counts: [graph.nodeCount, graph.edgeCount], status, top };
};

test("no task of the page takes long while a worker loads and measures a large graph", async () => {
  await withPage(browser, `${server.url}/tests/browser/worker.html`, {}, async (page) => {
    await page.waitForFunction(() => window.isReady);
    const run = async (isRemote) => {
      await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
      const result = await page.evaluate(load, isRemote);
      return { result, longest: longestTask((await browser.stopTracing()).toString("utf8")) };
    };
    const remote = await run(true);
    assert.deepEqual(remote.result.counts, [NODES, EDGES]);
    assert.equal(remote.result.status, "completed");
    assert.ok(remote.longest > 0 && remote.longest < LONGEST_TASK, `${remote.longest} ms`);
    // The same in the page shows that such tasks are found.
    const local = await run(false);
    assert.deepEqual(local.result, remote.result);
    assert.ok(local.longest > LONGEST_TASK, `${local.longest} ms`);
  });
});
