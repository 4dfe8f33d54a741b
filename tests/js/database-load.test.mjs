// `loadGraph` over a driver that records its statements: every field and both ends are written.

import assert from "node:assert/strict";
import test from "node:test";
import { Graph, init } from "byname";
import { boltGraph, loadGraph } from "byname/databases";

await init();

const graphOf = (nodes, links = []) => Graph.fromNodeLink({ directed: true, nodes, links });

/** Connection that records its statements, and answers those with a result with a row. */
function recording({ row, ...options } = {}) {
  const statements = [];
  async function* run(text, params) {
    statements.push({ text, rows: params.rows });
    if (row !== undefined && text.includes("RETURN")) yield { toObject: () => ({ row }) };
  }
  const session = () => ({ run, close: async () => {} });
  return { statements, graph: boltGraph({ session }, options) };
}

test("a field with the name of the id property is rejected if it is not the id", async () => {
  const { graph, statements } = recording({ idKey: "name" });
  const named = graphOf([{ id: "n1", name: "Ada" }, { id: "n2" }]);
  await assert.rejects(
    loadGraph(graph, named),
    /expected `name`, which is the `idKey`, to be the id of the node `n1`, found "Ada": rename/,
  );
  assert.deepEqual(statements, []);
  const same = graphOf([{ id: "n1", name: "n1", born: 1815 }], [{ source: "n1", target: "n1" }]);
  assert.deepEqual(await loadGraph(graph, same), { nodes: 1, edges: 1 });
  assert.deepEqual(
    statements.slice(1).map(({ text }) => text),
    [
      "UNWIND $rows AS row CREATE (n:`Node` {`name`: row[0], `born`: row[1]})",
      "UNWIND $rows AS row MATCH (a:`Node` {`name`: row[0]}), (b:`Node` {`name`: row[1]}) CREATE (a)-[r:`RELATED` {`id`: row[2]}]->(b) RETURN count(r) AS row",
    ],
  );
});

test("fields that begin with a space are written, and do not redirect an edge", async () => {
  const { graph, statements } = recording();
  const edge = { source: "a", target: "b", " source": "b", " target": "c" };
  await loadGraph(graph, graphOf([{ id: "a", " note": "kept" }, { id: "b" }, { id: "c" }], [edge]));
  const [, nodes, edges] = statements;
  assert.match(nodes.text, /\{`id`: row\[\d\], ` note`: row\[\d\]\}|\{` note`: row\[0\], `id`/);
  assert.ok(nodes.rows[0].includes("kept"));
  assert.match(edges.text, /\(a:`Node` \{`id`: row\[0\]\}\), \(b:`Node` \{`id`: row\[1\]\}\)/);
  assert.match(edges.text, /\{`id`: row\[2\], ` source`: row\[3\], ` target`: row\[4\]\}/);
  assert.deepEqual(edges.rows, [["a", "b", "e0", "b", "c"]]);
});

test("the number of edges is the one that the database has written", async () => {
  class Integer {
    constructor(low, high) {
      Object.assign(this, { low, high });
    }
  }
  const links = [
    { source: "a", target: "a" },
    { source: "a", target: "a" },
  ];
  for (const row of [1, 1n, new Integer(1, 0)]) {
    const { graph } = recording({ row });
    assert.deepEqual(await loadGraph(graph, graphOf([{ id: "a" }], links)), { nodes: 1, edges: 1 });
  }
});
