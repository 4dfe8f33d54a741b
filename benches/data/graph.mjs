// A graph as two CSV tables: people, places and other things with a description, and five times as
// many typed edges between them, no two of them between the same ends.
import { seeded } from "./seeded.mjs";

const kinds = ["PERSON", "ORGANIZATION", "EVENT", "PLACE", "PUBLICATION", "METHOD"];
const words = "the study of patients with severe infection and effects on adults in care".split(
  " ",
);
const EDGES_PER_NODE = 5;

const made = new Map();

/** `{ nodes, edges, from, to }`: the tables, and ids of ten nodes each to look for paths between. */
export function graphTables(size) {
  if (!made.has(size)) made.set(size, freshTables(size));
  return made.get(size);
}

/** The same, kept nowhere. */
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
  const edges = ["source,target,type,weight"];
  const seen = new Set();
  const neighbours = new Map();
  while (edges.length <= size * EDGES_PER_NODE) {
    const [low, high] = [below(size), below(size)].sort((a, b) => a - b);
    if (low === high || seen.has(low * size + high)) continue;
    seen.add(low * size + high);
    edges.push(`node-${low},node-${high},KIND_${below(8)},${below(10_000) / 100}`);
    neighbours.set(low, high).set(high, low);
  }
  // Each end is three steps from a start, so that there is something to find.
  const from = Array.from({ length: 10 }, (_, at) => 1 + at * 7);
  const to = from.map((start) => walk(neighbours, start));
  const named = (ids) => ids.map((id) => `node-${id}`);
  return { nodes: nodes.join("\n"), edges: edges.join("\n"), from: named(from), to: named(to) };
}

function walk(neighbours, start) {
  const seen = [start];
  for (let step = 0; step < 3; step++) {
    const next = neighbours.get(seen.at(-1));
    if (seen.includes(next)) break;
    seen.push(next);
  }
  return seen.at(-1);
}
