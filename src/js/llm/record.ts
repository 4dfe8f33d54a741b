import { needFunction } from "../arguments.js";
import { wordsOf } from "../errors.js";
import { partsOf, resultOf } from "./collect.js";
import { beginning, LlmError, nameOf } from "./error.js";
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
  needFunction(llm, "what is recorded");
  const calls: RecordedCall[] = [];
  const listening = async (request: LlmRequest): Promise<LlmResult> => {
    const { task, prompt, signal } = request;
    const call: RecordedCall = { key: requestKey(request), task, prompt: beginning(prompt) };
    calls.push(call);
    try {
      const reply = await resultOf(llm, request);
      call.reply = plain(reply);
      return reply;
    } catch (error) {
      if (!signal.aborted) call.error = written(error);
      throw error;
    }
  };
  const ended = () => calls.filter(({ reply, error }) => (reply ?? error) !== undefined);
  return { llm: listening, recording: () => structuredClone({ version: 1, calls: ended() }) };
}

/** A reply without what else a callback put into it, which no recording may be able to hold. */
function plain(reply: LlmResult): LlmResult {
  if (typeof reply === "string") return reply;
  return JSON.parse(JSON.stringify(partsOf(reply))) as LlmResult;
}

function written(error: unknown): RecordedError {
  const message = wordsOf(error);
  if (!(error instanceof Error)) return { name: "Error", message };
  const name = nameOf(error);
  if (!(error instanceof LlmError)) return { name, message };
  const { kind, provider, status, retryAfter } = error;
  return {
    ...{ name, message, kind, provider },
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}
