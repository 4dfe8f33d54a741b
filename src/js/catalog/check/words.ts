import { isBindable, normal } from "../normal.js";
import type { PropDefinition, PropType, TypeName } from "../types.js";
import { listed } from "./names.js";

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

/** A type as a help names it. */
export function described(type: PropType): string {
  const one = normal(type);
  const plain = literally(one);
  return isBindable(one) ? `${plain}, or {"binding": {…}}` : plain;
}

function literally(one: PropDefinition): string {
  if (one.enum !== undefined) return `one of ${listed(one.enum.map(String))}`;
  if (one.anyOf !== undefined) {
    return one.anyOf.map((type) => literally(normal(type))).join(", or ");
  }
  if (one.items !== undefined) return "a list";
  if (one.properties !== undefined) {
    return `an object with ${listed(Object.keys(one.properties))}`;
  }
  return TYPES[one.type ?? "any"];
}

/** What a value is, as a message names it. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
