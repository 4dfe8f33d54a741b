import type { Json } from "../wire.js";
import { closedSchema, isSchemaObject, type Schema } from "./closed-schema.js";
import type { ProviderReply } from "./reply.js";

/** Schema of a reply, as a service accepts it. */
export interface ResponseFormat {
  schema: Json;
  /** Whether the reply is the `value` of an object. */
  isWrapped: boolean;
}

/** Keywords with a map of schemas, a list of schemas, or one schema. */
const SCHEMA_MAP_KEYWORDS = ["properties", "patternProperties", "$defs", "definitions"];
const SCHEMA_LIST_KEYWORDS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SCHEMA_KEYWORDS = ["items", "additionalProperties", "not"];

/** Returns the format for services that require an object at the top, and `items` of lists. */
export function objectFormat(schema: Json): ResponseFormat | undefined {
  const named = addMissingItems(schema);
  if (isSchemaObject(named) && named["type"] === "object")
    return { schema: named, isWrapped: false };
  const wrapped = wrapInObject(named);
  return wrapped && { schema: wrapped, isWrapped: true };
}

/** Returns the format for Anthropic, or `undefined` if the schema is not supported. */
export function closedFormat(schema: Json): ResponseFormat | undefined {
  const closed = closedSchema(schema);
  if (closed !== undefined) return { schema: closed, isWrapped: false };
  const wrapped = wrapInObject(schema);
  const inside = wrapped && closedSchema(wrapped);
  return inside && { schema: inside, isWrapped: true };
}

/** Removes the wrapping object from a reply, if it was requested. The text inside is unchanged. */
export function unwrapReply(
  reply: ProviderReply,
  format: ResponseFormat | undefined,
): ProviderReply {
  const content = reply.text.trim();
  const head = /^\{\s*"value"\s*:/.exec(content)?.[0];
  if (!format?.isWrapped || head === undefined || !content.endsWith("}")) return reply;
  const text = content.slice(head.length, -1).trim();
  try {
    JSON.parse(text);
    return { ...reply, text };
  } catch {
    // The caller reports a reply that is not valid.
    return reply;
  }
}

/** Wraps a schema in an object. Returns `undefined` if references would break. */
function wrapInObject(schema: Json): Schema | undefined {
  if (!isSchemaObject(schema) || schema["type"] === "object") return undefined;
  const moves = /"\$ref":"(?!#\/(?:\$defs|definitions)\/)/;
  if (moves.test(JSON.stringify(schema))) return undefined;
  const { $schema: _, $defs, definitions, ...value } = schema;
  return {
    type: "object",
    properties: { value },
    required: ["value"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Adds `items` to lists without it, because OpenAI requires the keyword. */
function addMissingItems(schema: Json): Json {
  if (!isSchemaObject(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): [string, Json] => {
    if (SCHEMA_KEYWORDS.includes(keyword)) return [keyword, addMissingItems(part)];
    if (SCHEMA_LIST_KEYWORDS.includes(keyword) && Array.isArray(part))
      return [keyword, part.map(addMissingItems)];
    if (!SCHEMA_MAP_KEYWORDS.includes(keyword) || !isSchemaObject(part)) return [keyword, part];
    const named = Object.entries(part).map(([name, one]): [string, Json] => [
      name,
      addMissingItems(one),
    ]);
    return [keyword, Object.fromEntries(named)];
  });
  const isList = [schema["type"]].flat().includes("array");
  const isOpen = isList && !("items" in schema || "prefixItems" in schema);
  return Object.fromEntries(isOpen ? [...parts, ["items", {}]] : parts);
}
