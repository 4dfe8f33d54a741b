import { throwExpected, throwMisuse } from "../arguments.js";
import { GaslError } from "../diagnostic-error.js";
import {
  type CsvStreams,
  isChunkSource,
  type ReadOptions,
  type TextSource,
} from "../gasl/chunk-source.js";
import type { CsvTables, GraphFormat, GraphOptions, GraphSummary } from "../gasl/graph.js";
import { toJsonText } from "../json-text.js";
import type { HamStore } from "../store.js";
import type { Diagnostic, Json } from "../types.js";
import type { Connection } from "./connection.js";
import type { ArgumentEncoder } from "./encoder.js";
import type { Argument, GraphProperties } from "./protocol.js";
import { WorkerObject } from "./remote-object.js";

/** Immutable property graph in a worker. */
export class RemoteGraph extends WorkerObject {
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** Format of the source: a `GraphFormat`, or `ham`. */
  readonly format: GraphFormat | "ham";
  /** Whether edges are directed. */
  readonly directed: boolean;
  /** Warnings about the source. */
  readonly diagnostics: Diagnostic[];

  /** @internal Graphs come from the `from` methods. */
  constructor(connection: Connection, handle: number, properties: GraphProperties) {
    super(connection, handle, "graph", () => {});
    this.nodeCount = properties.nodeCount;
    this.edgeCount = properties.edgeCount;
    this.format = properties.format as GraphFormat | "ham";
    this.directed = properties.directed;
    this.diagnostics = properties.diagnostics;
  }

  /** Returns the complete graph, as `toJSON` of a graph of the page. */
  toJSON(): Promise<Json> {
    return this.read("Graph.toJSON");
  }

  /** Returns a description for a model. */
  prompt(): Promise<string> {
    return this.read("Graph.prompt");
  }

  /** Returns counts, and each field with its type and its most frequent values. */
  summary(): Promise<GraphSummary> {
    return this.read("Graph.summary");
  }
}

/** The methods of `Graph` that create graphs, in a worker. Bytes are transferred. */
export interface RemoteGraphs {
  readonly prototype: RemoteGraph;
  from(
    source: string | Uint8Array | Json | CsvTables | CsvStreams,
    options?: GraphOptions & ReadOptions,
  ): Promise<RemoteGraph>;
  fromGraphML(source: string | Uint8Array): Promise<RemoteGraph>;
  fromGexf(source: string | Uint8Array): Promise<RemoteGraph>;
  fromNodeLink(source: TextSource | Json, options?: ReadOptions): Promise<RemoteGraph>;
  fromCsv(tables: CsvTables | CsvStreams, options?: ReadOptions): Promise<RemoteGraph>;
  fromHam(store: HamStore): Promise<RemoteGraph>;
  fromJSON(source: TextSource | Json, options?: ReadOptions): Promise<RemoteGraph>;
}

/** Returns the class of the graphs of a worker. */
export function remoteGraphs(connection: Connection): RemoteGraphs {
  const create = async (
    method: string,
    encode: (encoder: ArgumentEncoder) => Argument[],
  ): Promise<RemoteGraph> => {
    const handle = connection.newHandle();
    const value = await connection.call({ method: `Graph.${method}`, created: [handle], encode });
    if (value.kind !== "graph") throw new Error("expected a graph from the worker");
    return new RemoteGraph(connection, handle, value.properties);
  };
  const read =
    (method: string) =>
    (source: unknown, options?: unknown): Promise<RemoteGraph> =>
      create(method, (encoder) => {
        const parts = [encodeSource(encoder, source)];
        if (options !== undefined) parts.push(encodeReadOptions(encoder, options));
        return parts;
      });
  const methods = Object.fromEntries(
    ["from", "fromGraphML", "fromGexf", "fromNodeLink", "fromCsv", "fromJSON"].map((method) => [
      method,
      read(method),
    ]),
  );
  const fromHam = (store: HamStore): Promise<RemoteGraph> =>
    create("fromHam", (encoder) => {
      if (typeof store?.export !== "function")
        throwExpected("the source of a graph", "a HamStore", store);
      return [encoder.encodeValue(store.export()), encoder.encodeValue(store.sigil)];
    });
  return Object.assign(class Graph extends RemoteGraph {}, { ...methods, fromHam }) as never;
}

/** Encodes the options of a source: a signal and a listener for progress besides JSON. */
function encodeReadOptions(encoder: ArgumentEncoder, options: unknown): Argument {
  return encoder.encodeOptions(options, {
    signal: (signal) => encoder.encodeSignal(signal),
    onProgress: (listener) => encoder.encodeListener(listener),
  });
}

/** Encodes the source of a graph: text, bytes, a stream, an object, or tables of the first three. */
function encodeSource(encoder: ArgumentEncoder, source: unknown): Argument {
  if (typeof source !== "object" || source === null) return encoder.encodeValue(source);
  if (isText(source)) return encoder.encodeText(source);
  const { nodes, edges } = source as { nodes?: unknown; edges?: unknown };
  if ([nodes, edges].some(isText)) {
    const text = (value: unknown): Argument => encoder.encodeText(value);
    return encoder.encodeOptions(source, { nodes: text, edges: text });
  }
  const written = toJsonText(source);
  if ("error" in written) throw new GaslError([written.error]);
  return { kind: "json", text: written.text };
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" ||
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    isChunkSource(value)
  );
}

/** Throws unless a graph is in the worker of a connection. */
export function assertRemoteGraph(value: unknown): void {
  if (value instanceof RemoteGraph) return;
  throwMisuse("expected `graph` to be a graph of this worker: create it with its `Graph`");
}
