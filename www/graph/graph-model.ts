import type { GraphOptions, GraphSummary, Json } from "byname";
import type { DatabaseAddress } from "./database-address.js";
import type { GraphSource, Session } from "./graph-source.js";
import type { Result } from "./result.js";

/** Maximum number of nodes of a small graph, and of edges found around a result. */
const maxSmallGraphNodes = 300;
/** Maximum numbers of nodes and edges of a graph that is drawn completely. */
const maxCompleteNodes = 5000;
const maxCompleteEdges = 50_000;
/** Maximum number of drawn nodes of a larger graph, and of result nodes among them. */
const maxDrawnNodes = 140;
const maxResultNodes = 90;

export interface DrawnNode {
  id: string;
  kind: string;
  row: { [field: string]: Json };
}

export interface DrawnEdge {
  id: string;
  source: string;
  target: string;
  kind: string;
}

/** Part of a graph that is drawn. */
export interface GraphView {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  directed: boolean;
  /** Describes the part; empty if the view is complete. */
  note: string;
}

/** Files of a graph, with the options they were read with. */
export interface GraphFiles {
  files: readonly File[];
  options: GraphOptions;
}

/** Graph with its summary and views. */
export class GraphModel {
  readonly source: GraphSource;
  /** Files that the graph was read from; null for an example, a draft or a database. */
  readonly origin: GraphFiles | null;
  readonly summary: GraphSummary;
  readonly name: string;
  /** Address of a database; null for any other graph. */
  readonly address: DatabaseAddress | null;
  /** Name of the file format; empty for an example. */
  readonly format: string;
  readonly #session: Session;
  readonly #kinds: { nodes: string | undefined; edges: string | undefined };
  #lastSearch: Promise<unknown> = Promise.resolve();
  #fullView: GraphView | null = null;
  #text: string | null = null;

  constructor(
    source: GraphSource,
    name: string,
    format = "",
    origin: GraphFiles | DatabaseAddress | null = null,
  ) {
    this.source = source;
    this.origin = origin && "files" in origin ? origin : null;
    this.address = origin && "url" in origin ? origin : null;
    this.name = name;
    this.format = format;
    this.summary = source.summary;
    this.#session = source.newSession({});
    this.#kinds = {
      nodes: kindField(this.summary.node_fields, [
        "entity_type",
        "type",
        "kind",
        "label",
        "labels",
        "group",
      ]),
      edges: kindField(this.summary.edge_fields, ["type", "relation", "rel", "label", "kind"]),
    };
  }

  get isSmall(): boolean {
    return this.summary.nodes <= maxSmallGraphNodes;
  }

  /** Whether all nodes and edges are drawn. */
  get isDrawnCompletely(): boolean {
    const { nodes, edges } = this.summary;
    const isReadable = this.source.kind !== "database";
    return isReadable && nodes <= maxCompleteNodes && edges <= maxCompleteEdges;
  }

  /** Node ids of a small graph that is drawn; empty for a larger one. */
  get ids(): readonly string[] {
    return this.isSmall ? (this.#fullView?.nodes ?? []).map(({ id }) => id) : [];
  }

  /** JSON of a graph in this page, cached because a large one takes long; otherwise null. */
  get text(): string | null {
    if (this.source.kind !== "page") return null;
    this.#text ??= JSON.stringify(this.source.toJSON());
    return this.#text;
  }

  /** Plan that gives an overview of the graph. */
  get starterPlan(): string {
    const field = this.#kinds.nodes;
    const plain = field !== undefined && /^[A-Za-z]\w*$/.test(field);
    // A field name with a backtick or line break cannot be quoted.
    const named = plain ? field : field && /^[^`\n\r]+$/.test(field) ? `\`${field}\`` : null;
    const sorts =
      named === null || this.summary.nodes > 50_000
        ? []
        : [`FIND nodes AS all`, `COUNT all BY ${named} AS sorts`];
    const name = this.name.replace(/\s+/g, " ");
    return [
      `# What is in ${name}?`,
      "FIND nodes LIMIT 20 AS some",
      ...sorts,
      "FIND edges LIMIT 20 AS links",
    ].join("\n");
  }

  /** Returns the complete graph, or the result and its neighbours in a large one. */
  async view(result: Result | null): Promise<GraphView> {
    return this.isDrawnCompletely ? this.#viewAll() : this.#viewAround(result);
  }

  async #viewAll(): Promise<GraphView> {
    if (this.#fullView) return this.#fullView;
    const { nodes, edges } = (await this.source.toJSON()) as { nodes: Row[]; edges: Row[] };
    this.#fullView = {
      nodes: nodes.map((row) => this.#drawnNode(row)),
      edges: edges.map((row, index) => this.#drawnEdge({ id: `e${index}`, ...row })),
      directed: this.summary.directed,
      note: "",
    };
    return this.#fullView;
  }

  async #viewAround(result: Result | null): Promise<GraphView> {
    const resultIds = [...(result?.nodes ?? [])].slice(0, maxResultNodes);
    const total = this.summary.nodes.toLocaleString();
    const hits =
      resultIds.length > 0
        ? await this.#findRows("nodes", `id IN ${gaslList(resultIds)}`, maxResultNodes)
        : [];
    if (hits.length === 0) {
      const some = await this.#findRows("nodes", "", 60);
      return this.#viewOf(
        some,
        await this.#edgesBetween(some),
        `The first ${some.length} of ${total} nodes. A result is drawn with its neighbours.`,
      );
    }
    const ids = gaslList(hits.map((row) => String(row["id"])));
    const near = await this.#findRows(
      "edges",
      `source IN ${ids} OR target IN ${ids}`,
      maxSmallGraphNodes,
    );
    const known = new Set(hits.map((row) => String(row["id"])));
    const edgeCounts = new Map<string, number>();
    for (const edge of near) {
      for (const end of [String(edge["source"]), String(edge["target"])]) {
        if (!known.has(end)) edgeCounts.set(end, (edgeCounts.get(end) ?? 0) + 1);
      }
    }
    // Neighbours with most edges to the result come first.
    const others = [...edgeCounts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, Math.max(0, maxDrawnNodes - known.size))
      .map(([id]) => id);
    const around =
      others.length > 0
        ? await this.#findRows("nodes", `id IN ${gaslList(others)}`, maxDrawnNodes)
        : [];
    const nodes = [...hits, ...around];
    const left = (result?.nodes.size ?? 0) - hits.length;
    const more =
      left > 0 && hits.length === maxResultNodes
        ? `, limited to ${maxResultNodes} result nodes`
        : "";
    return this.#viewOf(
      nodes,
      near,
      `The result and its neighbours${more}: ${nodes.length} of ${total} nodes.`,
    );
  }

  async #edgesBetween(nodes: Row[]): Promise<Row[]> {
    if (nodes.length === 0) return [];
    const ids = gaslList(nodes.map((row) => String(row["id"])));
    return this.#findRows("edges", `source IN ${ids} AND target IN ${ids}`, maxSmallGraphNodes);
  }

  #viewOf(nodes: Row[], edges: Row[], note: string): GraphView {
    const here = new Set(nodes.map((row) => String(row["id"])));
    return {
      nodes: nodes.map((row) => this.#drawnNode(row)),
      edges: edges
        .map((row) => this.#drawnEdge(row))
        .filter(({ source, target }) => here.has(source) && here.has(target)),
      directed: this.summary.directed,
      note,
    };
  }

  /** Searches after the earlier searches, because all of them write the same variable. */
  #findRows(what: "nodes" | "edges", where: string, limit: number): Promise<Row[]> {
    const condition = where === "" ? "" : ` WHERE ${where}`;
    const search = async (): Promise<Row[]> => {
      await this.#session.execute(`FIND ${what}${condition} LIMIT ${limit} AS seen`);
      return (await this.#session.rows("seen", { limit })) as Row[];
    };
    const rows = this.#lastSearch.then(search);
    this.#lastSearch = rows.catch(() => {});
    return rows;
  }

  #drawnNode(row: Row): DrawnNode {
    const { nodes } = this.#kinds;
    return { id: String(row["id"]), kind: nodes ? String(row[nodes] ?? "") : "", row };
  }

  #drawnEdge(row: Row): DrawnEdge {
    const { edges } = this.#kinds;
    return {
      id: String(row["id"]),
      source: String(row["source"]),
      target: String(row["target"]),
      kind: edges ? String(row[edges] ?? "") : "",
    };
  }
}

type Row = { [field: string]: Json };

function gaslList(ids: readonly string[]): string {
  return `[${ids.map((id) => JSON.stringify(id)).join(", ")}]`;
}

/**
 * Returns the field with the kind of a row: a known name, or the string field with fewest distinct
 * values.
 */
function kindField(fields: Json[], names: string[]): string | undefined {
  const known = fields as { name: string; kind: string; distinct?: number }[];
  const named = names.find((name) => known.some((field) => field.name === name));
  if (named !== undefined) return named;
  return known
    .filter(({ kind, distinct = 99 }) => kind === "string" && distinct > 1 && distinct <= 8)
    .sort((a, b) => (a.distinct ?? 0) - (b.distinct ?? 0))[0]?.name;
}
