import type { Json } from "../wire.js";
import { closedSchema, isMap, type Schema } from "./closed-schema.js";
import type { ProviderAnswer } from "./reply.js";

/** What a service is told of the shape of a reply. */
export interface Format {
  schema: Json;
  /** Whether the reply is asked for as the `value` of an object. */
  isWrapped: boolean;
}

/** Where the parts of a schema stand that are schemas themselves. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];
const LISTED = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLE = ["items", "additionalProperties", "not"];

/** The schema for services that want an object at the top, and the items of each list named. */
export function rootedFormat(schema: Json): Format | undefined {
  const named = withItems(schema);
  if (isMap(named) && named["type"] === "object") return { schema: named, isWrapped: false };
  const wrapped = wrap(named);
  return wrapped && { schema: wrapped, isWrapped: true };
}

/** The schema for Anthropic, where it has words for it. */
export function closedFormat(schema: Json): Format | undefined {
  const closed = closedSchema(schema);
  if (closed !== undefined) return { schema: closed, isWrapped: false };
  const wrapped = wrap(schema);
  const inside = wrapped && closedSchema(wrapped);
  return inside && { schema: inside, isWrapped: true };
}

/** What was told, without the object that was asked for around it. Its text stays as it was written. */
export function unwrapped(told: ProviderAnswer, format: Format | undefined): ProviderAnswer {
  const whole = told.text.trim();
  const head = /^\{\s*"value"\s*:/.exec(whole)?.[0];
  if (!format?.isWrapped || head === undefined || !whole.endsWith("}")) return told;
  const text = whole.slice(head.length, -1).trim();
  try {
    JSON.parse(text);
    return { ...told, text };
  } catch {
    // More stands beside it, or it is not whole: whoever asked says what is wrong with it.
    return told;
  }
}

/** An object around what is none; nothing where the schema refers to places that would move. */
function wrap(schema: Json): Schema | undefined {
  if (!isMap(schema) || schema["type"] === "object") return undefined;
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
function withItems(schema: Json): Json {
  if (!isMap(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, part]): [string, Json] => {
    if (SINGLE.includes(keyword)) return [keyword, withItems(part)];
    if (LISTED.includes(keyword) && Array.isArray(part)) return [keyword, part.map(withItems)];
    if (!NAMED.includes(keyword) || !isMap(part)) return [keyword, part];
    const named = Object.entries(part).map(([name, one]): [string, Json] => [name, withItems(one)]);
    return [keyword, Object.fromEntries(named)];
  });
  const isList = [schema["type"]].flat().includes("array");
  const isOpen = isList && !("items" in schema || "prefixItems" in schema);
  return Object.fromEntries(isOpen ? [...parts, ["items", {}]] : parts);
}
