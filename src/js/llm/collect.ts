import { abortable } from "../abort.js";
import {
  assertFunction,
  assertSignal,
  conversionHint,
  describeType,
  isJsonCompatible,
  throwMisuse,
} from "../arguments.js";
import type { LlmCallback, LlmReply, LlmRequest, LlmResult } from "./types.js";

/**
 * Calls a callback and waits for its complete reply. An abort rejects at once, even if the callback
 * ignores it.
 */
export async function collect(llm: LlmCallback, request: LlmRequest): Promise<LlmReply> {
  assertFunction(llm, "the callback");
  assertSignal(
    request?.signal ??
      throwMisuse("missing `signal` of the request: pass `new AbortController().signal`"),
  );
  const result = await callModel(llm, request);
  return typeof result === "string" ? { text: result } : result;
}

/** Returns the reply of a callback; streamed chunks are joined. */
export async function callModel(llm: LlmCallback, request: LlmRequest): Promise<LlmResult> {
  const { signal } = request;
  signal.throwIfAborted();
  const answer = llm(request);
  if (typeof answer !== "object" || answer === null || !(Symbol.asyncIterator in answer)) {
    return assertReply(await abortable(Promise.resolve(answer), signal));
  }
  const iterator = answer[Symbol.asyncIterator]();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) return text;
      text += typeof value === "string" ? value : throwInvalidChunk(value);
    }
  } catch (error) {
    // Does not wait, because a blocked generator never returns.
    void (async () => iterator.return?.())().catch(() => {});
    throw error;
  }
}

/** Returns the fields of a reply. Replies of libraries have more fields, and getters. */
export function pickReplyFields({ text, json, finishReason, usage, model }: LlmReply): object {
  return { text, json, finishReason, usage, model };
}

function assertReply(answer: unknown): LlmResult {
  if (typeof answer === "string") return answer;
  const isObject = typeof answer === "object" && answer !== null;
  if (isObject && isJsonCompatible(answer)) return answer as LlmReply;
  const help = (isObject && conversionHint(answer)) || "return a string or `{ text }`";
  throw new Error(
    `expected a string or a reply from the callback, found ${describeType(answer)}: ${help}`,
  );
}

/**
 * Throws for a chunk that is not a string, because bytes or objects of libraries would be converted
 * to wrong text.
 */
function throwInvalidChunk(chunk: unknown): never {
  const help = ArrayBuffer.isView(chunk) ? "decode it first" : "yield its text";
  throw new Error(`expected strings from the callback, found ${describeType(chunk)}: ${help}`);
}
