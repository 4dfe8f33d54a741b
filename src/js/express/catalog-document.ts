import type {
  CatalogDefinition,
  ComponentDefinition,
  FunctionDefinition,
  Literal,
  PropDefinition,
  PropType,
  TypeName,
} from "../catalog/types.js";
import { asList, asObject, type JsonObject, stringOf } from "../json-value.js";
import type { Json } from "../types.js";

/** Types of the shared definitions of A2UI, by the last part of `$ref`. */
const SHARED_TYPES: { readonly [name: string]: PropDefinition } = {
  DynamicString: { type: "string" },
  DynamicNumber: { type: "number" },
  DynamicBoolean: { type: "boolean" },
  DynamicStringList: { type: "array", items: { type: "string", bindable: false } },
  DynamicValue: { type: "any" },
  DataBinding: { type: "any" },
  FunctionCall: { type: "any" },
  Child: { type: "component" },
  ComponentId: { type: "component" },
  ChildList: { type: "children" },
  Action: { type: "action" },
  Checks: { type: "checks" },
  AccessibilityAttributes: { type: "object", bindable: false },
};
/** Properties of the shared definitions that are part of components. */
const SHARED_PROPS: { readonly [name: string]: { readonly [prop: string]: PropDefinition } } = {
  Checkable: { checks: { type: "checks" } },
  ComponentCommon: { accessibility: { type: "object", bindable: false } },
  CatalogComponentCommon: { weight: { type: "number", bindable: false } },
};
/** Properties that belong to the message, and not to the catalog. */
const ENVELOPE = ["component", "id", "catalogId", "metadata", "accessibility"];
const PLAIN_TYPES = ["string", "number", "integer", "boolean", "array", "object"];
/** Maximum number of references in one another. */
const MAX_REF_DEPTH = 20;

/** Returns whether a value is a catalog document of A2UI, whose components are JSON Schemas. */
export function isCatalogDocument(value: unknown): value is JsonObject {
  const components = Object.values(asObject(asObject(value)?.["components"]) ?? {});
  return components.some((one) => {
    const schema = asObject(one);
    return schema !== undefined && ("properties" in schema || "allOf" in schema);
  });
}

/** Converts a catalog document of A2UI to the definition of a catalog. */
export function definitionOf(document: JsonObject): CatalogDefinition {
  const id = stringOf(document["catalogId"]);
  const components = mapObject(document["components"], (schema) => componentOf(schema, document));
  const functions = mapObject(document["functions"], (schema) => functionOf(schema, document));
  return { ...(id !== undefined && { id }), components, functions };
}

function componentOf(schema: JsonObject, document: JsonObject): ComponentDefinition {
  const { props, required } = propsOf(schema, document, 0);
  const named = Object.entries(props).filter(([name]) => !ENVELOPE.includes(name));
  const entries = named.map(([name, type]): [string, PropDefinition] => [
    name,
    required.includes(name) ? { ...type, required: true } : type,
  ]);
  const description = stringOf(schema["description"]);
  const parents = namesOf(schema["allowedParents"]);
  const children = namesOf(schema["allowedChildren"]);
  return {
    props: {
      ...Object.fromEntries(entries),
      accessibility: { type: "object", bindable: false, positional: false },
    },
    ...(description !== undefined && { description }),
    ...(parents && { allowedParents: parents }),
    ...(children && { allowedChildren: children }),
  };
}

interface SchemaProps {
  props: { [prop: string]: PropDefinition };
  required: readonly Json[];
}

/** Returns the properties of a schema and of all schemas that it consists of. */
function propsOf(schema: JsonObject, document: JsonObject, depth: number): SchemaProps {
  const result: SchemaProps = { props: {}, required: [...asList(schema["required"])] };
  const add = (props: { readonly [prop: string]: PropDefinition }): void => {
    for (const [name, type] of Object.entries(props)) result.props[name] ??= type;
  };
  add(mapObject(schema["properties"], (one) => typeOf(one, document, 0)));
  if (depth > MAX_REF_DEPTH) return result;
  const shared: string[] = [];
  for (const part of asList(schema["allOf"])) {
    const inner = asObject(part) ?? {};
    const name = refName(inner);
    if (name !== undefined && name in SHARED_PROPS) shared.push(name);
    const found = propsOf(resolveRef(inner, document), document, depth + 1);
    add(found.props);
    result.required = [...result.required, ...found.required];
  }
  // Shared properties follow those of the component, with `weight` last.
  for (const name of shared) add(SHARED_PROPS[name] ?? {});
  return result;
}

function functionOf(schema: JsonObject, document: JsonObject): FunctionDefinition {
  const args = asObject(asObject(schema["properties"])?.["args"]) ?? {};
  const { props, required } = propsOf(args, document, 0);
  const entries = Object.entries(props).map(([name, type]): [string, PropDefinition] => [
    name,
    required.includes(name) ? { ...type, required: true } : type,
  ]);
  const description = stringOf(schema["description"]);
  return {
    args: Object.fromEntries(entries),
    ...(description !== undefined && { description }),
  };
}

/** Returns the type of a property schema. Literals of plain types cannot be bound. */
function typeOf(schema: JsonObject, document: JsonObject, depth: number): PropDefinition {
  const name = refName(schema);
  const shared = name === undefined ? undefined : SHARED_TYPES[name];
  if (shared !== undefined) return shared;
  if (name !== undefined) {
    const resolved = resolveRef(schema, document);
    return depth > MAX_REF_DEPTH || resolved === schema
      ? {}
      : typeOf(resolved, document, depth + 1);
  }
  const values = asList(schema["enum"]);
  if (values.length > 0) return { enum: values as Literal[] };
  const alternatives = [...asList(schema["anyOf"]), ...asList(schema["oneOf"])];
  if (alternatives.length > 0) return { anyOf: alternatives.map((one) => inner(one)) };
  const type = stringOf(schema["type"]);
  if (type === undefined || !PLAIN_TYPES.includes(type)) return {};
  const bounds = boundsOf(schema);
  if (type === "array") {
    const items = asObject(schema["items"]);
    if (items && refName(items) === "CheckRule") return { type: "checks" };
    return { type, bindable: false, ...(items && { items: inner(items) }), ...bounds };
  }
  if (type !== "object" || schema["properties"] === undefined)
    return { type: type as TypeName, bindable: false, ...bounds };
  const { props, required } = propsOf(schema, document, depth);
  const fields = Object.entries(props).map(([key, one]): [string, PropType] => [
    key,
    required.includes(key) ? { ...one, required: true } : one,
  ]);
  return { properties: Object.fromEntries(fields), bindable: false };

  function inner(one: Json): PropDefinition {
    return depth > MAX_REF_DEPTH ? {} : typeOf(asObject(one) ?? {}, document, depth + 1);
  }
}

function boundsOf(schema: JsonObject): PropDefinition {
  const bounds = ["minimum", "maximum", "minItems"].flatMap((key) =>
    typeof schema[key] === "number" ? [[key, schema[key]]] : [],
  );
  return Object.fromEntries(bounds) as PropDefinition;
}

function refName(schema: JsonObject): string | undefined {
  return stringOf(schema["$ref"])?.split("/").at(-1);
}

/** Returns the schema that a reference into the document names, or the schema itself. */
function resolveRef(schema: JsonObject, document: JsonObject): JsonObject {
  const ref = stringOf(schema["$ref"]);
  if (ref === undefined || !ref.startsWith("#/")) return schema;
  let found: Json | undefined = document;
  for (const step of ref.slice(2).split("/")) {
    const object = asObject(found);
    found = object && Object.hasOwn(object, step) ? object[step] : undefined;
  }
  return asObject(found) ?? schema;
}

function namesOf(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

function mapObject<T>(
  value: Json | undefined,
  convert: (schema: JsonObject) => T,
): { [name: string]: T } {
  const entries = Object.entries(asObject(value) ?? {});
  return Object.fromEntries(entries.map(([name, one]) => [name, convert(asObject(one) ?? {})]));
}
