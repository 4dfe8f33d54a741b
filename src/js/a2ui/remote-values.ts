import { calledFunction } from "../functions/data-mark.js";
import { isJsonObject, type JsonObject, textOf } from "../json-value.js";
import type { Json } from "../types.js";
import type { AgentCall, CallResult } from "./agent-calls.js";

/** Function that renderers call for a function of the agent. */
export const REMOTE_CALL_NAME = "@remote";
/** Function in the place of an unknown one. */
const UNKNOWN_CALL_NAME = "@unknown";
/** Text of a diagnostic about one of these functions. */
export const REPLACEMENT_NAME = new RegExp(`\`(?:${REMOTE_CALL_NAME}|${UNKNOWN_CALL_NAME})\``);
/** Node and key of the revision of the results, which calls of the agent are bound to. */
export const REVISION_BINDING = { node: "calls:results", key: "revision" };
/** Maximum number of different calls of a surface. No result is dropped, or it would be called again. */
const MAX_CALL_RESULTS = 10_000;

/** Returns the call of a function of the agent: it names its result, which arrives later. */
export function remoteCall(call: JsonObject, isCheck: boolean, revision: JsonObject): JsonObject {
  const { call: name = "", args, catalogId } = call;
  const details: JsonObject = { "@call": name, "@revision": revision };
  if (catalogId !== undefined) details["@catalogId"] = catalogId;
  if (isCheck) details["@check"] = true;
  return { call: REMOTE_CALL_NAME, args: { ...(isJsonObject(args) ? args : {}), ...details } };
}

/** Returns the call of an unknown function in the context of an event, or in a check. */
export function unknownCall(name: string, error: { code: string; message: string }): JsonObject {
  return { call: UNKNOWN_CALL_NAME, args: { name, code: error.code, message: error.message } };
}

/** Returns the call of the agent in a value, or undefined. */
export function readRemoteCall(value: JsonObject): AgentCall | undefined {
  const { args } = value;
  return calledFunction(value) === REMOTE_CALL_NAME && isJsonObject(args)
    ? agentCallOf(args)
    : undefined;
}

/** Returns the error of an unknown function in a value, or undefined. */
export function readUnknownCall(value: JsonObject): { code: string; message: string } | undefined {
  const { args } = value;
  if (calledFunction(value) !== UNKNOWN_CALL_NAME || !isJsonObject(args)) return undefined;
  return { code: textOf(args["code"]), message: textOf(args["message"]) };
}

function agentCallOf(all: { readonly [name: string]: Json }): AgentCall {
  const { "@call": call, "@catalogId": id, "@revision": _, "@check": __, ...args } = all;
  const catalogId = typeof id === "string" ? { catalogId: id } : {};
  return { call: textOf(call), ...catalogId, args };
}

/** Results of functions of the agent that properties and checks call, by function and arguments. */
export class RemoteValues {
  readonly #call: (call: AgentCall) => Promise<CallResult>;
  readonly #notify: () => void;
  /** Results, undefined while a call waits for its response. */
  readonly #results = new Map<string, CallResult | undefined>();

  constructor(call: (call: AgentCall) => Promise<CallResult>, notify: () => void) {
    this.#call = call;
    this.#notify = notify;
  }

  /** Forgets all results, because they belong to a deleted surface. */
  clear(): void {
    this.#results.clear();
  }

  /**
   * Returns the result of a call, or null while it waits and if it failed. A failed check is
   * invalid.
   */
  readResult(args: { readonly [name: string]: Json }): Json {
    const call = agentCallOf(args);
    const key = JSON.stringify([call.call, call.catalogId, call.args]);
    const result = this.#results.get(key);
    if (result === undefined) {
      if (!this.#results.has(key)) this.#startCall(key, call);
      return null;
    }
    if (result.ok) return result.value;
    return args["@check"] === true ? { valid: false, message: result.error.message } : null;
  }

  #startCall(key: string, call: AgentCall): void {
    if (this.#results.size >= MAX_CALL_RESULTS) return;
    this.#results.set(key, undefined);
    this.#call(call).then((result) => {
      // The surface was deleted meanwhile.
      if (!this.#results.has(key)) return;
      this.#results.set(key, result);
      this.#notify();
    });
  }
}
