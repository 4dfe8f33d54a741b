import { escapePointer } from "../../json-text.js";
import { isJsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Maximum nesting of an imported workflow: the conversions are recursive. */
const MAX_DEPTH = 500;

/** Maximum length of an expression that is converted: regular expressions need memory for each character. */
export const MAX_EXPRESSION_LENGTH = 10_000;

/** Returns whether a value is nested too deeply, as one that contains itself is. */
export function isTooDeep(value: Json): boolean {
  const open: [value: Json, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, depth] = next;
    if (depth > MAX_DEPTH) return true;
    if (typeof one !== "object" || one === null) continue;
    for (const part of Object.values(one)) open.push([part, depth + 1]);
  }
  return false;
}

/** Returns a text in which no dollar sign begins a reference. */
export function escapeText(text: string): string {
  return text.replaceAll("$", "$$$$");
}

/** Converts the texts in a value. */
export function mapTexts(
  value: Json,
  pointer: string,
  convert: (text: string, pointer: string) => Json,
): Json {
  if (typeof value === "string") return convert(value, pointer);
  if (Array.isArray(value))
    return value.map((item, at) => mapTexts(item, `${pointer}/${at}`, convert));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      mapTexts(item, `${pointer}/${escapePointer(key)}`, convert),
    ]),
  );
}
