import type { GraphOptions } from "byname";
import { openWorker, type RemoteApi, type RemoteGraph } from "byname/worker";
import {
  assertHasNodes,
  inTableOrder,
  type LoadingView,
  type OpenedGraph,
  sizeOf,
} from "./graph-files.js";

/** Reads files in a worker, where the graph stays. A cancel ends the worker. */
export async function readInWorker(
  files: readonly File[],
  options: GraphOptions,
  view: LoadingView,
): Promise<OpenedGraph> {
  const api = await openWorker();
  const onAbort = (): void => api.dispose();
  view.signal.addEventListener("abort", onAbort, { once: true });
  try {
    view.signal.throwIfAborted();
    const graph = await readGraph(api, await inTableOrder(files), options, view);
    assertHasNodes(graph.nodeCount);
    const summary = await graph.summary();
    const source: OpenedGraph["source"] = {
      kind: "worker",
      summary,
      code: fileCode(files),
      newSession: (given) => new api.GaslSession({ ...given, graph }),
      toJSON: () => graph.toJSON(),
      close: () => api.dispose(),
    };
    return { source, format: graph.format, diagnostics: graph.diagnostics };
  } catch (error) {
    api.dispose();
    throw error;
  } finally {
    view.signal.removeEventListener("abort", onAbort);
  }
}

/** Reads tables as streams, and other formats from their bytes. */
async function readGraph(
  api: RemoteApi,
  files: readonly File[],
  options: GraphOptions,
  view: LoadingView,
): Promise<RemoteGraph> {
  const [first, second] = files as readonly [File, File | undefined];
  const total = sizeOf(files);
  const onProgress = ({ bytes }: { bytes: number }): void => view.progress(bytes, total);
  if (!second) return api.Graph.from(await readBytes(first, onProgress), options);
  if (Object.keys(options).length === 0)
    return api.Graph.fromCsv({ nodes: first.stream(), edges: second.stream() }, { onProgress });
  const nodes = await readBytes(first, onProgress);
  const edges = await readBytes(second, ({ bytes }) => onProgress({ bytes: first.size + bytes }));
  return api.Graph.from({ nodes, edges }, options);
}

/** Reads a file in chunks, because a large buffer takes long to copy at once. */
async function readBytes(
  file: File,
  onProgress: (progress: { bytes: number }) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size);
  const reader = file.stream().getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes.set(value, at);
    at += value.length;
    onProgress({ bytes: at });
  }
}

/** Returns the lines of a program that read the files. */
function fileCode(files: readonly File[]): string[] {
  const read = ({ name }: File): string => `await readFile(${JSON.stringify(name)})`;
  const [first, second] = files as readonly [File, File | undefined];
  const source = second ? `{ nodes: ${read(first)}, edges: ${read(second)} }` : read(first);
  return ['import { readFile } from "node:fs/promises";', `const graph = Graph.from(${source});`];
}
