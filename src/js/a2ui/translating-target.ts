import { assertMessage, throwMisuse } from "../arguments.js";
import { duplicateKeyDiagnostics } from "../duplicate-keys.js";
import { isJsonObject } from "../json-value.js";
import { MergedResult } from "../messages/merged-result.js";
import type { MessageTarget, NodeStore } from "../messages/types.js";
import type { Diagnostic, Json } from "../types.js";
import { FromA2ui, type FromA2uiOptions, type NodeSource } from "./from-a2ui.js";
import { inSenderTerms, isAboutNull, jsonDiagnostics } from "./sender-terms.js";
import type { Message } from "./translation.js";

const decoder = new TextDecoder();

/** Parts of a `byname` or `byname/ham` surface that a target uses. */
export type TranslatedSurface = Pick<MessageTarget, "receive" | "diagnostics"> & {
  store: NodeStore & NodeSource;
};

/** Options of a target: those of its translator, which gets the store of the surface. */
export type TargetOptions = Omit<FromA2uiOptions, "store">;

/** Message target with its translator, which has the version of the agent and the list rules. */
export interface A2uiTarget extends MessageTarget {
  readonly translator: FromA2ui;
}

/**
 * Returns a message target for agents that write plain A2UI: it translates messages before the
 * surface receives them. Pass it to `receiveAll` and `messageStream` of `byname/messages` instead
 * of the surface to render streams early.
 */
export function a2uiTarget(surface: TranslatedSurface, options: TargetOptions = {}): A2uiTarget {
  if (typeof surface?.receive !== "function") throwMisuse("`a2uiTarget` expects a surface");
  const translator = new FromA2ui({ ...options, store: surface.store });
  return {
    store: surface.store,
    translator,
    diagnostics: () => [
      ...translator.diagnostics(),
      ...(surface.diagnostics?.() ?? []).map(inSenderTerms),
    ],
    receive(input) {
      if (!(input instanceof Uint8Array)) assertMessage(input);
      const parsed = parse(input);
      // The surface reports invalid JSON and values that are not objects.
      if (!isJsonObject(parsed)) {
        const { ok, diagnostics } = surface.receive(input);
        return { ok, diagnostics: jsonDiagnostics(diagnostics) };
      }
      const merged = new MergedResult();
      if (typeof input === "string")
        merged.add({ ok: true, diagnostics: duplicateKeyDiagnostics(input) });
      for (const message of splitDataModel(parsed)) {
        const { messages, diagnostics } = translator.translate(message);
        merged.add({ ok: diagnostics.every(({ severity }) => severity !== "error"), diagnostics });
        for (const sent of messages) {
          const received = surface.receive(sent);
          const isPending = (one: Diagnostic): boolean => {
            const id = isAboutNull(one) ? componentIdAt(sent, one) : undefined;
            return id !== undefined && translator.isPending(id);
          };
          // A value of plain A2UI replaces the earlier one as a whole.
          const found = received.diagnostics.filter(
            (one) => one.code !== "HAM042" && !isPending(one),
          );
          merged.add({ ...received, diagnostics: found.map(inSenderTerms) });
          // Skips the data if the surface could not be created.
          if (!received.ok && sent["createSurface"] !== undefined) break;
        }
      }
      return merged.result;
    },
  };
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

function parse(message: string | Uint8Array | object): Json {
  if (typeof message === "object" && !(message instanceof Uint8Array)) return message as Json;
  try {
    return JSON.parse(typeof message === "string" ? message : decoder.decode(message)) as Json;
  } catch {
    return null;
  }
}
