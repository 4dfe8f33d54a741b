// Questions to a graph of 100,000 nodes and 500,000 edges, and how long it takes to be there.
import { GaslSession, Graph } from "byname";
import { graphTables } from "../data/graph.mjs";
import * as graphology from "../opponents/graphology.mjs";

const shared = { size: 100_000, of: "nodes", against: "graphology" };

const commands = {
  attribute: () => 'FIND nodes WHERE entity_type = "PERSON" AS found',
  contains: () => 'FIND nodes WHERE description CONTAINS "vaccine" AS found',
  edges: () => 'FIND edges WHERE type = "KIND_3" AND weight > 50 AS found',
  paths: ({ from, to }) =>
    `FIND paths WHERE start.id IN [${from}] AND end.id IN [${to}] AND length <= 3 AS found`,
};

// What each side answers, so that it can be compared: ids, pairs of ids in order, or ways.
const compared = {
  attribute: { ours: (rows) => rows.map(({ id }) => id).sort() },
  contains: { ours: (rows) => rows.map(({ id }) => id).sort() },
  edges: { ours: (rows) => pairs(rows.map(({ source, target }) => [source, target])) },
  paths: { ours: (rows) => rows.map(({ nodes }) => nodes.join()).sort() },
};

const theirs = {
  attribute: (ids) => ids.sort(),
  contains: (ids) => ids.sort(),
  edges: pairs,
  paths: (ways) => ways.map((way) => way.join()).sort(),
};

function pairs(ends) {
  return ends.map((two) => two.sort().join()).sort();
}

function ask(name) {
  return (size, host) => {
    const tables = graphTables(size);
    return {
      byname: byname(name, tables),
      graphology: ofGraphology(name, tables),
      ...host.peers.graphs?.(name, size, tables, theirs[name]),
    };
  };
}

function byname(name, tables) {
  const command = commands[name](tables);
  let session;
  return {
    async setup() {
      if (session) return session;
      const graph = Graph.fromCsv({ nodes: tables.nodes, edges: tables.edges, directed: false });
      session = new GaslSession({ graph });
      // `includes` of JavaScript and `in` of Python mind the case too.
      await session.execute("SET adapter.caps.case_sensitive = true");
      return session;
    },
    run: (state) => state.execute(command),
    answer(state, { status }) {
      if (status !== "success") throw new Error(`${command}: ${status}`);
      return compared[name].ours(state.variable("found"));
    },
  };
}

function ofGraphology(name, tables) {
  let graph;
  return {
    setup() {
      graph ??= graphology.load(tables);
      return graph;
    },
    run: (state) => graphology.questions[name](state, tables),
    answer: (state, found) =>
      theirs[name](name === "edges" ? graphology.ends(state, found) : found),
  };
}

export default [
  {
    ...shared,
    name: "graph-attribute",
    title: "FIND nodes by attribute, 100,000 nodes",
    target: { node: 10, chromium: 10 },
    sides: ask("attribute"),
  },
  {
    ...shared,
    name: "graph-contains",
    title: "FIND nodes with CONTAINS",
    target: { node: 5, chromium: 5 },
    sides: ask("contains"),
  },
  {
    ...shared,
    name: "graph-edges",
    title: "FIND edges, 500,000 edges",
    target: { node: 20, chromium: 20 },
    sides: ask("edges"),
  },
  {
    ...shared,
    name: "graph-paths",
    title: "simple paths ≤ 3 between 10 and 10",
    target: { node: 10, chromium: 10 },
    sides: ask("paths"),
  },
  {
    ...shared,
    name: "graph-load",
    title: "load the graph from CSV",
    target: { node: 5, chromium: 5 },
    sides(size, host) {
      const { nodes, edges, from, to } = graphTables(size);
      return {
        byname: {
          setup: () => ({ graph: null }),
          run(state) {
            state.graph = Graph.fromCsv({ nodes, edges, directed: false });
          },
          answer: ({ graph }) => [graph.nodeCount, graph.edgeCount],
          teardown: ({ graph }) => graph[Symbol.dispose](),
        },
        graphology: {
          run: () => graphology.load({ nodes, edges }),
          answer: (_, graph) => [graph.order, graph.size],
        },
        ...host.peers.graphs?.("load", size, { nodes, edges, from, to }, (counts) => counts),
      };
    },
  },
];
