import { describeType } from "../arguments.js";
import { errorMessage } from "../errors.js";
import type { CatalogFunction } from "../functions/call-context.js";
import { markData, textMark } from "../functions/data-mark.js";
import { evaluate, isBasicFunction } from "../functions/evaluate.js";
import { toPlainJson } from "../json-text.js";
import { isJsonObject, type JsonObject, textOf } from "../json-value.js";
import type { Diagnostic, Json } from "../types.js";
import { type ArgumentSource, argumentError, resolveArguments } from "./call-arguments.js";
import type { CatalogScope, FunctionLookup } from "./function-lookup.js";
import { diagnostic, type Message, type ReportedDiagnostic } from "./translation.js";

/** Surface and page of the functions that an agent calls. */
export interface RendererCallHost extends ArgumentSource {
  readonly lookup: FunctionLookup;
  readonly timeout: number;
  scope(): CatalogScope;
  hasUserActivation(): boolean;
  send(message: JsonObject): void;
}

/** Maximum number of remembered calls, which are not run again when a stream repeats. */
const MAX_REMEMBERED_CALLS = 1_000;
/** Maximum length of an error message in characters. */
const MAX_ERROR_LENGTH = 200;

/** Call of a function of the page. */
interface Request {
  id: string;
  name: string;
  catalogId: Json | undefined;
  call: JsonObject;
  surfaceId: Json | undefined;
  /** Whether the message has the form of the first drafts of v1.0. */
  isDraft: boolean;
  wantsResponse: boolean;
}

class CallError extends Error {
  readonly code: "INVALID_FUNCTION_CALL" | "EXECUTION_ERROR";

  constructor(code: CallError["code"], message: string) {
    super(message.slice(0, MAX_ERROR_LENGTH));
    this.code = code;
  }
}

/** Ids of the last calls. */
export class RememberedCalls {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MAX_REMEMBERED_CALLS) break;
      this.#ids.delete(oldest);
    }
  }
}

/** Runs the functions of a page that an agent calls, and sends the responses. */
export class RendererCalls {
  readonly #host: RendererCallHost;
  readonly #remembered = new RememberedCalls();

  constructor(host: RendererCallHost) {
    this.#host = host;
  }

  /** Runs the call in a message. A repeated call is ignored. */
  receive(message: Message): Diagnostic[] {
    const request = readRequest(message);
    if ("error" in request) return [this.#rejectCall(message, request.error)];
    if (this.#remembered.has(request.id)) return [];
    this.#remembered.add(request.id);
    try {
      const result = this.#runFunction(request);
      if (isPromise(result)) this.#awaitResult(request, result);
      else this.#respond(request, { value: this.#jsonOf(request, result) });
    } catch (error) {
      this.#respondWithError(request, error);
    }
    return [];
  }

  /** Reports a call without an id or a function, to which no response is possible. */
  #rejectCall(message: Message, error: string): ReportedDiagnostic {
    const { callRendererFunction } = message;
    const body = isJsonObject(callRendererFunction) ? callRendererFunction : message;
    const { functionCallId } = body;
    const about =
      typeof functionCallId === "string"
        ? { functionCallId }
        : { surfaceId: this.#host.scope().surfaceId ?? "" };
    const help =
      'write {"callRendererFunction": {"functionCallId": "…", "callFunction": {"@call": "…", "catalogId": "…", "args": {}}}}';
    return {
      ...diagnostic("A2UI017", error, help, "/callRendererFunction", "error"),
      report: { code: "INVALID_FUNCTION_CALL", message: error, about },
    };
  }

  /** Checks a call and runs its function. Throws a `CallError` if it is not allowed or fails. */
  #runFunction({ name, catalogId, call, surfaceId, isDraft }: Request): unknown {
    const host = this.#host;
    const scope = host.scope();
    if (surfaceId !== undefined && surfaceId !== scope.surfaceId)
      throw invalidCallError(`Surface not found: ${textOf(surfaceId)}`);
    if (catalogId === undefined && !isDraft)
      throw invalidCallError("Missing catalogId of the call");
    const target = host.lookup.findTarget(name, catalogId, scope);
    if (target.kind === "unknown") throw invalidCallError(target.message);
    const { definition, catalog } = target;
    const allowed = definition?.allowedCallers ?? "rendererOnly";
    if (definition === undefined || catalog === undefined)
      throw invalidCallError(`Function not found: ${name}`);
    if (allowed === "rendererOnly") {
      throw invalidCallError(
        `Function '${name}' cannot be called by agent (allowedCallers is ${allowed}).`,
      );
    }
    const { args, diagnostics } = resolveArguments(call, {
      ...host,
      atKeys: host.atKeys,
      dataModel: () => (surfaceId === undefined ? {} : host.dataModel()),
    });
    const given = call["args"] ?? {};
    const error = isJsonObject(given)
      ? (diagnostics[0]?.message ?? argumentError(catalog, name, args))
      : `expected an object in \`args\`, found ${describeType(given)}`;
    if (error !== undefined)
      throw invalidCallError(`Invalid arguments of function '${name}': ${error}`);
    if (definition.requiresUserActivation === true && !host.hasUserActivation())
      throw invalidCallError(`Function '${name}' requires user activation context to execute.`);
    const { functions } = host.lookup;
    const own = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (own === undefined && !isBasicFunction(name))
      throw invalidCallError(`Function not found: ${name}`);
    return own === undefined
      ? evaluate({ call: name, args: markData(args), ...textMark(name, given) }, host)
      : this.#call(name, own, args);
  }

  #call(name: string, implementation: CatalogFunction, args: JsonObject): unknown {
    try {
      return implementation(args, { locale: this.#host.locale });
    } catch (error) {
      throw executionError(name, error);
    }
  }

  #jsonOf({ name }: Request, value: unknown): Json {
    if (value === undefined) return null;
    try {
      return toPlainJson(value) as Json;
    } catch {
      throw new CallError("EXECUTION_ERROR", `Function '${name}' did not return a JSON value.`);
    }
  }

  /** Responds when a promise settles, or when the time is over. */
  #awaitResult(request: Request, result: PromiseLike<unknown>): void {
    const { timeout } = this.#host;
    let isAnswered = false;
    const once = (respond: () => void): void => {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(timer);
      try {
        respond();
      } catch (error) {
        this.#respondWithError(request, error);
      }
    };
    const timer = setTimeout(() => {
      const text = `Function '${request.name}' did not return within ${timeout / 1_000} s.`;
      once(() => this.#respondWithError(request, new CallError("EXECUTION_ERROR", text)));
    }, timeout);
    // Another kind of promise may fail in `then`, or call its callbacks twice.
    Promise.resolve(result).then(
      (value) => once(() => this.#respond(request, { value: this.#jsonOf(request, value) })),
      (error) => once(() => this.#respondWithError(request, executionError(request.name, error))),
    );
  }

  #respondWithError(request: Request, error: unknown): void {
    const { code, message } =
      error instanceof CallError ? error : executionError(request.name, error);
    this.#respond(request, { error: { code, message } });
  }

  #respond(request: Request, result: { value: Json } | { error: JsonObject }): void {
    const { id: functionCallId, name: call, isDraft, wantsResponse } = request;
    if (!isDraft) {
      this.#host.send({ rendererFunctionResponse: { functionCallId, ...result } });
    } else if ("error" in result) {
      this.#host.send({ error: { ...result.error, functionCallId } });
    } else if (wantsResponse) {
      this.#host.send({ functionResponse: { functionCallId, call, ...result } });
    }
  }
}

function invalidCallError(message: string): CallError {
  return new CallError("INVALID_FUNCTION_CALL", message);
}

function executionError(name: string, error: unknown): CallError {
  return new CallError("EXECUTION_ERROR", `Function '${name}' failed: ${errorMessage(error)}`);
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  const isObject = typeof value === "object" && value !== null;
  return isObject && typeof (value as { then?: unknown }).then === "function";
}

/** Returns the call in a message, in the current form or that of the drafts. */
function readRequest(message: Message): Request | { error: string } {
  const { callRendererFunction } = message;
  const isDraft = callRendererFunction === undefined;
  if (!isDraft && !isJsonObject(callRendererFunction))
    return { error: "Missing callFunction in callRendererFunction" };
  const body = isJsonObject(callRendererFunction) ? callRendererFunction : message;
  const { functionCallId, callFunction, surfaceId, wantResponse } = body;
  if (!isJsonObject(callFunction)) return { error: "Missing callFunction of the call" };
  const name = callFunction["@call"] ?? callFunction["call"];
  if (typeof name !== "string")
    return { error: "Missing the name of the function in callFunction" };
  if (typeof functionCallId !== "string") return { error: "Missing functionCallId of the call" };
  return {
    id: functionCallId,
    name,
    catalogId: callFunction["catalogId"],
    call: callFunction,
    surfaceId,
    isDraft,
    wantsResponse: wantResponse === true,
  };
}
