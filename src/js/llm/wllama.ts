import { abortable } from "../abort.js";
import { assertFunction, assertOptionTypes, assertPlainObject } from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { addChunk, streamedBody } from "./chat-completions.js";
import { errorLine, errorName, LlmError } from "./error.js";
import { type ProviderReply, toLlmReply } from "./reply.js";
import type { LlmAdapter, LlmRequest, OnToken } from "./types.js";

/** The used part of a `Wllama` of `@wllama/wllama`, version 3. */
export interface WllamaInstance {
  createChatCompletion(options: never): Promise<unknown>;
}

export interface WllamaOptions {
  /** Merged into the request; `undefined` removes a field. */
  body?: { [field: string]: unknown };
  onToken?: OnToken;
}

const OPTION_ASSERTIONS = { body: assertPlainObject, onToken: assertFunction };

/**
 * Creates an adapter for a wllama instance with a loaded model: llama.cpp in the page. A grammar
 * takes precedence over a schema.
 */
export function wllama(instance: WllamaInstance, options: WllamaOptions = {}): LlmAdapter {
  assertFunction(instance?.createChatCompletion, "`createChatCompletion` of the instance");
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `wllama`");
  const create = instance.createChatCompletion as (options: object) => Promise<unknown>;
  return toAdapter(async (request) => {
    const { signal } = request;
    signal.throwIfAborted();
    const reply: ProviderReply = { text: "" };
    let isInListener = false;
    const onData = (chunk: unknown) => {
      // Chunks after an abort are dropped.
      if (signal.aborted) return;
      const chunkText = addChunk(reply, chunk);
      isInListener = true;
      if (chunkText !== "") options.onToken?.(chunkText, request);
      isInListener = false;
    };
    try {
      const generated = { ...streamedBody(request), ...responseFormat(request) };
      const body = { ...generated, onData, abortSignal: signal, ...options.body };
      await abortable(create.call(instance, body), signal);
    } catch (cause) {
      signal.throwIfAborted();
      // An error of a listener is not an error of the model.
      if (isInListener) throw cause;
      throw toLlmError(cause, reply.text);
    }
    const { text, finishReason } = reply;
    if (finishReason === undefined) {
      const message = "wllama ended without a finish reason: retry, or use version 3";
      throw new LlmError("cut", "wllama", message, { text });
    }
    return toLlmReply(request, reply);
  });
}

/** Returns the response format: llama.cpp accepts a grammar or a schema, not both. */
function responseFormat({ grammar, schema, schemaName, task }: LlmRequest): object {
  if (grammar !== undefined) return { grammar: grammar.gbnf };
  if (schema === undefined) return {};
  const json_schema = { name: schemaName ?? task, schema };
  return { response_format: { type: "json_schema", json_schema } };
}

function toLlmError(cause: unknown, text: string): LlmError {
  if (errorName(cause) === "AbortError") {
    const message = "another caller stopped wllama: retry";
    return new LlmError("aborted", "wllama", message, { text, cause });
  }
  const message = `wllama failed (\`${errorLine(cause)}\`): check that a model is loaded and that the prompt fits`;
  return new LlmError("unavailable", "wllama", message, { text, cause });
}
