import { assertFunction, assertLocale, assertTimeZone, throwExpected } from "../arguments.js";
import { assertFunctions, type Functions } from "../functions/call-context.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import { runAndReport } from "../report.js";
import type { Action, Diagnostic, HamNodes, Json } from "../types.js";
import type { ActionHost } from "./agent-actions.js";
import {
  type AgentCall,
  AgentCalls,
  CALL_TIMEOUT,
  type CallResult,
  responseIn,
} from "./agent-calls.js";
import { CatalogChecks } from "./catalog-checks.js";
import {
  assertCatalogs,
  type CatalogScope,
  type Catalogs,
  FunctionLookup,
} from "./function-lookup.js";
import { pathInScope } from "./item-path.js";
import { toA2uiDataModel } from "./outgoing.js";
import { REMOTE_CALL_NAME, REVISION_BINDING, RemoteValues } from "./remote-values.js";
import { RendererCalls } from "./renderer-calls.js";
import { dataModelOf } from "./resolved-model.js";
import { diagnostic, type Message, type ReportedDiagnostic } from "./translation.js";
import { valueFunctions } from "./value-functions.js";
import { callActions, isV08, isV09 } from "./versions.js";

/** Metadata for the transport of a message to the agent. */
export interface MessageMetadata {
  /** Data model of a surface with `sendDataModel`. */
  a2uiRendererDataModel?: Json;
  /** The same for agents of v0.9. */
  a2uiClientDataModel?: Json;
}

export interface ChannelOptions {
  /** Called with each message for the agent: responses, calls, actions and errors. */
  onMessage?: (message: Message, metadata: MessageMetadata) => void;
  /** Catalogs by the ids that the agent names. With them, components and calls are checked. */
  catalogs?: Catalogs;
  /** Functions of the page by name. The catalog states which ones the agent may call. */
  functions?: Functions;
  /** Locale of functions. */
  locale?: string;
  /** Time zone of dates; that of the system by default. */
  timeZone?: string;
  /** Whether the user acts now; by default as the browser states. */
  hasUserActivation?: () => boolean;
  /** Milliseconds until a call without a result ends; 30,000 by default. */
  callTimeout?: number;
}

export const channelAssertions = {
  onMessage: assertFunction,
  catalogs: assertCatalogs,
  functions: assertFunctions,
  locale: assertLocale,
  timeZone: assertTimeZone,
  hasUserActivation: assertFunction,
  callTimeout: assertTimeout,
};

/** Surface of a channel. */
export interface ChannelSurface {
  readonly store: { export(): HamNodes; has?(id: string): boolean };
  info?(): { surfaceId: string; sendDataModel: boolean } | null;
  /** Receives a message of the agent. */
  receive(message: object): unknown;
  /** Receives nodes. */
  update(nodes: HamNodes): void;
}

/** State of the agent in its translator. */
export interface AgentState {
  readonly version: string | undefined;
  readonly atKeys: boolean;
}

/** Maximum delay of a timer in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Code of a message that does not have the expected form. */
const INVALID_MESSAGE_CODE = "VALIDATION_FAILED";
/** Codes of A2UI for other errors, by the code of the diagnostic. */
const errorCodes: { readonly [code: string]: string } = { A2UI010: "INVALID_RESERVED_KEY" };
/** Maximum number of stored diagnostics and of remembered error reports. */
const MAX_STORED_REPORTS = 100;

/** Start of the pointer to a component. */
const COMPONENT_INDEX = /^(\/(?:updateComponents|surfaceUpdate)\/components\/)(\d+)/;

type A2uiErrorReport = NonNullable<ReportedDiagnostic["report"]>;

/** Messages from a surface to its agent: calls in both directions, actions and errors. */
export class AgentChannel implements ActionHost {
  readonly checks: CatalogChecks;
  readonly calls: AgentCalls;
  readonly lookup: FunctionLookup;
  /** Functions of the page for renderers, with one that returns the results of the agent's. */
  readonly functions: Functions;
  readonly #surface: ChannelSurface;
  readonly #agent: () => AgentState;
  readonly #options: ChannelOptions;
  readonly #rendererCalls: RendererCalls;
  readonly #values: RemoteValues;
  readonly #diagnostics: Diagnostic[] = [];
  /** Error reports that were sent, so that a repeated message does not repeat them. */
  readonly #reported = new Set<string>();
  #revision = 0;

  constructor(surface: ChannelSurface, agent: () => AgentState, options: ChannelOptions) {
    const { catalogs, functions = {}, locale, callTimeout = CALL_TIMEOUT } = options;
    this.#surface = surface;
    this.#agent = agent;
    this.#options = options;
    const lookup = new FunctionLookup(catalogs, functions);
    this.lookup = lookup;
    this.checks = new CatalogChecks(lookup);
    this.calls = new AgentCalls((message) => this.#sendCall(message), callTimeout);
    this.#values = new RemoteValues(
      (call) => this.call(call),
      () => this.#updateRevision(),
    );
    const guarded = valueFunctions(lookup, () => this.scope);
    this.functions = { ...guarded, [REMOTE_CALL_NAME]: (args) => this.#values.readResult(args) };
    const channel = this;
    this.#rendererCalls = new RendererCalls({
      lookup,
      locale,
      functions: guarded,
      timeout: callTimeout,
      get atKeys() {
        return channel.#agent().atKeys;
      },
      scope: () => this.checks.scope,
      dataModel: () => dataModelOf(surface.store.export()),
      hasUserActivation: options.hasUserActivation ?? isUserActive,
      send: (message) => this.send(message),
    });
  }

  get locale(): string | undefined {
    return this.#options.locale;
  }

  get timeZone(): string | undefined {
    return this.#options.timeZone;
  }

  /** Diagnostics of calls that failed. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Version of the messages to the agent. */
  get version(): string | undefined {
    return this.#agent().version;
  }

  get surfaceId(): string {
    return this.checks.scope.surfaceId ?? this.#surface.info?.()?.surfaceId ?? "";
  }

  /** Returns the metadata for the transport of any message to the agent. */
  metadata(): MessageMetadata {
    const info = this.#surface.info?.();
    if (info?.sendDataModel !== true) return {};
    const { version } = this;
    const data = toA2uiDataModel({ [info.surfaceId]: this.#surface.store }, version);
    return isV09(version) ? { a2uiClientDataModel: data } : { a2uiRendererDataModel: data };
  }

  /** Sends a message of the version that the agent writes. Messages of v0.8 have none. */
  send(body: JsonObject): void {
    const { onMessage } = this.#options;
    const { version = "v1.0" } = this;
    const { action, ...rest } = body;
    const older = action === undefined ? rest : { userAction: action };
    const message = isV08(version) ? older : { version, ...body };
    if (onMessage !== undefined) runAndReport(() => onMessage(message, this.metadata()));
  }

  /** Sends a call. Returns false if the agent cannot receive one. */
  #sendCall(message: JsonObject): boolean {
    if (this.#options.onMessage === undefined || !this.hasCalls) return false;
    this.send(message);
    return true;
  }

  /** Calls a function of the agent. A failure is in the result, and in the diagnostics. */
  async call(call: AgentCall): Promise<CallResult> {
    const result = await this.calls.call(this.surfaceId, call);
    if (!result.ok) {
      const { code, message } = result.error;
      const text = `the call of \`${call.call}\` failed with ${code}: ${message}`;
      const help = "respond to `callAgentFunction` with a value in `agentFunctionResponse`";
      this.#storeDiagnostic(diagnostic("A2UI020", text, help, ""));
    }
    return result;
  }

  #storeDiagnostic(one: Diagnostic): void {
    if (this.#diagnostics.length >= MAX_STORED_REPORTS) this.#diagnostics.shift();
    this.#diagnostics.push(one);
  }

  /** Reads a call or a response of the agent. */
  receive(message: Message): Diagnostic[] {
    const response = responseIn(message);
    if (response !== undefined)
      return this.calls.receive(response.id, response.response, response.pointer);
    if (this.#options.onMessage !== undefined) return this.#rendererCalls.receive(message);
    const name = callActions.find((one) => message[one] !== undefined) ?? "";
    const text = `the response to \`${name}\` has no receiver`;
    const help = "pass `onMessage` to `a2uiTarget`";
    return [diagnostic("A2UI007", text, help, `/${name}`, "error")];
  }

  /**
   * Sends an error message for each rejected part of a message, once. `firstIndex` is the index of
   * its first component in the message of the agent.
   */
  reportErrors(
    message: Message,
    diagnostics: readonly ReportedDiagnostic[],
    firstIndex: number,
  ): void {
    if (this.#options.onMessage === undefined) return;
    const surfaceId = surfaceIdIn(message) ?? this.surfaceId;
    for (const { severity, code: ownCode, message: text, location, report } of diagnostics) {
      if (severity !== "error") continue;
      const pointer = location?.kind === "pointer" ? location.pointer : "";
      const path = pointer.replace(
        COMPONENT_INDEX,
        (_, start: string, index: string) => `${start}${Number(index) + firstIndex}`,
      );
      const other: A2uiErrorReport = {
        code: errorCodes[ownCode] ?? INVALID_MESSAGE_CODE,
        message: text,
      };
      const { code, message, about } = report ?? other;
      // Agents of v0.9 know neither the codes of placement nor calls.
      const isOlder = isV09(this.version);
      const isUnknown = isOlder && code.startsWith("UNALLOWED_");
      const subject = isOlder || about === undefined ? { surfaceId, path } : about;
      this.#reportOnce({ code: isUnknown ? INVALID_MESSAGE_CODE : code, ...subject, message });
    }
  }

  /** Sends the error of an action. */
  reportActionError(code: string, message: string): void {
    this.send({ error: { code, surfaceId: this.surfaceId, message } });
    this.#storeDiagnostic(
      diagnostic("A2UI021", message, "correct the action of the component", ""),
    );
  }

  #reportOnce(error: JsonObject): void {
    const text = JSON.stringify(error);
    if (this.#reported.has(text) || this.#reported.size >= MAX_STORED_REPORTS) return;
    this.#reported.add(text);
    this.send({ error });
  }

  get scope(): CatalogScope {
    return this.checks.scope;
  }

  get hasCalls(): boolean {
    return !isV08(this.version) && !isV09(this.version);
  }

  writeResponse(action: Action, path: string, value: Json): void {
    const at = pathInScope(action, path, this.#surface.store.export());
    this.#surface.receive({ updateDataModel: { surfaceId: this.surfaceId, path: at, value } });
  }

  /** Adds the node that components with calls of the agent are bound to. */
  addRevision(): void {
    const { store } = this.#surface;
    if (this.checks.hasRemoteCalls && store.has?.(REVISION_BINDING.node) !== true)
      this.#updateRevision();
  }

  #updateRevision(): void {
    this.#revision += 1;
    this.#surface.update({ [REVISION_BINDING.node]: { [REVISION_BINDING.key]: this.#revision } });
  }

  /** Ends all calls of a surface that was deleted or replaced. */
  clear(): void {
    this.calls.endAllCalls();
    this.#values.clear();
    this.#reported.clear();
  }

  dispose(): void {
    this.calls.dispose();
    this.#values.clear();
  }
}

/** Returns whether the browser allows calls that need the user, such as to open a window. */
function isUserActive(): boolean {
  const { navigator } = globalThis as {
    navigator?: { userActivation?: { isActive: boolean } };
  };
  return navigator?.userActivation?.isActive ?? false;
}

function assertTimeout(value: unknown, what: string): void {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MAX_TIMEOUT_MS)
    throwExpected(what, `an integer from 1 to ${MAX_TIMEOUT_MS}`, value);
}

/** Returns the surface id in the body of a message. */
function surfaceIdIn(message: Message): string | undefined {
  const body = Object.values(message).find(isJsonObject);
  const id = body?.["surfaceId"];
  return typeof id === "string" ? id : undefined;
}
