import type { Storage } from "../storage/types.js";
import type { Diagnostic, FlowEvent, Json, NodeMappings } from "../wire.js";
import type { Suspended } from "./suspend.js";

/** Input or output of a node: its key, or its definition. */
export type Port =
  | string
  | {
      key: string;
      type?: string;
      description?: string;
      optional?: boolean;
    };

/** Node of a workflow. Its ports replace those of its type. */
export type WorkflowNode = {
  /** Required, except for `assignIds`. */
  id?: string;
  type: string;
  purpose?: string;
  /** Literals and templates. */
  params?: { [name: string]: Json };
  inputs?: Port[] | null;
  outputs?: Port[] | null;
  actions?: string[] | null;
  retry?: { max_attempts: number; backoff_ms?: number };
  timeout_ms?: number;
  /** Prefix of its keys in the store, as `mergeWorkflows` writes it. */
  scope?: string;
  /** Runs the node once per item of a list. */
  batch?: Batch;
};

/** Batch of a node, which is called once per item. */
export type Batch = {
  /** Template of a list, or a list. */
  items: string | Json[];
  /** Name of the current item; `item` by default. */
  as?: string;
  /** Name of the index of the current item. */
  index?: string;
  /** Whether a failed item fails the node (the default), or is null in the outputs. */
  on_error?: "fail" | "continue";
  /** Maximum number of concurrent items, besides the limit of the run. */
  concurrency?: number;
};

/** Input of a workflow. */
export type WorkflowInput = {
  type?: string;
  description?: string;
  required?: boolean;
  default?: Json;
  secret?: boolean;
};

/** Nodes that read and write one key-value store, and the edges between them. */
export type Workflow = {
  ir_version?: string;
  nodes: WorkflowNode[];
  edges?: {
    from: string;
    to: string;
    action?: string;
  }[];
  /** Id of the first node, or of several. */
  start_node?: string | string[];
  inputs?: { [name: string]: WorkflowInput };
  /** A template of each output, or its definition. */
  outputs?: { [name: string]: string | { source?: string } };
  mappings?: { [id: string]: NodeMappings };
};

/** Param of a node type. */
export type ParamDeclaration = {
  key: string;
  type?: string;
  description?: string;
  required?: boolean;
  /** Value in calls that have no other. */
  default?: Json;
};

/** Node type of a registry. */
export type NodeType = {
  description?: string;
  inputs?: Port[];
  outputs?: Port[];
  /** Other parameters, as a list of keys or an object. */
  params?: (string | ParamDeclaration)[] | { [name: string]: Json };
  actions?: string[];
  /** Whether calls have side effects that the store does not show. */
  effects?: boolean;
};

/** Node types by name. */
export type Registry = {
  [type: string]: NodeType;
};

/** Options for mapping and compiling a workflow. */
export interface FlowOptions {
  /** Pattern of generated names; `{node}_{key}` by default. */
  prefix?: string;
  /** Naming of colliding outputs by node type; `prefix` by default. */
  strategies?: { [type: string]: "prefix" | "preserve" | "error" };
  /** Maximum length of the markdown of a planning context. */
  budget?: { characters: number } | { tokens: number };
  /** Whether an undeclared output is an error; by default it is dropped. */
  strict?: boolean;
}

/** Arguments of a node callback. */
export interface NodeCall {
  /** Id of the node. */
  id: string;
  type: string;
  /** With all templates resolved. */
  params: { [name: string]: Json };
  /** Declared inputs: the value of a param, else the stored value. Missing ones are absent. */
  inputs: { [key: string]: Json };
  /** Number of the iteration of the node, from 1. */
  pass: number;
  /** Current item, if the node runs once per item. */
  item: Json;
  /** Index of the item; null if the node does not run once per item. */
  index: number | null;
  /** Counts from 1. */
  attempt: number;
  /** Answer to the earlier call that was suspended, if there is one. */
  resumed?: Json;
  /** Aborts on a timeout, with the run, and when another node fails. */
  signal: AbortSignal;
}

/** Result of a node. */
export interface NodeAnswer {
  outputs: { [key: string]: Json };
  /** Action whose edges are followed; `default` if omitted. */
  action?: string;
  /** Message for `${node.error.message}`, with the action `error`. */
  error?: string;
}

/** Implementation of a node type. An error is reported, and retried if the node declares it. */
export type NodeCallback = (call: NodeCall) => Promise<NodeAnswer | Suspended>;

/** Options of a run. */
export interface FlowRunOptions {
  /** Implementation of each node type: a {@link NodeCallback}, or a synchronous function. */
  nodes: {
    [type: string]: (call: NodeCall) => Promise<NodeAnswer | Suspended> | NodeAnswer | Suspended;
  };
  inputs?: { [name: string]: Json };
  signal?: AbortSignal;
  onEvent?: (event: FlowEvent) => void;
  /** Maximum number of concurrent calls; 1 by default. */
  concurrency?: number;
  /** Maximum number of steps; by default a hundred per node, and at least 1,000. */
  maxSteps?: number;
  /**
   * Maximum estimated memory of the values that the run holds, in bytes: inputs and outputs of nodes.
   * The same applies to the arguments of all running calls. 64 MB by default.
   */
  maxBytes?: number;
  /** Trace of an earlier run. Finished steps whose calls are the same are not repeated. */
  resume?: Json;
  /** Answers to suspended nodes of `resume`, by id. */
  answers?: { [node: string]: Json };
  /** Called with the trace after each step; the next call starts when its promise resolves. */
  onCheckpoint?: (trace: Json) => void | Promise<void>;
  /** Time in milliseconds that running calls have to end when another one failed; 0 by default. */
  graceMs?: number;
  /**
   * Stores the trace under the id of the run, and continues from there. Events are reported after
   * their trace is stored. The run rejects with a `StorageError` if another process continues it.
   */
  storage?: Storage;
  /** Id of the run in the storage. */
  run?: string;
}

/** Options of a stepwise run. */
export interface FlowBeginOptions {
  inputs?: { [name: string]: Json };
  /** Trace of an earlier run. Finished steps whose calls are the same are not repeated. */
  resume?: Json;
  /** Answers to suspended nodes of `resume`, by id. */
  answers?: { [node: string]: Json };
  /** Maximum number of calls without an answer; 1 by default. */
  concurrency?: number;
  /** Maximum number of steps; by default a hundred per node, and at least 1,000. */
  maxSteps?: number;
  /** Maximum estimated memory of the values that the run holds, in bytes; 64 MB by default. */
  maxBytes?: number;
  /**
   * Order of the calls. With `fixed` (the default) it does not depend on the order of the answers:
   * an answer takes effect after those of all earlier calls. With `arrival` it takes effect at once.
   */
  order?: "fixed" | "arrival";
}

/** Call of a stepwise run: JSON for another process, with markers for secrets. */
export interface FlowCall {
  /**
   * Key of this attempt. It is the same in a resumed run, and differs for other arguments. With the
   * id of the run it identifies the result of the call.
   */
  key: string;
  /** Id of the node. */
  id: string;
  type: string;
  /** With all templates resolved. */
  params: { [name: string]: Json };
  /** Declared inputs: the value of a param, else the stored value. Missing ones are absent. */
  inputs: { [key: string]: Json };
  /** Number of the iteration of the node, from 1. */
  pass: number;
  /** Current item, if the node runs once per item. */
  item?: Json;
  /** Index of the item. */
  index?: number;
  /** Counts from 1. */
  attempt: number;
  /** Answer to the earlier call that was suspended, if there is one. */
  resumed?: Json;
  /** Whether the node has side effects that the store does not show. */
  effects: boolean;
  /** Maximum duration. The caller answers `{ failed, timeout: true }` after it. */
  timeoutMs?: number;
  /** Earliest time of the call in milliseconds since 1970, if it repeats a failed one. */
  notBefore?: number;
}

/** Outcome of a call: its result, its failure, or the payload of a call that waits for an answer. */
export type CallOutcome =
  | { outputs: { [key: string]: Json }; action?: string; error?: string }
  | { failed: string; timeout?: boolean }
  | { waiting: Json };

/** Result of answering a call. */
export interface CallAnswer {
  ok: boolean;
  diagnostics: Diagnostic[];
}
