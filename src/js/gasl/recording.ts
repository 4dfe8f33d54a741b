import type { Diagnostic, Json } from "../types.js";

/**
 * Event of a session: a task began, continued or was stopped, or the session was forked, which
 * drops all running tasks. A task is a command, a plan or a question. It continues for `turns`
 * updates, or without `turns` to its end; `of` is the entry that began it.
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

/**
 * Returns the requests that a recording has no reply to. Diagnostics of the result may repeat those
 * of its parts.
 */
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
