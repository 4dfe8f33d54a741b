// A page stays responsive while its worker loads and measures a large graph.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, published } from "./fixture.mjs";
import { EDGES, largeTables, NODES } from "./large-tables.mjs";
import { LONGEST_TASK, traceTasks } from "./trace.mjs";

const tables = largeTables();
pages["/large/nodes.csv"] = tables.nodes;
pages["/large/edges.csv"] = tables.edges;

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
  await withPage(browser, `${published.url}/tests/browser/worker.html`, {}, async (page) => {
    await page.waitForFunction(() => window.isReady);
    const run = (isRemote) => traceTasks(browser, page, () => page.evaluate(load, isRemote));
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
