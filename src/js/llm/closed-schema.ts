import type { Json } from "../wire.js";

export type Schema = { readonly [keyword: string]: Json };

/** What services take of a schema altogether: fields that may be left out, and parts of several types. */
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

const FORMATS: readonly Json[] = [
  ...["date-time", "time", "date", "duration", "email", "hostname"],
  ...["uri", "ipv4", "ipv6", "uuid"],
];

/** What of a pattern is not taken: assertions, references to groups, and counts. */
const UNSUPPORTED_PATTERN = /\(\?|\\[bBk1-9]|\{/;

/** A schema that there is no closed one for. */
class UnsupportedSchema extends Error {}

/** A schema on its way, and what was found in it. */
interface ClosingState {
  readonly root: Json;
  /** The definitions that it refers to, by their pointer; null while one is being closed. */
  readonly definitions: Map<string, Schema | null>;
  optional: number;
  unions: number;
}

/**
 * The schema in the part of JSON Schema that Anthropic takes: objects are closed, and bounds left
 * out, so whoever asks has to check the reply. Nothing where that part has no words for it, such
 * as fields of any name, values of any kind, and what holds itself.
 */
export function closedSchema(schema: Json): Schema | undefined {
  const state: ClosingState = { root: schema, definitions: new Map(), optional: 0, unions: 0 };
  try {
    const closed = closeSchema(state, schema);
    const isObject = closed["type"] === "object" || closed["anyOf"] !== undefined;
    const isSmall = state.optional <= MAX_OPTIONAL && state.unions <= MAX_UNIONS;
    return isObject && isSmall ? { ...closed, ...definitions(state) } : undefined;
  } catch (reason) {
    if (reason instanceof UnsupportedSchema) return undefined;
    throw reason;
  }
}

/** Whether all objects in a schema are closed and no field may be left out, without which OpenAI takes no schema as `strict`. */
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

/** What becomes of a keyword: what only bounds a value may go. */
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
      return FORMATS.includes(part) ? { format: part } : {};
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
      // What is said in parts is more than any of them, once they are closed.
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

/** Closes an object. One that names no field, and is not closed, has any. */
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

/** A reference within the schema; one that comes back to where it stands is none. */
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

/** The definitions that are referred to, where they stood. */
function definitions(state: ClosingState): Schema {
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
