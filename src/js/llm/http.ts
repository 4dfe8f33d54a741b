import { abortable, sleep } from "../abort.js";
import { describeType } from "../arguments.js";
import { errorMessage } from "../errors.js";
import { EventStreamParser, type ServerSentEvent } from "../event-stream.js";
import { errorReason, readBodyText } from "../response-body.js";
import type { LlmError } from "./error.js";
import { addressOf, redactedExcerpt, type Server, serverError } from "./server.js";

/** Statuses of a busy server: too many requests, unavailable, overloaded. */
const BUSY_STATUSES: readonly number[] = [429, 503, 529];

/**
 * Maximum length of an error body. Longer than the excerpt by more than the longest key, so that no
 * partial key remains.
 */
const MAX_ERROR_BODY = 16_384;

/** Posts JSON and returns the response. Retries as the options of the server say. */
export async function postJson(
  server: Server,
  body: object,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    const response = await send(server, JSON.stringify(body), signal);
    if (response.ok) return response;
    if (isRedirect(response)) throw redirectError(server, response);
    const error = await toHttpError(server, response, signal);
    const { status = 0, retryAfter } = error;
    const mayRetry =
      BUSY_STATUSES.includes(status) && retryAfter !== undefined && retryAfter <= server.maxWait;
    if (!mayRetry || attempt >= server.retries) throw error;
    await sleep(1000 * retryAfter, signal);
  }
}

/** Returns the JSON of a response. */
export async function readJson(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<unknown> {
  let text = "";
  try {
    for await (const chunk of readBodyText(response, signal)) text += chunk;
  } catch (cause) {
    signal.throwIfAborted();
    const message = `${addressOf(server)} closed the connection before the end of the response: retry`;
    throw serverError(server, "cut", message, { body: text, cause });
  }
  try {
    return JSON.parse(text);
  } catch {
    const type = response.headers.get("content-type") ?? "no content type";
    const message = `${addressOf(server)} returned a response that is not JSON (${type}): check \`baseUrl\`; most end in \`/v1\``;
    throw serverError(server, "shape", message, { status: response.status, body: text });
  }
}

/**
 * Yields the events of a response. A closed connection may be a broken one: only the end marker of
 * the protocol shows that the stream is complete. `cutError` creates the error of a broken one.
 */
export async function* readEvents(
  response: Response,
  signal: AbortSignal,
  cutError: (cause: unknown) => Error,
): AsyncGenerator<ServerSentEvent, void> {
  const parser = new EventStreamParser();
  try {
    for await (const chunk of readBodyText(response, signal)) yield* parser.push(chunk);
  } catch (cause) {
    signal.throwIfAborted();
    throw cutError(cause);
  }
  const last = parser.end();
  if (last !== undefined && isCompleteData(last.data)) yield last;
}

/**
 * Returns whether data is complete, because some servers leave out the empty line after the last
 * event.
 */
function isCompleteData(data: string): boolean {
  return data === "[DONE]" || parseEvent(data) !== undefined;
}

/** Parses the JSON of an event, or returns `undefined`. */
export function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Returns whether a response is an event stream. A server may return a complete reply instead. */
export function isEventStream(response: Response): boolean {
  const type = response.headers.get("content-type") ?? "";
  return type.toLowerCase().includes("text/event-stream");
}

async function send(server: Server, body: string, signal: AbortSignal): Promise<Response> {
  // A redirect would send the key to another server. Not every host supports `error`.
  const init = {
    method: "POST",
    headers: server.headers,
    body,
    signal,
    redirect: "manual",
  } as const;
  // Treats a synchronous error or result like an asynchronous one.
  const answer = (async () => server.fetch(server.url, init))();
  let response: Response;
  try {
    response = await abortable(answer, signal);
  } catch (cause) {
    if (signal.aborted) {
      // For a `fetch` that ignores the signal.
      answer.then((late) => late.body?.cancel()).catch(() => {});
      throw signal.reason;
    }
    const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
    const why = redactedExcerpt(server, errorMessage(inner));
    const message = `no response from ${addressOf(server)} (${why}): check the address and that the server runs; for pages it must send CORS headers`;
    throw serverError(server, "network", message, { cause });
  }
  return assertResponse(server, response);
}

/** Throws unless a custom `fetch` has returned a Response. */
function assertResponse(server: Server, answer: Response): Response {
  if (typeof answer?.ok === "boolean" && typeof answer.headers?.get === "function") return answer;
  const message = `expected \`fetch\` to return a Response, found ${describeType(answer)}`;
  throw serverError(server, "shape", message);
}

/** Returns whether a response is a redirect. In a page it is opaque. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function redirectError(server: Server, response: Response): LlmError {
  response.body?.cancel().catch(() => {});
  const to = response.headers.get("location");
  const where = to === null ? "elsewhere" : `to \`${redactedExcerpt(server, to)}\``;
  const message = `${addressOf(server)} redirects ${where}, and redirects are not followed: set \`baseUrl\` to the final address`;
  return serverError(server, "http", message, { status: response.status || undefined });
}

/** Returns the error of an unsuccessful response. */
async function toHttpError(
  server: Server,
  response: Response,
  signal: AbortSignal,
): Promise<LlmError> {
  let body = "";
  try {
    for await (const chunk of readBodyText(response, signal)) {
      body += chunk;
      if (body.length > MAX_ERROR_BODY) break;
    }
  } catch {
    signal.throwIfAborted();
  }
  const { status } = response;
  const reason = errorReason(body);
  const detail = reason === undefined ? "" : ` (\`${redactedExcerpt(server, reason)}\`)`;
  const retryAfter = parseRetryAfter(response.headers.get("retry-after"));
  const message = `${addressOf(server)} returned ${status}${detail}: ${statusAdvice(status, retryAfter)}`;
  return serverError(server, "http", message, { status, retryAfter, body });
}

/** Returns advice for an HTTP status. */
export function statusAdvice(status: number | undefined, retryAfter?: number): string {
  switch (status) {
    case 400:
    case 422:
      return "this model does not accept the request; change it with `body` of the options";
    case 401:
    case 403:
      return "check the key, and that it may use this model";
    case 404:
      return "check `baseUrl` and `model`";
    case 413:
      return "the prompt is too long";
    case 429:
    case 503:
    case 529:
      return retryAfter === undefined
        ? "the server is busy or your quota is used up; retry later"
        : `the server is busy; retry in ${Math.ceil(retryAfter)} s, or set \`retries\` (and \`maxWait\`, where that is longer than 60 s)`;
    default:
      return (status ?? 500) < 500
        ? "the server does not accept the request"
        : "the server failed; retry";
  }
}

/** Parses Retry-After (RFC 9110, section 10.2.3) into seconds. */
export function parseRetryAfter(header: string | null | undefined): number | undefined {
  if (header == null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header);
  // `Date.parse` accepts other texts too.
  const date = /^\s*[A-Z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
