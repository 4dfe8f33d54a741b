import type { Diagnostic, Json } from "../types.js";

/**
 * What happened in a session: a command, a plan or a question began, another task took `turns` (`of`
 * is the entry that began it), one was stopped, or the session is a `fork`, in which nothing of all
 * that goes on. `turns` is how often a task went on before another did; where it is missing, to its end.
 */
export interface RecordingEntry {
  kind: string;
  of?: number;
  turns?: number;
  command?: string;
  why?: string;
  query?: string;
  plan?: Json;
}

/** The questions that a recording did not answer. What is said of a part may be said of the whole as well. */
export function findMisses(result: unknown): Diagnostic[] {
  const { diagnostics, ...parts } = Object(result);
  const found = collectMisses(parts);
  return found.length > 0 ? found : collectMisses(diagnostics);
}

function collectMisses(value: unknown): Diagnostic[] {
  const found: Diagnostic[] = [];
  JSON.stringify(value, (_, part) => {
    if (part?.code === "GASL060") found.push(part as Diagnostic);
    return part as unknown;
  });
  return found;
}
