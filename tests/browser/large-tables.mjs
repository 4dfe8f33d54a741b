// Tables of a large graph with random edges.
export const NODES = 100_000;
export const EDGES = 500_000;

/** Returns the tables `{ nodes, edges }` of a graph, which are always the same. */
export function largeTables(nodeCount = NODES, edgeCount = EDGES) {
  let seed = 1;
  const below = (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const nodes = ["id,kind,score"];
  for (let at = 0; at < nodeCount; at++) nodes.push(`n${at},KIND_${below(6)},${below(1000) / 10}`);
  const edges = ["source,target,type,weight"];
  for (let at = 0; at < edgeCount; at++)
    edges.push(`n${below(nodeCount)},n${below(nodeCount)},T${below(8)},${below(100)}`);
  return { nodes: nodes.join("\n"), edges: edges.join("\n") };
}
