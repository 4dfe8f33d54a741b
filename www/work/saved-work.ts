import type { Json } from "byname";

/** What stands in a workbench, as far as it can be brought back elsewhere: the example, and what somebody made of it. */
export interface WorkbenchState {
  example: string;
  /** Whether it is more than the example. */
  own: boolean;
  parts: { [part: string]: Json };
}

export const benchNames = ["story", "surface", "graph", "flow"] as const;
export type BenchName = (typeof benchNames)[number];

/** A work with the workbench that it belongs to. */
export interface SavedWork {
  bench: BenchName;
  work: WorkbenchState;
}

/** Whether an address is that of somebody's work, whatever the version. */
export function isLink(hash: string): boolean {
  return /^#v\d+\./.test(hash);
}

/** What a store or a link held, where it is a work at all: it may have come from anybody. */
export function parseSavedWork(value: unknown): SavedWork | null {
  const { bench, work } = asRecord(value);
  const { example, own, parts } = asRecord(work);
  const name = benchNames.find((one) => one === bench);
  if (!name || typeof example !== "string") return null;
  return { bench: name, work: { example, own: own === true, parts: asRecord(parts) } };
}

/** A part that is a text. */
export function textPart({ parts }: WorkbenchState, part: string): string | null {
  const value = parts[part];
  return typeof value === "string" ? value : null;
}

/** How long the texts in a value are together: what takes much room in a work is its texts. */
export function textLengthOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + textLengthOf(one), 0);
}

/** A part that is a number. */
export function numberPart({ parts }: WorkbenchState, part: string, fallback: number): number {
  const value = parts[part];
  return typeof value === "number" ? value : fallback;
}

/** A part that holds others by name. */
export function recordPart({ parts }: WorkbenchState, part: string): { [name: string]: Json } {
  return asRecord(parts[part]);
}

/** What there is by name; nothing where it is something else. */
export function asRecord(value: unknown): { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { [name: string]: Json })
    : {};
}

/** `made`: by somebody, just now; `brought`: an example was opened, or somebody's work from elsewhere. */
type WorkListener = (bench: BenchName, change: "made" | "brought") => void;
const listeners = new Set<WorkListener>();

/** What stands in a workbench is other than before. */
export const notifyWorkChanged: WorkListener = (bench, how) => {
  for (const listener of listeners) listener(bench, how);
};

export function onWorkChanged(listener: WorkListener): void {
  listeners.add(listener);
}
