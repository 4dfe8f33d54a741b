import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import type { PlacedEdge, PlacedNode } from "./elements.js";

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
export function runInSlices<Node extends PlacedNode>(
  simulation: Simulation<Node, undefined>,
  progress: (part: number) => void,
  stepCount = largeSteps,
): () => void {
  let steps = 0;
  let request = 0;
  const slice = (): void => {
    const start = performance.now();
    do {
      simulation.tick();
      steps += 1;
    } while (steps < stepCount && performance.now() - start < sliceTime);
    if (steps < stepCount) request = requestAnimationFrame(slice);
    progress(steps / stepCount);
  };
  request = requestAnimationFrame(slice);
  return () => cancelAnimationFrame(request);
}
