import { asObject, type JsonObject } from "../../json-value.js";
import type { PropDefinition } from "../types.js";

/** Returns whether a type allows every value. */
export function isAny({ type, enum: values, anyOf, items, properties }: PropDefinition): boolean {
  if (type !== undefined) return type === "any";
  return [values, anyOf, items, properties].every((shape) => shape === undefined);
}

/** Returns whether an object has a key that its type does not declare. */
export function hasUndeclaredKey(one: PropDefinition, object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && !Object.hasOwn(one.properties ?? {}, key);
}

/**
 * Returns whether an object is a binding without its `binding` wrapper. Untyped values need both
 * keys.
 */
export function isUnwrappedBinding(object: JsonObject, one: PropDefinition): boolean {
  const keys = Object.keys(object);
  const only = keys.length > 0 && keys.every((key) => key === "node" || key === "key");
  const free = isAny(one) || (one.type === "object" && one.properties === undefined);
  if (!only || keys.some((key) => Object.hasOwn(one.properties ?? {}, key))) return false;
  return free ? keys.length === 2 && keys.every((key) => typeof object[key] === "string") : true;
}

/** Returns whether a literal has the named type. */
export function hasType({ type }: PropDefinition, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return asObject(value) !== undefined;
    default:
      return typeof value === type;
  }
}
