import { truncate } from "../page/format.js";
import { type CanvasColours, colourSteps } from "./canvas-colours.js";
import type { PlacedEdge, PlacedNode } from "./elements.js";
import { type LabelRequest, placeLabels } from "./label-placement.js";
import { type NodeStyle, shareOfRange } from "./measures.js";
import { type Shape, shapePath } from "./shapes.js";
import type { Viewport } from "./viewport.js";

/** Content of a scene. */
export interface SceneContent {
  nodes: readonly PlacedNode[];
  edges: readonly PlacedEdge[];
  directed: boolean;
  highlighted: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> };
  style: NodeStyle;
}

/** Linear map from layout to pane: scale and offset in pixels of each axis. */
export interface Transform {
  kx: number;
  ky: number;
  ox: number;
  oy: number;
}

/** Returns the current map of a viewport, which later zoom and pan do not change. */
export function currentTransform(viewport: Viewport): Transform {
  const [ox, oy] = viewport.toPane({ x: 0, y: 0 });
  return { kx: viewport.scale.x, ky: viewport.scale.y, ox, oy };
}

/** Area of the pane in pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Number of edges or nodes painted between two checks of the time. */
const batchSize = 400;
/** Maximum number of visible edges that have arrowheads. */
const maxArrowheads = 600;
/** Maximum number of nodes that compete for a label, and the same among many visible nodes. */
const maxLabels = 90;
const maxLabelsInCrowd = 30;
const crowdSize = 600;
/** Radius in pixels below which a node is a filled dot. */
const dotRadius = 3.2;

/** Returns the radius of a node in pixels; nodes shrink when the graph is zoomed out. */
export function paneRadius({ radius }: PlacedNode, { kx, ky }: Transform): number {
  return Math.max(1.2, radius * Math.min(1, Math.max(0.15, 0.9 * Math.sqrt(kx * ky))));
}

/** Paints a scene in batches: edges, then nodes, then labels; the result is painted last. */
export function* paintScene(
  context: CanvasRenderingContext2D,
  content: SceneContent,
  at: Transform,
  area: Area,
  colours: CanvasColours,
): Generator<void> {
  const { nodes, edges, highlighted } = content;
  const visible = edges.filter((edge) => isEdgeVisible(edge, at, area));
  const isHit = (edge: PlacedEdge) => highlighted.edges.has(edge.id);
  const heads = content.directed && visible.length <= maxArrowheads;
  const crowd = Math.min(1, Math.sqrt(3000 / Math.max(1, visible.length)));
  context.lineWidth = crowd < 1 ? 0.8 : 1;
  context.globalAlpha = Math.max(0.2, crowd);
  yield* paintEdges(
    context,
    visible.filter((edge) => !isHit(edge)),
    at,
    colours.edge,
    heads,
  );
  context.globalAlpha = 1;
  context.lineWidth = 2;
  yield* paintEdges(context, visible.filter(isHit), at, colours.accent, heads);
  const shown = nodes.filter((node) => isNodeVisible(node, at, area));
  const hits = shown.filter(({ id }) => highlighted.nodes.has(id));
  const others = shown.filter(({ id }) => !highlighted.nodes.has(id));
  yield* paintNodes(context, others, at, content, colours);
  yield* paintNodes(context, hits, at, content, colours);
  paintLabels(context, shown, at, content, area, colours);
}

function* paintEdges(
  context: CanvasRenderingContext2D,
  edges: readonly PlacedEdge[],
  at: Transform,
  colour: string,
  heads: boolean,
): Generator<void> {
  for (let start = 0; start < edges.length; start += batchSize) {
    context.strokeStyle = colour;
    context.fillStyle = colour;
    // A path with few lines is much faster than one with all.
    for (let from = start; from < Math.min(edges.length, start + batchSize); from += 50) {
      context.beginPath();
      for (const edge of edges.slice(from, from + 50)) traceEdge(context, edge, at);
      context.stroke();
    }
    if (heads)
      for (const edge of edges.slice(start, start + batchSize)) paintHead(context, edge, at);
    yield;
  }
}

function traceEdge(context: CanvasRenderingContext2D, edge: PlacedEdge, at: Transform): void {
  const { source, target, offset } = edge;
  const [x1, y1] = [source.x * at.kx + at.ox, source.y * at.ky + at.oy];
  if (source === target) {
    const r = paneRadius(source, at) + 4;
    context.moveTo(x1, y1 - r);
    context.arc(x1 + r / 2, y1 - r / 2, r * 0.7, -Math.PI * 0.75, Math.PI * 0.75);
    return;
  }
  const [x2, y2] = [target.x * at.kx + at.ox, target.y * at.ky + at.oy];
  context.moveTo(x1, y1);
  if (offset === 0) {
    context.lineTo(x2, y2);
    return;
  }
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  context.quadraticCurveTo((x1 + x2) / 2 - uy * offset, (y1 + y2) / 2 + ux * offset, x2, y2);
}

function paintHead(context: CanvasRenderingContext2D, edge: PlacedEdge, at: Transform): void {
  const { source, target } = edge;
  if (source === target) return;
  const [x1, y1] = [source.x * at.kx + at.ox, source.y * at.ky + at.oy];
  const [x2, y2] = [target.x * at.kx + at.ox, target.y * at.ky + at.oy];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const gap = paneRadius(target, at) + 2;
  if (length < gap + 8) return;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x2 - ux * gap, y2 - uy * gap];
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - ux * 6 - uy * 3, y - uy * 6 + ux * 3);
  context.lineTo(x - ux * 6 + uy * 3, y - uy * 6 - ux * 3);
  context.fill();
}

const shapePaths = new Map<Shape, Path2D>();

/** Returns the path of a shape with radius 1. */
function unitPath(shape: Shape): Path2D {
  const known = shapePaths.get(shape) ?? new Path2D(shapePath(shape, 1));
  shapePaths.set(shape, known);
  return known;
}

function* paintNodes(
  context: CanvasRenderingContext2D,
  nodes: readonly PlacedNode[],
  at: Transform,
  { highlighted, style }: SceneContent,
  colours: CanvasColours,
): Generator<void> {
  for (const [index, node] of nodes.entries()) {
    if (index % batchSize === batchSize - 1) yield;
    const radius = paneRadius(node, at);
    const isHit = highlighted.nodes.has(node.id);
    const part = style.colour ? shareOfRange(style.colour, node.id) : null;
    const rim = isHit ? colours.accent : colours.node;
    const plain = isHit ? colours.accent : radius < dotRadius ? colours.node : colours.paper;
    context.save();
    context.translate(node.x * at.kx + at.ox, node.y * at.ky + at.oy);
    context.scale(radius, radius);
    const path = unitPath(node.shape);
    context.fillStyle =
      part === null ? plain : (colours.measure[Math.round(part * (colourSteps - 1))] ?? plain);
    context.fill(path);
    if (radius >= dotRadius || (isHit && part !== null)) {
      context.strokeStyle = rim;
      context.lineWidth = (isHit && part !== null ? 2.5 : 1.3) / radius;
      context.stroke(path);
    }
    context.restore();
  }
}

/** Paints the labels of the most important visible nodes, as far as they fit. */
function paintLabels(
  context: CanvasRenderingContext2D,
  nodes: readonly PlacedNode[],
  at: Transform,
  { highlighted }: SceneContent,
  area: Area,
  colours: CanvasColours,
): void {
  const weigh = ({ id, degree }: PlacedNode): number =>
    (highlighted.nodes.has(id) ? 1e6 : 0) + degree;
  const limit = nodes.length > crowdSize ? maxLabelsInCrowd : maxLabels;
  const candidates = [...nodes].sort((a, b) => weigh(b) - weigh(a)).slice(0, limit);
  const list: LabelRequest[] = candidates.map((node) => ({
    key: node.id,
    x: node.x * at.kx + at.ox - area.left,
    y: node.y * at.ky + at.oy - area.top,
    radius: paneRadius(node, at),
    text: truncate(node.id, 24),
    weight: weigh(node),
    required: false,
  }));
  const size = { width: area.right - area.left, height: area.bottom - area.top };
  const positions = placeLabels(list, size);
  for (const { key, text } of list) {
    const spot = positions.get(key);
    if (!spot) continue;
    const isHit = highlighted.nodes.has(key);
    paintLabel(context, text, spot.x + area.left, spot.y + area.top, isHit, colours);
  }
}

/** Paints a text with a rim in the colour of the paper. */
export function paintLabel(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  strong: boolean,
  colours: CanvasColours,
): void {
  context.font = `${strong ? "600 " : ""}11px system-ui, sans-serif`;
  context.textAlign = "center";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  context.strokeText(text, x, y);
  context.fillStyle = strong ? colours.ink : colours.muted;
  context.fillText(text, x, y);
}

function isNodeVisible({ x, y }: PlacedNode, { kx, ky, ox, oy }: Transform, area: Area): boolean {
  const [px, py] = [x * kx + ox, y * ky + oy];
  return px > area.left - 20 && px < area.right + 20 && py > area.top - 20 && py < area.bottom + 20;
}

/** Returns whether the bounding box of an edge meets the area. */
function isEdgeVisible({ source, target }: PlacedEdge, at: Transform, area: Area): boolean {
  const { kx, ky, ox, oy } = at;
  const left = Math.min(source.x, target.x) * kx + ox;
  const right = Math.max(source.x, target.x) * kx + ox;
  const top = Math.min(source.y, target.y) * ky + oy;
  const bottom = Math.max(source.y, target.y) * ky + oy;
  return (
    right >= area.left - 20 &&
    left <= area.right + 20 &&
    bottom >= area.top - 20 &&
    top <= area.bottom + 20
  );
}
