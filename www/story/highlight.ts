import type { Json } from "byname";
import type { Result } from "../graph/result.js";

/** Highlighted nodes and edges of the graph. */
export interface Highlight {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

interface Edge {
  id: string;
  source: string;
  target: string;
}

/** Returns the edges with the ids that sessions use: their own, or by index. */
export function graphEdges(graph: Json): Edge[] {
  const { links } = graph as { links: { id?: Json; source: Json; target: Json }[] };
  return links.map(({ id, source, target }, index) => ({
    id: String(id ?? `e${index}`),
    source: String(source),
    target: String(target),
  }));
}

/**
 * Returns the highlight of a result. Rows that only name nodes keep the previous edges at those
 * nodes, so that the counted edges stay visible.
 */
export function highlightOf(
  { nodes, edges }: Result,
  before: Highlight,
  graph: readonly Edge[],
): Highlight {
  if (edges.size > 0) return { nodes, edges };
  const keptEdges = graph.filter(
    ({ id, source, target }) => before.edges.has(id) && (nodes.has(source) || nodes.has(target)),
  );
  return {
    nodes: new Set([...nodes, ...keptEdges.flatMap(({ source, target }) => [source, target])]),
    edges: new Set(keptEdges.map(({ id }) => id)),
  };
}
