import { assertBoolean, assertOptions, throwExpected, throwMisuse } from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { Graph as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { toJsonText } from "../json-text.js";
import { coreOfStore, HamStore } from "../store.js";
import type { Diagnostic, Json } from "../types.js";
import { wasmMemory } from "../wasm.js";
import { assertTextOrBytes, writeText } from "./input-text.js";

/** Graph as two tables with headers: nodes with `id`, edges with `source` and `target`. */
export interface CsvTables {
  nodes: string | Uint8Array;
  edges: string | Uint8Array;
  /** Whether edges are directed; false by default. */
  directed?: boolean;
}

/** Summary of a graph, as in a prompt. */
export interface GraphSummary {
  nodes: number;
  edges: number;
  directed: boolean;
  /** Number of weakly connected components. */
  components: number;
  node_fields: Json[];
  edge_fields: Json[];
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

  /** Reads a graph from GraphML. Quotes around texts, as in GraphRAG exports, are removed. */
  static fromGraphML(source: string | Uint8Array): Graph {
    const text = assertTextOrBytes(source, "GraphML");
    return Graph.#create((handle) => handle.read_graphml(writeInput(handle, text)));
  }

  /** Reads a graph from GEXF, as Gephi exports it. */
  static fromGexf(source: string | Uint8Array): Graph {
    const text = assertTextOrBytes(source, "GEXF");
    return Graph.#create((handle) => handle.read_gexf(writeInput(handle, text)));
  }

  /**
   * Reads a graph from node-link JSON (`nodes`, and `links` or `edges`), as text, bytes or an
   * object.
   */
  static fromNodeLink(source: string | Uint8Array | Json): Graph {
    const binary = ArrayBuffer.isView(source) || source instanceof ArrayBuffer;
    if (typeof source === "string" || binary) {
      const text = assertTextOrBytes(source, "node-link JSON");
      return Graph.#create((handle) => handle.read_node_link(writeInput(handle, text), false));
    }
    if (typeof source !== "object" || source === null) {
      throwExpected("node-link JSON", "text, bytes or an object", source);
    }
    const written = toJsonText(source);
    if ("error" in written) throw new GaslError([written.error]);
    return Graph.#create((handle) => handle.read_node_link(writeInput(handle, written.text), true));
  }

  /** Reads a graph from a table of nodes and a table of edges. */
  static fromCsv(tables: CsvTables): Graph {
    assertOptions(tables, ["nodes", "edges", "directed"], "the tables");
    const nodes = assertTextOrBytes(tables.nodes, "`nodes`");
    const edges = assertTextOrBytes(tables.edges, "`edges`");
    const { directed = false } = tables;
    assertBoolean(directed, "`directed`");
    return Graph.#create(
      (handle) =>
        handle.read_nodes(writeInput(handle, nodes), directed) &&
        handle.read_edges(writeInput(handle, edges)),
    );
  }

  /** Converts the current nodes of a HAM store; pointers become edges whose `type` is the key. */
  static fromHam(store: HamStore): Graph {
    if (!(store instanceof HamStore)) {
      throwExpected("the source of a graph", "a HamStore", store);
    }
    return Graph.#create((handle) => handle.read_ham(coreOfStore(store).handle));
  }

  /** Reads a graph from the result of `toJSON`, as text or as an object. */
  static fromJSON(source: string | Uint8Array | Json): Graph {
    return Graph.fromNodeLink(source);
  }

  /** Returns the complete graph; `fromJSON` creates an equal one from it. */
  toJSON(): Json {
    return JSON.parse(this.#openHandle.to_json()) as Json;
  }

  get nodeCount(): number {
    return this.#openHandle.node_count();
  }

  get edgeCount(): number {
    return this.#openHandle.edge_count();
  }

  /** Whether edges are directed. */
  get directed(): boolean {
    return this.#openHandle.directed();
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

  /** Creates a graph whose handle `fill` reads. */
  static #create(fill: (handle: Handle) => boolean): Graph {
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
