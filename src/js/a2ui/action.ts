import {
  assertLocale,
  assertMap,
  assertOptionTypes,
  assertString,
  describeType,
  throwMisuse,
} from "../arguments.js";
import { type Functions, needFunctions } from "../functions/calls.js";
import { evaluateEach } from "../functions/evaluate.js";
import { toPlainJson } from "../json-text.js";
import type { Action, HamNodes, Json } from "../types.js";
import { modelOf } from "./model.js";
import type { Message } from "./translation.js";

export interface ActionOptions {
  /** `v0.9` by default. */
  version?: string;
  /** The language of functions in the context. */
  locale?: string;
  /** Functions of one's own, as `mount` has them. */
  functions?: Functions;
}

/** The message that tells an A2UI agent of an action. */
export function toA2uiAction(action: Action, options: ActionOptions = {}): Message {
  assertMap(action, "an action");
  assertMap(action.context, "`context` of an action");
  assertOptionTypes(
    options,
    { version: assertString, locale: assertLocale, functions: needFunctions },
    "the options of `toA2uiAction`",
  );
  const { name, surfaceId, sourceComponentId, timestamp } = action;
  const context = evaluateEach(toPlainJson(action.context, true), options);
  const { version = "v0.9" } = options;
  return { version, action: { name, surfaceId, sourceComponentId, timestamp, context } };
}

/** The data models of surfaces, as agents with `sendDataModel` get them with each message. */
export function toA2uiDataModel(
  stores: { readonly [surfaceId: string]: { export(): HamNodes } },
  version = "v0.9",
): Message {
  assertMap(stores, "what holds the stores by surface");
  assertString(version, "`version`");
  for (const [id, store] of Object.entries(stores)) {
    if (typeof store?.export !== "function")
      throwMisuse(`\`${id}\` is a HamStore, not ${describeType(store)}`);
  }
  const surfaces = Object.entries(stores).map(([id, store]): [string, Json] => [
    id,
    modelOf(store.export()) ?? {},
  ]);
  return { version, surfaces: Object.fromEntries(surfaces) };
}
