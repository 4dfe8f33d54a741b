import { describeType } from "../arguments.js";
import type { Json } from "../types.js";

/**
 * Returns the first difference between a reply and its JSON schema, or `undefined`. Checks `type`,
 * `enum`, `required`, `properties` and `items`; other keywords are left to the model provider.
 */
export function findSchemaError(schema: Json, value: Json, path = "$"): string | undefined {
  if (!isObject(schema)) return undefined;
  const { type, enum: choices, required, properties, items } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((one) => hasType(value, one))) {
    return `expected ${types.join(" or ")} at \`${path}\`, found ${describeType(value)}`;
  }
  if (Array.isArray(choices)) {
    const texts = choices.map((choice) => JSON.stringify(choice));
    if (typeof value !== "object" && !texts.includes(JSON.stringify(value))) {
      return `expected ${texts.join(" or ")} at \`${path}\`, found ${JSON.stringify(value)}`;
    }
  }
  if (Array.isArray(value)) {
    if (items === undefined) return undefined;
    return firstError(value.map((item, index) => [items, item, `${path}[${index}]`]));
  }
  if (!isObject(value)) return undefined;
  const keys = Array.isArray(required) ? required : [];
  const missing = keys.find((key) => typeof key === "string" && !Object.hasOwn(value, key));
  if (missing !== undefined) return `missing \`${missing}\` at \`${path}\``;
  if (!isObject(properties ?? null)) return undefined;
  const own = Object.entries(properties as { [key: string]: Json });
  const present = own.filter(([key]) => Object.hasOwn(value, key));
  return firstError(present.map(([key, inner]) => [inner, value[key] as Json, `${path}.${key}`]));
}

function firstError(parts: [Json, Json, string][]): string | undefined {
  for (const [schema, value, path] of parts) {
    const error = findSchemaError(schema, value, path);
    if (error !== undefined) return error;
  }
  return undefined;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks a type of a JSON schema; one that is unknown matches every value. */
function hasType(value: Json, type: Json): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}
