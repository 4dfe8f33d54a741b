import type { Diagnostic, Json } from "../wire.js";

/** What a model is asked to do. */
export type LlmTask = "plan" | "process" | "analyze" | "evaluate" | "repair" | "rollout";

/** One question to a model. The adapters look at what the model sees and at the signal; the rest is for logs. */
export interface LlmRequest {
  id: string;
  task: LlmTask;
  system: string;
  prompt: string;
  /** JSON Schema of the reply, for models that can be held to it. */
  schema?: Json;
  /** Letters, digits, `_` and `-`; the task where this is left out. */
  schemaName?: string;
  /** The same as a grammar, for models that run here. */
  grammar?: { gbnf: string };
  maxOutputTokens?: number;
  temperature?: number;
  seed?: number;
  /** 1 for the first attempt. */
  attempt: number;
  /** What was wrong with the reply before; the prompt says so too. */
  previousError?: Diagnostic[];
  signal: AbortSignal;
}

/** A reply with what is known about it. */
export interface LlmReply {
  text?: string;
  /** The text as JSON, where a schema was asked for and the text is JSON. */
  json?: Json;
  /** `stop`, `length` (the text is not whole), `refusal`, or what the provider says. */
  finishReason?: string;
  usage?: { inputTokens?: number; outputTokens?: number };
  model?: string;
}

export type LlmResult = string | LlmReply;

/** What calls a model. Anything that has this shape will do. */
export type LlmCallback = (
  request: LlmRequest,
) => LlmResult | Promise<LlmResult> | AsyncIterable<string>;

/** What the adapters of this package are. */
export type LlmAdapter = (request: LlmRequest) => Promise<LlmReply>;

/** Called with each piece of a reply as it arrives. */
export type OnToken = (piece: string, request: LlmRequest) => void;
