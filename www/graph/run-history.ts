import type { Json } from "byname";
import type { Work } from "../work/saved-work.js";

/** A text that was run, and the step of the run before that it went on from; -1 where it began anew. */
export type Ran = { text: string; from: number };

/** What somebody has run, of a work that was kept. */
export function ranOf({ parts: { ran: told } }: Work): Ran[] {
  // Links that were made before texts went on from one another hold one.
  if (typeof told === "string") return [{ text: told, from: -1 }];
  return (Array.isArray(told) ? told : []).flatMap((one) => {
    const { text, from } = (one ?? {}) as { text?: Json; from?: Json };
    return typeof text === "string" ? [{ text, from: typeof from === "number" ? from : -1 }] : [];
  });
}
