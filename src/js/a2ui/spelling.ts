import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import { callKeys, envelopeKeys } from "./directives.js";

/**
 * Returns a component with bindings and calls as `{"@path"}` and `{"@call"}`, and literal keys that
 * begin with `@` doubled. `inEnvelope` also writes keys such as `@checks`.
 */
export function withAtKeys(component: Json, inEnvelope: boolean): Json {
  if (!isJsonObject(component)) return component;
  const entries = Object.entries(component).map(([key, value]): [string, Json] => [
    inEnvelope && envelopeKeys.includes(key) ? `@${key}` : literalKey(key),
    writeAtKeys(value),
  ]);
  return Object.fromEntries(entries);
}

function writeAtKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(writeAtKeys);
  if (!isJsonObject(value)) return value;
  const { path, call, componentId } = value;
  const keys = Object.keys(value);
  // The path of a template has no `@`.
  if (typeof path === "string" && componentId === undefined && keys.length === 1)
    return { "@path": path };
  if (typeof path === "string" && componentId !== undefined) return value;
  if (typeof call === "string" && keys.every((key) => callKeys.has(key))) {
    const { call: _, ...rest } = value;
    return { "@call": call, ...writeAtKeysOfEach(rest) };
  }
  return writeAtKeysOfEach(value);
}

function writeAtKeysOfEach(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [
    literalKey(key),
    writeAtKeys(value),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function literalKey(key: string): string {
  return key.startsWith("@") ? `@${key}` : key;
}
