import { abortable } from "../abort.js";
import { needEach, needFields, needFlag, needFunction } from "../arguments.js";
import { adapter } from "./adapter.js";
import { addChunk, streamedBody } from "./chat-completions.js";
import { LlmError, messageOf } from "./error.js";
import { type ProviderAnswer, replyOf } from "./reply.js";
import type { LlmAdapter, LlmReply, LlmRequest, OnToken } from "./types.js";

/** What is used of an engine of `@mlc-ai/web-llm`; those in workers have it too. */
export interface WebLlmEngine {
  chat: { completions: { create(request: never): Promise<unknown> } };
  interruptGenerate(): unknown;
}

export interface WebLlmOptions {
  /** Prefers the grammar of a request to its schema; false by default. */
  grammar?: boolean;
  /** Merged over the request to the engine; `undefined` takes a field out. */
  body?: { [field: string]: unknown };
  onToken?: OnToken;
}

const NEEDS = { grammar: needFlag, body: needFields, onToken: needFunction };

/** A WebLLM engine with a model loaded. It answers one request at a time. */
export function webllm(engine: WebLlmEngine, options: WebLlmOptions = {}): LlmAdapter {
  needFunction(engine?.chat?.completions?.create, "`chat.completions.create` of the engine");
  needEach(options, NEEDS, "the options of `webllm`");
  let before: Promise<unknown> = Promise.resolve();
  return adapter((request) => {
    // To interrupt is to interrupt whatever runs, so a request that waits must not.
    const mine = before.then(() => generate(engine, options, request));
    before = mine.catch(() => {});
    return abortable(mine, request.signal);
  });
}

async function generate(
  engine: WebLlmEngine,
  options: WebLlmOptions,
  request: LlmRequest,
): Promise<LlmReply> {
  const { signal } = request;
  signal.throwIfAborted();
  const told: ProviderAnswer = { text: "" };
  const stop = () => interrupt(engine);
  let listening = false;
  signal.addEventListener("abort", stop, { once: true });
  try {
    const create = engine.chat.completions.create as (request: object) => Promise<unknown>;
    const chunks = await create.call(engine.chat.completions, bodyOf(options, request));
    for await (const chunk of chunks as AsyncIterable<unknown>) {
      signal.throwIfAborted();
      const piece = addChunk(told, chunk);
      listening = true;
      if (piece !== "") options.onToken?.(piece, request);
      listening = false;
    }
  } catch (cause) {
    signal.throwIfAborted();
    // What a listener throws is not the engine's.
    if (listening) throw cause;
    const message = `WebLLM failed (\`${messageOf(cause)}\`): check that a model is loaded and that the prompt fits`;
    throw new LlmError("unavailable", "webllm", message, { text: told.text, cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  const { text, finishReason } = told;
  if (finishReason === undefined) {
    throw new LlmError("cut", "webllm", "WebLLM ended without saying why: ask again", { text });
  }
  if (finishReason === "abort") {
    const message = "somebody else interrupted WebLLM: ask again";
    throw new LlmError("aborted", "webllm", message, { text });
  }
  return replyOf(request, told);
}

function bodyOf({ grammar, body }: WebLlmOptions, request: LlmRequest): object {
  const response_format = formatOf(request, grammar ?? false);
  return {
    ...streamedBody(request),
    ...(response_format === undefined ? {} : { response_format }),
    ...body,
  };
}

/** The engine wants a schema as text, and takes either a schema or a grammar. */
function formatOf({ schema, grammar }: LlmRequest, preferred: boolean): object | undefined {
  if (grammar !== undefined && (preferred || schema === undefined)) {
    return { type: "grammar", grammar: grammar.gbnf };
  }
  if (schema === undefined) return undefined;
  return { type: "json_object", schema: JSON.stringify(schema) };
}

function interrupt(engine: WebLlmEngine): void {
  void (async () => engine.interruptGenerate())().catch(() => {});
}
