// Graph as two CSV tables: people, places and other things with a description, and five times as
// many typed edges without duplicates.
import { seeded } from "./seeded.mjs";

const kinds = ["PERSON", "ORGANIZATION", "EVENT", "PLACE", "PUBLICATION", "METHOD"];
const words = "the study of patients with severe infection and effects on adults in care".split(
  " ",
);
const EDGES_PER_NODE = 5;
/** Prime number, so that the order of edges is independent of that of nodes. */
const STRIDE = 7919;

const made = new Map();

/**
 * Returns `{ nodes, edges, from, to }`: the tables, and ten node ids each as starts and ends of
 * paths.
 */
export function graphTables(size) {
  if (!made.has(size)) made.set(size, freshTables(size));
  return made.get(size);
}

/** Returns the tables without caching. */
export function freshTables(size) {
  const below = seeded(11);
  const nodes = ["id,entity_type,description,score"];
  for (let at = 0; at < size; at++) {
    const text = Array.from({ length: 8 }, () => words[below(words.length)]);
    if (below(10) === 0) text[below(8)] = "vaccine";
    nodes.push(
      `node-${at},${kinds[below(6)]},"${text.join(" ")}, number ${at}",${below(1000) / 10}`,
    );
  }
  const neighbours = linked(size, below);
  const edges = ["source,target,type,weight"];
  for (let at = 0; at < neighbours.length; at++) {
    const source = (at * STRIDE) % size;
    const target = neighbours[source * EDGES_PER_NODE + Math.floor(at / size)];
    edges.push(`node-${source},node-${target},KIND_${below(8)},${below(10_000) / 100}`);
  }
  // Each end is three steps from a start, so that paths exist.
  const from = Array.from({ length: 10 }, (_, at) => 1 + at * 7);
  const to = from.map((start) => walk(neighbours, start));
  const named = (ids) => ids.map((id) => `node-${id}`);
  return { nodes: nodes.join("\n"), edges: edges.join("\n"), from: named(from), to: named(to) };
}

// Five pseudo-random targets per node, none in both directions.
function linked(size, below) {
  const neighbours = new Int32Array(size * EDGES_PER_NODE).fill(-1);
  const of = (node) => neighbours.subarray(node * EDGES_PER_NODE, (node + 1) * EDGES_PER_NODE);
  for (let at = 0; at < neighbours.length; ) {
    const node = Math.floor(at / EDGES_PER_NODE);
    const other = below(size);
    if (other === node || of(node).includes(other) || of(other).includes(node)) continue;
    neighbours[at++] = other;
  }
  return neighbours;
}

function walk(neighbours, start) {
  const seen = [start];
  for (let step = 0; step < 3; step++) {
    const begin = seen.at(-1) * EDGES_PER_NODE;
    const next = neighbours.subarray(begin, begin + EDGES_PER_NODE);
    seen.push(next.find((node) => !seen.includes(node)));
  }
  return seen.at(-1);
}
