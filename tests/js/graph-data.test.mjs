// Published graphs, queried through a session. The expected figures are those of NetworkX 3.6:
// counts of `nodes(data=True)` and `edges(data=True)`, `number_connected_components`,
// `all_simple_paths` over all pairs, `single_source_shortest_path_length`.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";

await init();

const folder = new URL("../../../shared/data/graphs/", import.meta.url);
const skip = existsSync(folder) ? false : "no graphs beside the repository";
const read = (name) => readFileSync(new URL(name, folder));

/** Asserts the number of rows that each command finds. */
async function checkCounts(graph, expected) {
  const session = new GaslSession({ graph });
  for (const [command, count] of Object.entries(expected)) {
    const record = await session.execute(`${command} AS found`);
    assert.equal(session.variable("found").length, count, `${command}: ${JSON.stringify(record)}`);
  }
}

test("counts rows of the weekly reports", { skip }, async () => {
  const graph = Graph.fromGraphML(read("mmwr.graphml"));
  assert.deepEqual([graph.nodeCount, graph.edgeCount, graph.directed], [3261, 1740, false]);
  assert.deepEqual(graph.diagnostics, []);
  const { components, node_fields } = graph.summary();
  assert.equal(components, 2051);
  assert.deepEqual(node_fields[0].frequent.slice(0, 3), [
    { value: "PERSON", count: 371 },
    { value: "STATISTICAL MEASURE", count: 310 },
    { value: "INTERVENTION", count: 276 },
  ]);
  assert.ok(JSON.stringify(graph.summary()).length < 6000);
  await checkCounts(graph, {
    'FIND nodes WHERE entity_type = "PERSON"': 371,
    'FIND nodes WHERE description CONTAINS "VACCINE"': 926,
    'FIND nodes WHERE entity_type = "PERSON" AND description CONTAINS "cdc"': 28,
    "FIND edges WHERE weight > 8": 942,
    'FIND paths WHERE start.entity_type = "PUBLICATION" AND end.entity_type = "ORGANIZATION"': 284,
    'FIND paths WHERE start.entity_type = "PUBLICATION" AND end.entity_type = "ORGANIZATION" AND length <= 2': 54,
  });
});

test("coappearances", { skip }, async () => {
  const graph = Graph.fromNodeLink(read("les-miserables.json"));
  assert.deepEqual([graph.nodeCount, graph.edgeCount], [77, 254]);
  assert.equal(graph.summary().components, 1);
  await checkCounts(graph, {
    'FIND paths WHERE start.id = "Valjean" AND end.id = "Javert"': 88,
    'FIND paths WHERE start.id = "Napoleon" AND end.id = "Cosette" AND length <= 4': 11,
    'FIND paths WHERE start.id = "Fantine" AND end.id = "Cosette" AND node.id != "Valjean"': 22,
    "FIND edges WHERE weight >= 10": 13,
  });
});

test("counts rows of women and events, and of Operation Dulce", { skip }, async () => {
  const women = Graph.fromNodeLink(JSON.parse(read("southern-women.json")));
  assert.deepEqual([women.nodeCount, women.edgeCount], [32, 89]);
  await checkCounts(women, { "FIND paths WHERE bipartite = 0": 644 });
  const dulce = Graph.fromNodeLink(read("dulce.json"));
  // NetworkX merges parallel edges: 102.
  assert.deepEqual([dulce.nodeCount, dulce.edgeCount], [41, 107]);
  assert.deepEqual(
    dulce.diagnostics.map(({ code }) => code),
    ["GASL131"],
  );
  await checkCounts(dulce, {
    'FIND nodes WHERE entity_type = "GEO"': 13,
    'FIND nodes WHERE description CONTAINS "paranormal"': 13,
  });
});
