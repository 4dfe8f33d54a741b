import { assertMessage, assertOptionTypes, throwExpected } from "../arguments.js";
import { duplicateKeyDiagnostics } from "../duplicate-keys.js";
import type { Functions } from "../functions/call-context.js";
import { isJsonObject } from "../json-value.js";
import { identityOf, MergedResult } from "../messages/merged-result.js";
import type { MessageTarget, NodeStore, Received } from "../messages/types.js";
import type { Surface } from "../surface.js";
import type { SurfaceInfo } from "../surface-info.js";
import type { Action, Diagnostic, HamNodes, Json } from "../types.js";
import { sendAction } from "./agent-actions.js";
import type { AgentCall, CallResult } from "./agent-calls.js";
import {
  AgentChannel,
  type ChannelOptions,
  channelAssertions,
  type MessageMetadata,
} from "./agent-channel.js";
import { FromA2ui, type FromA2uiOptions } from "./from-a2ui.js";
import { assertKeys } from "./list-identity.js";
import { bindingOf } from "./node-ids.js";
import type { NodeSource } from "./node-source.js";
import { withAgentId } from "./outgoing.js";
import { isDeeper, maxDepth } from "./path-checks.js";
import { REPLACEMENT_NAME } from "./remote-values.js";
import {
  inSenderTerms,
  inTemplateTerms,
  inV08Terms,
  isAboutNull,
  jsonDiagnostics,
} from "./sender-terms.js";
import { type Message, type ReportedDiagnostic, sizeDiagnostic } from "./translation.js";
import { callActions, checkEnvelope } from "./versions.js";

const OPTION_ASSERTIONS = { keys: assertKeys, ...channelAssertions };
/** Number of entries from which a list or map is edited: smaller ones are sent completely. */
const MIN_ENTRIES_FOR_EDITS = 64;
const decoder = new TextDecoder();

/** Parts of a `byname` or `byname/ham` surface that a target uses. */
export type TranslatedSurface = Pick<MessageTarget, "receive" | "diagnostics" | "hasComponent"> & {
  store: NodeStore & NodeSource & Partial<Pick<Surface["store"], "read">>;
  info?(): SurfaceInfo | null;
};

/** Options of a target: those of its translator and of the messages to the agent. */
export type TargetOptions = Omit<FromA2uiOptions, "store" | "edits"> & ChannelOptions;

/** Message target with its translator, which has the version of the agent and the list rules. */
export interface A2uiTarget extends MessageTarget {
  readonly translator: FromA2ui;
  /**
   * Functions for `mount`, `renderToString` and `SurfaceView`: those of the page, and one that
   * returns the results of the agent's.
   */
  readonly functions: Functions;
  /** Returns what `createSurface` states, or null without a surface. */
  info(): SurfaceInfo | null;
  /** Returns the metadata for the transport of a message to the agent, such as its data model. */
  metadata(): MessageMetadata;
  /**
   * Sends an action to `onMessage`, in the version of the agent. Resolves when the functions of the
   * agent that the action calls have returned.
   */
  sendAction(action: Action): Promise<void>;
  /** Calls a function of the agent. The result states a failure; it never rejects. */
  callAgentFunction(call: AgentCall): Promise<CallResult>;
  /** Ends all calls. */
  [Symbol.dispose](): void;
}

/**
 * Returns a message target for agents that write plain A2UI: it translates messages before the
 * surface receives them. Pass it to `receiveAll` and `messageStream` of `byname/messages` instead
 * of the surface to render streams early.
 */
export function a2uiTarget(surface: TranslatedSurface, options: TargetOptions = {}): A2uiTarget {
  if (typeof surface?.receive !== "function")
    throwExpected("the first argument of `a2uiTarget`", "a surface", surface);
  assertOptionTypes(options, OPTION_ASSERTIONS, "the options of `a2uiTarget`");
  const { keys, ...channelOptions } = options;
  const { store } = surface;
  const info = (): SurfaceInfo | null => surface.info?.() ?? null;
  const update = (nodes: HamNodes): void => {
    surface.receive({ updateDataModel: { nodes } });
  };
  const channel = new AgentChannel(
    { store, info, update, receive: (message) => receive(message) },
    () => translator,
    channelOptions,
  );
  const translator = new FromA2ui(
    { store, edits: MIN_ENTRIES_FOR_EDITS, ...(keys && { keys }) },
    channel.checks,
  );

  function receive(input: string | Uint8Array | object, firstIndex = 0): Received {
    if (!(input instanceof Uint8Array)) assertMessage(input);
    const parsed = parseMessage(input);
    // The surface reports invalid JSON and values that are not objects.
    if (!isJsonObject(parsed)) {
      const { ok, diagnostics } = surface.receive(input);
      return { ok, diagnostics: jsonDiagnostics(diagnostics) };
    }
    // The page may have deleted the surface itself.
    if (translator.isCreated && surface.info?.() === null) clear();
    const duplicates = typeof input === "string" ? duplicateKeyDiagnostics(input) : [];
    const result = isCall(parsed) ? receiveCall(parsed) : receiveTranslated(parsed, duplicates);
    channel.reportErrors(parsed, result.diagnostics, firstIndex);
    return { ...result, diagnostics: result.diagnostics.map(withoutReport) };
  }

  function clear(): void {
    translator.reset();
    channel.clear();
  }

  function receiveCall(message: Message): Received {
    const error = isDeeper(message, maxDepth)
      ? sizeDiagnostic("the message is nested too deep", "")
      : checkEnvelope(message);
    const diagnostics = error ? [error] : channel.receive(message);
    return { ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics };
  }

  function receiveTranslated(parsed: Message, duplicates: Diagnostic[]): Received {
    const merged = new MergedResult();
    merged.add({ ok: true, diagnostics: duplicates });
    for (const message of splitDataModel(parsed)) {
      const { messages, diagnostics } = translator.translate(message);
      merged.add({ ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics });
      const reported = new Set(diagnostics.map(identityOf));
      for (const sent of messages) {
        channel.addRevision();
        const received = surface.receive(sent);
        if (received.ok && sent["deleteSurface"] !== undefined) channel.clear();
        const isOwn = (one: Diagnostic): boolean => {
          const id = isAboutNull(one) ? componentIdAt(sent, one) : undefined;
          const isPending = id !== undefined && translator.isPending(id);
          // A value of plain A2UI replaces the earlier one as a whole.
          return isPending || isAboutReplacement(one) || one.code === "HAM042";
        };
        const found = received.diagnostics.map(inSenderTerms);
        const others = found.filter((one) => !isOwn(one) && !reported.has(identityOf(one)));
        merged.add({ ...received, diagnostics: others });
        // Skips the data if the surface could not be created.
        if (!received.ok && sent["createSurface"] !== undefined) break;
      }
    }
    const { ok, diagnostics } = merged.result;
    return { ok, diagnostics: diagnostics.map((one) => inV08Terms(one, parsed)) };
  }

  return {
    store,
    translator,
    info,
    receive,
    repeatsText: (_, path, text) => {
      const binding = bindingOf(path);
      const value = binding?.node === undefined ? undefined : store.read?.(binding).value;
      return typeof value === "string" && value.startsWith(text);
    },
    hasComponent: (id, surfaceId) => surface.hasComponent?.(id, surfaceId) ?? false,
    functions: channel.functions,
    metadata: () => channel.metadata(),
    sendAction: (action) => sendAction(withAgentId(action, translator), channel),
    callAgentFunction: (call) => channel.call(call),
    diagnostics: (options = {}) => [
      ...translator.diagnostics(),
      ...(surface.diagnostics?.(options) ?? [])
        .filter((one) => !isAboutReplacement(one))
        .map((one) => inTemplateTerms(inSenderTerms(one), (at) => translator.templatePath(at))),
      ...channel.diagnostics,
    ],
    [Symbol.dispose]: () => channel.dispose(),
  };
}

/** Returns whether a message is a call or a response. */
function isCall(message: Message): boolean {
  return callActions.some((name) => (message[name] ?? undefined) !== undefined);
}

/** Returns whether a diagnostic is about the call that replaces one of the agent. */
function isAboutReplacement({ code, message }: Diagnostic): boolean {
  return code === "HAM031" && REPLACEMENT_NAME.test(message);
}

function withoutReport({ report: _, ...diagnostic }: ReportedDiagnostic): Diagnostic {
  return diagnostic;
}

/**
 * Moves a `dataModel` in `updateComponents` to a message of its own. A stream splits
 * `createSurface` and adds its `dataModel` to the last chunk of components.
 */
function splitDataModel(body: Message): Message[] {
  const { updateComponents, ...rest } = body;
  if (!isJsonObject(updateComponents) || updateComponents["dataModel"] === undefined) return [body];
  const { dataModel, ...others } = updateComponents;
  const surfaceId = others["surfaceId"] ?? null;
  return [
    { ...rest, updateComponents: others },
    { ...rest, updateDataModel: { surfaceId, value: dataModel } },
  ];
}

/** Returns the id of the component in a message that a diagnostic is about. */
function componentIdAt(message: Message, { location }: Diagnostic): string | undefined {
  const pointer = location?.kind === "pointer" ? location.pointer : "";
  const [, name = "", index] = /^\/(\w+)\/components\/(\d+)/.exec(pointer) ?? [];
  const body = message[name];
  const list = isJsonObject(body) ? body["components"] : undefined;
  const component = Array.isArray(list) ? (list[Number(index)] ?? null) : null;
  const id = isJsonObject(component) ? component["id"] : undefined;
  return typeof id === "string" ? id : undefined;
}

function parseMessage(message: string | Uint8Array | object): Json {
  if (typeof message === "object" && !(message instanceof Uint8Array)) return message as Json;
  try {
    return JSON.parse(typeof message === "string" ? message : decoder.decode(message)) as Json;
  } catch {
    return null;
  }
}
