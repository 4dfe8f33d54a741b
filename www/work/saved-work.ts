import type { Json } from "byname";
import { asRecord } from "../page/json.js";

/** State of a workbench: the example, and the changes of the user. */
export interface WorkbenchState {
  example: string;
  /** Whether it differs from the example. */
  own: boolean;
  parts: { [part: string]: Json };
}

export const benchNames = ["story", "surface", "graph", "flow"] as const;
export type BenchName = (typeof benchNames)[number];

/** State with its workbench; the content of links and drafts. */
export interface SavedWork {
  bench: BenchName;
  work: WorkbenchState;
}

/** Returns whether an address is a link to a saved work, of any version. */
export function isLink(hash: string): boolean {
  return /^#v\d+\./.test(hash);
}

/** Validates a value from a link or the storage; returns null if it is not a saved work. */
export function parseSavedWork(value: unknown): SavedWork | null {
  const { bench, work } = asRecord(value);
  const { example, own, parts } = asRecord(work);
  const name = benchNames.find((one) => one === bench);
  if (!name || typeof example !== "string") return null;
  return { bench: name, work: { example, own: own === true, parts: asRecord(parts) } };
}

/** Returns a string part, or null. */
export function textPart({ parts }: WorkbenchState, part: string): string | null {
  const value = parts[part];
  return typeof value === "string" ? value : null;
}

/** Returns the total length of the strings in a value, which is about the size of a state. */
export function textLengthOf(value: Json): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + textLengthOf(one), 0);
}

export function numberPart({ parts }: WorkbenchState, part: string, fallback: number): number {
  const value = parts[part];
  return typeof value === "number" ? value : fallback;
}

export function recordPart({ parts }: WorkbenchState, part: string): { [name: string]: Json } {
  return asRecord(parts[part]);
}

/** `made`: edited by the user; `brought`: restored or opened. */
type WorkListener = (bench: BenchName, change: "edited" | "loaded") => void;
const workListeners = new Set<WorkListener>();

/** Notifies listeners that the state of a workbench has changed. */
export const notifyWorkChanged: WorkListener = (bench, how) => {
  for (const listener of workListeners) listener(bench, how);
};

export function onWorkChanged(listener: WorkListener): void {
  workListeners.add(listener);
}
