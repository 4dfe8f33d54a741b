import { isBindable, normalizeType, requiredProps } from "../prop-types.js";
import type { PropDefinition, PropType, TypeName } from "../types.js";
import { listNames } from "./suggestions.js";

const TYPES: { readonly [type in TypeName]: string } = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  any: "a value",
  component: "the id of a component",
  children: 'a list of ids, or {"binding": {…}, "template": "ID"}',
  action: 'an action: {"event": {"name": "…"}}',
  checks: 'a list of checks: [{"condition": {…}, "message": "…"}]',
};

/** Returns a description of a type for a help text. */
export function describePropType(type: PropType): string {
  const definition = normalizeType(type);
  const plain = describeLiteral(definition);
  return isBindable(definition) ? `${plain}, or {"binding": {…}}` : plain;
}

/** Returns a type without its bindings, in words. */
export function describeLiteral(definition: PropDefinition): string {
  if (definition.enum !== undefined) return `one of ${listNames(definition.enum.map(String))}`;
  if (definition.anyOf !== undefined) {
    return definition.anyOf.map((type) => describeLiteral(normalizeType(type))).join(", or ");
  }
  if (definition.items !== undefined) {
    const { properties } = normalizeType(definition.items);
    const fields = properties && listNames(Object.keys(properties));
    return fields === undefined ? "a list" : `a list of objects with ${fields}`;
  }
  if (definition.properties !== undefined) {
    return `an object with ${listNames(Object.keys(definition.properties))}`;
  }
  return TYPES[definition.type ?? "any"];
}

/**
 * Returns the object for a text in place of one, with the text in each required field. Returns
 * `undefined` for other types and values.
 */
export function exampleFor({ properties }: PropDefinition, value: unknown): string | undefined {
  if (properties === undefined || typeof value !== "string") return undefined;
  const fields = requiredProps(properties);
  const isText = (name: string): boolean =>
    normalizeType(properties[name] as PropType).type === "string";
  if (fields.length === 0 || !fields.every(isText)) return undefined;
  const text = JSON.stringify(value);
  return `\`{${fields.map((name) => `${JSON.stringify(name)}: ${text}`).join(", ")}}\``;
}

/** Returns a description of a value for a message. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
