import { assertBoolean, assertOptions, throwExpected, throwMisuse } from "../arguments.js";
import { throwDisposed } from "../bridge.js";
import { Graph as Handle } from "../byname_bg.js";
import { GaslError } from "../diagnostic-error.js";
import { toJsonText } from "../json-text.js";
import { coreOfStore, HamStore } from "../store.js";
import type { Diagnostic, Json } from "../types.js";
import { wasmMemory } from "../wasm.js";
import { assertTextOrBytes, writeText } from "./input-text.js";

/** A graph as two tables with a header each: nodes with `id`, edges with `source` and `target`. */
export interface CsvTables {
  nodes: string | Uint8Array;
  edges: string | Uint8Array;
  /** Whether edges lead from their source to their target only; false by default. */
  directed?: boolean;
}

/** A graph in few words, as a prompt shows it. */
export interface GraphSummary {
  nodes: number;
  edges: number;
  directed: boolean;
  /** Parts that no edge leads between, whichever way edges lead. */
  components: number;
  node_fields: Json[];
  edge_fields: Json[];
}

let handleOf: (graph: Graph) => Handle;

/** A property graph in memory. It does not change; what cannot be read throws a {@link GaslError}. */
export class Graph {
  /** What was odd about the source and could be read all the same. */
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

  /** A graph from GraphML. Quotes around texts, as GraphRAG exports have them, are taken off. */
  static fromGraphML(source: string | Uint8Array): Graph {
    const text = assertTextOrBytes(source, "GraphML");
    return Graph.#create((handle) => handle.read_graphml(writeInput(handle, text)));
  }

  /** A graph from node-link JSON (`nodes`, and `links` or `edges`), as text, bytes or an object. */
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

  /** A graph from a table of nodes and a table of edges. */
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

  /** The nodes of a HAM store as they are now; pointers become edges whose `type` is the key. */
  static fromHam(store: HamStore): Graph {
    if (!(store instanceof HamStore)) {
      throwExpected("the source of a graph", "a HamStore", store);
    }
    return Graph.#create((handle) => handle.read_ham(coreOfStore(store).handle));
  }

  /** A graph from what `toJSON` gave, as text or as an object. */
  static fromJSON(source: string | Uint8Array | Json): Graph {
    return Graph.fromNodeLink(source);
  }

  /** The whole graph; `fromJSON` makes an equal one of it. */
  toJSON(): Json {
    return JSON.parse(this.#openHandle.to_json()) as Json;
  }

  get nodeCount(): number {
    return this.#openHandle.node_count();
  }

  get edgeCount(): number {
    return this.#openHandle.edge_count();
  }

  /** Whether edges lead from their source to their target only. */
  get directed(): boolean {
    return this.#openHandle.directed();
  }

  /** Counts, and each field with its kind and its most frequent values. */
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

  /** A graph that `fill` has read into its handle. */
  static #create(fill: (handle: Handle) => boolean): Graph {
    wasmMemory();
    const handle = new Handle();
    try {
      if (fill(handle)) return new Graph(handle);
      throw new GaslError(handle.diagnostics() as Diagnostic[]);
    } catch (error) {
      // What a fault of ours left in use would refuse, and hide the fault.
      if (error instanceof GaslError) handle.free();
      throw error;
    }
  }
}

/** For sessions alone: what is behind a graph. */
export function handleOfGraph(graph: Graph): Handle {
  return handleOf(graph);
}

/** Puts a text into the input; answers its length in bytes. */
function writeInput(handle: Handle, text: string | Uint8Array): number {
  const written = writeText(handle, text);
  if (typeof written !== "number") throw new GaslError([written]);
  return written;
}
