import { needCount, needEach, needFlag } from "../arguments.js";
import { adapter } from "./adapter.js";
import { messagesOf } from "./chat-completions.js";
import { advice, isStream, parseEvent, post, readEvents, readJson } from "./http.js";
import { pick, pickNumber, pickString } from "./pick.js";
import { type ProviderAnswer, replyOf } from "./reply.js";
import { closedFormat, type Format, unwrapped } from "./response-format.js";
import {
  addressOf,
  failure,
  HTTP_NEEDS,
  type HttpOptions,
  type Server,
  serverAt,
  shown,
} from "./server.js";
import type { LlmAdapter, LlmRequest } from "./types.js";

export interface AnthropicOptions extends HttpOptions {
  model: string;
  /** Held in memory only. A server of one's own that adds it needs none. */
  apiKey?: string;
  /** `https://api.anthropic.com/v1` by default. */
  baseUrl?: string;
  /** Tokens of a reply where the request sets no limit; 4,096 by default. */
  maxTokens?: number;
  /** Asks the server to answer a page. Whoever can read the page can then read the key. */
  browser?: boolean;
}

const NEEDS = { ...HTTP_NEEDS, maxTokens: needCount, browser: needFlag };

const ANTHROPIC = "https://api.anthropic.com/v1";

/** The messages of Anthropic. */
export function anthropic(options: AnthropicOptions): LlmAdapter {
  const required = options?.baseUrl === undefined ? ["model", "apiKey"] : ["model"];
  needEach(options, NEEDS, "the options of `anthropic`", required);
  const { baseUrl = ANTHROPIC, apiKey, browser = false, onToken } = options;
  const given = {
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    "anthropic-version": "2023-06-01",
    ...(browser ? { "anthropic-dangerous-direct-browser-access": "true" } : {}),
  };
  const address = { baseUrl, path: "messages" };
  const server = serverAt("anthropic", address, { given, key: apiKey }, options);
  const stream = options.stream ?? onToken !== undefined;
  return adapter(async (request) => {
    const { signal, schema } = request;
    const format = schema === undefined ? undefined : closedFormat(schema);
    const response = await post(server, bodyOf(options, stream, request, format), signal);
    const heard = (piece: string) => onToken?.(piece, request);
    const reply = (told: ProviderAnswer) => replyOf(request, unwrapped(told, format));
    if (isStream(response)) return reply(await follow(server, response, signal, heard));
    const told = await whole(server, response, signal);
    heard(told.text);
    return reply(told);
  });
}

function bodyOf(
  options: AnthropicOptions,
  stream: boolean,
  request: LlmRequest,
  format: Format | undefined,
): object {
  const { temperature, maxOutputTokens } = request;
  const { model, maxTokens = 4096, body } = options;
  return {
    model,
    max_tokens: maxOutputTokens ?? maxTokens,
    system: request.system || undefined,
    messages: messagesOf({ ...request, system: "" }),
    temperature,
    output_config: format && { format: { type: "json_schema", schema: format.schema } },
    stream: stream || undefined,
    ...body,
  };
}

async function whole(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const answer = await readJson(server, response, signal);
  const blocks = pick(answer, "content");
  if (!Array.isArray(blocks)) {
    const message = `${addressOf(server)} answered no message: check \`baseUrl\``;
    const body = JSON.stringify(answer);
    throw failure(server, "shape", message, { status: response.status, body });
  }
  const texts = blocks.filter((block) => pick(block, "type") === "text");
  return {
    text: texts.map((block) => pickString(block, "text") ?? "").join(""),
    finishReason: finishReason(pickString(answer, "stop_reason")),
    inputTokens: pickNumber(answer, "usage", "input_tokens"),
    outputTokens: pickNumber(answer, "usage", "output_tokens"),
    model: pickString(answer, "model"),
  };
}

async function follow(
  server: Server,
  response: Response,
  signal: AbortSignal,
  heard: (piece: string) => void,
): Promise<ProviderAnswer> {
  const told: ProviderAnswer = { text: "" };
  const cut = (cause?: unknown) => {
    const message = `the stream of ${addressOf(server)} ended without \`message_stop\`: ask again`;
    return failure(server, "cut", message, { text: told.text, cause });
  };
  for await (const { data } of readEvents(response, signal, cut)) {
    const event = parseEvent(data);
    if (event === undefined) {
      const message = `${addressOf(server)} sent an event that is not JSON: ask again without \`stream\``;
      throw failure(server, "shape", message, { body: data, text: told.text });
    }
    switch (pick(event, "type")) {
      case "message_start":
        told.model = pickString(event, "message", "model");
        told.inputTokens = pickNumber(event, "message", "usage", "input_tokens");
        break;
      case "content_block_delta": {
        const piece = pickString(event, "delta", "text") ?? "";
        told.text += piece;
        if (piece !== "") heard(piece);
        break;
      }
      case "message_delta":
        told.finishReason = finishReason(pickString(event, "delta", "stop_reason"));
        told.outputTokens = pickNumber(event, "usage", "output_tokens");
        break;
      case "message_stop":
        return told;
      case "error":
        throw toldError(server, event, told.text);
    }
  }
  throw cut();
}

/** Why the model stopped, in the words that all adapters use. */
function finishReason(reason: string | undefined): string | undefined {
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

/** The statuses that errors have where they do not come inside a stream. */
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

function toldError(server: Server, event: unknown, text: string): Error {
  const type = pickString(event, "error", "type") ?? "error";
  const status = Object.hasOwn(STATUSES, type) ? STATUSES[type] : undefined;
  const reason = pickString(event, "error", "message") ?? type;
  const message = `${addressOf(server)} answered an error (\`${shown(server, reason)}\`): ${advice(status)}`;
  return failure(server, "http", message, { status, body: JSON.stringify(event), text });
}
