// Queries of a graph of 100,000 nodes and 500,000 edges, and the time to load it.

import { graphology } from "../baselines/graphology.mjs";
import { graphTables } from "../data/graph.mjs";
import { byname, loadSide, normalized, questionSide } from "../sides/graph.mjs";

/** Long titles for tables, and titles without the size. */
const titles = {
  attribute: ["FIND nodes by attribute, 100,000 nodes", "FIND nodes by attribute"],
  contains: ["FIND nodes with CONTAINS", "FIND nodes with CONTAINS"],
  edges: ["FIND edges, 500,000 edges", "FIND edges"],
  paths: ["simple paths ≤ 3 between 10 and 10", "paths ≤ 3 between 10 and 10"],
  groups: ["mean weight of each type, 500,000 edges", "mean weight of each type of edge"],
};

/** Target ratios against graphology and NetworkX. */
const targets = {
  attribute: [10, 10],
  contains: [5, 5],
  edges: [20, 20],
  paths: [10, 30],
  groups: [],
};

const shared = { size: 100_000, of: "nodes", against: "graphology" };

// All engines except NetworkX, which runs in its own process.
async function engines({ peers }) {
  const kuzu = await peers.kuzu();
  const oxigraph = await peers.oxigraph();
  return { byname, graphology, "kuzu-wasm": kuzu, oxigraph };
}

async function sidesOf(host, makeSide) {
  const named = Object.entries(await engines(host));
  return Object.fromEntries(named.map(([name, engine]) => [name, makeSide(engine)]));
}

export default [
  ...Object.entries(targets).map(([question, [graphology, NetworkX]]) => ({
    ...shared,
    name: `graph-${question}`,
    title: titles[question][0],
    short: titles[question][1],
    tab: "graph",
    ...(graphology && { target: { node: graphology, chromium: graphology }, others: { NetworkX } }),
    sides: async (size, host) => ({
      ...(await sidesOf(host, (engine) => questionSide(engine, question, size))),
      ...host.peers.graphs?.(question, size, graphTables(size), normalized[question]),
    }),
  })),
  {
    ...shared,
    name: "graph-load",
    title: "load the graph from CSV (oxigraph: from N-Triples)",
    short: "load a graph from CSV",
    // Shares the process of the queries, so the code is compiled.
    tab: "graph",
    target: { node: 5, chromium: 5 },
    others: { NetworkX: 5 },
    sides: async (size, host) => ({
      ...(await sidesOf(host, (engine) => loadSide(engine, size))),
      ...host.peers.graphs?.("load", size, graphTables(size), (counts) => counts),
    }),
  },
];
