import { BynameError } from "../errors.js";
import type { Json } from "../wire.js";
import { toAdapter } from "./adapter.js";
import { excerpt, LlmError } from "./error.js";
import { valueAtPath } from "./pick.js";
import type { LlmRecording, RecordedCall, RecordedError } from "./record.js";
import { requestKey } from "./request-key.js";
import type { LlmRequest, LlmResult } from "./types.js";

/** Creates a callback from a recording. Equal requests get their replies in the recorded order. */
export function replay(
  recording: LlmRecording | Json,
): (request: LlmRequest) => Promise<LlmResult> {
  const queues = new Map<string, RecordedCall[]>();
  for (const call of parseCalls(recording)) {
    const queue = queues.get(call.key);
    if (queue === undefined) queues.set(call.key, [call]);
    else queue.push(call);
  }
  return toAdapter(async (request) => {
    request.signal.throwIfAborted();
    const queue = queues.get(requestKey(request));
    const call = queue?.shift();
    if (call === undefined) throw missingReplyError(request, queue !== undefined);
    if (call.error !== undefined) throw restoreError(call.error);
    return structuredClone(call.reply) as LlmResult;
  });
}

function parseCalls(recording: unknown): RecordedCall[] {
  const calls = valueAtPath(recording, "calls");
  const isCall = (call: unknown) => {
    const reply = valueAtPath(call, "reply") ?? valueAtPath(call, "error");
    return typeof valueAtPath(call, "key") === "string" && reply !== undefined && reply !== null;
  };
  if (valueAtPath(recording, "version") === 1 && Array.isArray(calls) && calls.every(isCall))
    return calls;
  const help = typeof recording === "string" ? ": parse its JSON text first" : "";
  throw new BynameError("argument", `expected a recording of \`record\`${help}`);
}

function missingReplyError({ task, prompt }: LlmRequest, known: boolean): LlmError {
  const what = known
    ? "the recording has no more replies to this request"
    : "the recording has no reply to this request";
  const message = `${what}, a \`${task}\` whose prompt begins \`${excerpt(prompt)}\`: record again`;
  return new LlmError("unavailable", "replay", message);
}

function restoreError({ name, message, kind, provider = "replay", ...rest }: RecordedError): Error {
  if (kind !== undefined) return new LlmError(kind, provider, message, rest);
  return Object.assign(new Error(message), { name });
}
