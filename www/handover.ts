import type { Example as FlowExample } from "./flow/examples.js";
import type { Example as GraphExample } from "./graph/examples.js";
import type { Example as SurfaceExample } from "./surface/examples/example.js";

interface Examples {
  graph: GraphExample;
  flow: FlowExample;
  surface: SurfaceExample;
}

/** What the story has handed to the workbenches: an example more for each, in the menu behind the others. */
const handed: { [name in keyof Examples]?: Examples[name] } = {};

/** The address of what is handed over: `#graph/story`. */
export const handedId = "story";

/** Hands an example to a workbench and goes there. */
export function handOver<Name extends keyof Examples>(name: Name, example: Examples[Name]): void {
  handed[name] = example as (typeof handed)[Name];
  location.hash = `#${name}/${handedId}`;
}

/** The examples of a workbench, with the one that was handed to it. */
export function withHanded<Name extends keyof Examples>(
  name: Name,
  examples: readonly [Examples[Name], ...Examples[Name][]],
): readonly [Examples[Name], ...Examples[Name][]] {
  const more = handed[name] as Examples[Name] | undefined;
  return more ? [...examples, more] : examples;
}
