import { abortable } from "../abort.js";
import {
  assertBoolean,
  assertFunction,
  assertOptionTypes,
  assertPlainObject,
} from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { errorLine, errorName, LlmError } from "./error.js";
import { toLlmReply } from "./reply.js";
import type { LlmAdapter, LlmRequest, OnToken } from "./types.js";

export interface ChromeAiOptions {
  /** Options of `LanguageModel.create`, such as languages and `monitor`. */
  options?: { [name: string]: unknown };
  /**
   * Whether a call may download the model, which has gigabytes and requires a preceding click;
   * false by default.
   */
  download?: boolean;
  onToken?: OnToken;
}

const OPTION_ASSERTIONS = {
  options: assertPlainObject,
  download: assertBoolean,
  onToken: assertFunction,
};

/** The used part of the Prompt API. */
interface LanguageModel {
  availability(options: object): Promise<string>;
  create(options: object): Promise<LanguageModelSession>;
}

interface LanguageModelSession {
  prompt(input: string, options: object): Promise<string>;
  promptStreaming(input: string, options: object): ReadableStream<string>;
  destroy(): void;
}

/** Creates an adapter for the model that is built into Chrome. Each call has its own session. */
export function chromeAi(options: ChromeAiOptions = {}): LlmAdapter {
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `chromeAi`");
  return toAdapter(async (request) => {
    const { signal } = request;
    const { onToken } = options;
    let isInListener = false;
    const onText = (text: string) => {
      isInListener = true;
      onToken?.(text, request);
      isInListener = false;
    };
    signal.throwIfAborted();
    try {
      const model = await findModel(options, signal);
      const session = await openSession(model, options, request);
      try {
        return toLlmReply(request, {
          text: await promptModel(session, request, onToken && onText),
        });
      } finally {
        session.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      // An error of a listener is not an error of the model.
      throw isInListener ? error : toLlmError(error);
    }
  });
}

async function findModel(
  { options, download = false }: ChromeAiOptions,
  signal: AbortSignal,
): Promise<LanguageModel> {
  const model = (globalThis as { LanguageModel?: LanguageModel }).LanguageModel;
  if (model === undefined) {
    throw unavailable("this browser has no built-in model: use Chrome on a desktop, over https");
  }
  const state = await abortable(model.availability({ ...options }), signal);
  if (state === "unavailable") {
    throw unavailable("the built-in model does not run on this machine or with these `options`");
  }
  if (state !== "available" && !download) {
    const message = `the built-in model is not downloaded (\`${state}\`): set \`download\` and call from a click`;
    throw unavailable(message);
  }
  return model;
}

async function openSession(
  model: LanguageModel,
  { options }: ChromeAiOptions,
  { system, signal }: LlmRequest,
): Promise<LanguageModelSession> {
  const initialPrompts = [{ role: "system", content: system }];
  const creating = model.create({
    ...options,
    ...(system === "" ? {} : { initialPrompts }),
    signal,
  });
  try {
    return await abortable(creating, signal);
  } catch (error) {
    // Destroys a session that is created despite the abort.
    creating.then((session) => session.destroy()).catch(() => {});
    throw error;
  }
}

async function promptModel(
  session: LanguageModelSession,
  { prompt, schema, signal }: LlmRequest,
  onText: ((text: string) => void) | undefined,
): Promise<string> {
  const settings = { signal, ...(schema === undefined ? {} : { responseConstraint: schema }) };
  if (onText === undefined) return abortable(session.prompt(prompt, settings), signal);
  const reader = session.promptStreaming(prompt, settings).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return text;
      text += value;
      onText(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function unavailable(message: string): LlmError {
  return new LlmError("unavailable", "chromeAi", message);
}

function toLlmError(error: unknown): unknown {
  if (error instanceof LlmError || !(error instanceof Error)) return error;
  const fail = (kind: LlmError["kind"], message: string) =>
    new LlmError(kind, "chromeAi", message, { cause: error });
  switch (errorName(error)) {
    case "AbortError":
      return fail("aborted", "the browser stopped the model: retry");
    case "NotAllowedError":
      return fail("unavailable", "the page may not use the model now: call from a click");
    case "QuotaExceededError":
      return fail("unavailable", "the prompt is too long for the built-in model");
    case "NotSupportedError":
      return fail("unavailable", `the built-in model cannot do this (${errorLine(error)})`);
    case "SyntaxError":
      return fail("shape", "the reply of the built-in model does not match the schema: retry");
    default:
      return fail("unavailable", `the built-in model failed (${errorLine(error)})`);
  }
}
