import { GaslSession, type Graph, type GraphSummary, type Json } from "byname";
import type { Result } from "./result.js";

/** A graph of more nodes is drawn in part. */
const drawable = 300;
/** Nodes that are drawn of a larger one, and how many of them are the result's at most. */
const seen = 140;
const first = 90;

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

/** What is drawn. */
export interface View {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  directed: boolean;
  /** What is left out; nothing where all is drawn. */
  note: string;
}

/** A graph as the page knows it: its counts, and as much of it as can be drawn. */
export class Sight {
  readonly graph: Graph;
  readonly summary: GraphSummary;
  readonly name: string;
  readonly #session: GaslSession;
  readonly #kinds: { nodes: string | undefined; edges: string | undefined };
  #whole: View | null = null;
  #text: string | null = null;

  constructor(graph: Graph, name: string) {
    this.graph = graph;
    this.name = name;
    this.summary = graph.summary();
    this.#session = new GaslSession({ graph });
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

  get small(): boolean {
    return this.graph.nodeCount <= drawable;
  }

  /** The ids of a small graph. */
  get ids(): readonly string[] {
    return this.small ? this.#all().nodes.map(({ id }) => id) : [];
  }

  /** All of it as JSON. It does not change, and a large one takes a while. */
  get text(): string {
    this.#text ??= JSON.stringify(this.graph.toJSON());
    return this.#text;
  }

  /** A plan that looks around in it. */
  get starter(): string {
    const field = this.#kinds.nodes;
    const plain = field !== undefined && /^[A-Za-z]\w*$/.test(field);
    // What no quotes can hold is not asked for.
    const named = plain ? field : field && /^[^`\n\r]+$/.test(field) ? `\`${field}\`` : null;
    const sorts =
      named === null || this.graph.nodeCount > 50_000
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

  /** All of a small graph; of a larger one the result and what is around it. */
  async view(result: Result | null): Promise<View> {
    return this.small ? this.#all() : this.#around(result);
  }

  #all(): View {
    if (this.#whole) return this.#whole;
    const { nodes, edges } = this.graph.toJSON() as { nodes: Row[]; edges: Row[] };
    this.#whole = {
      nodes: nodes.map((row) => this.#node(row)),
      edges: edges.map((row, index) => this.#edge({ id: `e${index}`, ...row })),
      directed: this.summary.directed,
      note: "",
    };
    return this.#whole;
  }

  async #around(result: Result | null): Promise<View> {
    const wanted = [...(result?.nodes ?? [])].slice(0, first);
    const total = this.graph.nodeCount.toLocaleString();
    const hits = wanted.length > 0 ? await this.#find("nodes", `id IN ${list(wanted)}`, first) : [];
    if (hits.length === 0) {
      const some = await this.#find("nodes", "", 60);
      return this.#view(
        some,
        await this.#between(some),
        `The first ${some.length} of ${total} nodes: a result is drawn with what is around it.`,
      );
    }
    const ids = list(hits.map((row) => String(row["id"])));
    const near = await this.#find("edges", `source IN ${ids} OR target IN ${ids}`, drawable);
    const known = new Set(hits.map((row) => String(row["id"])));
    const touched = new Map<string, number>();
    for (const edge of near) {
      for (const end of [String(edge["source"]), String(edge["target"])]) {
        if (!known.has(end)) touched.set(end, (touched.get(end) ?? 0) + 1);
      }
    }
    // Those that hold the result together come first.
    const others = [...touched]
      .sort(([, a], [, b]) => b - a)
      .slice(0, Math.max(0, seen - known.size))
      .map(([id]) => id);
    const around =
      others.length > 0 ? await this.#find("nodes", `id IN ${list(others)}`, seen) : [];
    const nodes = [...hits, ...around];
    const left = (result?.nodes.size ?? 0) - hits.length;
    const more = left > 0 && hits.length === first ? `, cut at ${first} nodes of it` : "";
    return this.#view(
      nodes,
      near,
      `The result and its neighbours${more}: ${nodes.length} of ${total} nodes.`,
    );
  }

  async #between(nodes: Row[]): Promise<Row[]> {
    if (nodes.length === 0) return [];
    const ids = list(nodes.map((row) => String(row["id"])));
    return this.#find("edges", `source IN ${ids} AND target IN ${ids}`, drawable);
  }

  #view(nodes: Row[], edges: Row[], note: string): View {
    const here = new Set(nodes.map((row) => String(row["id"])));
    return {
      nodes: nodes.map((row) => this.#node(row)),
      edges: edges
        .map((row) => this.#edge(row))
        .filter(({ source, target }) => here.has(source) && here.has(target)),
      directed: this.summary.directed,
      note,
    };
  }

  async #find(what: "nodes" | "edges", where: string, limit: number): Promise<Row[]> {
    const condition = where === "" ? "" : ` WHERE ${where}`;
    await this.#session.execute(`FIND ${what}${condition} LIMIT ${limit} AS seen`);
    return (this.#session.variable("seen") as Row[] | undefined) ?? [];
  }

  #node(row: Row): DrawnNode {
    const { nodes } = this.#kinds;
    return { id: String(row["id"]), kind: nodes ? String(row[nodes] ?? "") : "", row };
  }

  #edge(row: Row): DrawnEdge {
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

function list(ids: readonly string[]): string {
  return `[${ids.map((id) => JSON.stringify(id)).join(", ")}]`;
}

/** The field that tells what sort a row is: by name, else the one with the fewest different texts. */
function kindField(fields: Json[], names: string[]): string | undefined {
  const known = fields as { name: string; kind: string; distinct?: number }[];
  const named = names.find((name) => known.some((field) => field.name === name));
  if (named !== undefined) return named;
  return known
    .filter(({ kind, distinct = 99 }) => kind === "string" && distinct > 1 && distinct <= 8)
    .sort((a, b) => (a.distinct ?? 0) - (b.distinct ?? 0))[0]?.name;
}
