import { assertCount, assertOptionTypes, throwMisuse } from "../arguments.js";
import type { Graph } from "../gasl/graph.js";
import type { Json } from "../types.js";
import type { DatabaseGraph } from "./connection.js";
import { quoteName } from "./names.js";

export interface LoadOptions {
  /** Number of nodes or relations of a statement; 1,000 by default. */
  batch?: number;
  signal?: AbortSignal;
}

/** Numbers of what was written. */
export interface LoadResult {
  nodes: number;
  edges: number;
}

type Row = { [field: string]: Json };

const DEFAULT_BATCH = 1_000;

/** Label of nodes without one. */
const DEFAULT_LABEL = "Node";

/**
 * Writes a graph to a database: nodes with an index of their ids, then relations. It adds to what
 * the database contains.
 */
export async function loadGraph(
  target: DatabaseGraph,
  graph: Graph,
  options: LoadOptions = {},
): Promise<LoadResult> {
  if (typeof target?.write !== "function")
    throwMisuse("expected a connection, such as the result of `boltGraph`, as the target");
  const assertions = {
    batch: (value: unknown) => assertCount(value, "`batch`", 1),
    signal: () => {},
  };
  assertOptionTypes(options, assertions, "the options of `loadGraph`");
  const { batch = DEFAULT_BATCH, signal } = options;
  const { nodes, edges: listed } = graph.toJSON() as unknown as { nodes: Row[]; edges: Row[] };
  // Edges without an id have that of their position, as in memory.
  const edges = listed.map((edge, index) => ({ id: `e${index}`, ...edge }));
  const { idKey, labelField, typeField, nodeLabel = DEFAULT_LABEL } = target.layout;
  const labelsOf = (row: Row): string => {
    const value = labelField === undefined ? undefined : row[labelField];
    const own = value === undefined || value === null ? [] : [String(value)];
    const common = target.layout.nodeLabel === undefined && own.length > 0 ? [] : [nodeLabel];
    return [...common, ...own].map((label) => `:${quoteName(label)}`).join("");
  };
  const labelOfId = new Map<Json, string>();
  const byLabel = groupBy(nodes, labelsOf);
  for (const [labels, group] of byLabel) {
    await target.createIndex(firstName(labels), idKey, signal);
    for (const row of group) labelOfId.set(row["id"] as Json, labels);
    const properties = group.map(({ id, ...row }) => ({
      [idKey]: id as Json,
      ...omitField(row, labelField),
    }));
    await inBatches(target, properties, batch, signal, (map) => `CREATE (n${labels} ${map})`);
  }
  const patternOf = (labels: string) => `:${quoteName(firstName(labels))}`;
  const byType = groupBy(edges, (edge) => {
    const type = edge[typeField];
    const name = type === undefined || type === null || type === "" ? "RELATED" : String(type);
    const [from, to] = [edge["source"], edge["target"]].map(
      (id) => labelOfId.get(id as Json) ?? "",
    );
    return JSON.stringify([name, from, to]);
  });
  for (const [key, group] of byType) {
    const [type, from, to] = JSON.parse(key) as [string, string, string];
    const properties = group.map(({ source, target: end, ...row }) => ({
      " source": source as Json,
      " target": end as Json,
      ...omitField(row, typeField),
    }));
    const id = quoteName(idKey);
    await inBatches(target, properties, batch, signal, (map, source, end) => {
      const ends = `(a${patternOf(from)} {${id}: ${source}}), (b${patternOf(to)} {${id}: ${end}})`;
      return `MATCH ${ends} CREATE (a)-[:${quoteName(type)} ${map}]->(b)`;
    });
  }
  return { nodes: nodes.length, edges: edges.length };
}

/** Returns the first label of `:A:B` without its quotes. */
function firstName(labels: string): string {
  const [, name = ""] = /^:`((?:[^`]|``)+)`/.exec(labels) ?? [];
  return name.replaceAll("``", "`");
}

function omitField({ ...row }: Row, field: string | undefined): Row {
  if (field !== undefined) delete row[field];
  return row;
}

function groupBy(rows: Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/**
 * Writes rows as lists of values, because not every client can send maps with keys of any text. The
 * keys are names in the statement.
 */
async function inBatches(
  target: DatabaseGraph,
  rows: Row[],
  batch: number,
  signal: AbortSignal | undefined,
  statement: (map: string, source: string, target: string) => string,
): Promise<void> {
  const size = Number.isFinite(batch) ? batch : rows.length;
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size);
    const keys = [...new Set(part.flatMap((row) => Object.keys(row)))];
    const at = (key: string) => `row[${keys.indexOf(key)}]`;
    const named = keys.filter((key) => !key.startsWith(" "));
    const map = `{${named.map((key) => `${quoteName(key)}: ${at(key)}`).join(", ")}}`;
    const text = `UNWIND $rows AS row ${statement(map, at(" source"), at(" target"))}`;
    const values = part.map((row) => keys.map((key) => toStorable(row[key])));
    await target.write({ text, params: { rows: values } }, signal);
  }
}

/** Converts a value to a property: a map, which no database stores, to JSON text. */
function toStorable(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isList ? value : JSON.stringify(value);
}
