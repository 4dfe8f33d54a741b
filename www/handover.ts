import { bases, type Examples, handedId } from "./story/base.js";

export { handedId };

/** What the story has handed to the workbenches: an example more for each, in the menu behind the others. */
const handed: { [name in keyof Examples]?: Examples[name] } = {};

/** Hands an example to a workbench and goes there. */
export function handOver<Name extends keyof Examples>(
  name: Name,
  given: Partial<Examples[Name]>,
): void {
  handed[name] = { ...bases[name], ...given } as (typeof handed)[Name];
  location.hash = `#${name}/${handedId}`;
}

/** Hands over again what a work is of, where that is no example of the workbench: it may be another page's. */
export function handAgain<Name extends keyof Examples>(
  name: Name,
  id: string,
  given: Partial<Examples[Name]>,
): void {
  if (id === handedId) handed[name] = { ...bases[name], ...given } as (typeof handed)[Name];
}

/** The examples of a workbench, with the one that was handed to it. */
export function withHanded<Name extends keyof Examples>(
  name: Name,
  examples: readonly [Examples[Name], ...Examples[Name][]],
): readonly [Examples[Name], ...Examples[Name][]] {
  const more = handed[name] as Examples[Name] | undefined;
  return more ? [...examples, more] : examples;
}
