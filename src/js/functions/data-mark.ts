import { ownProperty } from "../json-value.js";
import type { Json } from "../types.js";

/**
 * Key that marks a map of the data with a text `call`, so that it is not a call. The core adds it to
 * the values of bindings; data cannot remove it.
 */
const DATA_MARK = "@data";
/** Key of a `formatString` whose template is data, so that it is not read as a template. */
export const TEXT_MARK = "@text";
/** Maximum nesting depth of calls and marks; deeper calls are not evaluated. */
export const MAX_CALL_DEPTH = 64;

/** Returns the name of the function that a value calls, or undefined if it is data. */
export function calledFunction(value: Json | undefined): string | undefined {
  const name = ownProperty(value, "call");
  const isData = ownProperty(value, DATA_MARK) !== undefined;
  return typeof name === "string" && !isData ? name : undefined;
}

/** Marks the maps in a value that look like calls. */
export function markData(value: Json): Json {
  return setMarks(value, true, 0);
}

/** Removes the marks from a value. Returns the same object if it contains none. */
export function unmarkData<T extends Json | { readonly [key: string]: Json }>(value: T): T {
  return setMarks(value as Json, false, 0) as T;
}

function setMarks(value: Json, isData: boolean, depth: number): Json {
  if (typeof value !== "object" || value === null || depth > MAX_CALL_DEPTH + 1) return value;
  const entries = Object.entries(value) as [string, Json][];
  const items = entries.map(([key, item]): [string, Json] => [
    key,
    setMarks(item, isData, depth + 1),
  ]);
  const isSame = items.every(([, item], at) => item === entries[at]?.[1]);
  if (Array.isArray(value)) return isSame ? value : items.map(([, item]) => item);
  const map = isSame ? value : (Object.fromEntries(items) as { [key: string]: Json });
  const { [DATA_MARK]: mark, ...data } = map;
  if (typeof data["call"] !== "string" || isData === (mark !== undefined)) return map;
  return isData ? { ...data, [DATA_MARK]: true } : data;
}
