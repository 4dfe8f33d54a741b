// Imports a large graph from two tables and prints its size, the memory and the time.

import { Graph, init } from "byname";
import { wasmMemory } from "../pkg/wasm.js";

await init();

const NODES = 100_000;
const EDGES = 500_000;

let seed = 1;
/** Returns a pseudo-random integer less than `limit`. */
function below(limit) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

const kinds = ["PERSON", "ORGANIZATION", "EVENT", "PLACE", "PUBLICATION", "METHOD"];
const words = "the study of patients with severe infection and vaccine effect in adults".split(" ");
const say = (count) => Array.from({ length: count }, () => words[below(words.length)]).join(" ");

const nodes = ["id,entity_type,description,score"];
for (let at = 0; at < NODES; at++) {
  nodes.push(`node-${at},${kinds[below(6)]},"${say(8)}, number ${at}",${below(1000) / 10}`);
}
const edges = ["source,target,type,weight"];
for (let at = 0; at < EDGES; at++) {
  edges.push(`node-${below(NODES)},node-${below(NODES)},KIND_${below(8)},${below(10_000) / 100}`);
}
const tables = { nodes: nodes.join("\n"), edges: edges.join("\n") };

const start = performance.now();
const graph = Graph.fromCsv(tables);
const milliseconds = Math.round(performance.now() - start);
const memory = wasmMemory().buffer.byteLength;
const report = { nodes: graph.nodeCount, edges: graph.edgeCount, memory, milliseconds };
console.log(JSON.stringify(report));
