import { type Diagnostic, GaslError, Graph, type GraphOptions } from "byname";
import { errorText } from "../page/format.js";

/** Imported graph, or the errors of the files. */
export type OpenResult =
  | { graph: Graph; name: string }
  | { graph: null; name: string; diagnostics: Diagnostic[]; choices: ReadingChoice[] };

/** Reading of an ambiguous file that the user can choose. */
export interface ReadingChoice {
  label: string;
  options: GraphOptions;
}

/** Reads a graph of any format that `Graph.from` recognises, or two CSV tables. */
export async function openFiles(
  files: readonly File[],
  options: GraphOptions = {},
): Promise<OpenResult> {
  const name = files.map((file) => file.name).join(" and ");
  try {
    const graph = await readGraph(files, options);
    if (graph.nodeCount === 0) throw new Error("it has no nodes");
    return { graph, name };
  } catch (error) {
    if (error instanceof GaslError) {
      const diagnostics = error.diagnostics.map(withPageHelp);
      const choices = error.diagnostics.some(({ code }) => code === "GASL138") ? endChoices : [];
      return { graph: null, name, diagnostics, choices };
    }
    const message = errorText(error);
    const diagnostics: Diagnostic[] = [{ code: "file", severity: "error", message }];
    return { graph: null, name, diagnostics, choices: [] };
  }
}

const endChoices: ReadingChoice[] = [
  { label: "Ends are ids", options: { id: "id" } },
  { label: "Ends are positions", options: { id: "#" } },
];

/** Replaces help that names a call of the package by help for this page. */
function withPageHelp(diagnostic: Diagnostic): Diagnostic {
  const { code, help } = diagnostic;
  if (code === "GASL138")
    return { ...diagnostic, help: "choose what the ends of the edges are: ids, or positions" };
  if (code === "GASL120" && help?.includes("{ nodes, edges }"))
    return {
      ...diagnostic,
      help: "call the columns of the ends `source` and `target`; for a table of nodes, choose the node table and the edge table together",
    };
  return diagnostic;
}

/** Maximum size in bytes, because a larger file blocks the page or exhausts its memory. */
const maxBytes = 200_000_000;

async function readGraph(files: readonly File[], options: GraphOptions): Promise<Graph> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > maxBytes) {
    const megabytes = (bytes: number): string => Math.round(bytes / 1_000_000).toLocaleString();
    throw new Error(
      `it has ${megabytes(size)} MB; the limit is ${megabytes(maxBytes)} MB: use a part of it, or read it in Node`,
    );
  }
  const [first, second, third] = await Promise.all(
    files.map(async (file) => new Uint8Array(await file.arrayBuffer())),
  );
  if (!first) throw new Error("no file was selected");
  if (!second) return Graph.from(first, options);
  if (third) throw new Error("open one file, or one node table and one edge table together");
  return hasEndColumns(first) && !hasEndColumns(second)
    ? Graph.from({ nodes: second, edges: first }, options)
    : Graph.from({ nodes: first, edges: second }, options);
}

/** Returns whether the header of a table names both ends of an edge. */
function hasEndColumns(bytes: Uint8Array): boolean {
  const [head = ""] = new TextDecoder().decode(bytes.subarray(0, 4000)).split(/\r?\n/, 1);
  return (
    /\b(?:source|from|start|src)\b/i.test(head) && /\b(?:target|to|end|dst|dest)\b/i.test(head)
  );
}

const formatNames: { readonly [format in Graph["format"]]: string } = {
  graphml: "GraphML",
  gexf: "GEXF",
  "node-link": "node-link JSON",
  adjacency: "adjacency JSON",
  graphology: "Graphology JSON",
  cytoscape: "Cytoscape JSON",
  vis: "vis-network JSON",
  "json-graph": "JSON Graph Format",
  csv: "CSV",
  ham: "HAM store",
};

/** Returns the name of a graph's format for display. */
export function formatName({ format }: Graph): string {
  return formatNames[format];
}
