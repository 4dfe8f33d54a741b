import { needEach, needFlag } from "../arguments.js";
import { adapter } from "./adapter.js";
import { addChunk, messagesOf, toldBy } from "./chat-completions.js";
import { isStrict } from "./closed-schema.js";
import { advice, isStream, parseEvent, post, readEvents, readJson } from "./http.js";
import { pick, pickNumber, pickString } from "./pick.js";
import { type ProviderAnswer, replyOf } from "./reply.js";
import { type Format, rootedFormat, unwrapped } from "./response-format.js";
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

export interface OpenAiOptions extends HttpOptions {
  model: string;
  /** `https://api.openai.com/v1` by default. */
  baseUrl?: string;
  /** Held in memory only. Local servers need none. */
  apiKey?: string;
  /** Holds the model to a schema letter by letter, where all its objects are closed and no field may be left out. */
  strict?: boolean;
  /** Sends the grammar of a request in place of its schema, which the server of llama.cpp takes; false by default. */
  grammar?: boolean;
}

const NEEDS = { ...HTTP_NEEDS, strict: needFlag, grammar: needFlag };

const OPENAI = "https://api.openai.com/v1";

/** Chat completions of OpenAI, and of all that speak like it: llama.cpp, Ollama, vLLM, LM Studio, OpenRouter. */
export function openai(options: OpenAiOptions): LlmAdapter {
  needEach(options, NEEDS, "the options of `openai`", ["model"]);
  const { baseUrl = OPENAI, apiKey, onToken } = options;
  const given: { [name: string]: string } = {};
  if (apiKey !== undefined) given["authorization"] = `Bearer ${apiKey}`;
  const address = { baseUrl, path: "chat/completions" };
  const server = serverAt("openai", address, { given, key: apiKey }, options);
  const stream = options.stream ?? onToken !== undefined;
  return adapter(async (request) => {
    const { signal, schema } = request;
    const grammar = options.grammar ? request.grammar?.gbnf : undefined;
    const isFree = schema === undefined || grammar !== undefined;
    const format = isFree ? undefined : rootedFormat(schema);
    const body = bodyOf(options, stream, request, { grammar, format });
    const response = await post(server, body, signal);
    const heard = (piece: string) => onToken?.(piece, request);
    const reply = (told: ProviderAnswer) => replyOf(request, unwrapped(told, format));
    if (isStream(response)) return reply(await follow(server, response, signal, heard));
    const told = await whole(server, response, signal);
    heard(told.text);
    return reply(told);
  });
}

function bodyOf(
  options: OpenAiOptions,
  stream: boolean,
  request: LlmRequest,
  { grammar, format }: { grammar: string | undefined; format: Format | undefined },
): object {
  const { schemaName, task, maxOutputTokens, temperature, seed } = request;
  const { model, baseUrl = OPENAI, strict = false, body } = options;
  // OpenAI has renamed the limit and its newer models insist; most others know the old name only.
  const isOpenAi = baseUrl.startsWith("https://api.openai.com/");
  const limit = isOpenAi ? "max_completion_tokens" : "max_tokens";
  // One that leaves fields open would be refused.
  const json_schema = format && {
    name: schemaName ?? task,
    strict: strict && isStrict(format.schema),
    schema: format.schema,
  };
  return {
    model,
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

async function whole(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const answer = await readJson(server, response, signal);
  const told = toldBy(answer);
  if (told !== undefined) return told;
  const body = JSON.stringify(answer);
  // Gateways answer 200 for the servers behind them.
  if (pick(answer, "error") != null) throw toldError(server, answer, "");
  const message = `${addressOf(server)} answered no chat completion: check \`baseUrl\``;
  throw failure(server, "shape", message, { status: response.status, body });
}

async function follow(
  server: Server,
  response: Response,
  signal: AbortSignal,
  heard: (piece: string) => void,
): Promise<ProviderAnswer> {
  const told: ProviderAnswer = { text: "" };
  const cut = (cause?: unknown) => {
    const message = `the stream of ${addressOf(server)} ended without \`[DONE]\`: ask again`;
    return failure(server, "cut", message, { text: told.text, cause });
  };
  for await (const { data } of readEvents(response, signal, cut)) {
    if (data === "[DONE]") return told;
    const chunk = parseEvent(data);
    if (chunk === undefined) {
      const message = `${addressOf(server)} sent an event that is not JSON: ask again without \`stream\``;
      throw failure(server, "shape", message, { body: data, text: told.text });
    }
    if (pick(chunk, "error") != null) throw toldError(server, chunk, told.text);
    const piece = addChunk(told, chunk);
    if (piece !== "") heard(piece);
  }
  throw cut();
}

/** An error that came where a reply was due. */
function toldError(server: Server, answer: unknown, text: string): Error {
  const status = pickNumber(answer, "error", "code");
  const reason = pickString(answer, "error", "message") ?? JSON.stringify(pick(answer, "error"));
  const message = `${addressOf(server)} answered an error (\`${shown(server, reason)}\`): ${advice(status)}`;
  return failure(server, "http", message, { status, body: JSON.stringify(answer), text });
}
