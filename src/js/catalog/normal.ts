import type { PropDefinition, PropType } from "./types.js";

/** A type with all that its short form says. */
export function normal(type: PropType): PropDefinition {
  if (typeof type === "string") return { type };
  return Array.isArray(type) ? { enum: type } : (type as PropDefinition);
}

/** The names of the properties that have to be there. */
export function required(props: { readonly [prop: string]: PropType }): string[] {
  return Object.keys(props).filter((prop) => normal(props[prop] as PropType).required === true);
}

/** Whether a binding or a call may stand for it. */
export function isBindable(one: PropDefinition): boolean {
  if (one.bindable !== undefined) return one.bindable;
  if (one.enum !== undefined) return false;
  return !["component", "children", "action", "checks"].includes(one.type ?? "any");
}
