// Time of MEASURE and FIND shortest paths on a graph of 100,000 nodes and 500,000 edges, in Node:
// `node benches/measures.mjs`. Prints the median of five runs after one that is not counted, because
// the first builds the adjacency lists.
import { performance } from "node:perf_hooks";
import { GaslSession, Graph, init } from "byname";
import { graphTables } from "./data/graph.mjs";

/** Commands with their limits in milliseconds; those without have a limit of followed edges. */
const COMMANDS = [
  ["MEASURE degree AS x", 30],
  ["MEASURE component AS x", 30],
  ["MEASURE pagerank AS x", 400],
  [
    (tables) =>
      `FIND shortest paths WHERE start.id = "${tables.from[0]}" AND end.id = "node-77777" AS x`,
    20,
  ],
  ["MEASURE betweenness AS x", undefined],
  ["MEASURE closeness AS x", undefined],
  ["MEASURE core AS x", undefined],
  ["MEASURE triangles AS x", undefined],
  ["MEASURE community AS x", undefined],
  ["MEASURE pagerank WEIGHT weight AS x", undefined],
];

/** Runs all commands and returns `{command, median, limit, status}` of each. */
export async function measureAll(size = 100_000) {
  await init();
  const tables = graphTables(size);
  const { nodes, edges } = tables;
  const graph = Graph.fromCsv({ nodes, edges, directed: false });
  const session = new GaslSession({ graph });
  const results = [];
  for (const [written, limit] of COMMANDS) {
    const command = typeof written === "string" ? written : written(tables);
    const times = [];
    let status;
    for (let run = 0; run < 6; run++) {
      const start = performance.now();
      ({ status } = await session.execute(command));
      times.push(performance.now() - start);
    }
    const median = times.slice(1).sort((a, b) => a - b)[2];
    results.push({ command, median, first: times[0], limit, status });
  }
  return results;
}

for (const { command, median, first, limit, status } of await measureAll()) {
  const bound = limit === undefined ? "" : `, limit ${limit} ms`;
  console.log(
    `${command}: ${median.toFixed(1)} ms (first ${first.toFixed(0)} ms${bound}), ${status}`,
  );
}
