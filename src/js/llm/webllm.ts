import { abortable } from "../abort.js";
import {
  assertBoolean,
  assertFunction,
  assertOptionTypes,
  assertPlainObject,
} from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { addChunk, streamedBody } from "./chat-completions.js";
import { errorLine, LlmError } from "./error.js";
import { type ProviderReply, toLlmReply } from "./reply.js";
import type { LlmAdapter, LlmReply, LlmRequest, OnToken } from "./types.js";

/** The used part of an engine of `@mlc-ai/web-llm`, also one in a worker. */
export interface WebLlmEngine {
  chat: { completions: { create(request: never): Promise<unknown> } };
  interruptGenerate(): unknown;
}

export interface WebLlmOptions {
  /** Prefers the grammar of a request over its schema; false by default. */
  grammar?: boolean;
  /** Merged into the request to the engine; `undefined` removes a field. */
  body?: { [field: string]: unknown };
  onToken?: OnToken;
}

const OPTION_ASSERTIONS = {
  grammar: assertBoolean,
  body: assertPlainObject,
  onToken: assertFunction,
};

/** Creates an adapter for a WebLLM engine with a loaded model. It runs one request at a time. */
export function webllm(engine: WebLlmEngine, options: WebLlmOptions = {}): LlmAdapter {
  assertFunction(engine?.chat?.completions?.create, "`chat.completions.create` of the engine");
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `webllm`");
  let previous: Promise<unknown> = Promise.resolve();
  return toAdapter((request) => {
    // A waiting request must not interrupt, because that would stop the running one.
    const current = previous.then(() => generateReply(engine, options, request));
    previous = current.catch(() => {});
    return abortable(current, request.signal);
  });
}

async function generateReply(
  engine: WebLlmEngine,
  options: WebLlmOptions,
  request: LlmRequest,
): Promise<LlmReply> {
  const { signal } = request;
  signal.throwIfAborted();
  const reply: ProviderReply = { text: "" };
  const stop = () => interruptEngine(engine);
  let isInListener = false;
  signal.addEventListener("abort", stop, { once: true });
  try {
    const create = engine.chat.completions.create as (request: object) => Promise<unknown>;
    const chunks = await create.call(engine.chat.completions, requestBody(options, request));
    for await (const chunk of chunks as AsyncIterable<unknown>) {
      signal.throwIfAborted();
      const chunkText = addChunk(reply, chunk);
      isInListener = true;
      if (chunkText !== "") options.onToken?.(chunkText, request);
      isInListener = false;
    }
  } catch (cause) {
    signal.throwIfAborted();
    // An error of a listener is not an error of the engine.
    if (isInListener) throw cause;
    const message = `WebLLM failed (\`${errorLine(cause)}\`): check that a model is loaded and that the prompt fits`;
    throw new LlmError("unavailable", "webllm", message, { text: reply.text, cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  const { text, finishReason } = reply;
  if (finishReason === undefined) {
    throw new LlmError("cut", "webllm", "WebLLM ended without a finish reason: retry", { text });
  }
  if (finishReason === "abort") {
    const message = "another caller interrupted WebLLM: retry";
    throw new LlmError("aborted", "webllm", message, { text });
  }
  return toLlmReply(request, reply);
}

function requestBody({ grammar, body }: WebLlmOptions, request: LlmRequest): object {
  const response_format = responseFormat(request, grammar ?? false);
  return {
    ...streamedBody(request),
    ...(response_format === undefined ? {} : { response_format }),
    ...body,
  };
}

/** Returns the response format: the engine accepts a schema as text, or a grammar. */
function responseFormat({ schema, grammar }: LlmRequest, preferred: boolean): object | undefined {
  if (grammar !== undefined && (preferred || schema === undefined)) {
    return { type: "grammar", grammar: grammar.gbnf };
  }
  if (schema === undefined) return undefined;
  return { type: "json_object", schema: JSON.stringify(schema) };
}

function interruptEngine(engine: WebLlmEngine): void {
  void (async () => engine.interruptGenerate())().catch(() => {});
}
