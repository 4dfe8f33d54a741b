// Programs over FalkorDB have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { falkorGraph, loadGraph } from "byname/databases";
import { FalkorDB } from "falkordb";
import { FALKOR, FALKOR_REMOTE } from "./allowed.mjs";
import { compareAll } from "./conformance.mjs";
import { skipFalkor, startFalkor, waitFor } from "./servers.mjs";
import { DERIVED, programs, skip, traps } from "./traps.mjs";

await init();

const skipped = skip || skipFalkor;
let falkor;
let client;
test.before(async () => {
  if (skipped) return;
  falkor = await startFalkor();
  const socket = { host: "127.0.0.1", port: falkor.port };
  client = await waitFor("FalkorDB", () => FalkorDB.connect({ socket }));
  // An error without a listener ends the process when the server is gone.
  client.on("error", () => {});
});
test.after(async () => {
  await client?.close();
  await falkor?.stop();
});

test("has the results of a graph in memory", { skip: skipped }, async () => {
  const memory = Graph.fromNodeLink(traps);
  const graph = falkorGraph(client.selectGraph("traps"), { labelField: "type", coerce: true });
  assert.deepEqual(await loadGraph(graph, memory, { batch: 5 }), { nodes: 16, edges: 18 });
  await compareAll(memory, graph, programs, FALKOR);
  const options = { labelField: "type", coerce: true, firstRows: 1 };
  const remote = falkorGraph(client.selectGraph("traps"), options);
  await compareAll(memory, remote, { ...programs, ...DERIVED }, { ...FALKOR, ...FALKOR_REMOTE });
});

test("does not create a graph with a misspelt name", { skip: skipped }, async () => {
  const session = new GaslSession({ graph: falkorGraph(client.selectGraph("misspelt")) });
  const record = await session.execute("FIND nodes AS x");
  assert.equal(record.status, "error");
  assert.ok(!(await client.list()).includes("misspelt"));
});

test("pages contain ids with other than ASCII letters", { skip: skipFalkor }, async () => {
  const total = 2_400;
  const nodes = Array.from({ length: total }, (_, index) => ({
    id: `${"nöΩ"[index % 3]}${index}`,
  }));
  const options = { nodeLabel: "Entity", stable: true };
  const graph = falkorGraph(client.selectGraph("pages"), options);
  await loadGraph(graph, Graph.fromNodeLink({ directed: true, nodes, links: [] }));
  const read = [];
  const llm = ({ prompt }) => {
    for (const [, id] of prompt.matchAll(/"id":"([^"]+)"/g)) read.push(id);
    return { json: [read.length] };
  };
  const caps = { max_excerpt_items: 500, max_excerpt_chars: 100_000 };
  const session = new GaslSession({ graph, llm, caps });
  await session.execute("FIND nodes AS all");
  const { status, metrics } = await session.execute(
    'PROCESS all USING "read" RETURNING {"type": "array"} AS x',
  );
  assert.deepEqual([status, metrics.input], ["success", total]);
  assert.equal(new Set(read).size, total);
});
