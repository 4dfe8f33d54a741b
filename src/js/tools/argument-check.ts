import { closestMatch } from "../catalog/check/suggestions.js";
import { escapePointer } from "../json-text.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";
import type { FieldError } from "./types.js";

/** Maximum number of reported fields. */
const MAX_REPORTED_FIELDS = 20;

/** Result of checking arguments. */
export type CheckedArguments = { args: JsonObject } | { fields: FieldError[] };

/**
 * Checks arguments against the schema of a tool. Reads the keywords that the tools of this package
 * use: `type`, `properties`, `required`, `additionalProperties`, `items`, `enum`, `pattern`,
 * `minimum` and `minLength`.
 */
export function checkArguments(schema: Json, input: unknown): CheckedArguments {
  const args = parseArguments(input);
  if (!isJsonObject(args)) return { fields: [notAnObject(schema, input)] };
  const fields: FieldError[] = [];
  checkValue(schema as JsonObject, args, "", fields);
  return fields.length > 0 ? { fields: fields.slice(0, MAX_REPORTED_FIELDS) } : { args };
}

/** Returns the arguments as an object. Providers may return them as JSON text, or omit them. */
function parseArguments(input: unknown): unknown {
  if (input === undefined || input === null || input === "") return {};
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

function notAnObject(schema: Json, input: unknown): FieldError {
  const names = namesOf((schema as JsonObject)["properties"]);
  const isText = typeof input === "string";
  return {
    field: "",
    message: `expected an object, found ${isText ? "a text that is not a JSON object" : typeName(input)}`,
    help: names === "" ? "send {}" : `send an object with the keys ${names}`,
  };
}

/** Maximum number of allowed values in a message. */
const MAX_NAMES = 10;

function checkValue(schema: JsonObject, value: unknown, field: string, fields: FieldError[]): void {
  if (fields.length >= MAX_REPORTED_FIELDS) return;
  const { type, enum: allowed, description } = schema;
  const help = typeof description === "string" ? description : "change the value";
  const add = (message: string, advice = help): void => {
    fields.push({ field, message, help: advice });
  };
  if (typeof type === "string" && !hasType(value, type)) {
    add(`expected ${withArticle(type)}, found ${typeName(value)}`);
    return;
  }
  if (Array.isArray(allowed) && !allowed.includes(value as Json)) {
    const shown = allowed.slice(0, MAX_NAMES).map((one) => `\`${one}\``);
    const rest = allowed.length - shown.length;
    const names = [...shown, ...(rest > 0 ? [`or one of ${rest} more`] : [])].join(", ");
    const nearest = closestMatch(String(value), allowed.map(String));
    const advice = nearest === undefined ? `use ${names}` : `did you mean \`${nearest}\`?`;
    add(`expected one of ${names}, found \`${shortenText(String(value))}\``, advice);
    return;
  }
  if (typeof value === "string") checkText(schema, value, add);
  if (typeof value === "number") checkNumber(schema, value, add);
  if (Array.isArray(value)) checkList(schema, value, field, fields, add);
  else if (isJsonObject(value)) checkObject(schema, value, field, fields);
}

type AddError = (message: string, advice?: string) => void;

function checkText({ pattern, minLength }: JsonObject, value: string, add: AddError): void {
  if (typeof minLength === "number" && value.length < minLength)
    add("expected a text that is not empty, found an empty one");
  else if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value))
    add(`expected a text of the form ${pattern}, found \`${shortenText(value)}\``);
}

function checkNumber({ minimum }: JsonObject, value: number, add: AddError): void {
  if (typeof minimum === "number" && value < minimum)
    add(`expected at least ${minimum}, found ${value}`);
}

function checkList(
  { items, minItems }: JsonObject,
  list: readonly unknown[],
  field: string,
  fields: FieldError[],
  add: AddError,
): void {
  if (typeof minItems === "number" && list.length < minItems)
    add(`expected at least ${minItems} item, found an empty list`);
  if (!isJsonObject(items)) return;
  for (const [at, item] of list.entries()) checkValue(items, item, `${field}/${at}`, fields);
}

function checkObject(
  { properties = {}, required = [], additionalProperties }: JsonObject,
  value: JsonObject,
  field: string,
  fields: FieldError[],
): void {
  const known = properties as { [name: string]: JsonObject };
  for (const name of required as string[]) {
    if (Object.hasOwn(value, name)) continue;
    const description = known[name]?.["description"] ?? "a value";
    const help = `add \`${name}\`: ${description}`;
    fields.push({ field: `${field}/${escapePointer(name)}`, message: `missing \`${name}\``, help });
  }
  for (const [name, part] of Object.entries(value)) {
    const inner = `${field}/${escapePointer(shortenText(name))}`;
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    // An optional argument that is undefined is absent in JSON.
    if (part === undefined && !(required as string[]).includes(name)) continue;
    if (schema !== undefined) checkValue(schema, part, inner, fields);
    else if (additionalProperties === false && fields.length < MAX_REPORTED_FIELDS)
      fields.push({
        field: inner,
        message: `unknown key \`${shortenText(name)}\``,
        help: unknownKeyHelp(name, known),
      });
  }
}

function unknownKeyHelp(name: string, known: JsonObject): string {
  const nearest = closestMatch(name, Object.keys(known));
  if (nearest !== undefined) return `did you mean \`${nearest}\`?`;
  return `remove it; the keys are ${namesOf(known) || "none"}`;
}

function hasType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return typeof value === type;
}

function typeName(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return withArticle(Array.isArray(value) ? "array" : typeof value);
}

function withArticle(type: string): string {
  return `${/^[aeio]/.test(type) ? "an" : "a"} ${type}`;
}

function namesOf(properties: unknown): string {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => `\`${name}\``).join(", ");
}

function shortenText(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
