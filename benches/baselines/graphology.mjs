// graphology with the fitting graph type and its own functions.
import { UndirectedGraph } from "graphology";
import { allSimplePaths } from "graphology-simple-path";
import { readCsv } from "./csv.mjs";

/** Engine for `sides/graph.mjs`. */
export const graphology = {
  repeat: 10,
  load({ nodes, edges }) {
    const graph = new UndirectedGraph();
    readCsv(nodes, ([id, entity_type, description, score]) => {
      graph.addNode(id, { entity_type, description, score: Number(score) });
    });
    readCsv(edges, ([source, target, type, weight]) => {
      graph.addUndirectedEdge(source, target, { type, weight: Number(weight) });
    });
    return graph;
  },
  counts: (graph) => [graph.order, graph.size],
  questions: {
    attribute: (graph) => graph.filterNodes((_, { entity_type }) => entity_type === "PERSON"),
    contains: (graph) => graph.filterNodes((_, { description }) => description.includes("vaccine")),
    edges: (graph) => graph.filterEdges((_, { type, weight }) => type === "KIND_3" && weight > 50),
    paths: (graph, { from, to }) =>
      from.flatMap((source) =>
        to.flatMap((target) => allSimplePaths(graph, source, target, { maxDepth: 3 })),
      ),
    groups(graph) {
      const groups = new Map();
      graph.forEachEdge((_, { type, weight }) => {
        const group = groups.get(type);
        if (group === undefined) groups.set(type, { sum: weight, count: 1 });
        else {
          group.sum += weight;
          group.count += 1;
        }
      });
      return Array.from(groups, ([type, { sum, count }]) => [type, sum / count]);
    },
  },
  found: (graph, question, found) =>
    question === "edges" ? found.map((edge) => graph.extremities(edge)) : found,
};
