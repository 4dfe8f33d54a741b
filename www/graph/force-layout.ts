import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import type { EdgeElement, NodeElement } from "./elements.js";

/** Milliseconds: a picture that moves in such steps moves by jerks; after so many of them it is drawn as it will be. */
const slowFrame = 50;
const maxSlowFrames = 5;

/** Pulls and pushes the nodes of a graph to places, in a pane that is so many times as wide as it is high. */
export function createSimulation(
  nodes: NodeElement[],
  edges: readonly EdgeElement[],
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

/** Lets the nodes move to their places in sight, `draw` by `draw`. */
export function animate(simulation: Simulation<NodeElement, undefined>, draw: () => void): void {
  simulation.alpha(0.6).alphaDecay(0.06);
  let last = performance.now();
  let slowFrames = 0;
  const step = (): void => {
    const now = performance.now();
    if (now - last > slowFrame) slowFrames += 1;
    last = now;
    // A machine that cannot draw it as it moves has other things to do.
    if (slowFrames > maxSlowFrames) simulation.stop().tick(300);
    draw();
  };
  simulation.on("tick", step).restart();
}
