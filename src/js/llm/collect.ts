import { abortable } from "./abort.js";
import type { LlmCallback, LlmReply, LlmRequest, LlmResult } from "./types.js";

/** Asks a callback, whichever way it answers. An abort rejects at once, whether it listens or not. */
export async function collect(llm: LlmCallback, request: LlmRequest): Promise<LlmReply> {
  const result = await resultOf(llm, request);
  return typeof result === "string" ? { text: result } : result;
}

/** What a callback answers; pieces are put together. */
export async function resultOf(llm: LlmCallback, request: LlmRequest): Promise<LlmResult> {
  const { signal } = request;
  signal.throwIfAborted();
  const answer = llm(request);
  if (typeof answer !== "object" || answer === null || !(Symbol.asyncIterator in answer)) {
    return abortable(Promise.resolve(answer), signal);
  }
  const iterator = answer[Symbol.asyncIterator]();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) return text;
      text += value;
    }
  } catch (error) {
    // One that is stuck never ends, so nobody waits for it.
    iterator.return?.().then(undefined, () => {});
    throw error;
  }
}
