import { type Diagnostic, GaslError, Graph, type GraphOptions } from "byname";
import { errorText } from "../page/format.js";
import {
  assertHasNodes,
  inTableOrder,
  type LoadingView,
  type OpenedGraph,
  sizeOf,
} from "./graph-files.js";
import { GraphModel } from "./graph-model.js";
import { pageSource } from "./graph-source.js";

/** Imported graph with its warnings, or the errors of the files. */
export type OpenResult =
  | { model: GraphModel; diagnostics: Diagnostic[] }
  | { model: null; name: string; diagnostics: Diagnostic[]; choices: ReadingChoice[] };

/** Reading of an ambiguous file that the user can choose. */
export interface ReadingChoice {
  label: string;
  options: GraphOptions;
}

/**
 * Size in bytes from which files are read in a worker. In the page, 1 MB takes 30 to 100 ms.
 */
const minWorkerBytes = 1_000_000;

/**
 * Reads a graph of any format that `Graph.from` recognises, or two CSV tables. Rejects with the
 * reason of the signal when the user cancels.
 */
export async function openFiles(
  files: readonly File[],
  options: GraphOptions,
  startLoading: () => LoadingView,
): Promise<OpenResult> {
  const name = files.map((file) => file.name).join(" and ");
  let view: LoadingView | undefined;
  try {
    checkFiles(files);
    let opened: OpenedGraph;
    if (sizeOf(files) < minWorkerBytes) opened = await readInPage(files, options);
    else {
      view = startLoading();
      const { readInWorker } = await import("./worker-graph.js");
      opened = await readInWorker(files, options, view);
    }
    const { source, format, diagnostics } = opened;
    const model = new GraphModel(source, name, formatNames[format], { files, options });
    return { model, diagnostics };
  } catch (error) {
    view?.signal.throwIfAborted();
    if (error instanceof GaslError) {
      const diagnostics = error.diagnostics.map(withPageHelp);
      const choices = error.diagnostics.some(({ code }) => code === "GASL138") ? endChoices : [];
      return { model: null, name, diagnostics, choices };
    }
    const message = errorText(error);
    const diagnostics: Diagnostic[] = [{ code: "file", severity: "error", message }];
    return { model: null, name, diagnostics, choices: [] };
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

/** Maximum size in bytes, because a larger file exhausts the memory of a page. */
const maxBytes = 500_000_000;

function checkFiles(files: readonly File[]): void {
  const size = sizeOf(files);
  if (size > maxBytes) {
    const megabytes = (bytes: number): string => Math.round(bytes / 1_000_000).toLocaleString();
    throw new Error(
      `it has ${megabytes(size)} MB; the limit is ${megabytes(maxBytes)} MB: use a part of it, or read it in Node`,
    );
  }
  if (files.length === 0) throw new Error("no file was selected");
  if (files.length > 2)
    throw new Error("open one file, or one node table and one edge table together");
}

async function readInPage(files: readonly File[], options: GraphOptions): Promise<OpenedGraph> {
  const [first, second] = await inTableOrder(files);
  const bytes = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
  const nodes = await bytes(first as File);
  const graph = second
    ? Graph.from({ nodes, edges: await bytes(second) }, options)
    : Graph.from(nodes, options);
  assertHasNodes(graph.nodeCount);
  return { source: pageSource(graph), format: graph.format, diagnostics: graph.diagnostics };
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
