import type { Json } from "byname";
import type { WorkbenchState } from "../work/saved-work.js";

/** Text that was run, and the step of the previous run that it continued; -1 if none. */
export type RunEntry = { text: string; from: number };

/** Parses the runs of a saved state. */
export function parseRunHistory({ parts: { ran: saved } }: WorkbenchState): RunEntry[] {
  // Links of the first format have a single text.
  if (typeof saved === "string") return [{ text: saved, from: -1 }];
  return (Array.isArray(saved) ? saved : []).flatMap((one) => {
    const { text, from } = (one ?? {}) as { text?: Json; from?: Json };
    return typeof text === "string" ? [{ text, from: typeof from === "number" ? from : -1 }] : [];
  });
}
