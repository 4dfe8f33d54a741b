import type { Json } from "../wire.js";

export type Schema = { readonly [keyword: string]: Json };

/** Maximum numbers of optional fields and of parts with several types in a schema. */
const MAX_OPTIONAL_FIELDS = 24;
const MAX_UNION_TYPES = 16;

const SUPPORTED_FORMATS: readonly Json[] = [
  ...["date-time", "time", "date", "duration", "email", "hostname"],
  ...["uri", "ipv4", "ipv6", "uuid"],
];

/** Unsupported syntax of patterns: assertions, backreferences, and counts. */
const UNSUPPORTED_PATTERN = /\(\?|\\[bBk1-9]|\{/;

/** Thrown for a schema that cannot be closed. */
class UnsupportedSchema extends Error {}

/** State of closing one schema. */
interface ClosingState {
  readonly root: Json;
  /** Closed definitions by pointer; null while one is being closed. */
  readonly definitions: Map<string, Schema | null>;
  optional: number;
  unions: number;
}

/**
 * Converts a schema to the subset of JSON Schema that Anthropic supports. Objects are closed and
 * limits are dropped, so the caller must validate the reply. Returns `undefined` if that is
 * impossible, as for arbitrary keys, values of any type, and recursion.
 */
export function closedSchema(schema: Json): Schema | undefined {
  const state: ClosingState = { root: schema, definitions: new Map(), optional: 0, unions: 0 };
  try {
    const closed = closeSchema(state, schema);
    const isObject = closed["type"] === "object" || closed["anyOf"] !== undefined;
    const isSmall = state.optional <= MAX_OPTIONAL_FIELDS && state.unions <= MAX_UNION_TYPES;
    return isObject && isSmall ? { ...closed, ...closedDefinitions(state) } : undefined;
  } catch (reason) {
    if (reason instanceof UnsupportedSchema) return undefined;
    throw reason;
  }
}

/**
 * Returns whether all objects are closed and all fields required, as OpenAI requires for `strict`.
 */
export function isStrict(schema: Json): boolean {
  if (typeof schema !== "object" || schema === null) return true;
  if (!Object.values(schema).every(isStrict)) return false;
  if (!isSchemaObject(schema) || !typesOf(schema).includes("object")) return true;
  const { properties = {}, required, additionalProperties } = schema;
  const names = Array.isArray(required) ? required : [];
  const fields = Object.keys(properties as Schema);
  return additionalProperties === false && fields.every((name) => names.includes(name));
}

function closeSchema(state: ClosingState, schema: Json): Schema {
  if (!isSchemaObject(schema)) throw new UnsupportedSchema();
  if (typeof schema["$ref"] === "string") return closeReference(state, schema["$ref"]);
  const parts = Object.entries(schema).flatMap(([keyword, part]) =>
    Object.entries(closeKeyword(state, keyword, part)),
  );
  const closed: { [keyword: string]: Json } = Object.fromEntries(parts);
  const types = typesOf(schema);
  const hasType = ["type", "enum", "const", "anyOf"].some((keyword) => keyword in closed);
  if (!hasType || (types.includes("array") && !("items" in closed))) throw new UnsupportedSchema();
  if (types.includes("object")) closeObject(state, schema, closed);
  if ("anyOf" in closed || types.length > 1) state.unions += 1;
  return closed;
}

/** Converts a keyword. Keywords that only limit a value may be dropped. */
function closeKeyword(state: ClosingState, keyword: string, part: Json): Schema {
  const each = (schemas: Json) => {
    if (!Array.isArray(schemas)) throw new UnsupportedSchema();
    return schemas.map((one) => closeSchema(state, one));
  };
  switch (keyword) {
    case "title":
    case "description":
    case "type":
    case "required":
    case "default":
      return { [keyword]: part };
    case "enum":
    case "const":
      if ([part].flat().some((value) => typeof value === "object" && value !== null)) break;
      return { [keyword]: part };
    case "format":
      return SUPPORTED_FORMATS.includes(part) ? { format: part } : {};
    case "pattern":
      return UNSUPPORTED_PATTERN.test(String(part)) ? {} : { pattern: part };
    case "minItems":
      return { minItems: Math.min(Number(part), 1) };
    case "items":
      return { items: closeSchema(state, part) };
    case "anyOf":
    case "oneOf":
      return { anyOf: each(part) };
    case "properties":
      return { properties: closeMap(state, part) };
    case "additionalProperties":
      if (part === false) return {};
      break;
    case "allOf":
    case "if":
    case "dependentSchemas":
    case "patternProperties":
    case "prefixItems":
    case "$dynamicRef":
      // The combination would be stricter than its closed parts.
      break;
    default:
      return {};
  }
  throw new UnsupportedSchema();
}

function closeMap(state: ClosingState, properties: Json): Schema {
  if (!isSchemaObject(properties)) throw new UnsupportedSchema();
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, closeSchema(state, one)]),
  );
}

/** Closes an object. An open one without fields may have any, so it is not supported. */
function closeObject(
  state: ClosingState,
  schema: Schema,
  closed: { [keyword: string]: Json },
): void {
  const properties = (closed["properties"] ?? {}) as Schema;
  const fields = Object.keys(properties);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const isOpen = fields.length === 0 && schema["additionalProperties"] !== false;
  if (isOpen || !required.every((name) => fields.includes(String(name))))
    throw new UnsupportedSchema();
  Object.assign(closed, { properties, additionalProperties: false });
  state.optional += fields.filter((name) => !required.includes(name)).length;
}

/** Closes the target of a reference. A recursive reference is not supported. */
function closeReference(state: ClosingState, pointer: string): Schema {
  const { definitions, root } = state;
  const [, place = "", name = ""] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(pointer) ?? [];
  const group = isSchemaObject(root) && Object.hasOwn(root, place) ? root[place] : undefined;
  if (!isSchemaObject(group) || !Object.hasOwn(group, name)) throw new UnsupportedSchema();
  const known = definitions.get(pointer);
  if (known === null) throw new UnsupportedSchema();
  if (known === undefined) {
    definitions.set(pointer, null);
    definitions.set(pointer, closeSchema(state, group[name] as Json));
  }
  return { $ref: pointer };
}

/** Returns the closed definitions at their original locations. */
function closedDefinitions(state: ClosingState): Schema {
  const groups: { [place: string]: { [name: string]: Json } } = {};
  for (const [pointer, schema] of state.definitions) {
    const [, place = "", name = ""] = pointer.split("/");
    groups[place] = { ...groups[place], ...Object.fromEntries([[name, schema]]) };
  }
  return groups;
}

function typesOf({ type = [] }: Schema): readonly Json[] {
  return Array.isArray(type) ? type : [type];
}

export function isSchemaObject(value: Json | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
