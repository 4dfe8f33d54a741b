import type { BenchName } from "./saved-work.js";

/** Id of the example that the story hands over, as in `#graph/story`. */
export const handedId = "story";

/** Id of the example that shows a log of the user. */
export const logId = "log";

/** Parts of the handed-over examples that are the same for each question, by workbench. */
const sharedParts = new Map<BenchName, object>();
const handedOverExamples = new Map<BenchName, object>();

/** Sets the parts that are the same for each question; called before any workbench is opened. */
export function setHandoverBases(examples: { [name in BenchName]?: object }): void {
  for (const [name, base] of Object.entries(examples)) sharedParts.set(name as BenchName, base);
}

/** Adds an example to a workbench and opens it. */
export function handOver<Example>(name: BenchName, changes: Partial<Example>): void {
  restoreHanded(name, handedId, changes);
  location.hash = `#${name}/${handedId}`;
}

/** Adds the handed-over example of a saved work; any other id does nothing. */
export function restoreHanded<Example>(
  name: BenchName,
  id: string,
  changes: Partial<Example>,
): void {
  if (id === handedId) handedOverExamples.set(name, { ...sharedParts.get(name), ...changes });
}

/** Returns the examples of a workbench, followed by the one that was handed over, if any. */
export function withHanded<Example>(
  name: BenchName,
  examples: readonly [Example, ...Example[]],
): readonly [Example, ...Example[]] {
  const more = handedOverExamples.get(name) as Example | undefined;
  return more ? [...examples, more] : examples;
}
