import type { Json } from "../wire.js";
import type { LlmReply, LlmRequest } from "./types.js";

/** What a provider told, in words of this package. */
export interface ProviderReply {
  text: string;
  finishReason?: string | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  model?: string | undefined;
}

/** A reply. Its text is parsed only where JSON was asked for and the model came to an end. */
export function toLlmReply(request: LlmRequest, provided: ProviderReply): LlmReply {
  const { text, finishReason, inputTokens, outputTokens, model } = provided;
  const reply: LlmReply = { text };
  const json =
    request.schema === undefined || finishReason === "length" ? undefined : tryParseJson(text);
  if (json !== undefined) reply.json = json;
  if (finishReason !== undefined) reply.finishReason = finishReason;
  if (inputTokens !== undefined || outputTokens !== undefined) {
    reply.usage = {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  }
  if (model !== undefined) reply.model = model;
  return reply;
}

function tryParseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Whoever asked says what is wrong with it, and knows where.
    return undefined;
  }
}
