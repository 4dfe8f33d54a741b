/** Chat completions in OpenAI's format, which other servers, WebLLM and wllama use too. */
import { pickNumber, pickString, valueAtPath } from "./pick.js";
import type { ProviderReply } from "./reply.js";
import type { LlmRequest } from "./types.js";

export interface ChatMessage {
  role: "system" | "user";
  content: string;
}

/** Returns the messages of a request. */
export function messagesOf({ system, prompt }: LlmRequest): ChatMessage[] {
  const user: ChatMessage = { role: "user", content: prompt };
  return system === "" ? [user] : [{ role: "system", content: system }, user];
}

/** Returns the body of a streamed request. */
export function streamedBody(request: LlmRequest): object {
  const { temperature, seed, maxOutputTokens } = request;
  return {
    messages: messagesOf(request),
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
  };
}

/** Returns the reply of a complete response, or `undefined` if it is not a chat completion. */
export function readCompletion(completion: unknown): ProviderReply | undefined {
  const message = valueAtPath(completion, "choices", 0, "message");
  const text = contentText(valueAtPath(message, "content"));
  const refusal = pickString(message, "refusal");
  const finish = pickString(completion, "choices", 0, "finish_reason");
  // A reply without content, such as a tool call, still has a finish reason.
  const isEmpty =
    valueAtPath(message, "content") == null && valueAtPath(message, "role") === "assistant";
  if (text === undefined && refusal === undefined && !isEmpty) return undefined;
  return {
    text: text ?? refusal ?? "",
    finishReason: text === undefined && refusal !== undefined ? "refusal" : finish,
    ...usageAndModel(completion),
  };
}

/** Adds a streamed chunk to a reply. Returns the text of the chunk. */
export function addChunk(reply: ProviderReply, chunk: unknown): string {
  const delta = valueAtPath(chunk, "choices", 0, "delta");
  const refusal = pickString(delta, "refusal") ?? "";
  const chunkText = (contentText(valueAtPath(delta, "content")) ?? "") + refusal;
  reply.text += chunkText;
  const finish = pickString(chunk, "choices", 0, "finish_reason");
  if (refusal !== "") reply.finishReason = "refusal";
  else if (reply.finishReason !== "refusal") reply.finishReason = finish ?? reply.finishReason;
  const { inputTokens, outputTokens, model } = usageAndModel(chunk);
  reply.inputTokens = inputTokens ?? reply.inputTokens;
  reply.outputTokens = outputTokens ?? reply.outputTokens;
  reply.model = model ?? reply.model;
  return chunkText;
}

/** Returns a string, or the joined text parts of a list. */
function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === "string" ? content : undefined;
  return content.map((part) => pickString(part, "text") ?? "").join("");
}

function usageAndModel(answer: unknown): Partial<ProviderReply> {
  return {
    inputTokens: pickNumber(answer, "usage", "prompt_tokens"),
    outputTokens: pickNumber(answer, "usage", "completion_tokens"),
    model: pickString(answer, "model") || undefined,
  };
}
