// Loads a graph in a process of its own and prints the memory that it holds then, in megabytes:
// `node --expose-gc memory-child.mjs SIDE SIZE`. The texts are let go before.
import { Graph, init } from "byname";
import { freshTables } from "../data/graph.mjs";
import { graphology } from "../opponents/graphology.mjs";

const [side, size] = process.argv.slice(2);

await init();
const before = held();
const graph = load();
const figure = (held() - before) / 1e6;
console.log(JSON.stringify({ figure, nodes: graph.nodeCount ?? graph.order }));

// A function of its own, so that nothing holds the texts when it has ended.
function load() {
  const tables = freshTables(Number(size));
  if (side !== "byname") return graphology.load(tables);
  return Graph.fromCsv({ nodes: tables.nodes, edges: tables.edges, directed: false });
}

// The heap, and what is outside of it: buffers, and the memory of WebAssembly.
function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
