import type { Diagnostic, Json } from "../wire.js";

/** Purpose of a request. */
export type LlmTask = "plan" | "process" | "analyze" | "evaluate" | "repair" | "rollout";

/**
 * Request to a model. The adapters use the input of the model and the signal; the rest is for logs.
 */
export interface LlmRequest {
  id: string;
  task: LlmTask;
  system: string;
  prompt: string;
  /** JSON Schema of the reply, for models with structured output. */
  schema?: Json;
  /** Letters, digits, `_` and `-`; the task by default. */
  schemaName?: string;
  /** The same as a grammar, for local models. */
  grammar?: { gbnf: string };
  /** Name of the model, if a node asks for one. */
  model?: string;
  /** Images for the model, in the form that the callback expects. */
  images?: Json;
  maxOutputTokens?: number;
  temperature?: number;
  seed?: number;
  /** All params of the node that asks, except its prompt and system prompt. */
  params?: { [name: string]: Json };
  /** Current item, if the node runs once per item of a list. */
  item?: Json;
  /** Index of the item. */
  index?: number;
  /** Number of the iteration of the node, from 1. */
  pass?: number;
  /** 1 for the first attempt. */
  attempt: number;
  /** Errors of the previous reply; the prompt contains them too. */
  previousError?: Diagnostic[];
  signal: AbortSignal;
}

/** Reply with its metadata. */
export interface LlmReply {
  text?: string;
  /** Parsed text, if a schema was requested and the text is JSON. */
  json?: Json;
  /** `stop`, `length` (the text is truncated), `refusal`, or another reason of the provider. */
  finishReason?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
  model?: string;
}

export type LlmResult = string | LlmReply;

/** Callback that calls a model. Any function of this type can be used. */
export type LlmCallback = (
  request: LlmRequest,
) => LlmResult | Promise<LlmResult> | AsyncIterable<string>;

/** Type of the adapters of this package. */
export type LlmAdapter = (request: LlmRequest) => Promise<LlmReply>;

/** Called with each chunk of a reply. */
export type OnToken = (text: string, request: LlmRequest) => void;
