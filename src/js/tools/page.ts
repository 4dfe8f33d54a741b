import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Characters of a result besides its rows. */
const ENVELOPE_LENGTH = 600;

/** Length of texts that are not cut from an error, such as its kind. */
const MIN_TEXT_LENGTH = 40;

/** Range of rows that a model asks for. */
export interface RowRange {
  offset: number;
  limit: number | undefined;
}

/** Returns the maximum length of the rows of a result. */
export function rowBudget(maxCharacters: number): number {
  return maxCharacters - ENVELOPE_LENGTH;
}

/** Reads `offset` and `limit` of checked arguments. */
export function rangeOf(args: JsonObject): RowRange {
  const { offset = 0, limit } = args as { offset?: number; limit?: number };
  return { offset, limit };
}

/** Properties of a schema for a range of rows. */
export const RANGE_PROPERTIES: JsonObject = {
  offset: { type: "integer", minimum: 0, description: "index of the first row; 0 by default" },
  limit: { type: "integer", minimum: 1, description: "maximum number of rows" },
};

/**
 * Returns the rows of a range that fit into a number of characters. If rows are left out, `rest`
 * says which arguments return them; `call` returns that text for an offset.
 */
export function pageRows(
  rows: readonly Json[],
  { offset, limit }: RowRange,
  maxCharacters: number,
  call: (offset: number) => string,
): JsonObject {
  const budget = rowBudget(maxCharacters);
  const end = limit === undefined ? rows.length : Math.min(rows.length, offset + limit);
  const shown: Json[] = [];
  let size = 0;
  for (let at = offset; at < end; at++) {
    const row = rows[at] as Json;
    const length = JSON.stringify(row).length + 1;
    if (shown.length > 0 && size + length > budget) break;
    shown.push(length > budget ? cutRow(row, budget) : row);
    size += length;
  }
  return { rows: shown, total: rows.length, ...restPart(rows.length, offset, shown.length, call) };
}

/** Returns the note about rows that are left out, or nothing if there are none. */
export function restPart(
  total: number,
  offset: number,
  count: number,
  call: (offset: number) => string,
): JsonObject {
  const next = offset + count;
  if (total > 0 && offset >= total)
    return { rest: `offset ${offset} is after the last row; ${call(0)}` };
  if (next >= total) return {};
  return { rest: `rows ${next} to ${total - 1} are left out; ${call(next)}` };
}

/** Returns a row with its long values cut, so that its JSON text fits into a budget. */
function cutRow(row: Json, budget: number): Json {
  if (!isJsonObject(row)) return cutText(JSON.stringify(row), budget);
  const entries = Object.entries(row);
  let share = Math.floor(budget / 2);
  for (; share > 8; share = Math.floor(share / 2)) {
    const cut = Object.fromEntries(
      entries.map(([name, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return [name, text.length > share ? cutText(text, share) : value];
      }),
    );
    if (JSON.stringify(cut).length <= budget) return cut;
  }
  return cutText(JSON.stringify(row), budget);
}

/**
 * Truncates a text and appends its original length. Escapes double its length at most six times.
 */
function cutText(text: string, budget: number): string {
  const note = `… (cut; ${text.length} characters)`;
  let length = Math.max(0, Math.min(text.length, budget - note.length));
  while (length > 0 && JSON.stringify(text.slice(0, length)).length > budget - note.length)
    length = Math.floor(length / 2);
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "") + note;
}

/** Returns a part of a text that fits, cut at a line. `rest` says how to get the following one. */
export function pageText(
  text: string,
  offset: number,
  budget: number,
  call: (offset: number) => string,
): { text: string; rest?: string } {
  let end = Math.min(text.length, offset + budget);
  while (end > offset && JSON.stringify(text.slice(offset, end)).length > budget)
    end = offset + Math.floor((end - offset) / 2);
  if (end < text.length) {
    const line = text.lastIndexOf("\n", end);
    if (line > offset) end = line + 1;
  }
  const part = text.slice(offset, end);
  if (end >= text.length) return { text: part };
  return { text: part, rest: `${text.length - end} characters are left out; ${call(end)}` };
}

/** Returns a value that fits, or a part of its JSON text and how to get the following one. */
export function pageValue(
  value: Json,
  offset: number,
  maxCharacters: number,
  call: (offset: number) => string,
): JsonObject {
  const json = JSON.stringify(value);
  if (offset === 0 && json.length <= maxCharacters - ENVELOPE_LENGTH) return { value };
  const { text, rest } = pageText(json, offset, maxCharacters - ENVELOPE_LENGTH, call);
  return { json: text, ...(rest !== undefined && { rest }) };
}

/** Returns an error with shorter texts and lists of fields; its kind stays. */
function cutError(error: JsonObject, budget: number): Json {
  let length = budget;
  let cut = cutTexts(error, length);
  while (length > MIN_TEXT_LENGTH && JSON.stringify(cut).length > budget) {
    length = Math.floor(length / 2);
    cut = cutTexts(error, length);
  }
  return cut;
}

function cutTexts(value: Json, length: number): Json {
  if (typeof value === "string") return value.length > length ? cutText(value, length) : value;
  if (Array.isArray(value))
    return value
      .slice(0, Math.ceil(length / MIN_TEXT_LENGTH))
      .map((item) => cutTexts(item, length));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cutTexts(item, length)]),
  );
}

/**
 * Cuts the longest parts of a result until its JSON text fits. `cut` names them, so that a shortened
 * result is never taken for a complete one.
 */
export function fitResult(result: JsonObject, maxCharacters: number): JsonObject {
  if (JSON.stringify(result).length <= maxCharacters) return result;
  const fitted: JsonObject = { ...result };
  const cut: { [key: string]: string } = {};
  /** Keys of parts that cannot be cut further. */
  const isShortest = new Set<string>();
  const sizeOf = (key: string): number => JSON.stringify(fitted[key]).length;
  while (JSON.stringify({ ...fitted, cut }).length > maxCharacters) {
    const keys = Object.keys(fitted).filter((key) => key !== "ok" && !isShortest.has(key));
    const [longest] = keys.sort((a, b) => sizeOf(b) - sizeOf(a));
    if (longest === undefined || sizeOf(longest) < 40) break;
    const original = result[longest] as Json;
    const value = fitted[longest] as Json;
    if (longest === "error" && isJsonObject(original)) {
      const size = sizeOf(longest);
      fitted[longest] = cutError(original, Math.floor(size / 2));
      if (sizeOf(longest) >= size) isShortest.add(longest);
      cut[longest] = "cut, ask for less";
    } else if (Array.isArray(value) && value.length > 1) {
      fitted[longest] = value.slice(0, Math.ceil(value.length / 2));
      const kept = (fitted[longest] as Json[]).length;
      cut[longest] = `${kept} of ${(original as Json[]).length} items`;
    } else {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      fitted[longest] = cutText(text, Math.floor(sizeOf(longest) / 2));
      cut[longest] = "cut, ask for less";
    }
  }
  return { ...fitted, cut };
}
