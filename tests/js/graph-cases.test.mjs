// Cases of cases/graph: the input, its warnings and errors, and that a graph is equal after a round
// trip through its own JSON.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { GaslError, Graph, init } from "byname";
import { codesOf } from "../compare.mjs";

await init();

const folder = new URL("../cases/graph/", import.meta.url);

for (const file of readdirSync(folder)) {
  for (const each of JSON.parse(readFileSync(new URL(file, folder), "utf8"))) {
    test(`graph: ${each.name}`, () => checkCase(each));
  }
}

function parseGraph({ graphml, gexf, nodeLink, nodeLinkText, csv, from, options, repeat = 1 }) {
  if (from !== undefined) return Graph.from(from, options);
  if (gexf !== undefined) return Graph.fromGexf(gexf);
  if (graphml !== undefined) return Graph.fromGraphML(graphml.repeat(repeat));
  if (csv !== undefined) return Graph.fromCsv(csv);
  return Graph.fromNodeLink(nodeLinkText ?? nodeLink);
}

function checkCase(each) {
  if (each.refused !== undefined) {
    assert.throws(
      () => parseGraph(each),
      (error) => {
        assert.ok(error instanceof GaslError);
        assert.deepEqual(codesOf(error.diagnostics), each.refused);
        if (each.location) assert.deepEqual(error.diagnostics[0].location, each.location);
        return true;
      },
    );
    return;
  }
  const graph = parseGraph(each);
  assert.deepEqual(codesOf(graph.diagnostics), each.codes);
  if (each.format !== undefined) assert.equal(graph.format, each.format);
  const json = graph.toJSON();
  assert.equal(graph.nodeCount, json.nodes.length);
  assert.equal(graph.edgeCount, json.edges.length);
  for (const key of ["nodes", "edges", "directed"]) {
    if (each[key] !== undefined) assert.deepEqual(json[key], each[key]);
  }
  const again = Graph.fromJSON(json);
  assert.deepEqual(again.toJSON(), json);
  assert.deepEqual(Graph.fromJSON(JSON.stringify(json)).toJSON(), json);
  assert.deepEqual(codesOf(again.diagnostics), []);
}
