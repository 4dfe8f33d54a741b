import type { Json } from "./types.js";

/**
 * Formats a value for display. Returns an empty string for lists and objects, such as unevaluated
 * function calls.
 */
export function asText(value: Json | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "";
}

/**
 * Returns a text as it is, and the JSON of another value. `String` throws for objects with a key
 * `toString`.
 */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : String(JSON.stringify(value));
}

/** Maximum length of the JSON text of a value that is not a text. */
const MAX_JSON_TEXT = 300;

/** Returns the text to display for a value: of a list or an object its JSON text, truncated. */
export function displayText(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return asText(value);
  const text = JSON.stringify(value);
  return text.length > MAX_JSON_TEXT ? `${text.slice(0, MAX_JSON_TEXT)}…` : text;
}

export function asNumber(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Returns the value if it is allowed, else the first allowed one. */
export function oneOf<const T extends string>(
  value: Json | undefined,
  allowed: readonly [T, ...T[]],
): T {
  return allowed.find((one) => one === value) ?? allowed[0];
}

/** JSON object. */
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Returns the value if it is a string. */
export function stringOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an own property; inherited ones such as `constructor` are ignored. */
export function ownProperty(value: Json | undefined, key: string): Json | undefined {
  const object = asObject(value);
  return object && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns whether two values are equal JSON, with their keys in the same order. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at]))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && jsonEqual(a[name], b[name]))
  );
}

/** Returns whether two values are equal JSON. A storage may change the order of keys. */
export function jsonEqualInAnyKeyOrder(a: Json | undefined, b: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(b))
    return Array.isArray(a) && Array.isArray(b)
      ? a.length === b.length && a.every((item, at) => jsonEqualInAnyKeyOrder(item, b[at]))
      : a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqualInAnyKeyOrder(a[name], b[name]))
  );
}
