import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import type { NodeElement, PlacedEdge, PlacedNode } from "./elements.js";

/**
 * Milliseconds of a slow frame, and the number of slow frames after which the animation is skipped.
 */
const slowFrame = 50;
const maxSlowFrames = 5;

/** Creates a force simulation for a pane of this aspect ratio. */
export function createSimulation(
  nodes: NodeElement[],
  edges: readonly PlacedEdge<NodeElement>[],
  ratio: number,
): Simulation<NodeElement, undefined> {
  const wide = Math.max(0.4, Math.min(2.5, ratio));
  return forceSimulation<NodeElement>(nodes)
    .force(
      "link",
      forceLink<NodeElement, { source: NodeElement; target: NodeElement }>(
        edges.map(({ source, target }) => ({ source, target })),
      ).distance(46),
    )
    .force("charge", forceManyBody<NodeElement>().strength(-190).distanceMax(420))
    .force("x", forceX<NodeElement>().strength(0.07 / wide))
    .force("y", forceY<NodeElement>().strength(0.07 * wide))
    .force(
      "collide",
      forceCollide<NodeElement>((node) => node.radius + 9),
    )
    .stop();
}

/** Animates the simulation, calling `draw` in each step. */
export function animate(simulation: Simulation<NodeElement, undefined>, draw: () => void): void {
  simulation.alpha(0.6).alphaDecay(0.06);
  let last = performance.now();
  let slowFrames = 0;
  const step = (): void => {
    const now = performance.now();
    if (now - last > slowFrame) slowFrames += 1;
    last = now;
    // A slow machine computes the final layout at once.
    if (slowFrames > maxSlowFrames) simulation.stop().tick(300);
    draw();
  };
  simulation.on("tick", step).restart();
}

/** Number of steps of the layout of a large graph. */
const largeSteps = 150;
/** Milliseconds of layout per frame; at least one step is done. */
const sliceTime = 8;

/** Creates a force simulation with cheaper forces for thousands of nodes. */
export function createLargeSimulation(
  nodes: PlacedNode[],
  edges: readonly PlacedEdge[],
  ratio: number,
): Simulation<PlacedNode, undefined> {
  const wide = Math.max(0.4, Math.min(2.5, ratio));
  return forceSimulation<PlacedNode>(nodes)
    .alphaDecay(1 - 0.001 ** (1 / largeSteps))
    .force(
      "link",
      forceLink<PlacedNode, { source: PlacedNode; target: PlacedNode }>(
        edges.map(({ source, target }) => ({ source, target })),
      ).distance(40),
    )
    .force("charge", forceManyBody<PlacedNode>().strength(-120).theta(1.2).distanceMax(900))
    .force("x", forceX<PlacedNode>().strength(0.04 / wide))
    .force("y", forceY<PlacedNode>().strength(0.04 * wide))
    .stop();
}

/**
 * Runs a simulation in slices, one per frame, so that the page stays responsive. Calls `progress`
 * with the completed part after each slice, and with 1 at the end. Returns a function that stops it.
 */
export function runInSlices(
  simulation: Simulation<PlacedNode, undefined>,
  progress: (part: number) => void,
): () => void {
  let steps = 0;
  let request = 0;
  const slice = (): void => {
    const start = performance.now();
    do {
      simulation.tick();
      steps += 1;
    } while (steps < largeSteps && performance.now() - start < sliceTime);
    if (steps < largeSteps) request = requestAnimationFrame(slice);
    progress(steps / largeSteps);
  };
  request = requestAnimationFrame(slice);
  return () => cancelAnimationFrame(request);
}
