/** Chat completions as OpenAI shaped them; servers, WebLLM and wllama speak them alike. */
import { pick, pickNumber, pickString } from "./pick.js";
import type { ProviderAnswer } from "./reply.js";
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
export function toldBy(completion: unknown): ProviderAnswer | undefined {
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
export function addChunk(told: ProviderAnswer, chunk: unknown): string {
  const delta = pick(chunk, "choices", 0, "delta");
  const refusal = pickString(delta, "refusal") ?? "";
  const piece = (contentText(pick(delta, "content")) ?? "") + refusal;
  told.text += piece;
  const finish = pickString(chunk, "choices", 0, "finish_reason");
  if (refusal !== "") told.finishReason = "refusal";
  else if (told.finishReason !== "refusal") told.finishReason = finish ?? told.finishReason;
  const { inputTokens, outputTokens, model } = usageAndModel(chunk);
  told.inputTokens = inputTokens ?? told.inputTokens;
  told.outputTokens = outputTokens ?? told.outputTokens;
  told.model = model ?? told.model;
  return piece;
}

/** A text, or the text parts of a list. */
function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return typeof content === "string" ? content : undefined;
  return content.map((part) => pickString(part, "text") ?? "").join("");
}

function usageAndModel(answer: unknown): Partial<ProviderAnswer> {
  return {
    inputTokens: pickNumber(answer, "usage", "prompt_tokens"),
    outputTokens: pickNumber(answer, "usage", "completion_tokens"),
    model: pickString(answer, "model") || undefined,
  };
}
