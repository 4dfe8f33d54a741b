import { abortable } from "../abort.js";
import {
  acceptAny,
  assertCount,
  assertFunction,
  assertOptionTypes,
  assertPlainObject,
} from "../arguments.js";
import { errorMessage } from "../errors.js";
import { toAdapter } from "./adapter.js";
import { closedSchema, isStrict } from "./closed-schema.js";
import { errorName, excerpt, LlmError } from "./error.js";
import { parseRetryAfter, statusAdvice } from "./http.js";
import { pickNumber, pickString, valueAtPath } from "./pick.js";
import {
  type ErrorParts,
  headerSecrets,
  redactedError,
  redactReply,
  redactSecrets,
  secretForms,
} from "./redaction.js";
import { type ProviderReply, toLlmReply } from "./reply.js";
import type { LlmAdapter, LlmRequest } from "./types.js";

/** Options of `aiSdk`. */
export interface AiSdkOptions {
  /** `generateText` of `ai`. */
  generateText: (options: never) => PromiseLike<{ text: string; finishReason: string }>;
  /** Model for `generateText`. */
  model: unknown;
  /** `Output` and `jsonSchema` of `ai`; without them schemas are only in the prompt. */
  Output?: { object: (options: never) => unknown };
  jsonSchema?: (schema: never) => unknown;
  /** Number of retries by the SDK; 0 by default. */
  retries?: number;
  /** Other options of `generateText`, such as `providerOptions`. */
  settings?: { [name: string]: unknown };
}

const OPTION_ASSERTIONS = {
  generateText: assertFunction,
  model: acceptAny,
  Output: acceptAny,
  jsonSchema: assertFunction,
  retries: assertCount,
  settings: assertPlainObject,
};

/** Creates an adapter for Vercel's AI SDK, version 6. */
export function aiSdk(options: AiSdkOptions): LlmAdapter {
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `aiSdk`", ["generateText"]);
  const generate = options.generateText as (settings: object) => PromiseLike<unknown>;
  const headers: object = Object(options.settings?.["headers"]);
  const secrets = secretForms(headerSecrets(Object.values(headers)));
  return toAdapter(async (request) => {
    request.signal.throwIfAborted();
    try {
      const result = await abortable(generate(settingsOf(options, request)), request.signal);
      return toLlmReply(request, redactReply(secrets, readResult(result)));
    } catch (error) {
      request.signal.throwIfAborted();
      const rejectedReply = readErrorReply(error);
      if (rejectedReply !== undefined)
        return toLlmReply(request, redactReply(secrets, rejectedReply));
      throw toLlmError(error, secrets);
    }
  });
}

function settingsOf(options: AiSdkOptions, request: LlmRequest): object {
  const { system, prompt, maxOutputTokens, temperature, seed, signal } = request;
  const output = toOutput(options, request);
  return {
    model: options.model,
    ...(system === "" ? {} : { system }),
    prompt,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(output === undefined ? {} : { output }),
    maxRetries: options.retries ?? 0,
    abortSignal: signal,
    ...options.settings,
  };
}

function toOutput({ Output, jsonSchema }: AiSdkOptions, request: LlmRequest): unknown {
  if (request.schema === undefined || Output === undefined || jsonSchema === undefined) return;
  // The provider is unknown, and most reject open schemas.
  const closed = closedSchema(request.schema);
  if (closed?.["type"] !== "object" || !isStrict(closed)) return;
  const schema = (jsonSchema as (schema: unknown) => unknown)(closed);
  const object = Output.object as (options: object) => unknown;
  return object({ schema, name: request.schemaName ?? request.task });
}

/** Reads the text and not `output`, because that getter throws if the text is not JSON. */
function readResult(result: unknown): ProviderReply {
  const text = pickString({ text: readProperty(result, "text") }, "text");
  if (text === undefined) {
    const message = "`generateText` returned no text: pass the function of `ai`, version 6";
    throw new LlmError("shape", "aiSdk", message);
  }
  const usage = readProperty(result, "usage");
  const finish = readProperty(result, "finishReason");
  return {
    text,
    finishReason: typeof finish === "string" ? finish.replaceAll("-", "_") : undefined,
    inputTokens: pickNumber(usage, "inputTokens"),
    outputTokens: pickNumber(usage, "outputTokens"),
    model: pickString(readProperty(result, "response"), "modelId"),
  };
}

/** Reads a property, which may be a getter of a class. */
function readProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the reply in the SDK's error about a reply that does not match the schema. */
function readErrorReply(error: unknown): ProviderReply | undefined {
  const text = valueAtPath(error, "text");
  if (errorName(error) !== "AI_NoObjectGeneratedError" || typeof text !== "string")
    return undefined;
  return readResult(error);
}

function toLlmError(error: unknown, secrets: readonly string[]): Error {
  if (error instanceof LlmError) return error;
  const newError = (...[kind, message, details]: ErrorParts) =>
    redactedError(secrets, "aiSdk", kind, message, { ...details, cause: error });
  // After retries the last error is nested.
  const last = valueAtPath(error, "lastError") ?? error;
  const status = pickNumber(last, "statusCode");
  const why = excerpt(redactSecrets(secrets, errorMessage(last)), 200);
  if (status !== undefined) {
    const body = pickString(last, "responseBody");
    const retryAfter = parseRetryAfter(pickString(last, "responseHeaders", "retry-after"));
    const message = `the model returned ${status} (\`${why}\`): ${statusAdvice(status, retryAfter)}`;
    return newError("http", message, { status, retryAfter, body });
  }
  if (errorName(last) === "AI_APICallError") {
    const message = `no response from the model (${why}): check the address and the network`;
    return newError("network", message);
  }
  const kind = errorName(last) === "AbortError" ? "aborted" : "unavailable";
  const message = `the AI SDK failed (\`${why}\`): check the model and its settings`;
  return newError(kind, message);
}
