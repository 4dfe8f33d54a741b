import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";
import { attributesOf, type GraphDocument } from "./document.js";

/** Writes a graph in the JSON of Cytoscape. */
export function writeCytoscape({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const elementsOf = (list: readonly JsonObject[]): Json => list.map((data) => ({ data }));
  const elements = { nodes: elementsOf(nodes), edges: elementsOf(edges) };
  return JSON.stringify({ data: graph, directed, multigraph: true, elements });
}

/** Writes a graph in the node-link JSON of NetworkX and d3. */
export function writeNodeLink({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  return JSON.stringify({ directed, multigraph: true, graph, nodes, links: edges });
}

/** Writes a graph in the JSON of graphology. */
export function writeGraphology({ directed, graph = {}, nodes, edges }: GraphDocument): string {
  const options = { type: directed ? "directed" : "undirected", multi: true, allowSelfLoops: true };
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
