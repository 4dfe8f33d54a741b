import {
  assertBoolean,
  assertCount,
  assertFunction,
  assertOptionTypes,
  assertString,
  throwExpected,
} from "../arguments.js";
import type {
  AdapterCapability,
  DeriveQuery,
  FindQuery,
  GraphAdapter,
  GraphSchema,
} from "../gasl/types.js";
import type { Json } from "../types.js";
import { deriveRows } from "./derive.js";
import { DIALECTS, type Dialect, type DialectName } from "./dialect.js";
import { DatabaseError, databaseError } from "./error.js";
import {
  findEdges,
  findNeighbors,
  findNodes,
  findPaths,
  findShortestPaths,
  SOURCE_FIELDS,
} from "./find.js";
import { listKeys, listValues, measureDegree } from "./inspect.js";
import type { CypherStatement, GraphLayout } from "./pattern.js";
import { rowsOf } from "./rows.js";
import { sharedRequest } from "./shared-request.js";
import { collectRows, isPaged, type RowStream } from "./stream.js";

export type { CypherStatement } from "./pattern.js";

/** Layout of the graph in the database. */
export interface LayoutOptions {
  /** Property with the id of a node; `id` by default. */
  idKey?: string;
  /** Field with the label of a node, such as `entity_type`. */
  labelField?: string;
  /** Field with the type of a relation; `type` by default. */
  typeField?: string;
  /** Label that all nodes have and whose index has their ids. */
  nodeLabel?: string;
  /** Whether relations have a direction; true by default. */
  directed?: boolean;
  /** Whether rows are sorted by id. */
  stable?: boolean;
  /** Number of rows of a search that are sent before they are needed; 100 by default. */
  firstRows?: number;
  /** Whether texts that are numbers are compared as numbers, which no index can serve. */
  coerce?: boolean;
}

export interface CypherOptions extends LayoutOptions {
  /** Runs a statement and returns its rows, each an object with the returned columns, or pages. */
  run: (
    statement: CypherStatement,
    signal: AbortSignal,
  ) => Promise<{ [name: string]: Json }[]> | AsyncIterable<{ [name: string]: Json }[]>;
  /** Database that runs the statements; `neo4j` by default. */
  dialect?: DialectName;
}

export const LAYOUT_ASSERTIONS = {
  idKey: assertString,
  labelField: assertString,
  typeField: assertString,
  nodeLabel: assertString,
  directed: assertBoolean,
  stable: assertBoolean,
  firstRows: assertCount,
  coerce: assertBoolean,
};

export function assertDialect(value: unknown, what: string): void {
  if (typeof value !== "string" || !Object.hasOwn(DIALECTS, value))
    throwExpected(what, `one of ${Object.keys(DIALECTS).join(", ")}`, value);
}

const OPTION_ASSERTIONS = { run: assertFunction, dialect: assertDialect, ...LAYOUT_ASSERTIONS };

/** Adapter of a database with openCypher. */
export interface CypherGraph extends GraphAdapter {
  readonly layout: GraphLayout;
}

/** Queries that the database answers with one statement instead of sending all rows. */
const CAPABILITIES: readonly AdapterCapability[] = ["schema", "values", "derive", "neighbors"];

/**
 * Creates an adapter for a database with openCypher, such as Neo4j with `neo4j-driver`. It runs the
 * same commands as a graph in memory; values are parameters, never text.
 */
export function cypherAdapter(options: CypherOptions): CypherGraph {
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `cypherAdapter`", ["run"]);
  const { run, dialect = "neo4j", idKey = "id", typeField = "type" } = options;
  const { directed = true, stable = false, coerce = false } = options;
  const { firstRows, labelField, nodeLabel } = options;
  const places = { idKey, labelField, typeField, nodeLabel };
  const temporalFields = new Set<string>();
  const layout: GraphLayout = {
    ...places,
    ...{ dialect: DIALECTS[dialect], directed, stable, coerce, temporalFields },
    sendsBigInts: false,
  };
  const stream = (statement: CypherStatement, signal: AbortSignal): RowStream => {
    assertNames(layout.dialect, statement);
    const failed = (error: unknown) => {
      throw databaseError(error, signal);
    };
    try {
      const rows = run(statement, signal);
      if (isPaged(rows)) return plainPages(rows, signal);
      return Promise.resolve(rows).then(rowsOf).catch(failed);
    } catch (error) {
      return failed(error);
    }
  };
  const rows = (statement: CypherStatement, signal: AbortSignal) =>
    collectRows(stream(statement, signal));
  const readSchema = async (signal: AbortSignal): Promise<GraphSchema> => {
    const keys = async (kind: "nodes" | "edges") => {
      const found = await rows(listKeys(layout, kind), signal);
      for (const [key] of found.filter(Array.isArray)) temporalFields.add(String(key));
      return found.flat().filter((key): key is string => typeof key === "string" && key !== idKey);
    };
    const [ofNodes, ofEdges] = [await keys("nodes"), await keys("edges")];
    const label = labelField === undefined ? [] : [labelField];
    return {
      directed,
      ...(firstRows !== undefined && { firstRows }),
      nodeFields: distinctNames(["id", ...label, ...ofNodes]),
      edgeFields: distinctNames(["id", "source", "target", typeField, ...ofEdges]),
    };
  };
  const schema = sharedRequest(readSchema);
  async function* derive(query: DeriveQuery, signal: AbortSignal): AsyncGenerator<Json[]> {
    const { nodeFields, edgeFields } = await schema(signal);
    const known = query.kind === "nodes" ? nodeFields : edgeFields;
    const sources = SOURCE_FIELDS.filter((field) => known.includes(field));
    const derived = stream(deriveRows(layout, query, sources), signal);
    if (isPaged(derived)) yield* derived;
    else yield await derived;
  }
  return {
    layout,
    capabilities: CAPABILITIES,
    findNodes: (query, signal) => stream(findNodes(layout, query), signal),
    findEdges: (query, signal) => stream(findEdges(layout, query), signal),
    findPaths: (query, signal) => stream(findPaths(layout, query), signal),
    async findShortestPaths(query, signal) {
      const statement = findShortestPaths(layout, query);
      return "unsupported" in statement ? statement : rows(statement, signal);
    },
    measureDegree: (query, signal) => rows(measureDegree(layout, query), signal),
    async getNode(id) {
      const where = { field: "id", op: "=", value: id };
      const query: FindQuery = { where, limit: 1, caps: {} };
      return (await rows(findNodes(layout, query), new AbortController().signal))[0] ?? null;
    },
    schema,
    listValues: (query, signal) => rows(listValues(layout, query), signal),
    findNeighbors: (query, signal) => rows(findNeighbors(layout, query), signal),
    deriveRows: derive,
  };
}

/** Throws if a statement has a name that the database cannot read. */
export function assertNames(dialect: Dialect, { text }: CypherStatement): void {
  const hasBacktick = !dialect.hasBackticks && text.includes("``");
  // The text of AGE is in dollar quotes, which a name could end.
  const names = dialect === DIALECTS.age ? (text.match(/`(?:[^`]|``)*`/g) ?? []) : [];
  if (!hasBacktick && !names.some((name) => name.includes("$"))) return;
  const message = `the database cannot read names with a ${hasBacktick ? "backtick" : "dollar sign"}`;
  const help = "rename the field, label or type";
  throw new DatabaseError({ reason: "statement", message, isTransient: false, help }, message);
}

async function* plainPages(
  pages: AsyncIterable<unknown>,
  signal: AbortSignal,
): AsyncGenerator<Json[]> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) return;
      yield rowsOf(value);
    }
  } catch (error) {
    throw databaseError(error, signal);
  } finally {
    await iterator.return?.();
  }
}

function distinctNames(names: string[]): string[] {
  return [...new Set(names)];
}
