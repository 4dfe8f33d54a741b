import { assertFunction } from "../arguments.js";
import { errorMessage } from "../errors.js";
import { callModel, pickReplyFields } from "./collect.js";
import { errorName, excerpt, LlmError } from "./error.js";
import { requestKey } from "./request-key.js";
import type { LlmCallback, LlmRequest, LlmResult } from "./types.js";

/** An error as a recording holds it. */
export interface RecordedError {
  name: string;
  message: string;
  kind?: LlmError["kind"];
  provider?: string;
  status?: number;
  retryAfter?: number;
}

/** One call that came to an end: with a reply, or with an error. */
export interface RecordedCall {
  /** What `requestKey` says of the request. */
  key: string;
  task: string;
  /** The beginning of the prompt, for whoever reads the recording. */
  prompt: string;
  reply?: LlmResult;
  error?: RecordedError;
}

/** Plain JSON: calls in the order in which they were made. */
export interface LlmRecording {
  version: 1;
  calls: RecordedCall[];
}

/** A callback that answers what another one answers, and remembers it. Aborted calls are not remembered. */
export function record(llm: LlmCallback): {
  llm: (request: LlmRequest) => Promise<LlmResult>;
  recording: () => LlmRecording;
} {
  assertFunction(llm, "the callback");
  const calls: RecordedCall[] = [];
  const recordingLlm = async (request: LlmRequest): Promise<LlmResult> => {
    const { task, prompt, signal } = request;
    const call: RecordedCall = { key: requestKey(request), task, prompt: excerpt(prompt) };
    calls.push(call);
    try {
      const reply = await callModel(llm, request);
      call.reply = serializeReply(reply);
      return reply;
    } catch (error) {
      if (!signal.aborted) call.error = serializeError(error);
      throw error;
    }
  };
  const finishedCalls = () => calls.filter(({ reply, error }) => (reply ?? error) !== undefined);
  return {
    llm: recordingLlm,
    recording: () => structuredClone({ version: 1, calls: finishedCalls() }),
  };
}

/** A reply without what else a callback put into it, which no recording may be able to hold. */
function serializeReply(reply: LlmResult): LlmResult {
  if (typeof reply === "string") return reply;
  return JSON.parse(JSON.stringify(pickReplyFields(reply))) as LlmResult;
}

function serializeError(error: unknown): RecordedError {
  const message = errorMessage(error);
  if (!(error instanceof Error)) return { name: "Error", message };
  const name = errorName(error);
  if (!(error instanceof LlmError)) return { name, message };
  const { kind, provider, status, retryAfter } = error;
  return {
    ...{ name, message, kind, provider },
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
