import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attributesOf, type GraphDocument } from "./document.js";

/** Writes a graph in the JSON of Cytoscape. */
export function writeCytoscape({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const elementsOf = (list: readonly JsonObject[]): Json => list.map((data) => ({ data }));
  const elements = { nodes: elementsOf(nodes), edges: elementsOf(edges) };
  const multigraph = hasParallelEdges(directed, edges);
  return JSON.stringify({ data: graph, directed, multigraph, elements });
}

/** Writes a graph in the node-link JSON of NetworkX and d3. */
export function writeNodeLink({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const multigraph = hasParallelEdges(directed, edges);
  return JSON.stringify({ directed, multigraph, graph, nodes, links: edges });
}

/** Writes a graph in the JSON of graphology. */
export function writeGraphology({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const type = directed ? "directed" : "undirected";
  const options = { type, multi: hasParallelEdges(directed, edges), allowSelfLoops: true };
  return JSON.stringify({
    attributes: graph,
    options,
    nodes: nodes.map((node) => ({
      key: node["id"] as Json,
      attributes: Object.fromEntries(attributesOf(node, "node")),
    })),
    edges: edges.map((edge) => ({
      ...(edge["id"] !== undefined && { key: edge["id"] }),
      source: edge["source"] as Json,
      target: edge["target"] as Json,
      attributes: Object.fromEntries(attributesOf(edge, "edge")),
    })),
  });
}

/** Returns whether two edges connect the same nodes, in the same direction if edges have one. */
function hasParallelEdges(directed: boolean, edges: readonly JsonObject[]): boolean {
  const seen = new Set<string>();
  for (const { source, target } of edges) {
    const ends = [JSON.stringify(source), JSON.stringify(target)];
    seen.add((directed ? ends : ends.sort()).join(" "));
  }
  return seen.size < edges.length;
}
