import { errorMessage } from "../errors.js";
import type { CatalogFunction, Functions } from "../functions/call-context.js";
import { markData } from "../functions/data-mark.js";
import { evaluate, evaluateEach } from "../functions/evaluate.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Action, Json } from "../types.js";
import type { AgentCall, AgentCalls, CallResult } from "./agent-calls.js";
import type { CatalogScope, FunctionLookup } from "./function-lookup.js";
import { actionBody } from "./outgoing.js";
import { readRemoteCall, readUnknownCall } from "./remote-values.js";

/** Channel that sends actions. */
export interface ActionHost {
  readonly lookup: FunctionLookup;
  readonly calls: AgentCalls;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  readonly scope: CatalogScope;
  /** Whether the agent can receive calls and respond to actions. */
  readonly hasCalls: boolean;
  call(call: AgentCall): Promise<CallResult>;
  send(body: JsonObject): void;
  reportActionError(code: string, message: string): void;
  /** Writes the response of the agent at a path, which is relative to the item of the action. */
  writeResponse(action: Action, path: string, value: Json): void;
}

/** Code of a function that is unknown or fails. */
const EXPRESSION_ERROR = "EXPRESSION_ERROR";

/**
 * Sends an action, or runs its function. An event without calls of the agent is sent before this
 * returns.
 */
export async function sendAction(action: Action, host: ActionHost): Promise<void> {
  const sender = new ActionSender(host);
  let { context } = action;
  if (hasRemoteCall(context)) {
    const resolved = await sender.awaitCalls(context);
    // The action stops at a call that failed.
    if (resolved === undefined) return;
    context = resolved as JsonObject;
  }
  const args = sender.evaluateEach(context);
  const { functionCall } = action;
  if (functionCall === undefined) await sender.sendEvent({ ...action, context: args });
  else await sender.runFunction(action.name, functionCall["catalogId"], args);
}

class ActionSender {
  readonly #host: ActionHost;
  readonly #functions: Functions;

  constructor(host: ActionHost) {
    this.#host = host;
    const guarded = Object.entries(host.lookup.functions).map(
      ([name, one]): [string, CatalogFunction] => [name, this.#guardFunction(name, one)],
    );
    this.#functions = Object.fromEntries(guarded);
  }

  /** Returns a function that reports its error and returns null. */
  #guardFunction(name: string, implementation: CatalogFunction): CatalogFunction {
    return (args, context) => {
      try {
        return implementation(args, context);
      } catch (error) {
        this.#host.reportActionError(EXPRESSION_ERROR, failureText(name, error));
        return null;
      }
    };
  }

  /** Evaluates the calls in the fields of an object. Unknown functions are reported. */
  evaluateEach(object: JsonObject): JsonObject {
    const known = Object.entries(object).map(([key, value]): [string, Json] => [
      key,
      this.#replaceUnknownCalls(value),
    ]);
    const { locale, timeZone } = this.#host;
    return evaluateEach(Object.fromEntries(known), {
      locale,
      timeZone,
      functions: this.#functions,
    }) as JsonObject;
  }

  #replaceUnknownCalls(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#replaceUnknownCalls(item));
    if (!isJsonObject(value)) return value;
    const unknown = readUnknownCall(value);
    if (unknown !== undefined) {
      this.#host.reportActionError(unknown.code, unknown.message);
      return null;
    }
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      this.#replaceUnknownCalls(item),
    ]);
    return Object.fromEntries(entries) as JsonObject;
  }

  /** Replaces the calls of the agent by their values. Returns undefined if one failed. */
  async awaitCalls(value: Json): Promise<Json | undefined> {
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((item) => this.awaitCalls(item)));
      return items.includes(undefined) ? undefined : (items as Json[]);
    }
    if (!isJsonObject(value) || !hasRemoteCall(value)) return value;
    const call = readRemoteCall(value);
    if (call !== undefined) {
      const args = await this.awaitCalls({ ...call.args });
      if (args === undefined) return undefined;
      const result = await this.#host.call({
        ...call,
        args: this.evaluateEach(args as JsonObject),
      });
      return result.ok ? markData(result.value) : undefined;
    }
    const names = Object.keys(value);
    const items = await Promise.all(names.map((name) => this.awaitCalls(value[name] as Json)));
    if (items.includes(undefined)) return undefined;
    const fields = Object.fromEntries(names.map((name, at) => [name, items[at] as Json]));
    // The response of an agent does not choose a function of the page.
    const isChosen = typeof value["call"] !== "string" && typeof fields["call"] === "string";
    return isChosen ? markData(fields) : fields;
  }

  /** Sends an event. Writes the response of the agent, if the event requests one. */
  async sendEvent(action: Action): Promise<void> {
    const host = this.#host;
    const { wantResponse, responsePath, userMessage, ...plain } = action;
    const text = userMessage === undefined ? {} : { userMessage: this.#evaluateCalls(userMessage) };
    const body = actionBody({ ...plain, ...text }, { isCurrent: host.hasCalls });
    if (wantResponse !== true || !host.hasCalls) {
      host.send({ action: body });
      return;
    }
    const actionId = host.calls.newId();
    const request = { action: { ...body, wantResponse, actionId } };
    const result = await host.calls.sendRequest(actionId, request);
    if (!result.ok) host.reportActionError(result.error.code, result.error.message);
    else if (responsePath !== undefined) host.writeResponse(action, responsePath, result.value);
  }

  #evaluateCalls(value: Json): Json {
    const { locale, timeZone } = this.#host;
    return evaluate(value, { locale, timeZone, functions: this.#functions });
  }

  /** Runs the function of an action, here or at the agent. */
  async runFunction(name: string, catalogId: Json | undefined, args: JsonObject): Promise<void> {
    const host = this.#host;
    const target = host.lookup.findTarget(name, catalogId, host.scope);
    if (target.kind === "unknown") {
      host.reportActionError(target.code, target.message);
      return;
    }
    if (target.kind === "agent") {
      const named = typeof catalogId === "string" ? { catalogId } : {};
      await host.call({ call: name, ...named, args });
      return;
    }
    const { functions } = host.lookup;
    if (!host.lookup.isImplemented(name)) {
      host.reportActionError(EXPRESSION_ERROR, `Function not found: ${name}`);
      return;
    }
    try {
      if (Object.hasOwn(functions, name)) await functions[name]?.(args, { locale: host.locale });
      // A renderer opens the URLs that it allows, so no action arrives for these.
      else if (name === "openUrl") throw new Error("the URL is not allowed");
    } catch (error) {
      host.reportActionError(EXPRESSION_ERROR, failureText(name, error));
    }
  }
}

function hasRemoteCall(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isJsonObject(value) && readRemoteCall(value) !== undefined) return true;
  return Object.values(value).some(hasRemoteCall);
}

function failureText(name: string, error: unknown): string {
  return `Function '${name}' failed: ${errorMessage(error)}`;
}
