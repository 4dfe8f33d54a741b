import { Graph } from "../gasl/graph.js";
import type { Diagnostic, Json } from "../types.js";
import type { Options, Outcome } from "./command.js";
import { writeText } from "./files.js";
import { formatGraphDiagnostics, readGraph } from "./graph-source.js";
import { TYPE, writeCsv } from "./graph-writers/csv.js";
import type { GraphDocument } from "./graph-writers/document.js";
import { writeGexf } from "./graph-writers/gexf.js";
import { writeGraphML } from "./graph-writers/graphml.js";
import { writeCytoscape, writeGraphology, writeNodeLink } from "./graph-writers/json-formats.js";
import { lossesOf } from "./graph-writers/losses.js";
import { UsageError } from "./usage-error.js";

/** Formats of graphs that can be written. */
export const GRAPH_FORMATS: readonly string[] = [
  "graphml",
  "gexf",
  "csv",
  "node-link",
  "cytoscape",
  "graphology",
];

const WRITERS: { readonly [format: string]: (graph: GraphDocument) => string } = {
  graphml: writeGraphML,
  gexf: writeGexf,
  "node-link": writeNodeLink,
  cytoscape: writeCytoscape,
  graphology: writeGraphology,
};

/** Converts a graph of any format. The result is read again, and each difference is a warning. */
export function convertGraph(path: string | undefined, to: string, options: Options): Outcome {
  const graph = readGraph(path, options);
  const document = graph.toJSON() as unknown as GraphDocument & { sources?: Json };
  const { text, again } = to === "csv" ? asCsv(document, options) : asText(document, to);
  const result = again.toJSON() as unknown as GraphDocument;
  // The column of the direction is an attribute of the result.
  if (to === "csv") for (const edge of result.edges) delete edge[TYPE];
  const losses = lossesOf(document, result);
  if (document.sources !== undefined) losses.push("the texts of sources are left out");
  const warnings = losses.map((loss) => `warning: ${loss}`);
  const found = formatGraphDiagnostics(graph.diagnostics, path, options);
  const notes = [found, ...warnings].filter((line) => line !== "").join("\n");
  return {
    text,
    ...(notes !== "" && { notes }),
    json: { text, losses, diagnostics: graph.diagnostics as Diagnostic[] as unknown as Json },
  };
}

function asText(document: GraphDocument, to: string): { text: string; again: Graph } {
  const write = WRITERS[to];
  if (write === undefined) throw new UsageError(`expected a format of graphs, found \`${to}\``);
  const text = write(document);
  return { text, again: Graph.from(text, { format: to as "graphml" }) };
}

/** Writes the table of nodes to the file of `--nodes`. Returns the table of edges. */
function asCsv(document: GraphDocument, options: Options): { text: string; again: Graph } {
  const path = options["nodes"];
  const { nodes, edges } = writeCsv(document);
  if (typeof path === "string") {
    writeText(path, nodes);
    return { text: edges.trimEnd(), again: Graph.fromCsv({ nodes, edges }) };
  }
  return { text: edges.trimEnd(), again: Graph.fromCsv({ edges }) };
}
