import type { FlowEvent, Json } from "../wire.js";

/** How a workflow is mapped and compiled. */
export interface FlowOptions {
  /** How names are made; `{node}_{key}` by default. */
  prefix?: string;
  /** What is done with the outputs of a type that collide; `prefix` by default. */
  strategies?: { [type: string]: "prefix" | "preserve" | "error" };
  /** How long the markdown of a planning context may be. */
  budget?: { characters: number } | { tokens: number };
  /** Whether an output that a node does not declare is an error; it is dropped by default. */
  strict?: boolean;
}

/** What a node is called with. */
export interface NodeCall {
  /** The id of the node. */
  id: string;
  type: string;
  /** With all templates resolved. */
  params: { [name: string]: Json };
  /** The declared inputs: what a param supplies, else what is stored. One that nobody supplies is absent. */
  inputs: { [key: string]: Json };
  /** Which passing of the node it is, from 1 on. */
  pass: number;
  /** The place of the item, where the node runs once for each. */
  item: number | null;
  /** Counts from 1. */
  attempt: number;
  /** Aborts when the time is over, or the run. */
  signal: AbortSignal;
}

/** What a node answers. */
export interface NodeAnswer {
  outputs: { [key: string]: Json };
  /** Which edges are followed; `default` where it is left out. */
  action?: string;
}

/** Does the work of a node. What it throws is told, and the node is tried again if it says so. */
export type NodeCallback = (call: NodeCall) => Promise<NodeAnswer>;

/** How a workflow is run. */
export interface FlowRunOptions {
  /** For each type of node, who does its work: a {@link NodeCallback}, or one that answers at once. */
  nodes: { [type: string]: (call: NodeCall) => Promise<NodeAnswer> | NodeAnswer };
  inputs?: { [name: string]: Json };
  signal?: AbortSignal;
  onEvent?: (event: FlowEvent) => void;
  /** So many calls at once; 1 by default. */
  concurrency?: number;
  /** So many steps at most; by default a hundred for each node, and 1,000 at least. */
  maxSteps?: number;
  /** The trace of a run that did not complete: what has finished is not done again. */
  resume?: Json;
}
