import type { LlmCallback } from "../llm/types.js";
import type { StateChange } from "../state-change.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../wire.js";
import type { Graph } from "./graph.js";

/** Operator of a condition. */
export type PredicateOperator =
  | ("=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN")
  | ("CONTAINS" | "STARTS_WITH" | "ENDS_WITH" | "EXISTS" | "IS NULL" | "IS NOT NULL");

/**
 * Condition for adapters: `{all}`, `{any}`, `{not}`, or a field with an operator. `{all: []}` is
 * always true. A `value` of the form `{field}` is another field of the same row or path. Both
 * values are compared, and a missing one fails, also for `!=`.
 */
export type PredicateTree =
  | { all: PredicateTree[] }
  | { any: PredicateTree[] }
  | { not: PredicateTree }
  | { field: string; op: PredicateOperator; value?: Json | { field: string } };

/** Caps and ceilings by name, as in `SET adapter.caps.max_results = 100`. */
export interface Caps {
  max_path_length?: number;
  max_results?: number;
  max_expansions?: number;
  timeout_ms?: number;
  max_excerpt_items?: number;
  max_excerpt_chars?: number;
  direction?: "out" | "in" | "any";
  case_sensitive?: boolean;
}

/** Limits of a session, whatever a model writes. */
export interface GaslLimits {
  /** Commands in a plan; 10,000 by default. */
  commands?: number;
  /** Estimated size of the state as JSON, in bytes; 64 MB by default. */
  state?: number;
  /**
   * Estimated memory of what changed since earlier states, in bytes; 64 MB by default. The oldest
   * snapshots are removed first, with a warning.
   */
  snapshots?: number;
  /** Estimated memory of the variables of a plan, in bytes; 1 GB by default. */
  variables?: number;
  /** Estimated size of all replies of the model as JSON, in bytes; 256 MB by default. */
  replies?: number;
}

/** Numeric caps that no plan may exceed. */
export type Ceilings = Omit<Caps, "direction" | "case_sensitive">;

export interface FindQuery {
  /** A {@link PredicateTree}. */
  where: Json;
  limit?: number;
  caps: { [name: string]: Json };
}

export interface PathQuery extends FindQuery {
  /**
   * Conditions on the first node, the last, every edge and every inner node: each a {@link
   * PredicateTree}.
   */
  start: Json;
  end: Json;
  edge: Json;
  node: Json;
  /** Number of edges. */
  maxLength: number;
  direction: "out" | "in" | "any";
}

/** Fields of the rows of a graph. */
export interface GraphSchema {
  directed: boolean;
  /** Number of rows of a search that are sent before they are needed; 100 by default. */
  firstRows?: number;
  nodeFields: string[];
  edgeFields: string[];
}

/** Query of the distinct values of a field. */
export interface ValuesQuery {
  of: "nodes" | "edges";
  field: string;
  limit: number;
  caps: FindQuery["caps"];
}

/** Query of the nodes that edges connect with some nodes. */
export interface NeighborQuery {
  ids: Json[];
  /** Condition on the edges: a {@link PredicateTree}. */
  edge: Json;
  direction: PathQuery["direction"];
  caps: FindQuery["caps"];
}

/** Search whose rows the adapter did not send. */
export interface RowSource {
  kind: "nodes" | "edges";
  /** A {@link PredicateTree}. */
  where: Json;
}

/** Function of `AGGREGATE` with its field and the name of its column. */
export interface AggregateColumn {
  function: "count" | "sum" | "avg" | "min" | "max" | "distinct" | "list";
  of?: string;
  as: string;
}

/**
 * Query that computes rows from those of a search. `count` returns their number, `rank` the first
 * rows in the order of `RANK`, and `fields` some of their fields. Groups are `{values, left_out}`,
 * with the numbers of values that are not numbers. Pairs of a join are `{left, right}`. A page is
 * in the order of ids, after the id `after` or after `offset` rows.
 */
export type DeriveQuery = RowSource & { caps: FindQuery["caps"] } & (
    | { what: "count" }
    | { what: "group"; by: string[]; aggregates: AggregateColumn[] }
    | { what: "rank"; by: string; order: "ASC" | "DESC"; limit: number }
    | { what: "fields" | "distinct"; fields: [from: string, to: string][]; limit?: number }
    | { what: "join"; right: RowSource; on: [left: string, right: string] }
    | { what: "page"; after?: Json; offset?: number; limit?: number }
  );

/** Query of `FIND shortest paths`. */
export interface ShortestPathQuery extends Omit<PathQuery, "maxLength"> {
  /** Maximum number of edges; null for any. */
  maxLength: number | null;
  /** Field of edges whose sum is minimised and returned as `cost`; else the number of edges is. */
  weight?: string;
}

/** Query of `MEASURE degree`. */
export interface DegreeQuery {
  measure: "degree" | "in_degree" | "out_degree";
  /** Ids of the nodes; all if omitted. */
  ids?: Json[];
  /** Field of edges to add up; else the edges are counted. */
  weight?: string;
  caps: { [name: string]: Json };
}

/** Reason why an adapter cannot run a query of an optional method. The step fails with it. */
export type UnsupportedQuery = { unsupported: string };

/** Rows of an adapter: all at once, or pages that are read as they are needed. */
export type AdapterRows = Promise<Json[]> | AsyncIterable<Json[]>;

/** Optional methods of an adapter that a session may call. */
export type AdapterCapability = "schema" | "values" | "derive" | "neighbors";

/**
 * Graph of the host: a database or a service. Rows are flat, as those of a {@link Graph}; a path may
 * have `sources`, a list with the source fields of its edges.
 */
export interface GraphAdapter {
  /** Names of the optional methods that a session may call. */
  readonly capabilities?: readonly AdapterCapability[];
  findNodes(query: FindQuery, signal: AbortSignal): AdapterRows;
  findEdges(query: FindQuery, signal: AbortSignal): AdapterRows;
  findPaths(query: PathQuery, signal: AbortSignal): AdapterRows;
  getNode(id: string): Promise<Json | null>;
  /** `schema`: returns the fields of nodes and edges, and whether edges have a direction. */
  schema?(signal: AbortSignal): Promise<GraphSchema>;
  /** `values`: returns the distinct values of a field, for suggestions. */
  listValues?(query: ValuesQuery, signal: AbortSignal): Promise<Json[]>;
  /** `neighbors`: returns the nodes next to some nodes, each once. */
  findNeighbors?(query: NeighborQuery, signal: AbortSignal): AdapterRows;
  /** `derive`: computes rows from those of a search. */
  deriveRows?(query: DeriveQuery, signal: AbortSignal): AdapterRows;
  /** Returns one path for each connected pair of start and end. */
  findShortestPaths?(
    query: ShortestPathQuery,
    signal: AbortSignal,
  ): Promise<Json[] | UnsupportedQuery>;
  /** Returns rows `{id, <measure>}`. A loop has two ends. */
  measureDegree?(query: DegreeQuery, signal: AbortSignal): Promise<Json[] | UnsupportedQuery>;
}

/**
 * Persistent storage of a state. If `expectedRev` is not the stored revision, `save` stores nothing
 * and rejects with an error whose `reason` is `conflict`.
 */
export interface StateBackend {
  load(): Promise<{ state: Json; rev: string } | null>;
  save(state: Json, options: { expectedRev: string | null }): Promise<{ rev: string }>;
  /**
   * Saves the changes since the state of `expectedRev`, so that a large state is not written again.
   * Without it, `save` is called with the complete state.
   */
  saveChanges?(
    changes: StateChange[],
    options: { expectedRev: string | null },
  ): Promise<{ rev: string }>;
  subscribe?(listener: (rev: string) => void): () => void;
}

export interface GaslSessionOptions {
  graph: Graph | GraphAdapter;
  llm?: LlmCallback;
  /** Question of the session. */
  query?: string;
  /** Earlier value of `session.state`. */
  state?: Json;
  /**
   * Storage that the state is loaded from before the first step and saved to after each successful
   * one.
   */
  backend?: StateBackend;
  caps?: Caps;
  ceilings?: Ceilings;
  limits?: GaslLimits;
  /** Seed of samples; 0 by default. */
  seed?: number;
  /** Clock, as ISO 8601 text. */
  now?: () => string;
  /** Name of the model, for the state. */
  model?: string;
  /** Number of retries after an invalid reply to PROCESS or ANALYZE; 0 by default. */
  retries?: number;
  /**
   * Budget of the rows of SHOW in a prompt, in tokens (characters / 4); 6,000 by default. Other rows
   * are left out, with the command that shows them.
   */
  resultTokens?: number;
  /**
   * Handling of findings of PROCESS that cite no row: `required` rejects the reply, `warn` marks them
   * as `uncited`. By default citations are required, except in the output of RETURNING, which has
   * none.
   */
  citations?: "required" | "warn";
}

/** Rows of a value that are read. */
export interface PageOptions {
  /** Number of rows before the first one; 0 by default. */
  offset?: number;
  /** Maximum number of rows; all by default. */
  limit?: number;
}

export interface RunOptions {
  signal?: AbortSignal;
  /** Milliseconds after which the run is aborted. */
  timeout?: number;
  /** Called after each step, before the next begins. */
  onStep?: (record: ExecutionRecord) => void;
  /** Called after each batch of PROCESS, and after each part of a long MEASURE or path search. */
  onBatch?: (progress: { done: number; total: number }) => void;
}

export interface SolveOptions extends RunOptions {
  /** Called with each plan before the loop runs it. */
  onPlan?: (plan: Plan) => void;
  /** Maximum number of plans; 10 by default. */
  maxPlans?: number;
  /** Maximum number of calls of the model, including those inside plans. */
  maxCalls?: number;
  /** Maximum number of tokens that the model reports. */
  maxTokens?: number;
  /** Maximum number of commands. */
  maxSteps?: number;
}

/** Next steps that a model proposes. */
export interface Proposal {
  /** Answer with COMPLETE; then there are no candidates. */
  answer: string | null;
  candidates: { plan: Plan; confidence: number; rationale: string }[];
  diagnostics: Diagnostic[];
}
