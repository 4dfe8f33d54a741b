// Programs over Grafeo, which runs in this process, have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import grafeo from "@grafeo-db/js";
import { GaslSession, Graph, init } from "byname";
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

test("has them too if the rows of undirected edges stay in the database", { skip }, async () => {
  const dulce = Graph.fromJSON(readDulce(Graph));
  const options = { directed: false, nodeLabel: "Entity", firstRows: 1 };
  const graph = grafeoGraph(grafeo.GrafeoDB.create(), options);
  await loadGraph(graph, dulce);
  const oriented = {
    "count by the other end": [
      'FIND edges WHERE source = "ALEX MERCER" AS e',
      "COUNT e BY target AS x",
    ],
    "select by an end": [
      'FIND edges WHERE source = "ALEX MERCER" AS e',
      'SELECT e WHERE target = "TAYLOR CRUZ" AS x',
    ],
  };
  await compareAll(dulce, graph, { ...UNDIRECTED, ...oriented });
});

test("nodes without an id have that of the database", async () => {
  const db = grafeo.GrafeoDB.create();
  await db.executeCypher("CREATE (:A {name: 'a'})-[:TO]->(:A {name: 'b'})-[:TO]->(:A {id: 'c'})");
  const session = new GaslSession({ graph: grafeoGraph(db, { labelField: "kind" }) });
  const find = async (command) => {
    const record = await session.execute(command);
    assert.equal(record.status, "success", JSON.stringify(record));
    return session.variable("x");
  };
  const [a, b, c] = (await find("FIND nodes AS x")).map(({ id }) => id);
  assert.match(a, /^n:\d+$/);
  assert.equal(c, "c");
  assert.deepEqual(await find(`FIND nodes WHERE id = "${b}" AS x`), [
    { id: b, name: "b", kind: "A" },
  ]);
  const ends = (rows) => rows.map(({ source, target }) => [source, target]);
  assert.deepEqual(ends(await find(`FIND edges WHERE source = "${a}" AS x`)), [[a, b]]);
  assert.deepEqual(ends(await find(`FIND edges WHERE target.id IN ["${b}", c] AS x`)), [
    [a, b],
    [b, c],
  ]);
  await session.execute(`FIND nodes WHERE id = "${a}" AS starts`);
  const reached = await find("WALK FROM starts DEPTH 2 AS x");
  assert.deepEqual(
    reached.map(({ id }) => id),
    [b, c],
  );
  const paths = await find(`FIND paths WHERE start.id = "${a}" AND end.id = c AS x`);
  assert.deepEqual(paths[0].nodes, [a, b, c]);
});
