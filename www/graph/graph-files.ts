import type { Diagnostic, Graph } from "byname";
import type { GraphSource } from "./graph-source.js";

/** Reports the loading of large files, and cancels it. */
export interface LoadingView {
  /** Called with the number of bytes read so far; `total` when the graph is being built. */
  progress(bytes: number, total: number): void;
  readonly signal: AbortSignal;
}

/** Graph that was read, with its format and its warnings. */
export interface OpenedGraph {
  source: GraphSource;
  format: Graph["format"];
  diagnostics: Diagnostic[];
}

export function sizeOf(files: readonly File[]): number {
  return files.reduce((sum, file) => sum + file.size, 0);
}

export function assertHasNodes(count: number): void {
  if (count === 0) throw new Error("it has no nodes");
}

/** Returns two tables with the node table first; a single file is unchanged. */
export async function inTableOrder(files: readonly File[]): Promise<readonly File[]> {
  const [first, second] = files;
  if (!first || !second) return files;
  const hasEnds = async (file: File): Promise<boolean> =>
    hasEndColumns(new Uint8Array(await file.slice(0, 4000).arrayBuffer()));
  return (await hasEnds(first)) && !(await hasEnds(second)) ? [second, first] : files;
}

/** Returns whether the header of a table names both ends of an edge. */
function hasEndColumns(bytes: Uint8Array): boolean {
  const [head = ""] = new TextDecoder().decode(bytes.subarray(0, 4000)).split(/\r?\n/, 1);
  return (
    /\b(?:source|from|start|src)\b/i.test(head) && /\b(?:target|to|end|dst|dest)\b/i.test(head)
  );
}
