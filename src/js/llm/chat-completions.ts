/** Chat completions as OpenAI shaped them; servers, WebLLM and wllama speak them alike. */
import { pick, pickNumber, pickString } from "./pick.js";
import type { ProviderReply } from "./reply.js";
import type { LlmRequest } from "./types.js";

export interface ChatMessage {
  role: "system" | "user";
  content: string;
}

/** The messages of a request. */
export function messagesOf({ system, prompt }: LlmRequest): ChatMessage[] {
  const user: ChatMessage = { role: "user", content: prompt };
  return system === "" ? [user] : [{ role: "system", content: system }, user];
}

/** What asks for a completion that comes in pieces. */
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

/** What a whole completion tells; undefined where it is none. */
export function readCompletion(completion: unknown): ProviderReply | undefined {
  const message = pick(completion, "choices", 0, "message");
  const text = contentText(pick(message, "content"));
  const refusal = pickString(message, "refusal");
  const finish = pickString(completion, "choices", 0, "finish_reason");
  // One that used all its tokens up for thinking, or calls a tool, says nothing, and why.
  const isEmpty = pick(message, "content") == null && pick(message, "role") === "assistant";
  if (text === undefined && refusal === undefined && !isEmpty) return undefined;
  return {
    text: text ?? refusal ?? "",
    finishReason: text === undefined && refusal !== undefined ? "refusal" : finish,
    ...usageAndModel(completion),
  };
}

/** Adds what a chunk brings; answers the piece of text in it. */
export function addChunk(reply: ProviderReply, chunk: unknown): string {
  const delta = pick(chunk, "choices", 0, "delta");
  const refusal = pickString(delta, "refusal") ?? "";
  const piece = (contentText(pick(delta, "content")) ?? "") + refusal;
  reply.text += piece;
  const finish = pickString(chunk, "choices", 0, "finish_reason");
  if (refusal !== "") reply.finishReason = "refusal";
  else if (reply.finishReason !== "refusal") reply.finishReason = finish ?? reply.finishReason;
  const { inputTokens, outputTokens, model } = usageAndModel(chunk);
  reply.inputTokens = inputTokens ?? reply.inputTokens;
  reply.outputTokens = outputTokens ?? reply.outputTokens;
  reply.model = model ?? reply.model;
  return piece;
}

/** A text, or the text parts of a list. */
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
