import { GaslError } from "../diagnostic-error.js";
import { Graph } from "../gasl/graph.js";
import type { Diagnostic } from "../types.js";
import type { Options } from "./command.js";
import { readBytes } from "./files.js";
import { InputError } from "./input-error.js";
import { formatDiagnostics } from "./report.js";

/** Option of the commands that read a graph. */
export const nodeTableOption = { "node-table": { type: "string" } } as const;
export const nodeTableHelp = {
  "node-table": "table of nodes (CSV), if the file of the graph is a table of edges",
};

/** Table of edges without rows. */
const NO_EDGES = "source,target\n";

/** Reads a graph of any format from a file, or from two tables. */
export function readGraph(path: string | undefined, options: Options): Graph {
  const nodeTable = options["node-table"];
  const bytes = readBytes(path);
  const tables = typeof nodeTable === "string" ? { nodes: readBytes(nodeTable) } : undefined;
  try {
    return tables === undefined ? Graph.from(bytes) : Graph.fromCsv({ ...tables, edges: bytes });
  } catch (error) {
    if (!(error instanceof GaslError)) throw error;
    const text = formatGraphDiagnostics(error.diagnostics, path, options);
    throw new InputError(text, error.diagnostics);
  }
}

/** Returns the diagnostics of a graph as text, with the lines of its files. */
export function formatGraphDiagnostics(
  diagnostics: readonly Diagnostic[],
  path: string | undefined,
  options: Options,
): string {
  const nodeTable = options["node-table"];
  if (diagnostics.length === 0) return "";
  const edges = { name: path ?? "-", text: decode(readBytes(path)) };
  if (typeof nodeTable !== "string") return formatDiagnostics(diagnostics, edges);
  const nodes = { name: nodeTable, text: decode(readBytes(nodeTable)) };
  const ofNodes = new Set(diagnosticsOfNodes(nodes.text).map((one) => JSON.stringify(one)));
  const isOfNodes = (one: Diagnostic): boolean => ofNodes.has(JSON.stringify(one));
  const parts = [
    formatDiagnostics(diagnostics.filter(isOfNodes), nodes),
    formatDiagnostics(
      diagnostics.filter((one) => !isOfNodes(one)),
      edges,
    ),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns the diagnostics of a table of nodes alone. */
function diagnosticsOfNodes(nodes: string): readonly Diagnostic[] {
  try {
    return Graph.fromCsv({ nodes, edges: NO_EDGES }).diagnostics;
  } catch (error) {
    if (error instanceof GaslError) return error.diagnostics;
    throw error;
  }
}

/** Decodes a file with its byte order mark, which offsets count. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
