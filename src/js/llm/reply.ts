import type { Json } from "../wire.js";
import type { LlmReply, LlmRequest } from "./types.js";

/** Reply of a provider in a common format. */
export interface ProviderReply {
  text: string;
  finishReason?: string | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  model?: string | undefined;
}

/** Converts a reply. Parses its text if JSON was requested and the reply is complete. */
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
    // The caller reports invalid JSON, because it knows the location.
    return undefined;
  }
}
