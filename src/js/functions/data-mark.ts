import { ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import { Budget } from "./budget.js";

/**
 * Key that marks a map of the data with a text `call`, so that it is not a call. The core adds it to
 * the values of bindings; data cannot remove it.
 */
const DATA_MARK = "@data";
/** Key of a `formatString` whose template is data, so that it is not read as a template. */
export const TEXT_MARK = "@text";
/** Maximum nesting depth of calls; deeper calls are not evaluated. */
export const MAX_CALL_DEPTH = 64;
/** Maximum nesting depth of marks; that of the data is lower. */
const MAX_DATA_DEPTH = 1_000;
/** Cost of an object in the search for marks. */
const VISIT_COST = 4;

/** Returns the name of the function that a value calls, or undefined if it is data. */
export function calledFunction(value: Json | undefined): string | undefined {
  const name = ownProperty(value, "call");
  const isData = ownProperty(value, DATA_MARK) !== undefined;
  return typeof name === "string" && !isData ? name : undefined;
}

/**
 * Returns the mark of a call of `formatString` whose text is not that of its author; else no keys.
 * The arguments are those before their bindings and calls are replaced.
 */
export function textMark(name: Json | undefined, args: Json | undefined): { [TEXT_MARK]?: true } {
  const isData = name === "formatString" && typeof ownProperty(args, "value") !== "string";
  return isData ? { [TEXT_MARK]: true } : {};
}

/** Marks the maps in a value that look like calls. */
export function markData(value: Json): Json {
  return setMarks(value, true);
}

/** Removes the marks from a value. Returns the same object if it contains none. */
export function unmarkData<T extends Json | { readonly [key: string]: Json }>(value: T): T {
  return setMarks(value as Json, false) as T;
}

function setMarks(value: Json, isData: boolean): Json {
  return mayChange(value, isData, new Budget(), 0) ? copyWith(value, isData, new Map(), 0) : value;
}

/** Returns whether a mark must be set or removed, or that is unknown. Allocates no copy. */
function mayChange(value: Json, isData: boolean, budget: Budget, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth > MAX_DATA_DEPTH || !budget.trySpend(VISIT_COST) || isWrong(value, isData)) return true;
  return Object.values(value).some((item: Json) => mayChange(item, isData, budget, depth + 1));
}

function isWrong(value: Json & object, isData: boolean): boolean {
  return (
    typeof ownProperty(value, "call") === "string" && isData !== Object.hasOwn(value, DATA_MARK)
  );
}

/** The result of a function of the page may contain an object several times, or itself. */
function copyWith(value: Json, isData: boolean, copies: Map<Json, Json>, depth: number): Json {
  if (typeof value !== "object" || value === null || depth > MAX_DATA_DEPTH) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  copies.set(value, value);
  const entries = Object.entries(value) as [string, Json][];
  const items = entries.map(([key, item]): [string, Json] => [
    key,
    copyWith(item, isData, copies, depth + 1),
  ]);
  let result: Json = value;
  if (items.some(([, item], at) => item !== entries[at]?.[1]))
    result = Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
  if (isWrong(result as Json & object, isData)) {
    const { [DATA_MARK]: _, ...data } = result as { [key: string]: Json };
    result = isData ? { ...data, [DATA_MARK]: true } : data;
  }
  copies.set(value, result);
  return result;
}
