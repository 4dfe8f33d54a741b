import {
  assertLocale,
  assertMap,
  assertOptionTypes,
  assertString,
  assertTimeZone,
  throwExpected,
} from "../arguments.js";
import { assertFunctions, type Functions } from "../functions/call-context.js";
import { unmarkData } from "../functions/data-mark.js";
import { evaluate, evaluateEach } from "../functions/evaluate.js";
import { toPlainJson } from "../json-text.js";
import type { JsonObject } from "../json-value.js";
import type { Action, HamNodes, Json } from "../types.js";
import type { FromA2ui } from "./from-a2ui.js";
import { assertCatalogs, type Catalogs } from "./function-lookup.js";
import { dataModelOf } from "./resolved-model.js";
import type { Message } from "./translation.js";
import { isV08, isV09 } from "./versions.js";

export interface ActionOptions {
  /** Version of the agent; by default that of `target`, else `v0.9`. */
  version?: string;
  /** Target of the surface, which has received the version of the agent. */
  target?: { readonly translator: Pick<FromA2ui, "version"> & Partial<Pick<FromA2ui, "agentId">> };
  /** Locale for functions in the context. */
  locale?: string;
  /** Time zone of dates in the context; that of the system by default. */
  timeZone?: string;
  /** Custom functions, as for `mount`. */
  functions?: Functions;
}

/** Returns the A2UI message that reports an action to an agent. */
export function toA2uiAction(action: Action, options: ActionOptions = {}): Message {
  assertMap(action, "an action");
  assertMap(action.context, "`context` of an action");
  assertOptionTypes(
    options,
    {
      version: assertString,
      target: assertTarget,
      locale: assertLocale,
      timeZone: assertTimeZone,
      functions: assertFunctions,
    },
    "the options of `toA2uiAction`",
  );
  const { target, locale, timeZone, functions } = options;
  const version = options.version ?? target?.translator.version ?? "v0.9";
  const calls = { locale, timeZone, functions, isAction: true };
  const { userMessage } = action;
  const evaluated = {
    ...withAgentId(action, target?.translator),
    context: evaluateEach(toPlainJson(action.context, true), calls) as JsonObject,
    ...(userMessage === undefined ? {} : { userMessage: evaluate(userMessage, calls) }),
  };
  const body = actionBody(evaluated, { isCurrent: !isV08(version) && !isV09(version) });
  // Messages of v0.8 have no version.
  return isV08(version) ? { userAction: body } : { version, action: body };
}

/** Returns an action with the id that the agent gave to its component. */
export function withAgentId(
  action: Action,
  translator: Partial<Pick<FromA2ui, "agentId">> | undefined,
): Action {
  const { sourceComponentId: id, surfaceId } = action;
  return { ...action, sourceComponentId: translator?.agentId?.(id, surfaceId) ?? id };
}

/**
 * Returns the body of the message for an action whose calls are evaluated. Only current agents know
 * its message and its metadata.
 */
export function actionBody(action: Action, { isCurrent }: { isCurrent: boolean }): JsonObject {
  const { name, surfaceId, sourceComponentId, timestamp, context } = action;
  const { userMessage, metadata } = action;
  return {
    name,
    surfaceId,
    sourceComponentId,
    timestamp,
    context,
    ...(isCurrent && typeof userMessage === "string" ? { userMessage } : {}),
    ...(isCurrent && metadata !== undefined ? { metadata: unmarkData(metadata) } : {}),
  };
}

function assertTarget(value: unknown, what: string): void {
  assertMap((value as ActionOptions["target"] | null)?.translator, `\`translator\` of ${what}`);
}

/**
 * Returns the message with the data models of surfaces, which agents with `sendDataModel` receive
 * with each message.
 */
export function toA2uiDataModel(
  stores: { readonly [surfaceId: string]: { export(): HamNodes } },
  version = "v0.9",
): Message {
  assertMap(stores, "the stores by surface id");
  assertString(version, "`version`");
  for (const [id, store] of Object.entries(stores)) {
    if (typeof store?.export !== "function") throwExpected(`\`${id}\``, "a `HamStore`", store);
  }
  const surfaces = Object.entries(stores).map(([id, store]): [string, Json] => [
    id,
    dataModelOf(store.export()) ?? {},
  ]);
  return { version, surfaces: Object.fromEntries(surfaces) };
}

/** Returns the capabilities of a renderer for the metadata of a transport: its catalogs by id. */
export function toA2uiCapabilities(catalogs: Catalogs, version = "v1.0"): Message {
  assertCatalogs(catalogs, "the catalogs");
  assertString(version, "`version`");
  return { [version]: { supportedCatalogIds: Object.keys(catalogs) } };
}
