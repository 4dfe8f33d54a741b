import type { LlmCallback } from "../llm/types.js";
import type { Diagnostic, ExecutionRecord, Json, Plan } from "../wire.js";
import type { Graph } from "./graph.js";

/** An operator of the language, as conditions name it. */
export type PredicateOperator =
  | ("=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN")
  | ("CONTAINS" | "STARTS_WITH" | "ENDS_WITH" | "EXISTS" | "IS NULL" | "IS NOT NULL");

/**
 * A condition as adapters get it: `{all}`, `{any}`, `{not}`, or a field with an operator of the
 * language. `{all: []}` is true of everything.
 */
export type PredicateTree =
  | { all: PredicateTree[] }
  | { any: PredicateTree[] }
  | { not: PredicateTree }
  | { field: string; op: PredicateOperator; value?: Json };

/** Caps and ceilings by their names, as in `SET adapter.caps.max_results = 100`. */
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

/** What no plan may exceed: the caps that count something. */
export type Ceilings = Omit<Caps, "direction" | "case_sensitive">;

export interface FindQuery {
  /** A {@link PredicateTree}. */
  where: Json;
  limit?: number;
  caps: { [name: string]: Json };
}

export interface PathQuery extends FindQuery {
  /** Of the first node, the last, every edge and every node between: each a {@link PredicateTree}. */
  start: Json;
  end: Json;
  edge: Json;
  node: Json;
  /** In edges. */
  maxLength: number;
  direction: "out" | "in" | "any";
}

/** A graph that the host asks: a database, a service. Rows are flat, as those of a {@link Graph}. */
export interface GraphAdapter {
  findNodes(query: FindQuery, signal: AbortSignal): Promise<Json[]>;
  findEdges(query: FindQuery, signal: AbortSignal): Promise<Json[]>;
  findPaths(query: PathQuery, signal: AbortSignal): Promise<Json[]>;
  getNode(id: string): Promise<Json | null>;
}

/** Where a state lasts. `save` refuses (rejects) a state whose `expectedRev` is not the stored one. */
export interface StateBackend {
  load(): Promise<{ state: Json; rev: string } | null>;
  save(state: Json, options: { expectedRev: string | null }): Promise<{ rev: string }>;
  subscribe?(listener: (rev: string) => void): () => void;
}

export interface GaslSessionOptions {
  graph: Graph | GraphAdapter;
  llm?: LlmCallback;
  /** The question that the session is about. */
  query?: string;
  /** A state as `session.state` was. */
  state?: Json;
  /** Where the state is loaded from before the first step and stored after each successful one. */
  backend?: StateBackend;
  caps?: Caps;
  ceilings?: Ceilings;
  /** Makes samples the same in every run; 0 by default. */
  seed?: number;
  /** The clock, as ISO 8601 text. */
  now?: () => string;
  /** The name of the model, for the state. */
  model?: string;
  /** How often a reply of PROCESS or ANALYZE that cannot be used is asked for again; 0 by default. */
  retries?: number;
}

export interface RunOptions {
  signal?: AbortSignal;
  /** Milliseconds; then it ends as if it were aborted. */
  timeout?: number;
  /** Called after each step, before the next begins. */
  onStep?: (record: ExecutionRecord) => void;
  /** Called after each batch of PROCESS. */
  onBatch?: (progress: { done: number; total: number }) => void;
}

export interface SolveOptions extends RunOptions {
  /** Called with each plan that the loop is about to run. */
  onPlan?: (plan: Plan) => void;
  /** Plans that are run at most; 10 by default. */
  maxPlans?: number;
  /** Questions to the model, those inside plans included. */
  maxCalls?: number;
  /** Tokens that the model tells of. */
  maxTokens?: number;
  /** Commands that are run. */
  maxSteps?: number;
}

/** What a model would do next. */
export interface Proposal {
  /** What it said with COMPLETE; then there are no candidates. */
  answer: string | null;
  candidates: { plan: Plan; confidence: number; rationale: string }[];
  diagnostics: Diagnostic[];
}
