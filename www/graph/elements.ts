import { element, svg } from "../page/element.js";
import { truncate } from "../page/format.js";
import type { DrawnNode, GraphView } from "./graph-model.js";
import { type NodeStyle, radiusOf, shareOfRange } from "./measures.js";
import type { NearEdge } from "./node-card.js";
import { type Shape, shapeOf, shapePath } from "./shapes.js";

/** Node with a position, which the layout sets. */
export interface PlacedNode extends DrawnNode {
  x: number;
  y: number;
  degree: number;
  radius: number;
  shape: Shape;
}

/** Node with its SVG elements. */
export interface NodeElement extends PlacedNode {
  path: SVGPathElement;
  group: SVGGElement;
  label: SVGTextElement;
}

/** Edge between placed nodes. */
export interface PlacedEdge<Node extends PlacedNode = PlacedNode> {
  id: string;
  source: Node;
  target: Node;
  kind: string;
  /** Bend in pixels, which separates parallel edges. */
  offset: number;
}

/** Edge with its SVG path. */
export interface EdgeElement extends PlacedEdge<NodeElement> {
  path: SVGPathElement;
}

/** Places the nodes of a view by id; those drawn before keep their positions. */
export function placedNodes(
  { nodes, edges }: GraphView,
  kinds: readonly string[],
  before: ReadonlyMap<string, PlacedNode>,
  style: NodeStyle,
): Map<string, PlacedNode> {
  const shapes = new Map(kinds.map((kind, nth) => [kind, shapeOf(nth)]));
  const degrees = new Map<string, number>();
  for (const { source, target } of edges) {
    degrees.set(source, (degrees.get(source) ?? 0) + 1);
    degrees.set(target, (degrees.get(target) ?? 0) + 1);
  }
  return new Map(
    nodes.map((node) => {
      const degree = degrees.get(node.id) ?? 0;
      // The simulation places nodes whose position is NaN.
      const { x, y } = before.get(node.id) ?? { x: Number.NaN, y: Number.NaN };
      const radius = radiusOf(style, node.id, degree);
      const shape = shapes.get(node.kind) ?? shapeOf(0);
      return [node.id, { ...node, x, y, degree, radius, shape }];
    }),
  );
}

/** Creates the SVG elements of placed nodes. */
export function nodeElements(nodes: ReadonlyMap<string, PlacedNode>): Map<string, NodeElement> {
  return new Map([...nodes].map(([id, node]) => [id, nodeElement(node)]));
}

function nodeElement(node: PlacedNode): NodeElement {
  const words = node.kind === "" ? node.id : `${node.id}, ${node.kind}`;
  const named = { role: "button", "aria-label": words, tabindex: "-1" };
  const group = svg("g", { class: "graph-node", "data-id": node.id, ...named });
  const path = svg("path", { d: shapePath(node.shape, node.radius) });
  const title = svg("title", {});
  title.textContent = words;
  group.append(title, path);
  const label = svg("text", { class: "label" });
  label.textContent = truncate(node.id, 24);
  return { ...node, path, group, label };
}

/** Sets size and colour of a node. */
export function styleNode(node: NodeElement, style: NodeStyle): void {
  node.radius = radiusOf(style, node.id, node.degree);
  node.path.setAttribute("d", shapePath(node.shape, node.radius));
  const part = style.colour ? shareOfRange(style.colour, node.id) : null;
  node.group.classList.toggle("valued", part !== null);
  node.group.style.setProperty("--part", part === null ? "" : `${(part * 100).toFixed(1)}%`);
}

/** Creates the edges of a view between its placed nodes. */
export function placedEdges<Node extends PlacedNode>(
  { edges }: GraphView,
  nodes: ReadonlyMap<string, Node>,
): PlacedEdge<Node>[] {
  const pairCounts = new Map<string, number>();
  return edges.flatMap(({ id, source, target, kind }) => {
    const [from, to] = [nodes.get(source), nodes.get(target)];
    if (!from || !to) return [];
    const pair = source < target ? `${source}\n${target}` : `${target}\n${source}`;
    const nth = pairCounts.get(pair) ?? 0;
    pairCounts.set(pair, nth + 1);
    const side = (nth % 2 === 0 ? 1 : -1) * (source < target ? 1 : -1);
    return [{ id, source: from, target: to, kind, offset: Math.ceil(nth / 2) * side * 18 }];
  });
}

/** Creates the edges of a view with their SVG paths. */
export function edgeElements(
  view: GraphView,
  nodes: ReadonlyMap<string, NodeElement>,
): EdgeElement[] {
  return placedEdges(view, nodes).map((edge) => {
    const { id, source, target, kind } = edge;
    const path = svg("path", { class: "edge", "data-id": id });
    const title = svg("title", {});
    title.textContent = `${source.id} ${kind === "" ? "→" : `–${kind}→`} ${target.id}`;
    path.append(title);
    return { ...edge, path };
  });
}

/** Returns the edges of a node, for its card. */
export function nearEdges(node: PlacedNode, edges: readonly PlacedEdge[]): NearEdge[] {
  return edges.flatMap((edge): NearEdge[] => {
    if (edge.source === node) return [{ kind: edge.kind, out: true, id: edge.target.id }];
    return edge.target === node ? [{ kind: edge.kind, out: false, id: edge.source.id }] : [];
  });
}

/** Returns the SVG path of an edge from rim to rim; `position` returns the centre of a node. */
export function edgePath(
  { source, target, offset }: EdgeElement,
  position: (spot: NodeElement) => [number, number],
): string {
  const [x1, y1] = position(source);
  const [x2, y2] = position(target);
  if (source === target) {
    const r = source.radius + 4;
    return `M${x1} ${y1 - r}a${r} ${r} 0 1 1 ${r} ${r}`;
  }
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const start = Math.min(source.radius + 1, length / 3);
  const end = Math.min(target.radius + 4, length / 3);
  const from = `${(x1 + ux * start).toFixed(1)} ${(y1 + uy * start).toFixed(1)}`;
  const to = `${(x2 - ux * end).toFixed(1)} ${(y2 - uy * end).toFixed(1)}`;
  if (offset === 0) return `M${from}L${to}`;
  const middle = `${(x1 + dx / 2 - uy * offset).toFixed(1)} ${(y1 + dy / 2 + ux * offset).toFixed(1)}`;
  return `M${from}Q${middle} ${to}`;
}

/** Returns the node kinds of a view, the most frequent first; their index selects the shape. */
export function kindsByFrequency({ nodes }: GraphView): string[] {
  const counts = new Map<string, number>();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
}

/** Renders the legend of the node shapes. */
export function legendItems({ nodes }: GraphView, kinds: readonly string[]): HTMLElement[] {
  const named = kinds.filter((kind) => kind !== "").slice(0, 6);
  return named.map((kind) => {
    const icon = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" });
    icon.append(svg("path", { d: shapePath(shapeOf(kinds.indexOf(kind)), 6) }));
    const total = nodes.filter((node) => node.kind === kind).length;
    return element("li", icon, `${truncate(kind.toLowerCase(), 18)} ${total}`);
  });
}
