import type { Json } from "byname";

/** What stands in a workbench, as far as it can be brought back elsewhere: the example, and what somebody made of it. */
export interface Work {
  example: string;
  /** Whether it is more than the example. */
  own: boolean;
  parts: { [part: string]: Json };
}

export const benchNames = ["story", "surface", "graph", "flow"] as const;
export type BenchName = (typeof benchNames)[number];

/** A work with the workbench that it belongs to. */
export interface Placed {
  bench: BenchName;
  work: Work;
}

/** Whether an address is that of somebody's work, whatever the version. */
export function isLink(hash: string): boolean {
  return /^#v\d+\./.test(hash);
}

/** What a store or a link held, where it is a work at all: it may have come from anybody. */
export function placedOf(value: unknown): Placed | null {
  const { bench, work } = record(value);
  const { example, own, parts } = record(work);
  const name = benchNames.find((one) => one === bench);
  if (!name || typeof example !== "string") return null;
  return { bench: name, work: { example, own: own === true, parts: record(parts) } };
}

/** A part that is a text. */
export function textOf({ parts }: Work, part: string): string | null {
  const value = parts[part];
  return typeof value === "string" ? value : null;
}

/** How long the texts in a value are together: what takes much room in a work is its texts. */
export function lengthOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + lengthOf(one), 0);
}

/** A part that is a number. */
export function numberOf({ parts }: Work, part: string, otherwise: number): number {
  const value = parts[part];
  return typeof value === "number" ? value : otherwise;
}

/** A part that holds others by name. */
export function recordOf({ parts }: Work, part: string): { [name: string]: Json } {
  return record(parts[part]);
}

/** What there is by name; nothing where it is something else. */
export function record(value: unknown): { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { [name: string]: Json })
    : {};
}

/** `made`: by somebody, just now; `brought`: an example was opened, or somebody's work from elsewhere. */
type Heard = (bench: BenchName, how: "made" | "brought") => void;
const listeners = new Set<Heard>();

/** What stands in a workbench is other than before. */
export const worked: Heard = (bench, how) => {
  for (const listener of listeners) listener(bench, how);
};

export function onWork(listener: Heard): void {
  listeners.add(listener);
}
