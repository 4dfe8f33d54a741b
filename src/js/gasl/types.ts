import type { LlmCallback } from "../llm/types.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../wire.js";
import type { Graph } from "./graph.js";

/** Operator of a condition. */
export type PredicateOperator =
  | ("=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN")
  | ("CONTAINS" | "STARTS_WITH" | "ENDS_WITH" | "EXISTS" | "IS NULL" | "IS NOT NULL");

/**
 * Condition for adapters: `{all}`, `{any}`, `{not}`, or a field with an operator. `{all: []}` is
 * always true. A `value` of the form `{field}` is another field of the same row or path: both
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

/** Graph of the host: a database or a service. Rows are flat, as those of a {@link Graph}. */
export interface GraphAdapter {
  findNodes(query: FindQuery, signal: AbortSignal): Promise<Json[]>;
  findEdges(query: FindQuery, signal: AbortSignal): Promise<Json[]>;
  findPaths(query: PathQuery, signal: AbortSignal): Promise<Json[]>;
  getNode(id: string): Promise<Json | null>;
  /** Returns one path for each connected pair of start and end. */
  findShortestPaths?(
    query: ShortestPathQuery,
    signal: AbortSignal,
  ): Promise<Json[] | UnsupportedQuery>;
  /** Returns rows `{id, <measure>}`. A loop has two ends. */
  measureDegree?(query: DegreeQuery, signal: AbortSignal): Promise<Json[] | UnsupportedQuery>;
}

/** Persistent storage of a state. `save` rejects if `expectedRev` is not the stored revision. */
export interface StateBackend {
  load(): Promise<{ state: Json; rev: string } | null>;
  save(state: Json, options: { expectedRev: string | null }): Promise<{ rev: string }>;
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
