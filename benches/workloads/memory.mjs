// Memory of a loaded graph, each side in its own process: process growth for NetworkX, heap and
// buffers after a collection for the others.
import { graphTables } from "../data/graph.mjs";

export default [
  {
    name: "graph-memory",
    title: "memory of the graph",
    short: "memory of a graph",
    size: 100_000,
    of: "nodes",
    unit: "MB",
    rounds: 1,
    against: "graphology",
    target: { node: 4 },
    hosts: ["node"],
    sides(size, host) {
      const child = (name) => ({ selfTimed: true, run: () => host.peers.memory(name, size) });
      return {
        byname: child("byname"),
        graphology: child("graphology"),
        ...host.peers.graphs("memory", size, graphTables(size)),
      };
    },
  },
];
