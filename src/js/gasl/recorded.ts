import type { Diagnostic, Json } from "../types.js";

/** A command; one that ran beside a plan with how many steps of that were over. */
export interface Command {
  kind: "execute";
  command: string;
  why: string;
  beside?: number;
}

/** What was asked for; `stopped` is how many steps were over when it was stopped. */
export type Entry =
  | Command
  | { kind: "resume"; stopped?: number }
  | { kind: "plan"; plan: Json; stopped?: number }
  | {
      kind: "solve";
      query: string;
      plans: number;
      calls: number;
      tokens: number;
      steps: number;
      stopped?: number;
    };

/** The commands that ran beside the entry at this place. */
export function besides(entries: Entry[], at: number): Command[] {
  const found: Command[] = [];
  for (const entry of entries.slice(at + 1)) {
    if (entry.kind !== "execute") break;
    if (entry.beside !== undefined) found.push(entry);
  }
  return found;
}

/** The questions that a recording did not answer. */
export function missesIn(result: unknown): Diagnostic[] {
  const found: Diagnostic[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      const one = value as { [key: string]: unknown };
      if (one["code"] === "GASL060") found.push(one as unknown as Diagnostic);
      else Object.values(one).forEach(walk);
    }
  };
  walk(result);
  return found;
}
