import type { Json } from "byname";
import type { WorkbenchState } from "../work/saved-work.js";

/** A text that was run, and the step of the run before that it went on from; -1 where it began anew. */
export type RunEntry = { text: string; from: number };

/** What somebody has run, of a work that was kept. */
export function parseRunHistory({ parts: { ran: saved } }: WorkbenchState): RunEntry[] {
  // Links that were made before texts went on from one another hold one.
  if (typeof saved === "string") return [{ text: saved, from: -1 }];
  return (Array.isArray(saved) ? saved : []).flatMap((one) => {
    const { text, from } = (one ?? {}) as { text?: Json; from?: Json };
    return typeof text === "string" ? [{ text, from: typeof from === "number" ? from : -1 }] : [];
  });
}
