import { isJsonObject, jsonEqual } from "../../json-value.js";
import type { Json } from "../../types.js";
import { isMessage } from "../frames/frame.js";
import { continuesScalar } from "./open-text.js";

/** List of messages in an object. */
export interface MessageList {
  /** Key of the list; `undefined` for a list without an object, and for a single message. */
  key: string | undefined;
  items: readonly Json[];
}

/** Keys of lists of messages. Under another key the first item is a message. */
const LIST_KEYS = ["messages", "a2ui_operations", "a2ui_json"];

/** Returns the list of messages in a list or object, or `undefined` if there is no message. */
export function messageListOf(value: Json): MessageList | undefined {
  if (Array.isArray(value))
    return value.some((item) => isMessage(item)) ? { key: undefined, items: value } : undefined;
  if (!isJsonObject(value) || isMessage(value)) return undefined;
  for (const [key, items] of Object.entries(value)) {
    if (!Array.isArray(items)) continue;
    const isList = LIST_KEYS.includes(key)
      ? items.some((item) => isMessage(item))
      : isMessage(items[0]);
    if (isList) return { key, items };
  }
  return undefined;
}

/**
 * Returns whether a value differs from an earlier one only by what has been added. A value without
 * any text, number or constant may also be equal: nothing has been added to it yet.
 */
export function isGrowth(before: Json | undefined, after: Json | undefined): boolean {
  return isGrowthOf(before, after) && (hasNoScalar(before) || !jsonEqual(before, after));
}

function hasNoScalar(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(hasNoScalar);
}

/** Returns whether a list contains the items of an earlier one, of which the last may have grown. */
export function isListGrowth(before: readonly Json[], after: readonly Json[]): boolean {
  const last = before.length - 1;
  return (
    after.length > last &&
    isGrowthOf(before[last], after[last]) &&
    before.every((item, at) => at === last || jsonEqual(item, after[at]))
  );
}

/** Returns whether a value is the beginning of another one, or equal to it. */
function isGrowthOf(before: Json | undefined, after: Json | undefined): boolean {
  if (typeof before === "string") return typeof after === "string" && after.startsWith(before);
  if (Array.isArray(before))
    return Array.isArray(after) && before.every((item, at) => isGrowthOf(item, after[at]));
  if (isJsonObject(before)) {
    if (!isJsonObject(after)) return false;
    return Object.entries(before).every(
      ([key, item]) => Object.hasOwn(after, key) && isGrowthOf(item, after[key]),
    );
  }
  const isScalar = after !== undefined && (typeof after !== "object" || after === null);
  return isScalar && typeof after !== "string" && continuesScalar(String(before), String(after));
}
