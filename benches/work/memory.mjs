// What a loaded graph holds, each side in a process of its own. NetworkX is asked for the growth of
// its process, the others for heap and buffers after a collection.
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
      const child = (name) => ({ tells: true, run: () => host.peers.memory(name, size) });
      return {
        byname: child("byname"),
        graphology: child("graphology"),
        ...host.peers.graphs("memory", size, graphTables(size)),
      };
    },
  },
];
