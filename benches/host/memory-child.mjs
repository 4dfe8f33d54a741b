// Loads a graph in a process of its own and prints the memory that it holds then, in megabytes:
// `node --expose-gc memory-child.mjs SIDE SIZE`. The texts are let go before.
import { Graph, init } from "byname";
import { freshTables } from "../data/graph.mjs";
import { graphology } from "../opponents/graphology.mjs";

const [side, size] = process.argv.slice(2);

await init();
const before = held();
let tables = freshTables(Number(size));
const graph =
  side === "byname"
    ? Graph.fromCsv({ nodes: tables.nodes, edges: tables.edges, directed: false })
    : graphology.load(tables);
tables = undefined;
const figure = (held() - before) / 1e6;
console.log(JSON.stringify({ figure, nodes: graph.nodeCount ?? graph.order }));

// The heap, and what is outside of it: buffers, and the memory of WebAssembly.
function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
