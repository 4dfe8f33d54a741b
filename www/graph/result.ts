import { type ExecutionRecord, GaslSession, type Json } from "byname";
import type { Session } from "./graph-source.js";

/** Maximum number of rows kept for the table. */
export const maxRows = 100;
/** Maximum number of ids kept for the drawing. */
const maxIds = 60_000;

/** Variable that a step wrote, as far as the page shows it. */
export interface Result {
  name: string;
  /** Number of rows, or null if the value is not a list. */
  total: number | null;
  rows: Json[];
  /** Ids in the rows. Some may be other text, because any string field is read. */
  nodes: Set<string>;
  edges: Set<string>;
  /** Numbers of the rows with an id: by column, then by id. */
  numbers: Map<string, Map<string, number>>;
}

/** Returns the name that a command wrote or showed, or null. */
export function resultName({ command, metrics }: ExecutionRecord): string | null {
  let words = command.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  const [, then, other] = /\bTHEN\b(.*?)(?:\bELSE\b(.*))?$/is.exec(words) ?? [];
  if (then !== undefined) {
    if (metrics["taken"] === false && other === undefined) return null;
    words = metrics["taken"] === false ? (other ?? "") : then;
  }
  const name =
    /^\s*(?:UPDATE|SHOW)\s+([^\s;]+)/i.exec(words)?.[1] ??
    /\bAS\s+([^\s;]+)\s*;?\s*$/i.exec(words)?.[1];
  return name === undefined || /^\s*DECLARE\b/i.test(words) ? null : name.replace(/^`|`$/g, "");
}

/**
 * Returns the maximum number of rows that are read from a worker or a database. Of a graph that is
 * not drawn completely fewer are shown, and more would block the page.
 */
export const maxReadRows = (nodeCount: number): number => (nodeCount > 5000 ? 1000 : 5000);

/** Returns the result of a step; a promise if its rows are in a worker or a database. */
export function readResultOf(
  session: Session,
  name: string,
  { metrics }: ExecutionRecord,
  limit: number,
): Result | null | Promise<Result | null> {
  const { count } = metrics;
  const total = typeof count === "number" ? count : undefined;
  if (!(session instanceof GaslSession))
    return session.variable(name, { limit }).then((value) => toResult(name, value, total));
  try {
    return readResult(session, name);
  } catch {
    // The rows are in a database.
    return session.rows(name, { limit }).then((rows) => toResult(name, rows, total));
  }
}

export function readResult(session: GaslSession, name: string): Result | null {
  return toResult(name, session.variable(name));
}

/** Returns the result of a value; `total` is the number of rows if not all of them were read. */
function toResult(name: string, value: Json | undefined, total = 0): Result | null {
  if (value === undefined) return null;
  const list = Array.isArray(value) ? value : null;
  const found: Result = {
    name,
    total: list ? Math.max(list.length, total) : null,
    rows: (list ?? [value]).slice(0, maxRows),
    nodes: new Set(),
    edges: new Set(),
    numbers: new Map(),
  };
  for (const row of list ?? [value]) {
    if (found.nodes.size + found.edges.size > maxIds) break;
    collectIds(row, found);
  }
  return found;
}

function collectIds(row: Json, { nodes, edges, numbers }: Result): void {
  if (typeof row === "string") nodes.add(row);
  if (typeof row !== "object" || row === null || Array.isArray(row)) return;
  const { id, source, target, nodes: along, edges: over } = row;
  if (Array.isArray(along) && Array.isArray(over)) {
    for (const one of along) nodes.add(String(one));
    for (const one of over) edges.add(String(one));
  } else if (source !== undefined && target !== undefined) {
    if (id !== undefined) edges.add(String(id));
    nodes.add(String(source)).add(String(target));
  } else if (id !== undefined) {
    nodes.add(String(id));
    collectNumbers(String(id), row, numbers);
  } else {
    // Aggregated rows name nodes in any field.
    for (const value of Object.values(row)) {
      if (typeof value === "string" && value.length <= 200) nodes.add(value);
    }
  }
}

function collectNumbers(id: string, row: { [column: string]: Json }, numbers: Result["numbers"]) {
  for (const [column, value] of Object.entries(row)) {
    if (typeof value !== "number" || column === "id") continue;
    const values = numbers.get(column) ?? new Map<string, number>();
    numbers.set(column, values.set(id, value));
  }
}
