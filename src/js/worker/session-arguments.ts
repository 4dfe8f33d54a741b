import { throwMisuse } from "../arguments.js";
import { isChunkSource } from "../gasl/chunk-source.js";
import type { GraphAdapter } from "../gasl/types.js";
import { requireJsonText } from "../json-text.js";
import { callModel, pickReplyFields } from "../llm/collect.js";
import type { LlmCallback, LlmRequest } from "../llm/types.js";
import type { ArgumentEncoder, OptionEncoder } from "./encoder.js";
import type { Argument } from "./protocol.js";
import { RemoteGraph } from "./remote-graph.js";

/** Methods of an adapter. */
const ADAPTER_METHODS = [
  "findNodes",
  "findEdges",
  "findPaths",
  "getNode",
  "schema",
  "listValues",
  "findNeighbors",
  "deriveRows",
  "findShortestPaths",
  "measureDegree",
];

/** Encodes the options of a session, of `ask` and of a run by their names. */
export function encodeSessionOptions(encoder: ArgumentEncoder, options: unknown): Argument {
  return encoder.encodeOptions(options, sessionEncoders(encoder));
}

export function sessionEncoders(encoder: ArgumentEncoder): { [name: string]: OptionEncoder } {
  const listener = (value: unknown): Argument => encoder.encodeListener(value);
  return {
    graph: (value) => encodeGraph(encoder, value),
    llm: (value) => encodeModel(encoder, value),
    backend: (value) => encoder.encodeBackend(value),
    now: (value) => encoder.encodeClock(value),
    signal: (value) => encoder.encodeSignal(value),
    onStep: listener,
    onBatch: listener,
    onPlan: listener,
  };
}

/** Encodes a graph of the worker, GraphML, or an adapter, whose methods run in the page. */
export function encodeGraph(encoder: ArgumentEncoder, graph: unknown): Argument {
  if (graph instanceof RemoteGraph) return encoder.encodeHandle(graph, "graph");
  if (typeof graph !== "object" || graph === null) return encoder.encodeValue(graph);
  const isAdapter = typeof (graph as { findNodes?: unknown }).findNodes === "function";
  if (isAdapter) return encodeAdapter(encoder, graph as GraphAdapter);
  return (
    encoder.encodeBytes(graph) ??
    throwMisuse("expected `graph` to be a graph of this worker or an adapter with `findNodes`")
  );
}

/** Encodes an adapter, whose pages are read in the page. */
function encodeAdapter(encoder: ArgumentEncoder, adapter: GraphAdapter): Argument {
  const methods = encoder.encodeMethods(adapter, ADAPTER_METHODS, "query", collectPages);
  const { capabilities } = adapter;
  if (methods.kind !== "object" || capabilities === undefined) return methods;
  const parts = { ...methods.parts, capabilities: encoder.encodeValue(capabilities) };
  return { kind: "object", parts };
}

/** Returns the rows of all pages, or any other result. */
async function collectPages(result: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isChunkSource(result)) return result;
  const rows: unknown[] = [];
  for await (const page of result as unknown as AsyncIterable<unknown[]>) {
    // Leaving the loop ends the pages.
    signal.throwIfAborted();
    for (const row of page) rows.push(row);
  }
  return rows;
}

/** Encodes a model, which is called and whose streams are read in the page. */
function encodeModel(encoder: ArgumentEncoder, llm: unknown): Argument {
  return encoder.encodeCallback(llm, "request", async ([request], signal) => {
    const result = await callModel(llm as LlmCallback, { ...(request as LlmRequest), signal });
    if (typeof result === "string") return { value: { kind: "plain", value: result } };
    const reply = "text" in result || "json" in result ? pickReplyFields(result) : result;
    return { value: { kind: "json", text: requireJsonText(reply, true) } };
  });
}
