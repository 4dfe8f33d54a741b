import { assertBoolean, assertCount, assertOptionTypes } from "../arguments.js";
import { toAdapter } from "./adapter.js";
import { messagesOf } from "./chat-completions.js";
import { isEventStream, parseEvent, postJson, readEvents, readJson, statusAdvice } from "./http.js";
import { pickNumber, pickString, valueAtPath } from "./pick.js";
import { redactChunks, redactReply } from "./redaction.js";
import { type ProviderReply, toLlmReply } from "./reply.js";
import { closedFormat, type ResponseFormat, unwrapReply } from "./response-format.js";
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

export interface AnthropicOptions extends HttpOptions {
  model: string;
  /** Kept in memory only. Not needed for a proxy that adds the key. */
  apiKey?: string;
  /** `https://api.anthropic.com/v1` by default. */
  baseUrl?: string;
  /** Default limit of output tokens; 4,096 by default. */
  maxTokens?: number;
  /** Requests that the server accept calls from a page. Users of the page can read the key. */
  browser?: boolean;
}

const OPTION_ASSERTIONS = {
  ...HTTP_OPTION_ASSERTIONS,
  maxTokens: assertCount,
  browser: assertBoolean,
};

const DEFAULT_BASE_URL = "https://api.anthropic.com/v1";

/** Creates an adapter for the Messages API of Anthropic. */
export function anthropic(options: AnthropicOptions): LlmAdapter {
  const required = options?.baseUrl === undefined ? ["model", "apiKey"] : ["model"];
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `anthropic`", required);
  const { baseUrl = DEFAULT_BASE_URL, apiKey, browser = false, onToken } = options;
  const ownHeaders = {
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    "anthropic-version": "2023-06-01",
    ...(browser ? { "anthropic-dangerous-direct-browser-access": "true" } : {}),
  };
  const address = { baseUrl, path: "messages" };
  const server = createServer("anthropic", address, { ownHeaders, key: apiKey }, options);
  const stream = options.stream ?? onToken !== undefined;
  return toAdapter(async (request) => {
    const { signal, schema } = request;
    const format = schema === undefined ? undefined : closedFormat(schema);
    const response = await postJson(server, requestBody(options, stream, request, format), signal);
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
  options: AnthropicOptions,
  stream: boolean,
  request: LlmRequest,
  format: ResponseFormat | undefined,
): object {
  const { temperature, maxOutputTokens } = request;
  const { model, maxTokens = 4096, body } = options;
  return {
    model: request.model ?? model,
    max_tokens: maxOutputTokens ?? maxTokens,
    system: request.system || undefined,
    messages: messagesOf({ ...request, system: "" }),
    temperature,
    output_config: format && { format: { type: "json_schema", schema: format.schema } },
    stream: stream || undefined,
    ...body,
  };
}

async function readReply(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<ProviderReply> {
  const answer = await readJson(server, response, signal);
  const blocks = valueAtPath(answer, "content");
  if (!Array.isArray(blocks)) {
    const message = `${addressOf(server)} returned no message: check \`baseUrl\``;
    const body = textOfResponse(answer);
    throw serverError(server, "shape", message, { status: response.status, body });
  }
  const texts = blocks.filter((block) => valueAtPath(block, "type") === "text");
  return {
    text: texts.map((block) => pickString(block, "text") ?? "").join(""),
    finishReason: toFinishReason(pickString(answer, "stop_reason")),
    inputTokens: pickNumber(answer, "usage", "input_tokens"),
    outputTokens: pickNumber(answer, "usage", "output_tokens"),
    model: pickString(answer, "model"),
  };
}

async function readStream(
  server: Server,
  response: Response,
  signal: AbortSignal,
  onText: (chunkText: string) => void,
): Promise<ProviderReply> {
  const reply: ProviderReply = { text: "" };
  const cutError = (cause?: unknown) => {
    const message = `the stream of ${addressOf(server)} ended without \`message_stop\`: retry`;
    return serverError(server, "cut", message, { text: reply.text, cause });
  };
  for await (const { data } of readEvents(response, signal, cutError)) {
    const event = parseEvent(data);
    if (event === undefined) {
      const message = `${addressOf(server)} sent an event that is not JSON: retry without \`stream\``;
      throw serverError(server, "shape", message, { body: data, text: reply.text });
    }
    switch (valueAtPath(event, "type")) {
      case "message_start":
        reply.model = pickString(event, "message", "model");
        reply.inputTokens = pickNumber(event, "message", "usage", "input_tokens");
        break;
      case "content_block_delta": {
        const chunkText = pickString(event, "delta", "text") ?? "";
        reply.text += chunkText;
        if (chunkText !== "") onText(chunkText);
        break;
      }
      case "message_delta":
        reply.finishReason = toFinishReason(pickString(event, "delta", "stop_reason"));
        reply.outputTokens = pickNumber(event, "usage", "output_tokens");
        break;
      case "message_stop":
        return reply;
      case "error":
        throw providerError(server, event, reply.text);
    }
  }
  throw cutError();
}

/** Maps the stop reason to the names that all adapters use. */
function toFinishReason(reason: string | undefined): string | undefined {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      return "stop";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    default:
      return reason;
  }
}

/** HTTP statuses of error types, for errors inside a stream. */
const STATUSES: { readonly [type: string]: number } = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

function providerError(server: Server, event: unknown, text: string): Error {
  const type = pickString(event, "error", "type") ?? "error";
  const status = Object.hasOwn(STATUSES, type) ? STATUSES[type] : undefined;
  const reason = pickString(event, "error", "message") ?? type;
  const message = `${addressOf(server)} returned an error (\`${redactedExcerpt(server, reason)}\`): ${statusAdvice(status)}`;
  return serverError(server, "http", message, { status, body: textOfResponse(event), text });
}
