import { asObject, type JsonObject, ownProperty } from "../../json-value.js";
import type { Json } from "../../types.js";
import { SURFACE } from "../definition.js";
import type { ComponentDefinition } from "../types.js";

/** Component at a place that its definition or that of its parent does not allow. */
export interface Misplacement {
  /** Which definition is violated: that of the child, which lists parents, or of the parent. */
  violated: "allowedParents" | "allowedChildren";
  child: { id: string; type: string };
  /** The parent; the id of the implicit parent of the root is empty. */
  parent: { id: string; type: string };
  allowed: readonly string[];
}

/** Id of the top component. */
const ROOT = "root";

/**
 * Returns the misplaced components among those that changed and their children. Components are
 * given by id.
 */
export function findMisplaced(
  components: ReadonlyMap<string, JsonObject>,
  changed: ReadonlySet<string>,
  definitionOf: (component: JsonObject) => ComponentDefinition | undefined,
): Misplacement[] {
  const found: Misplacement[] = [];
  const visit = (
    parent: Misplacement["parent"],
    own: ComponentDefinition | undefined,
    id: string,
  ) => {
    const component = components.get(id);
    if (component === undefined) return;
    const child = { id, type: typeOf(component) };
    const { allowedParents } = definitionOf(component) ?? {};
    if (allowedParents && !allowedParents.includes(parent.type))
      found.push({ violated: "allowedParents", child, parent, allowed: allowedParents });
    const { allowedChildren } = own ?? {};
    if (allowedChildren && !allowedChildren.includes(child.type))
      found.push({ violated: "allowedChildren", child, parent, allowed: allowedChildren });
  };
  if (changed.has(ROOT)) visit({ id: "", type: SURFACE }, undefined, ROOT);
  for (const [id, component] of components) {
    const definition = definitionOf(component);
    const parent = { id, type: typeOf(component) };
    for (const child of childIds(component, definition)) {
      if (changed.has(id) || changed.has(child)) visit(parent, definition, child);
    }
  }
  return found;
}

function typeOf(component: JsonObject): string {
  return String(component["component"]);
}

/** Returns the ids of the components that a component names. */
function childIds(
  component: JsonObject,
  { child = [], children = [] }: ComponentDefinition = {},
): string[] {
  const ids = [...child, ...children].flatMap((path) => idsAt(component, path.split(".")));
  return [...new Set(ids)];
}

function idsAt(value: Json | undefined, [name, ...rest]: string[]): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => idsAt(item, name === undefined ? [] : [name, ...rest]));
  }
  if (name !== undefined) return idsAt(ownProperty(value, name), rest);
  if (typeof value === "string") return [value];
  const { template, componentId } = asObject(value) ?? {};
  const id = template ?? componentId;
  return typeof id === "string" ? [id] : [];
}
