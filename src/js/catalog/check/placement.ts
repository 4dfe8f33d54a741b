import { asObject, type JsonObject, ownProperty, stringOf } from "../../json-value.js";
import type { Json } from "../../types.js";
import { SURFACE } from "../definition.js";
import type { ComponentDefinition } from "../types.js";
import { listNames, quote } from "./suggestions.js";

/** Component in a parent that its definition or that of the parent does not allow. */
export interface Misplacement {
  /** Violated definition: that of the child, which lists parents, or of the parent. */
  violated: "allowedParents" | "allowedChildren";
  child: { id: string; type: string };
  /** The parent; the id of the implicit parent of the root is empty. */
  parent: { id: string; type: string };
  allowed: readonly string[];
}

/** Id of the top component. */
const ROOT = "root";

/** Components of a surface, with the parents of each. Finds misplaced ones. */
export class PlacementCheck {
  readonly #definitionOf: (component: JsonObject) => ComponentDefinition | undefined;
  readonly #components = new Map<string, JsonObject>();
  /** Ids of the components that each component names. */
  readonly #children = new Map<string, ReadonlySet<string>>();
  readonly #parents = new Map<string, Set<string>>();

  constructor(definitionOf: (component: JsonObject) => ComponentDefinition | undefined) {
    this.#definitionOf = definitionOf;
  }

  /** Adds or replaces components. Returns the misplaced ones among them and next to them. */
  add(components: readonly JsonObject[]): Misplacement[] {
    const ids = new Set<string>();
    for (const component of components) {
      const { id } = component;
      if (typeof id !== "string") continue;
      ids.add(id);
      this.#components.set(id, component);
      const children = this.#childIds(component);
      this.#children.set(id, children);
      for (const child of children) {
        const parents = this.#parents.get(child) ?? new Set();
        this.#parents.set(child, parents.add(id));
      }
    }
    return [...ids].flatMap((id) => {
      const parents = [...(this.#parents.get(id) ?? [])].filter((parent) => !ids.has(parent));
      return [
        ...(id === ROOT ? this.#check("", ROOT) : []),
        ...parents.flatMap((parent) => this.#check(parent, id)),
        ...[...(this.#children.get(id) ?? [])].flatMap((child) => this.#check(id, child)),
      ];
    });
  }

  #check(parentId: string, childId: string): Misplacement[] {
    const component = this.#components.get(childId);
    const container = this.#components.get(parentId);
    // The parent may have been replaced by one without this child.
    const isChild = parentId === "" || this.#children.get(parentId)?.has(childId) === true;
    if (component === undefined || !isChild) return [];
    const parent = { id: parentId, type: container === undefined ? SURFACE : typeOf(container) };
    const child = { id: childId, type: typeOf(component) };
    const { allowedParents } = this.#definitionOf(component) ?? {};
    const { allowedChildren } = (container && this.#definitionOf(container)) ?? {};
    const found: Misplacement[] = [];
    if (allowedParents && !allowedParents.includes(parent.type))
      found.push({ violated: "allowedParents", child, parent, allowed: allowedParents });
    if (allowedChildren && !allowedChildren.includes(child.type))
      found.push({ violated: "allowedChildren", child, parent, allowed: allowedChildren });
    return found;
  }

  /** Returns the ids of the components that a component names. */
  #childIds(component: JsonObject): Set<string> {
    const { child = [], children = [] } = this.#definitionOf(component) ?? {};
    return new Set([...child, ...children].flatMap((path) => idsAt(component, path.split("."))));
  }
}

/** Returns the message and the help for a misplaced component. */
export function describeMisplacement(one: Misplacement): { message: string; help: string } {
  const { violated, child, parent, allowed } = one;
  const place =
    parent.id === "" ? "at the top" : `in ${quote(parent.id)} (a ${quote(parent.type)})`;
  const message = `${quote(child.id)} (a ${quote(child.type)}) is not allowed ${place}`;
  const help =
    violated === "allowedParents"
      ? `move it to one of ${listNames(allowed)}`
      : `use one of ${listNames(allowed)} there`;
  return { message, help };
}

function typeOf(component: JsonObject): string {
  return stringOf(component["component"]) ?? "";
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
