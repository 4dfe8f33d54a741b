import type { Json } from "../wire.js";
import { closedSchema, isSchemaObject, type Schema } from "./closed-schema.js";
import type { ProviderReply } from "./reply.js";

/** What a service is told of the shape of a reply. */
export interface ResponseFormat {
  schema: Json;
  /** Whether the reply is asked for as the `value` of an object. */
  isWrapped: boolean;
}

/** Where the parts of a schema stand that are schemas themselves. */
const SCHEMA_MAP_KEYWORDS = ["properties", "patternProperties", "$defs", "definitions"];
const SCHEMA_LIST_KEYWORDS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SCHEMA_KEYWORDS = ["items", "additionalProperties", "not"];

/** The schema for services that want an object at the top, and the items of each list named. */
export function objectFormat(schema: Json): ResponseFormat | undefined {
  const named = addMissingItems(schema);
  if (isSchemaObject(named) && named["type"] === "object")
    return { schema: named, isWrapped: false };
  const wrapped = wrapInObject(named);
  return wrapped && { schema: wrapped, isWrapped: true };
}

/** The schema for Anthropic, where it has words for it. */
export function closedFormat(schema: Json): ResponseFormat | undefined {
  const closed = closedSchema(schema);
  if (closed !== undefined) return { schema: closed, isWrapped: false };
  const wrapped = wrapInObject(schema);
  const inside = wrapped && closedSchema(wrapped);
  return inside && { schema: inside, isWrapped: true };
}

/** What was told, without the object that was asked for around it. Its text stays as it was written. */
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
    // More stands beside it, or it is not whole: whoever asked says what is wrong with it.
    return reply;
  }
}

/** An object around what is none; nothing where the schema refers to places that would move. */
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

/** The schema with any items in lists of which it says nothing: without the keyword OpenAI refuses it. */
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
