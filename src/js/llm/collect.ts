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

/** Asks a callback, whichever way it answers. An abort rejects at once, whether it listens or not. */
export async function collect(llm: LlmCallback, request: LlmRequest): Promise<LlmReply> {
  assertFunction(llm, "the callback");
  assertSignal(
    request?.signal ??
      throwMisuse("missing `signal` of the request: pass `new AbortController().signal`"),
  );
  const result = await callModel(llm, request);
  return typeof result === "string" ? { text: result } : result;
}

/** What a callback answers; pieces are put together. */
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
    // One that is stuck never ends, so nobody waits for it.
    void (async () => iterator.return?.())().catch(() => {});
    throw error;
  }
}

/** What a reply says. Results of libraries hold more, and say some of it by getters. */
export function pickReplyFields({ text, json, finishReason, usage, model }: LlmReply): object {
  return { text, json, finishReason, usage, model };
}

/** What a callback answered; throws for what is no reply. */
function assertReply(answer: unknown): LlmResult {
  if (typeof answer === "string") return answer;
  const isObject = typeof answer === "object" && answer !== null;
  if (isObject && isJsonCompatible(answer)) return answer as LlmReply;
  const help = (isObject && conversionHint(answer)) || "return a string or `{ text }`";
  throw new Error(
    `expected a string or a reply from the callback, found ${describeType(answer)}: ${help}`,
  );
}

/** Chunks of a library and bytes of a body would be a text that the model never wrote. */
function throwInvalidChunk(chunk: unknown): never {
  const help = ArrayBuffer.isView(chunk) ? "decode it first" : "yield its text";
  throw new Error(`expected strings from the callback, found ${describeType(chunk)}: ${help}`);
}
