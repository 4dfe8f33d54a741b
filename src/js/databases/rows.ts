import { describeType } from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { DatabaseError } from "./error.js";

/** Converts the rows of a client, which have the column `row`, to JSON. */
export function rowsOf(answer: unknown): Json[] {
  const areRows = Array.isArray(answer) && answer.every((row) => isJsonObject(row) && "row" in row);
  if (areRows) return answer.map(({ row }) => toPlainRow(row ?? null));
  const help = "with `neo4j-driver`, return `records.map((one) => one.toObject())`";
  const message = `expected \`run\` to return a list of objects with \`row\`, found ${describeType(answer)}`;
  throw new DatabaseError({ reason: "statement", message, isTransient: false, help }, message);
}

/** Converts the integers of drivers, such as the objects of `neo4j-driver`, to numbers. */
export function toPlainRow(value: Json): Json {
  if (typeof value === "bigint") return exactInteger(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(toPlainRow);
  if (ArrayBuffer.isView(value)) return Array.from(value as never, Number);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const { low, high, ...others } = value;
    const halves = Number.isInteger(low) && Number.isInteger(high);
    if (halves && Object.keys(others).length === 0)
      return exactInteger((BigInt(high as number) << 32n) + BigInt((low as number) >>> 0));
    // Other classes, such as dates, are serialised by `toJSON` or `toString`.
    const isJson = typeof value["toJSON"] === "function";
    const text = isJson ? "[object" : String(value);
    return text.startsWith("[object") ? value : withoutZeros(text);
  }
  // A database has no null properties: null is a missing label or type.
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, toPlainRow(part)]));
}

/** Returns the number of an integer, or its text: a number would be that of another integer too. */
function exactInteger(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Returns the text of a time with 3, 6 or 9 decimals, as databases write it; `neo4j-driver` has 9. */
function withoutZeros(text: string): string {
  return text.replace(/(:\d\d\.\d{3}(?:\d{3})??)(?:000){1,2}(?!\d)/, "$1");
}
