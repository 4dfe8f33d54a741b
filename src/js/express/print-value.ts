import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";

export function isIdentifier(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** Prints a value as a literal, a list or a map. `printInner` prints parts in another way. */
export function printValue(
  value: Json,
  printInner: (inner: Json) => string = (inner) => printValue(inner),
): string {
  if (typeof value === "string") return printText(value);
  if (Array.isArray(value)) return `[${value.map(printInner).join(", ")}]`;
  if (!isJsonObject(value)) return printNumber(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${isIdentifier(key) ? key : printStandard(key)}: ${printInner(inner)}`,
  );
  return `{${entries.join(", ")}}`;
}

/** Prints data: lists and maps as compact JSON, which needs the fewest tokens. */
export function printDataValue(value: Json): string {
  if (typeof value !== "object" || value === null) return printValue(value);
  const json = JSON.stringify(value);
  // Express has neither these escapes nor exponents.
  return /\\[bf]|\de[+-]/.test(json) ? printValue(value) : json;
}

/** Prints a number without an exponent, which Express does not have. */
function printNumber(value: number | boolean | null): string {
  const text = String(value);
  if (typeof value !== "number" || !text.includes("e")) return text;
  const [digits = "", exponent = "0"] = text.split("e");
  return Number(exponent) > 0
    ? BigInt(value).toString()
    : value.toFixed(countDecimalPlaces(digits, exponent));
}

/** Returns the number of decimal places of a small number. */
function countDecimalPlaces(digits: string, exponent: string): number {
  const places = (digits.split(".")[1] ?? "").length - Number(exponent);
  return Math.min(100, places);
}

/** Prints a text: with backslashes raw, with line breaks in triple quotes, else with escapes. */
function printText(text: string): string {
  const isPlain = !/["\p{Cc}]/u.test(text);
  if (text.includes("\\")) {
    if (isPlain) return `r"${text}"`;
    return text.includes('"""') || text.endsWith('"') || /[^\P{Cc}\n\t]/u.test(text)
      ? printStandard(text)
      : `r"""${text}"""`;
  }
  const isLines = /\n/.test(text) && !/[^\P{Cc}\n\t]/u.test(text);
  return isLines && !text.includes('""') && !text.endsWith('"')
    ? `"""${text}"""`
    : printStandard(text);
}

function printStandard(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
