import { assertCount, assertOptionTypes, throwMisuse } from "../arguments.js";
import type { Graph } from "../gasl/graph.js";
import type { Json } from "../types.js";
import type { DatabaseGraph } from "./connection.js";
import { DatabaseError } from "./error.js";
import { assertDistinctNames, assertFields, assertGraph, nameIn, type Row } from "./load-checks.js";
import { quoteName } from "./names.js";
import type { GraphLayout } from "./pattern.js";
import { toPlainRow } from "./rows.js";

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

const DEFAULT_BATCH = 1_000;

/** Label of nodes without one. */
const DEFAULT_LABEL = "Node";

/** Type of edges without one. */
const DEFAULT_TYPE = "RELATED";

/**
 * Writes a graph to a database: nodes with an index of their ids, then relations. It adds to what
 * the database contains. Names that the database cannot store are rejected before anything is
 * written. After an error or an abort, what was written remains, and the error says how much.
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
  assertGraph(graph);
  const { batch = DEFAULT_BATCH, signal } = options;
  const { layout } = target;
  const { nodes, edges: listed } = graph.toJSON() as unknown as { nodes: Row[]; edges: Row[] };
  // Edges without an id have that of their position, as in memory.
  const edges = listed.map((edge, index) => ({ id: `e${index}`, ...edge }));
  const groups = groupRows(layout, nodes, edges, graph.summary().relation_field);
  const written: LoadResult = { nodes: 0, edges: 0 };
  try {
    await writeNodes(target, groups.nodes, batch, signal, written);
    await writeEdges(target, groups.edges, batch, signal, written);
  } catch (error) {
    throw withProgress(error, signal, written);
  }
  return written;
}

/** Groups the rows of each statement, after checks of all names. */
function groupRows(
  layout: GraphLayout,
  nodes: Row[],
  edges: Row[],
  relationField: string | undefined,
): { nodes: Map<string, Row[]>; edges: Map<string, Row[]> } {
  const { labelField, typeField, nodeLabel = DEFAULT_LABEL } = layout;
  const names = { labels: new Set<string>(), types: new Set<string>() };
  assertFields(layout, "node", nodes);
  assertFields(layout, "edge", edges);
  const labelsOfId = new Map<Json, string>();
  const labelsOf = (row: Row): string => {
    const own = nameIn(layout, "node", row, labelField);
    const common = layout.nodeLabel === undefined && own !== undefined ? [] : [nodeLabel];
    const all = own === undefined ? common : [...common, own];
    for (const label of all) names.labels.add(label);
    const labels = all.map((label) => `:${quoteName(label)}`).join("");
    labelsOfId.set(row["id"] as Json, labels);
    return labels;
  };
  const patternOf = (edge: Row): string => {
    const type =
      nameIn(layout, "edge", edge, typeField) ??
      nameIn(layout, "edge", edge, relationField) ??
      DEFAULT_TYPE;
    names.types.add(type);
    const ends = [edge["source"], edge["target"]].map((id) => labelsOfId.get(id as Json) ?? "");
    return JSON.stringify([type, ...ends]);
  };
  const groups = { nodes: groupBy(nodes, labelsOf), edges: groupBy(edges, patternOf) };
  assertDistinctNames(layout, names.labels, names.types);
  return groups;
}

async function writeNodes(
  target: DatabaseGraph,
  groups: Map<string, Row[]>,
  batch: number,
  signal: AbortSignal | undefined,
  written: LoadResult,
): Promise<void> {
  const { idKey, labelField } = target.layout;
  for (const [labels, group] of groups) {
    await target.createIndex(firstName(labels), idKey, signal);
    // The id comes last, so that no field replaces it.
    const items = group.map(({ id, ...row }) => ({
      ends: [],
      properties: { ...omitField(row, labelField), [idKey]: id as Json },
    }));
    const statement = (map: string) => `CREATE (n${labels} ${map})`;
    for await (const count of inBatches(target, items, batch, signal, statement))
      written.nodes += count;
  }
}

async function writeEdges(
  target: DatabaseGraph,
  groups: Map<string, Row[]>,
  batch: number,
  signal: AbortSignal | undefined,
  written: LoadResult,
): Promise<void> {
  const { idKey, typeField } = target.layout;
  const patternOf = (labels: string) => `:${quoteName(firstName(labels))}`;
  const id = quoteName(idKey);
  for (const [key, group] of groups) {
    const [type, from, to] = JSON.parse(key) as [string, string, string];
    const items = group.map(({ source, target: end, ...row }) => ({
      ends: [source as Json, end as Json],
      properties: omitField(row, typeField),
    }));
    const ends = `(a${patternOf(from)} {${id}: row[0]}), (b${patternOf(to)} {${id}: row[1]})`;
    const statement = (map: string) =>
      `MATCH ${ends} CREATE (a)-[r:${quoteName(type)} ${map}]->(b) RETURN count(r) AS row`;
    for await (const count of inBatches(target, items, batch, signal, statement))
      written.edges += count;
  }
}

/** Returns an error with the numbers of what was written. */
function withProgress(
  error: unknown,
  signal: AbortSignal | undefined,
  { nodes, edges }: LoadResult,
): unknown {
  const isAborted = signal?.aborted === true;
  if (!isAborted && !(error instanceof DatabaseError)) return error;
  if (error instanceof DatabaseError && nodes === 0 && REJECTED.has(error.reason)) return error;
  const { reason, message, isTransient, help } =
    error instanceof DatabaseError && !isAborted
      ? error
      : { ...ABORTED, help: undefined as string | undefined };
  const first = help === undefined ? message : message.slice(0, -help.length - 2);
  const progress = `${first}; at least ${nodes} nodes and ${edges} edges were written`;
  const again = "remove what was written, and load the graph again";
  const cause = error instanceof DatabaseError ? error.cause : error;
  const fix = help === undefined || reason === "temporary" ? again : `${help}; ${again}`;
  return new DatabaseError({ reason, message: progress, isTransient, help: fix }, cause);
}

/** Reasons for which a server has not run a statement. */
const REJECTED: ReadonlySet<string> = new Set(["user", "database"]);

const ABORTED = { reason: "aborted", message: "the load was aborted", isTransient: false } as const;

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

/** Node or relation to write: the ids of its ends, if it has any, and its properties. */
interface Item {
  ends: Json[];
  properties: Row;
}

/**
 * Writes items as lists of values, because not every client can send maps with keys of any text. A
 * list begins with the ends, and the keys are names in the statement. Yields how many items of each
 * batch were written: the number that the statement returns, else that of the batch.
 */
async function* inBatches(
  target: DatabaseGraph,
  items: Item[],
  batch: number,
  signal: AbortSignal | undefined,
  statement: (map: string) => string,
): AsyncGenerator<number> {
  const size = Number.isFinite(batch) ? batch : items.length;
  for (let start = 0; start < items.length; start += size) {
    const part = items.slice(start, start + size);
    const keys = [...new Set(part.flatMap(({ properties }) => Object.keys(properties)))];
    const first = part[0]?.ends.length ?? 0;
    const map = keys.map((key, index) => `${quoteName(key)}: row[${first + index}]`).join(", ");
    const text = `UNWIND $rows AS row ${statement(`{${map}}`)}`;
    const values = part.map(({ ends, properties }) => [
      ...ends.map(toStorable),
      ...keys.map((key) => toStorable(properties[key])),
    ]);
    const answer = await target.write({ text, params: { rows: values } }, signal);
    const count = toPlainRow(answer[0]?.["row"] ?? null);
    yield typeof count === "number" ? count : part.length;
  }
}

/** Converts a value to a property: a map, which no database stores, to JSON text. */
function toStorable(value: Json | undefined): Json {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isList ? value : JSON.stringify(value);
}
