import type { Json } from "byname";

export type JsonRecord = { [name: string]: Json };

/** Returns whether a value is an object, and not an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value that is an object, or else an empty object. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** Returns a value that is an array, or else an empty array. */
export function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
