import { assertFunction, assertOptions, assertString, throwExpected } from "../arguments.js";
import { errorMessage } from "../errors.js";
import { toAdapter } from "./adapter.js";
import { callModel, pickReplyFields } from "./collect.js";
import { errorName, excerpt, LlmError } from "./error.js";
import { redactJson, redactReplyText, redactSecrets, secretForms } from "./redaction.js";
import { requestKey } from "./request-key.js";
import type { LlmCallback, LlmRequest, LlmResult } from "./types.js";

/** Recorded error. */
export interface RecordedError {
  name: string;
  message: string;
  kind?: LlmError["kind"];
  provider?: string;
  status?: number;
  retryAfter?: number;
}

/** Finished call with its reply or error. */
export interface RecordedCall {
  /** Result of `requestKey`. */
  key: string;
  task: string;
  /** Beginning of the prompt, for human readers. */
  prompt: string;
  reply?: LlmResult;
  error?: RecordedError;
}

/** Calls as plain JSON, in the order in which they were made. */
export interface LlmRecording {
  version: 1;
  calls: RecordedCall[];
}

export interface RecordOptions {
  /** Texts that bullets replace in the recording, such as keys and secret inputs. */
  secrets?: readonly string[];
}

/** Wraps a callback and records its calls, except aborted ones. */
export function record(
  llm: LlmCallback,
  options: RecordOptions = {},
): {
  llm: (request: LlmRequest) => Promise<LlmResult>;
  recording: () => LlmRecording;
} {
  assertFunction(llm, "the callback");
  assertOptions(options, ["secrets"], "the options of `record`");
  const { secrets = [] } = options;
  if (!Array.isArray(secrets)) throwExpected("`secrets`", "a list of texts", secrets);
  for (const secret of secrets) assertString(secret, "each of the `secrets`");
  const forms = secretForms(secrets);
  const calls: RecordedCall[] = [];
  const recordingLlm = toAdapter(async (request) => {
    const { task, prompt, signal } = request;
    const call: RecordedCall = {
      key: requestKey(request),
      task,
      prompt: excerpt(redactSecrets(forms, prompt)),
    };
    calls.push(call);
    try {
      const reply = await callModel(llm, request);
      call.reply = serializeReply(reply);
      return reply;
    } catch (error) {
      if (!signal.aborted) call.error = serializeError(error);
      throw error;
    }
  });
  const finishedCalls = () => calls.filter(({ reply, error }) => (reply ?? error) !== undefined);
  return {
    llm: recordingLlm,
    recording: () => withoutSecrets(forms, { version: 1, calls: finishedCalls() }),
  };
}

/** Returns a copy of a recording without secrets. Keys of calls and names of fields stay. */
function withoutSecrets(forms: readonly string[], recording: LlmRecording): LlmRecording {
  const { version, calls } = structuredClone(recording);
  for (const call of calls) {
    call.task = redactSecrets(forms, call.task);
    if (typeof call.reply === "string") call.reply = redactSecrets(forms, call.reply);
    else if (call.reply?.text !== undefined)
      call.reply.text = redactReplyText(forms, call.reply.text, call.reply.finishReason);
    for (const part of [call.reply, call.error].filter((one) => typeof one === "object"))
      for (const [name, value] of Object.entries(part ?? {}))
        Object.assign(part ?? {}, { [name]: redactJson(forms, value) });
  }
  return { version, calls };
}

/** Returns only the known fields of a reply, because others may not be JSON. */
function serializeReply(reply: LlmResult): LlmResult {
  if (typeof reply === "string") return reply;
  try {
    return JSON.parse(JSON.stringify(pickReplyFields(reply))) as LlmResult;
  } catch (cause) {
    const message = "the reply is not JSON, or nested too deep: return other `json`";
    throw new LlmError("shape", "record", message, { cause });
  }
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
