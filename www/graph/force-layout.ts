import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
} from "d3-force";
import type { Line, Spot } from "./elements.js";

/** Milliseconds: a picture that moves in such steps moves by jerks; after so many of them it is drawn as it will be. */
const lateFrame = 50;
const fewLate = 5;

/** Pulls and pushes the nodes of a graph to places, in a pane that is so many times as wide as it is high. */
export function simulationOf(
  spots: Spot[],
  lines: readonly Line[],
  ratio: number,
): Simulation<Spot, undefined> {
  const wide = Math.max(0.4, Math.min(2.5, ratio));
  return forceSimulation<Spot>(spots)
    .force(
      "link",
      forceLink<Spot, { source: Spot; target: Spot }>(
        lines.map(({ source, target }) => ({ source, target })),
      ).distance(46),
    )
    .force("charge", forceManyBody<Spot>().strength(-190).distanceMax(420))
    .force("x", forceX<Spot>().strength(0.07 / wide))
    .force("y", forceY<Spot>().strength(0.07 * wide))
    .force(
      "collide",
      forceCollide<Spot>((spot) => spot.radius + 9),
    )
    .stop();
}

/** Lets the nodes move to their places in sight, `draw` by `draw`. */
export function run(simulation: Simulation<Spot, undefined>, draw: () => void): void {
  simulation.alpha(0.6).alphaDecay(0.06);
  let last = performance.now();
  let late = 0;
  const step = (): void => {
    const now = performance.now();
    if (now - last > lateFrame) late += 1;
    last = now;
    // A machine that cannot draw it as it moves has other things to do.
    if (late > fewLate) simulation.stop().tick(300);
    draw();
  };
  simulation.on("tick", step).restart();
}
