import { type Diagnostic, GaslError, Graph } from "byname";
import { errorText } from "../page/format.js";

/** Imported graph, or the errors of the files. */
export type OpenResult =
  | { graph: Graph; name: string }
  | { graph: null; name: string; diagnostics: Diagnostic[] };

/** Reads GraphML, node-link JSON, or one or two CSV tables. */
export async function openFiles(files: readonly File[]): Promise<OpenResult> {
  const name = files.map((file) => file.name).join(" and ");
  try {
    const graph = await readGraph(files);
    if (graph.nodeCount === 0) throw new Error("it has no nodes");
    return { graph, name };
  } catch (error) {
    if (error instanceof GaslError) return { graph: null, name, diagnostics: error.diagnostics };
    const message = errorText(error);
    return { graph: null, name, diagnostics: [{ code: "file", severity: "error", message }] };
  }
}

/** Maximum size in bytes, because a larger file blocks the page or exhausts its memory. */
const maxBytes = 200_000_000;

async function readGraph(files: readonly File[]): Promise<Graph> {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > maxBytes) {
    const megabytes = (bytes: number): string => Math.round(bytes / 1_000_000).toLocaleString();
    throw new Error(
      `it has ${megabytes(size)} MB; the limit is ${megabytes(maxBytes)} MB: use a part of it, or read it in Node`,
    );
  }
  const parts = await Promise.all(
    files.map(async (file) => ({
      name: file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  const [first, second] = parts;
  if (!first) throw new Error("no file was selected");
  if (parts.every(({ name }) => /\.(?:csv|tsv|txt)$/i.test(name))) return readTables(parts);
  if (second) throw new Error("open one file, or one node table and one edge table together");
  const start = new TextDecoder().decode(first.bytes.subarray(0, 400)).trimStart();
  if (/\.(?:graphml|xml)$/i.test(first.name) || start.startsWith("<"))
    return Graph.fromGraphML(first.bytes);
  if (/\.json$/i.test(first.name) || /^[[{]/.test(start)) return Graph.fromNodeLink(first.bytes);
  throw new Error(
    "expected a .graphml file, a .json file with nodes and links, or .csv tables with a header",
  );
}

/**
 * Reads tables. The one with source and target columns has the edges; the node table is optional.
 */
function readTables(parts: readonly { name: string; bytes: Uint8Array }[]): Graph {
  const head = ({ bytes }: { bytes: Uint8Array }): string =>
    new TextDecoder().decode(bytes.subarray(0, 4000)).split(/\r?\n/, 1)[0] ?? "";
  if (parts.length > 2) throw new Error("open at most two tables: one of nodes, one of edges");
  const [first, second] = parts;
  const only = first && !second ? head(first) : "";
  if (/\w/.test(only) && !/source|start|from|src/i.test(only)) {
    throw new Error(
      "missing columns `source` and `target`: choose the node table and the edge table together",
    );
  }
  const edges =
    parts.find((one) => /\bsource\b/i.test(head(one)) && /\btarget\b/i.test(head(one))) ??
    parts.at(-1);
  const nodes = parts.find((one) => one !== edges);
  return Graph.fromCsv({ nodes: nodes?.bytes ?? "", edges: edges?.bytes ?? "" });
}
