// Loads a graph in its own process and prints the memory in megabytes, without the texts: `node
// --expose-gc memory-child.mjs SIDE SIZE`.
import { Graph, init } from "byname";
import { graphology } from "../baselines/graphology.mjs";
import { freshTables } from "../data/graph.mjs";

const [side, size] = process.argv.slice(2);

await init();
const before = held();
const graph = load();
const figure = (held() - before) / 1e6;
console.log(JSON.stringify({ figure, nodes: graph.nodeCount ?? graph.order }));

// Separate function, so that the texts are unreachable after it.
function load() {
  const tables = freshTables(Number(size));
  if (side !== "byname") return graphology.load(tables);
  return Graph.fromCsv({ nodes: tables.nodes, edges: tables.edges, directed: false });
}

// Heap, buffers and WebAssembly memory.
function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
