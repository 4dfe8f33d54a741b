import {
  assertLocale,
  assertMap,
  assertOptionTypes,
  assertString,
  assertTimeZone,
  describeType,
  throwMisuse,
} from "../arguments.js";
import { assertFunctions, type Functions } from "../functions/call-context.js";
import { evaluateEach } from "../functions/evaluate.js";
import { toPlainJson } from "../json-text.js";
import type { Action, HamNodes, Json } from "../types.js";
import { dataModelOf } from "./data-model.js";
import type { Message } from "./translation.js";
import { isV08 } from "./versions.js";

export interface ActionOptions {
  /** `v0.9` by default. */
  version?: string;
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
      locale: assertLocale,
      timeZone: assertTimeZone,
      functions: assertFunctions,
    },
    "the options of `toA2uiAction`",
  );
  const { name, surfaceId, sourceComponentId, timestamp } = action;
  const context = evaluateEach(toPlainJson(action.context, true), options);
  const { version = "v0.9" } = options;
  // Messages of v0.8 have no version.
  if (isV08(version))
    return { userAction: { name, surfaceId, sourceComponentId, timestamp, context } };
  return { version, action: { name, surfaceId, sourceComponentId, timestamp, context } };
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
    if (typeof store?.export !== "function")
      throwMisuse(`\`${id}\` must be a HamStore, not ${describeType(store)}`);
  }
  const surfaces = Object.entries(stores).map(([id, store]): [string, Json] => [
    id,
    dataModelOf(store.export()) ?? {},
  ]);
  return { version, surfaces: Object.fromEntries(surfaces) };
}
