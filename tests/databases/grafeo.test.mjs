// Programs over Grafeo, which runs in this process, have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import grafeo from "@grafeo-db/js";
import { Graph, init } from "byname";
import { grafeoGraph, loadGraph } from "byname/databases";
import { COMMON } from "./allowed.mjs";
import { compareAll } from "./conformance.mjs";
import { DERIVED, programs, readDulce, skip, traps, UNDIRECTED } from "./traps.mjs";

await init();

const memory = () => Graph.fromNodeLink(traps);

/** Returns a connection to a new database with the graph of traps. */
async function trapsIn(options) {
  const graph = grafeoGraph(grafeo.GrafeoDB.create(), options);
  assert.deepEqual(await loadGraph(graph, memory(), { batch: 5 }), { nodes: 16, edges: 18 });
  return graph;
}

test("has the results of a graph in memory", { skip }, async () => {
  const graph = await trapsIn({ labelField: "type", coerce: true });
  await compareAll(memory(), graph, programs, COMMON);
});

test("has them too if labels are properties and all nodes have one label", { skip }, async () => {
  const graph = await trapsIn({ nodeLabel: "Entity", coerce: true });
  await compareAll(memory(), graph, programs, COMMON);
});

test("has them too if the rows stay in the database", { skip }, async () => {
  const graph = await trapsIn({ labelField: "type", coerce: true, firstRows: 1 });
  await compareAll(memory(), graph, { ...programs, ...DERIVED }, COMMON);
});

test("has them too for undirected edges", { skip }, async () => {
  const dulce = Graph.fromJSON(readDulce(Graph));
  const graph = grafeoGraph(grafeo.GrafeoDB.create(), { directed: false, nodeLabel: "Entity" });
  await loadGraph(graph, dulce);
  await compareAll(dulce, graph, UNDIRECTED);
});
