import type { JsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Graph as `Graph.toJSON` returns it. */
export interface GraphDocument {
  directed: boolean;
  /** Attributes of the graph. */
  graph?: JsonObject;
  nodes: JsonObject[];
  edges: JsonObject[];
}

/** Kind of the elements that an attribute belongs to. */
export type ElementKind = "graph" | "node" | "edge";

/** Attribute of one kind of elements, with its values that are not null. */
export interface Attribute {
  kind: ElementKind;
  name: string;
  values: Json[];
}

/** Keys that identify elements, and are not attributes. */
const STRUCTURE = { graph: [], node: ["id"], edge: ["id", "source", "target"] } as const;

/** Returns the attributes of an element. */
export function attributesOf(element: JsonObject, kind: ElementKind): [string, Json][] {
  const structure: readonly string[] = STRUCTURE[kind];
  return Object.entries(element).filter(([key]) => !structure.includes(key));
}

/** Returns the attributes of all elements of a kind, in the order of their first occurrence. */
export function collectAttributes(elements: readonly JsonObject[], kind: ElementKind): Attribute[] {
  const found = new Map<string, Attribute>();
  for (const element of elements) {
    for (const [name, value] of attributesOf(element, kind)) {
      let attribute = found.get(name);
      if (attribute === undefined) {
        attribute = { kind, name, values: [] };
        found.set(name, attribute);
      }
      if (value !== null) attribute.values.push(value);
    }
  }
  return [...found.values()];
}

/** Returns a value as text; lists and maps as JSON. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns whether all values are lists of texts, or all are lists of numbers, or of booleans. */
export function listTypeOf(values: readonly Json[]): "string" | "number" | "boolean" | undefined {
  const items = values.flatMap((value) => (Array.isArray(value) ? value : [null]));
  for (const type of ["string", "number", "boolean"] as const)
    if (items.length > 0 && items.every((item) => typeof item === type)) return type;
  return undefined;
}
