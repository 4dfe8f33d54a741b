import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import type { NodeElement, PlacedEdge } from "./elements.js";

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
