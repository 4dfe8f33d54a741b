import type { FunctionDefinition, PropDefinition, PropType } from "./types.js";

/** Calls that every surface resolves: the index and the node id of the nearest list item. */
export const builtinCalls: { readonly [name: string]: FunctionDefinition } = {
  "@index": { args: { offset: "number" } },
  "@id": {},
};

/** Returns a type without shorthand. */
export function normalizeType(type: PropType): PropDefinition {
  if (typeof type === "string") return { type };
  return Array.isArray(type) ? { enum: type } : (type as PropDefinition);
}

/** Returns the names of the required properties. */
export function requiredProps(props: { readonly [prop: string]: PropType }): string[] {
  return Object.keys(props).filter(
    (prop) => normalizeType(props[prop] as PropType).required === true,
  );
}

/** Returns whether a property accepts a binding or a call. */
export function isBindable(definition: PropDefinition): boolean {
  if (definition.bindable !== undefined) return definition.bindable;
  if (definition.enum !== undefined) return false;
  return !["component", "children", "action", "checks"].includes(definition.type ?? "any");
}
