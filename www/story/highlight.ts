import type { Json } from "byname";
import type { Result } from "../graph/result.js";

/** What is lit in the graph. */
export interface Highlight {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

interface Edge {
  id: string;
  source: string;
  target: string;
}

/** The edges of a graph as sessions name them: by their ids, or by their place. */
export function graphEdges(graph: Json): Edge[] {
  const { links } = graph as { links: { id?: Json; source: Json; target: Json }[] };
  return links.map(({ id, source, target }, index) => ({
    id: String(id ?? `e${index}`),
    source: String(source),
    target: String(target),
  }));
}

/**
 * What a step is about. Rows that only name nodes keep those edges of the step before that touch them, so that one
 * sees what was counted.
 */
export function highlightOf(
  { nodes, edges }: Result,
  before: Highlight,
  graph: readonly Edge[],
): Highlight {
  if (edges.size > 0) return { nodes, edges };
  const kept = graph.filter(
    ({ id, source, target }) => before.edges.has(id) && (nodes.has(source) || nodes.has(target)),
  );
  return {
    nodes: new Set([...nodes, ...kept.flatMap(({ source, target }) => [source, target])]),
    edges: new Set(kept.map(({ id }) => id)),
  };
}
