import { throwExpected, throwMisuse } from "../arguments.js";
import type { Graph } from "../gasl/graph.js";
import type { Json } from "../types.js";
import { assertNames } from "./cypher.js";
import { DIALECTS } from "./dialect.js";
import type { GraphLayout } from "./pattern.js";

/** Node or edge of a graph. */
export type Row = { [field: string]: Json };

/** Throws unless a value is a graph. */
export function assertGraph(graph: Graph): void {
  if (typeof graph?.summary !== "function" || typeof graph.toJSON !== "function")
    throwExpected("the graph of `loadGraph`", "a Graph, such as `Graph.fromNodeLink(…)`", graph);
}

/** Throws for names that the database cannot store, before anything is written. */
export function assertFields(layout: GraphLayout, what: "node" | "edge", rows: Row[]): void {
  const checked = new Set<string>();
  for (const row of rows) {
    for (const field of Object.keys(row)) {
      if (what === "node" && field === layout.idKey && row[field] !== row["id"])
        throwMisuse(
          `expected \`${field}\`, which is the \`idKey\`, to be the id of the node ${idText(row)}, found ${JSON.stringify(row[field])}: rename the field, or choose another \`idKey\``,
        );
      if (checked.has(field)) continue;
      checked.add(field);
      const why = nameError(layout, field);
      if (why !== undefined)
        throwMisuse(
          `expected names of fields that the database can store, found ${JSON.stringify(field)} in the ${what} ${idText(row)}: ${why}`,
        );
    }
  }
}

/** Returns how to correct the name of a field, label or type, or undefined if it is valid. */
function nameError({ dialect }: GraphLayout, name: string): string | undefined {
  if (name === "") return "give it a name that is not empty";
  if (/\0|\\u/i.test(name)) return "rename it without `\\u` and NUL";
  if (!dialect.hasBackticks) assertNames(dialect, { text: name.replaceAll("`", "``"), params: {} });
  // `@rid`, `@type` and others are properties of the database itself.
  const isReserved = dialect === DIALECTS.arcadedb && name.startsWith("@");
  return isReserved ? "ArcadeDB reserves names that begin with `@`: rename the field" : undefined;
}

/** Returns the label or type in a field as text, or undefined if the row has none. */
export function nameIn(
  layout: GraphLayout,
  what: "node" | "edge",
  row: Row,
  field: string | undefined,
): string | undefined {
  const value = field === undefined ? undefined : row[field];
  if (value === undefined || value === null) return undefined;
  if (value === "" && what === "edge") return undefined;
  const kind = what === "node" ? "label" : "relation type";
  const at = `in \`${field}\` of the ${what} ${idText(row)}`;
  if (typeof value === "object") {
    const found = Array.isArray(value) ? "a list" : "a map";
    throwMisuse(
      `expected a text as the ${kind} ${at}, found ${found}: store one text in the field`,
    );
  }
  const name = String(value);
  const isRejected = layout.dialect === DIALECTS.arcadedb && /[*,~]/.test(name);
  const why = isRejected ? "ArcadeDB rejects `*`, `,` and `~` in it" : nameError(layout, name);
  if (why !== undefined)
    throwMisuse(`expected a valid ${kind} ${at}, found ${JSON.stringify(name)}: ${why}`);
  return name;
}

/** Throws if a label is a relation type too, where the database has one name space for both. */
export function assertDistinctNames(
  { dialect }: GraphLayout,
  labels: ReadonlySet<string>,
  types: ReadonlySet<string>,
): void {
  if (dialect !== DIALECTS.arcadedb) return;
  for (const name of types) {
    if (labels.has(name))
      throwMisuse(
        `\`${name}\` is a label and a relation type, which ArcadeDB does not allow: rename one of them`,
      );
  }
}

/** Returns the id of a node, or the ends of an edge, for a message. */
function idText({ id, source, target }: Row): string {
  return source === undefined
    ? `\`${String(id)}\``
    : `from \`${String(source)}\` to \`${String(target)}\``;
}
