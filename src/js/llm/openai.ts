import { assertBoolean, assertOptionTypes } from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { addChunk, messagesOf, readCompletion } from "./chat-completions.js";
import { isStrict } from "./closed-schema.js";
import { isEventStream, parseEvent, postJson, readEvents, readJson, statusAdvice } from "./http.js";
import { pickNumber, pickString, valueAtPath } from "./pick.js";
import { redactChunks, redactReply } from "./redaction.js";
import { type ProviderReply, toLlmReply } from "./reply.js";
import { objectFormat, type ResponseFormat, unwrapReply } from "./response-format.js";
import {
  addressOf,
  createServer,
  HTTP_OPTION_ASSERTIONS,
  type HttpOptions,
  redactedExcerpt,
  type Server,
  serverError,
  textOfResponse,
} from "./server.js";
import type { LlmAdapter, LlmRequest } from "./types.js";

export interface OpenAiOptions extends HttpOptions {
  model: string;
  /** `https://api.openai.com/v1` by default. */
  baseUrl?: string;
  /** Kept in memory only. Not needed for local servers. */
  apiKey?: string;
  /** Enforces the schema, if all its objects are closed and all fields required. */
  strict?: boolean;
  /**
   * Sends the grammar of a request instead of its schema, as llama.cpp accepts it; false by
   * default.
   */
  grammar?: boolean;
}

const OPTION_ASSERTIONS = {
  ...HTTP_OPTION_ASSERTIONS,
  strict: assertBoolean,
  grammar: assertBoolean,
};

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/**
 * Creates an adapter for chat completions of OpenAI and compatible servers: llama.cpp, Ollama,
 * vLLM, LM Studio, OpenRouter.
 */
export function openai(options: OpenAiOptions): LlmAdapter {
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `openai`", ["model"]);
  const { baseUrl = DEFAULT_BASE_URL, apiKey, onToken } = options;
  const ownHeaders: { [name: string]: string } = {};
  if (apiKey !== undefined) ownHeaders["authorization"] = `Bearer ${apiKey}`;
  const address = { baseUrl, path: "chat/completions" };
  const server = createServer("openai", address, { ownHeaders, key: apiKey }, options);
  const stream = options.stream ?? onToken !== undefined;
  return toAdapter(async (request) => {
    const { signal, schema } = request;
    const grammar = options.grammar ? request.grammar?.gbnf : undefined;
    const isFree = schema === undefined || grammar !== undefined;
    const format = isFree ? undefined : objectFormat(schema);
    const body = requestBody(options, stream, request, { grammar, format });
    const response = await postJson(server, body, signal);
    const chunks = redactChunks(server.secrets, (chunkText) => onToken?.(chunkText, request));
    const isStream = isEventStream(response);
    const reply = isStream
      ? await readStream(server, response, signal, chunks.push)
      : await readReply(server, response, signal);
    if (!isStream) chunks.push(reply.text);
    chunks.end(reply.finishReason);
    return toLlmReply(request, unwrapReply(redactReply(server.secrets, reply), format));
  });
}

function requestBody(
  options: OpenAiOptions,
  stream: boolean,
  request: LlmRequest,
  { grammar, format }: { grammar: string | undefined; format: ResponseFormat | undefined },
): object {
  const { schemaName, task, maxOutputTokens, temperature, seed } = request;
  const { model, baseUrl = DEFAULT_BASE_URL, strict = false, body } = options;
  // OpenAI's newer models require the new name of the limit; most other servers know only the old
  // one.
  const isOpenAi = baseUrl.startsWith("https://api.openai.com/");
  const limit = isOpenAi ? "max_completion_tokens" : "max_tokens";
  // The server would reject a schema with optional fields.
  const json_schema = format && {
    name: schemaName ?? task,
    strict: strict && isStrict(format.schema),
    schema: format.schema,
  };
  return {
    model: request.model ?? model,
    messages: messagesOf(request),
    temperature,
    seed,
    [limit]: maxOutputTokens,
    response_format: json_schema && { type: "json_schema", json_schema },
    grammar,
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    ...body,
  };
}

async function readReply(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<ProviderReply> {
  const answer = await readJson(server, response, signal);
  const reply = readCompletion(answer);
  if (reply !== undefined) return reply;
  const body = textOfResponse(answer);
  // Gateways return 200 for errors of their upstream servers.
  if (valueAtPath(answer, "error") != null) throw providerError(server, answer, "");
  const message = `${addressOf(server)} returned no chat completion: check \`baseUrl\``;
  throw serverError(server, "shape", message, { status: response.status, body });
}

async function readStream(
  server: Server,
  response: Response,
  signal: AbortSignal,
  onText: (chunkText: string) => void,
): Promise<ProviderReply> {
  const reply: ProviderReply = { text: "" };
  const cutError = (cause?: unknown) => {
    const message = `the stream of ${addressOf(server)} ended without \`[DONE]\`: retry`;
    return serverError(server, "cut", message, { text: reply.text, cause });
  };
  for await (const { data } of readEvents(response, signal, cutError)) {
    if (data === "[DONE]") return reply;
    const chunk = parseEvent(data);
    if (chunk === undefined) {
      const message = `${addressOf(server)} sent an event that is not JSON: retry without \`stream\``;
      throw serverError(server, "shape", message, { body: data, text: reply.text });
    }
    if (valueAtPath(chunk, "error") != null) throw providerError(server, chunk, reply.text);
    const chunkText = addChunk(reply, chunk);
    if (chunkText !== "") onText(chunkText);
  }
  throw cutError();
}

/** Returns the error in a response or an event. */
function providerError(server: Server, answer: unknown, text: string): Error {
  const status = pickNumber(answer, "error", "code");
  const reason =
    pickString(answer, "error", "message") ?? textOfResponse(valueAtPath(answer, "error"));
  const message = `${addressOf(server)} returned an error (\`${redactedExcerpt(server, reason)}\`): ${statusAdvice(status)}`;
  return serverError(server, "http", message, { status, body: textOfResponse(answer), text });
}
