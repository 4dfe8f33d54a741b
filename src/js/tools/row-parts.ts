import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { pageRows, pageValue, type RowRange, rowBudget } from "./page.js";
import { argumentFailure } from "./result.js";

/** Rows of a surface whose properties are read one at a time if they are long. */
export interface PartRows {
  /** `nodes` or `definitions`. */
  readonly part: string;
  readonly maxCharacters: number;
  /** Returns the text of a call of the tool. */
  readonly call: (args: JsonObject) => string;
}

/** Maximum number of properties that are left out and named. */
const MAX_CALLS = 5;

/** Returns the properties of a row: those of a node are in `value`. */
function propsOf(row: JsonObject, part: string): Json {
  return part === "nodes" ? (row["value"] ?? null) : row;
}

/**
 * Returns a row that fits into a result. Properties that do not fit are left out; `rest` names the
 * calls that return them.
 */
export function fittingRow(row: JsonObject, { part, maxCharacters, call }: PartRows): JsonObject {
  const budget = rowBudget(maxCharacters);
  if (JSON.stringify(row).length <= budget) return row;
  const { id = "" } = row;
  const props = propsOf(row, part);
  if (!isJsonObject(props))
    return { id, rest: `the value is left out; ${call({ part, id, offset: 0 })}` };
  const sizes = new Map(
    Object.entries(props).map(([key, value]) => [key, JSON.stringify({ [key]: value }).length]),
  );
  // The other half is for the names of the calls.
  let left = Math.floor(budget / 2);
  const shortestFirst = [...sizes].sort(([, a], [, b]) => a - b);
  const kept = new Set<string>();
  for (const [key, size] of shortestFirst) {
    left -= size;
    if (left < 0) break;
    kept.add(key);
  }
  const omitted = Object.keys(props).filter((key) => !kept.has(key));
  const calls = omitted.slice(0, MAX_CALLS).map((key) => call({ part, id, key, offset: 0 }));
  const rest = `${omitted.length} properties are left out; ${calls.join(", ")}`;
  const shown = Object.fromEntries(Object.entries(props).filter(([key]) => kept.has(key)));
  return part === "nodes" ? { id, value: shown, rest } : { ...shown, rest };
}

/**
 * Returns a range of the items of a node or of a property, or undefined if the row is returned as a
 * whole.
 */
export function itemsPart(
  row: JsonObject,
  key: string | undefined,
  range: RowRange,
  { part, maxCharacters, call }: PartRows,
): JsonObject | undefined {
  const { id = "" } = row;
  const props = propsOf(row, part);
  const isLong = JSON.stringify(row).length > rowBudget(maxCharacters);
  if (key === undefined && (isJsonObject(props) || !isLong)) return undefined;
  const value = key === undefined ? props : propertyOf(props, key);
  if (value === undefined) {
    const names = isJsonObject(props) ? Object.keys(props).slice(0, 30) : [];
    const known = names.map((name) => `\`${name}\``).join(", ");
    const help = known === "" ? "leave `key` out" : `use one of ${known}`;
    return argumentFailure([{ field: "/key", message: `unknown property \`${key}\``, help }]);
  }
  const next = (offset: number): string =>
    call({ part, id, ...(key !== undefined && { key }), offset });
  if (!Array.isArray(value))
    return { ok: true, id, ...pageValue(value, range.offset, maxCharacters, next) };
  const { rows, ...page } = pageRows(value, range, maxCharacters, next) as JsonObject;
  return { ok: true, id, items: rows as Json, ...page };
}

function propertyOf(props: Json, key: string): Json | undefined {
  return isJsonObject(props) && Object.hasOwn(props, key) ? props[key] : undefined;
}
