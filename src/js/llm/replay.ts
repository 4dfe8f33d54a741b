import { BynameError } from "../errors.js";
import type { Json } from "../wire.js";
import { beginning, LlmError } from "./error.js";
import { requestKey } from "./key.js";
import { pick } from "./pick.js";
import type { LlmRecording, RecordedCall, RecordedError } from "./record.js";
import type { LlmRequest, LlmResult } from "./types.js";

/** A callback that answers what was recorded for the same request; equal requests are answered in order. */
export function replay(
  recording: LlmRecording | Json,
): (request: LlmRequest) => Promise<LlmResult> {
  const waiting = new Map<string, RecordedCall[]>();
  for (const call of callsOf(recording)) {
    const same = waiting.get(call.key);
    if (same === undefined) waiting.set(call.key, [call]);
    else same.push(call);
  }
  return async (request) => {
    request.signal.throwIfAborted();
    const same = waiting.get(requestKey(request));
    const call = same?.shift();
    if (call === undefined) throw missing(request, same !== undefined);
    if (call.error !== undefined) throw revived(call.error);
    return structuredClone(call.reply) as LlmResult;
  };
}

function callsOf(recording: unknown): RecordedCall[] {
  const calls = pick(recording, "calls");
  const whole = (call: unknown) => {
    const reply = pick(call, "reply") ?? pick(call, "error");
    return typeof pick(call, "key") === "string" && reply !== undefined && reply !== null;
  };
  if (pick(recording, "version") === 1 && Array.isArray(calls) && calls.every(whole)) return calls;
  const help = typeof recording === "string" ? ": parse its text first" : "";
  throw new BynameError("argument", `this is not what \`recording()\` of \`record\` gives${help}`);
}

function missing({ task, prompt }: LlmRequest, known: boolean): LlmError {
  const what = known
    ? "the recording has fewer replies than this request is made for"
    : "no recorded reply to this request";
  const message = `${what}, a \`${task}\` whose prompt begins \`${beginning(prompt)}\`: record again`;
  return new LlmError("unavailable", "replay", message);
}

function revived({ name, message, kind, provider = "replay", ...rest }: RecordedError): Error {
  if (kind !== undefined) return new LlmError(kind, provider, message, rest);
  return Object.assign(new Error(message), { name });
}
