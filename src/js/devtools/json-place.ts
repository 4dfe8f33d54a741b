import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Line of a printed value. */
export interface PrintedLine {
  text: string;
  /** JSON pointer of the value that begins in this line. */
  pointer: string;
}

/** Maximum number of printed lines. */
export const MAX_LINES = 2000;

/** Maximum number of levels that are printed in lines of their own. */
const MAX_INDENTED_DEPTH = 60;

/** Prints a value in lines, each with the pointer of its value; long values are truncated. */
export function printLines(value: Json): PrintedLine[] {
  const lines: PrintedLine[] = [];
  addLines(lines, value, { pointer: "", indent: "", label: "", end: "" });
  if (lines.length < MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), { text: "…", pointer: "" }];
}

interface Place {
  pointer: string;
  indent: string;
  /** Key before the value. */
  label: string;
  /** Comma after the value. */
  end: string;
}

function addLines(lines: PrintedLine[], value: Json, place: Place): void {
  const { pointer, indent, label, end } = place;
  if (lines.length >= MAX_LINES) return;
  const isList = Array.isArray(value);
  const items: [string, Json][] = isList
    ? value.map((item, index) => [String(index), item])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (items.length === 0 || indent.length > 2 * MAX_INDENTED_DEPTH) {
    lines.push({ text: `${indent}${label}${JSON.stringify(value)}${end}`, pointer });
    return;
  }
  lines.push({ text: `${indent}${label}${isList ? "[" : "{"}`, pointer });
  items.forEach(([key, item], index) => {
    addLines(lines, item, {
      pointer: `${pointer}/${escapeKey(key)}`,
      indent: `${indent}  `,
      label: isList ? "" : `${JSON.stringify(key)}: `,
      end: index < items.length - 1 ? "," : "",
    });
  });
  if (lines.length < MAX_LINES)
    lines.push({ text: `${indent}${isList ? "]" : "}"}${end}`, pointer });
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Beginning of a string, a mark, or another value. */
const TOKEN = /["[\]{},:]|[^\s[\]{},:"]+/g;

/** Returns the pointer of the innermost value at an offset of a valid JSON text. */
export function pointerAt(text: string, offset: number): string | undefined {
  const steps: { isList: boolean; key: string; index: number }[] = [];
  let found: string | undefined;
  let isKey = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const { index } = match;
    if (index > offset) break;
    if (match[0] === '"') tokens.lastIndex = stringEnd(text, index + 1) + 1;
    const token = text.slice(index, tokens.lastIndex);
    const top = steps.at(-1);
    if (token === "{" || token === "[") {
      found = pointerOf(steps);
      steps.push({ isList: token === "[", key: "", index: 0 });
      isKey = token === "{";
    } else if (token === "}" || token === "]") {
      steps.pop();
      found = pointerOf(steps);
      isKey = false;
    } else if (token === ",") {
      if (top) top.index += 1;
      isKey = top?.isList === false;
    } else if (token === ":") {
      isKey = false;
    } else if (isKey && top) {
      top.key = JSON.parse(token) as string;
      found = pointerOf(steps);
    } else {
      found = pointerOf(steps);
    }
  }
  return found;
}

function pointerOf(steps: readonly { isList: boolean; key: string; index: number }[]): string {
  return steps.map(({ isList, key, index }) => `/${isList ? index : escapeKey(key)}`).join("");
}

/** Returns the offset of the quote that ends a string, or the length of the text. */
export function stringEnd(text: string, start: number): number {
  const special = /["\\]/g;
  special.lastIndex = start;
  for (let found = special.exec(text); found; found = special.exec(text)) {
    if (found[0] === '"') return found.index;
    special.lastIndex += 1;
  }
  return text.length;
}
