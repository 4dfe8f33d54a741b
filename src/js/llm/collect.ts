import { abortable } from "../abort.js";
import { helpFor, isTransparent, named, needFunction, needSignal, refuse } from "../arguments.js";
import type { LlmCallback, LlmReply, LlmRequest, LlmResult } from "./types.js";

/** Asks a callback, whichever way it answers. An abort rejects at once, whether it listens or not. */
export async function collect(llm: LlmCallback, request: LlmRequest): Promise<LlmReply> {
  needFunction(llm, "what is asked");
  needSignal(request?.signal ?? refuse("a request has a `signal`: `new AbortController().signal`"));
  const result = await resultOf(llm, request);
  return typeof result === "string" ? { text: result } : result;
}

/** What a callback answers; pieces are put together. */
export async function resultOf(llm: LlmCallback, request: LlmRequest): Promise<LlmResult> {
  const { signal } = request;
  signal.throwIfAborted();
  const answer = llm(request);
  if (typeof answer !== "object" || answer === null || !(Symbol.asyncIterator in answer)) {
    return needReply(await abortable(Promise.resolve(answer), signal));
  }
  const iterator = answer[Symbol.asyncIterator]();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(iterator.next(), signal);
      if (done) return text;
      text += typeof value === "string" ? value : noPiece(value);
    }
  } catch (error) {
    // One that is stuck never ends, so nobody waits for it.
    void (async () => iterator.return?.())().catch(() => {});
    throw error;
  }
}

/** What a reply says. Results of libraries hold more, and say some of it by getters. */
export function partsOf({ text, json, finishReason, usage, model }: LlmReply): object {
  return { text, json, finishReason, usage, model };
}

/** What a callback answered; throws for what is no reply. */
function needReply(answer: unknown): LlmResult {
  if (typeof answer === "string") return answer;
  const whole = typeof answer === "object" && answer !== null;
  if (whole && isTransparent(answer)) return answer as LlmReply;
  const help = (whole && helpFor(answer)) || "answer a text, or `{ text }`";
  throw new Error(`the callback answered ${named(answer)}: ${help}`);
}

/** Chunks of a library and bytes of a body would be a text that the model never wrote. */
function noPiece(piece: unknown): never {
  const help = ArrayBuffer.isView(piece) ? "decode it first" : "yield the text that it holds";
  throw new Error(`the callback yielded ${named(piece)}, and pieces are texts: ${help}`);
}
