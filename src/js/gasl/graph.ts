import {
  assertBoolean,
  assertOptions,
  assertOptionTypes,
  assertString,
  throwExpected,
  throwMisuse,
} from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { Graph as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { BynameError } from "../errors.js";
import { toJsonText } from "../json-text.js";
import { coreOfStore, HamStore } from "../store.js";
import type { Diagnostic, Json } from "../types.js";
import { wasmMemory } from "../wasm.js";
import {
  type ChunkSource,
  type CsvStreams,
  isChunkSource,
  type ReadOptions,
} from "./chunk-source.js";
import { assertReadOptions, hasChunks, readNodeLink, readTables } from "./graph-stream.js";
import { assertTextOrBytes, writeText } from "./input-text.js";

/** Graph as two tables with headers: nodes with `id`, edges with `source` and `target`. */
export interface CsvTables {
  /** Table of the nodes; without it, edges name all nodes. */
  nodes?: string | Uint8Array;
  edges: string | Uint8Array;
  /** Whether edges are directed; by default a column `Type` decides, else they are not. */
  directed?: boolean;
}

/** Format that `Graph.from` reads. */
export type GraphFormat = (typeof FORMATS)[number];

/** Options of `Graph.from`. */
export interface GraphOptions {
  /** Format of the source; recognised by default. */
  format?: GraphFormat;
  /** Whether edges are directed; overrides the source. */
  directed?: boolean;
  /** Field or column of the node ids; `#` is the position of a node, counted from 0. */
  id?: string;
  /** Field or column of the first end of an edge. */
  source?: string;
  /** Field or column of the second end of an edge. */
  target?: string;
}

/** Maximum length of a JSON text in bytes: that of the longest string of V8, in every host. */
const MAX_JSON_BYTES = 2 ** 29 - 24;

const FORMATS = [
  "graphml",
  "gexf",
  "node-link",
  "adjacency",
  "graphology",
  "cytoscape",
  "vis",
  "json-graph",
  "csv",
] as const;

/** Summary of a graph. */
export interface GraphSummary {
  nodes: number;
  edges: number;
  directed: boolean;
  /** Number of weakly connected components. */
  components: number;
  node_fields: Json[];
  edge_fields: Json[];
  /** Field that `FOLLOW` compares, if the edges have one. */
  relation_field?: string;
}

let handleOf: (graph: Graph) => Handle;

/** Immutable property graph in memory. Invalid sources throw a {@link GaslError}. */
export class Graph {
  /** Warnings about the source. */
  readonly diagnostics: Diagnostic[];
  #handle: Handle | undefined;

  private constructor(handle: Handle) {
    if (!(handle instanceof Handle))
      throwMisuse("create graphs with `Graph.fromGraphML` or another `from` method");
    this.#handle = handle;
    this.diagnostics = handle.diagnostics();
  }

  static {
    handleOf = (graph) => graph.#openHandle;
  }

  /**
   * Reads a graph of any supported format: text, bytes, an object, or the tables `{ nodes, edges }`
   * of CSV.
   */
  static from(source: string | Uint8Array | Json | CsvTables, options: GraphOptions = {}): Graph {
    assertGraphOptions(options);
    if (isChunkSource(source) || hasChunks(Object(source)))
      throwMisuse("read chunks with `Graph.fromCsv` or `Graph.fromNodeLink`");
    if (isTables(source)) {
      const { format } = options;
      if (format !== undefined && format !== "csv") {
        throwMisuse(`expected \`format\` to be \`csv\` for tables of text, found \`${format}\``);
      }
      const { directed, ...tables } = source;
      return Graph.#fromTables(tables, directed === undefined ? options : { directed, ...options });
    }
    const { text, isObject } = sourceText(source, "the source of a graph");
    return Graph.#createWith((handle) => {
      handle.configure(JSON.stringify(options));
      return handle.read_text(writeInput(handle, text), isObject);
    });
  }

  /** Reads a graph from GraphML. Quotes around texts, as in GraphRAG exports, are removed. */
  static fromGraphML(source: string | Uint8Array): Graph {
    const text = assertTextOrBytes(source, "GraphML");
    return Graph.#createWith((handle) => handle.read_graphml(writeInput(handle, text)));
  }

  /** Reads a graph from GEXF, as Gephi exports it. */
  static fromGexf(source: string | Uint8Array): Graph {
    const text = assertTextOrBytes(source, "GEXF");
    return Graph.#createWith((handle) => handle.read_gexf(writeInput(handle, text)));
  }

  /**
   * Reads a graph from node-link JSON (`nodes`, and `links` or `edges`), as text, bytes or an
   * object.
   */
  static fromNodeLink(source: string | Uint8Array | Json): Graph;
  /** Reads a graph from node-link JSON that arrives in chunks. */
  static fromNodeLink(source: ChunkSource, options?: ReadOptions): Promise<Graph>;
  static fromNodeLink(
    source: string | Uint8Array | Json | ChunkSource,
    options?: ReadOptions,
  ): Graph | Promise<Graph> {
    if (isChunkSource(source))
      return Graph.#readInto(options, (handle, checked) => readNodeLink(handle, source, checked));
    const { text, isObject } = sourceText(source, "node-link JSON");
    return Graph.#createWith((handle) => handle.read_node_link(writeInput(handle, text), isObject));
  }

  /** Reads a graph from a table of nodes and a table of edges, or from a table of edges. */
  static fromCsv(tables: CsvTables): Graph;
  /** Reads a graph from tables that arrive in chunks, of any length. */
  static fromCsv(tables: CsvStreams, options?: ReadOptions): Promise<Graph>;
  static fromCsv(tables: CsvTables | CsvStreams, options?: ReadOptions): Graph | Promise<Graph> {
    assertOptions(tables, ["nodes", "edges", "directed"], "the tables");
    const { directed, ...texts } = tables;
    if (directed !== undefined) assertBoolean(directed, "`directed`");
    const direction = directed === undefined ? {} : { directed };
    if (options === undefined && !hasChunks(tables))
      return Graph.#fromTables(texts as CsvTables, direction);
    return Graph.#readInto(options, (handle, checked) => {
      handle.configure(JSON.stringify(direction));
      return readTables(handle, tables, checked);
    });
  }

  static #fromTables(tables: CsvTables, options: GraphOptions): Graph {
    assertOptions(tables, ["nodes", "edges"], "the tables");
    const nodes = assertTextOrBytes(tables.nodes ?? "", "`nodes`");
    const edges = assertTextOrBytes(tables.edges, "`edges`");
    return Graph.#createWith((handle) => {
      handle.configure(JSON.stringify(options));
      return (
        handle.read_nodes(writeInput(handle, nodes)) && handle.read_edges(writeInput(handle, edges))
      );
    });
  }

  /** Converts the current nodes of a HAM store; pointers become edges whose `type` is the key. */
  static fromHam(store: HamStore): Graph {
    if (!(store instanceof HamStore)) {
      throwExpected("the source of a graph", "a HamStore", store);
    }
    return Graph.#createWith((handle) => handle.read_ham(coreOfStore(store).handle));
  }

  /** Reads a graph from the result of `toJSON`, as text or as an object. */
  static fromJSON(source: string | Uint8Array | Json): Graph;
  /** Reads a graph from the text of `toJSON` that arrives in chunks. */
  static fromJSON(source: ChunkSource, options?: ReadOptions): Promise<Graph>;
  static fromJSON(
    source: string | Uint8Array | Json | ChunkSource,
    options?: ReadOptions,
  ): Graph | Promise<Graph> {
    return Graph.fromNodeLink(source as ChunkSource, options);
  }

  /** Returns the complete graph; `fromJSON` creates an equal one from it. */
  toJSON(): Json {
    const text = this.#openHandle.to_json(MAX_JSON_BYTES);
    if (text !== undefined) return JSON.parse(text) as Json;
    const message = `the JSON of this graph has more than ${MAX_JSON_BYTES} bytes`;
    throw new BynameError("too-large", `${message}: keep its source, or export a part of it`);
  }

  get nodeCount(): number {
    return this.#openHandle.node_count();
  }

  get edgeCount(): number {
    return this.#openHandle.edge_count();
  }

  /** Format of the source: a `GraphFormat`, or `ham`. */
  get format(): GraphFormat | "ham" {
    return this.#openHandle.format() as GraphFormat | "ham";
  }

  /** Whether edges are directed. */
  get directed(): boolean {
    return this.#openHandle.directed();
  }

  /**
   * Returns a description for a model: counts, the relation field, and each field with its values,
   * its range or an example.
   */
  prompt(): string {
    return this.#openHandle.outline();
  }

  /** Returns counts, and each field with its type and its most frequent values. */
  summary(): GraphSummary {
    return JSON.parse(this.#openHandle.summary()) as GraphSummary;
  }

  get #openHandle(): Handle {
    return this.#handle ?? throwDisposed("graph");
  }

  [Symbol.dispose](): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  /** Creates a graph whose handle `read` fills from chunks. */
  static async #readInto(
    options: ReadOptions = {},
    read: (handle: Handle, options: ReadOptions) => Promise<boolean>,
  ): Promise<Graph> {
    assertReadOptions(options);
    wasmMemory();
    const handle = new Handle();
    try {
      if (await read(handle, options)) return new Graph(handle);
      throw new GaslError(handle.diagnostics() as Diagnostic[]);
    } catch (error) {
      // After an internal error the handle is borrowed, and freeing it would hide that error.
      if (!(error instanceof WebAssembly.RuntimeError)) handle.free();
      throw error;
    }
  }

  /** Creates a graph whose handle `fill` reads. */
  static #createWith(fill: (handle: Handle) => boolean): Graph {
    wasmMemory();
    const handle = new Handle();
    try {
      if (fill(handle)) return new Graph(handle);
      throw new GaslError(handle.diagnostics() as Diagnostic[]);
    } catch (error) {
      // After an internal error the handle is borrowed, and freeing it would hide that error.
      if (error instanceof GaslError) handle.free();
      throw error;
    }
  }
}

/** Throws for options of the wrong type. */
function assertGraphOptions(options: GraphOptions): void {
  assertOptionTypes(
    options,
    {
      format: assertFormat,
      directed: assertBoolean,
      id: assertString,
      source: assertString,
      target: assertString,
    },
    "the options of a graph",
  );
}

function assertFormat(value: unknown, what: string): void {
  if (FORMATS.includes(value as GraphFormat)) return;
  throwExpected(what, `one of ${FORMATS.map((name) => `\`${name}\``).join(", ")}`, value);
}

/** Returns whether a source has tables of text or bytes. */
function isTables(source: unknown): source is CsvTables {
  if (typeof source !== "object" || source === null) return false;
  const { nodes, edges } = source as { nodes?: unknown; edges?: unknown };
  return [nodes, edges].some((table) => typeof table === "string" || isBinary(table));
}

function isBinary(value: unknown): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Returns a source as text or bytes, and whether it was serialised from an object. */
function sourceText(
  source: unknown,
  what: string,
): { text: string | Uint8Array; isObject: boolean } {
  if (typeof source === "string" || isBinary(source)) {
    return { text: assertTextOrBytes(source, what), isObject: false };
  }
  if (typeof source !== "object" || source === null) {
    throwExpected(what, "text, bytes or an object", source);
  }
  const written = toJsonText(source);
  if ("error" in written) throw new GaslError([written.error]);
  return { text: written.text, isObject: true };
}

/** Returns the handle of a graph, for sessions only. */
export function handleOfGraph(graph: Graph): Handle {
  return handleOf(graph);
}

/** Writes a text into the input buffer. Returns its length in bytes. */
function writeInput(handle: Handle, text: string | Uint8Array): number {
  const written = writeText(handle, text);
  if (typeof written !== "number") throw new GaslError([written]);
  return written;
}
