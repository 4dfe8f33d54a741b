import type { Json } from "../types.js";
import { builtinCalls, isBindable, normalizeType, requiredProps } from "./prop-types.js";
import type { CatalogDefinition, CatalogOptions, MessageName, PropType } from "./types.js";

type Schema = { [key: string]: Json };

/**
 * Patterns of node ids and keys: an id does not begin with the sigil or the deletion mark, and a
 * key is not a path. Servers that convert a schema to a grammar match the escaped text, where a
 * quote ends it, so both exclude quotes and backslashes.
 */
const ID = String.raw`^[^!*"\\\x00-\x1F][^"\\\x00-\x1F]*$`;
const KEY = String.raw`^[^/"\\\x00-\x1F]+$`;
export const MESSAGES: readonly MessageName[] = [
  "createSurface",
  "updateComponents",
  "updateDataModel",
  "deleteSurface",
];

/** Returns the JSON Schema of the messages of a catalog. */
export function schema(catalog: CatalogDefinition, options: CatalogOptions = {}): Schema {
  const names = options.messages ?? MESSAGES;
  const used = new Set<string>();
  const root =
    names.length === 1 && !options.list ? message(names[0] as MessageName) : anyOf(names);
  const $defs: Schema = {};
  // The set grows while its definitions are visited.
  collectRefs(root, used);
  for (const name of used) {
    const definition = definitionOf(catalog, name);
    $defs[name] = definition;
    collectRefs(definition, used);
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...wrapInList(root, options),
    $defs,
  };
}

function anyOf(names: readonly MessageName[]): Schema {
  return { type: "object", anyOf: names.map((name) => message(name)) };
}

function wrapInList(root: Schema, { list }: CatalogOptions): Schema {
  return list ? object({ messages: { type: "array", items: root } }, ["messages"]) : root;
}

function message(name: MessageName): Schema {
  return object({ version: { type: "string" }, [name]: ref(name) }, [name]);
}

/** Returns a definition by name: a message, a part of a property, a component or a function. */
function definitionOf(catalog: CatalogDefinition, name: string): Schema {
  const [kind, rest] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
  if (kind === "component") return component(catalog, rest);
  if (kind === "function") return call(catalog, rest);
  if (kind === "bindable") return { anyOf: [{ type: rest }, ref("binding"), ref("call")] };
  const components = { type: "array", items: ref("component") };
  const surfaceId = { type: "string" };
  switch (name) {
    case "createSurface":
      return object(
        {
          surfaceId,
          catalogId: { type: "string" },
          sendDataModel: { type: "boolean" },
          components,
        },
        ["surfaceId"],
      );
    case "updateComponents":
      return object({ surfaceId, components }, ["surfaceId", "components"]);
    case "updateDataModel":
      return object({ surfaceId, nodes: ref("nodes") }, ["nodes"]);
    case "deleteSurface":
      return object({ surfaceId }, ["surfaceId"]);
    case "component":
      return { anyOf: Object.keys(catalog.components).map((one) => ref(`component.${one}`)) };
    case "id":
      return { type: "string", minLength: 1 };
    case "binding":
      return object({ binding: ref("place") }, ["binding"]);
    case "place":
      return object(
        { node: { type: "string", pattern: ID }, key: { type: "string", pattern: KEY } },
        [],
      );
    case "children":
      return {
        anyOf: [
          { type: "array", items: ref("id") },
          object({ binding: ref("place"), template: ref("id") }, ["binding", "template"]),
        ],
      };
    case "action":
      return {
        anyOf: [
          object({ event: ref("event") }, ["event"]),
          object({ functionCall: ref("call") }, ["functionCall"]),
        ],
      };
    case "event":
      return object(
        {
          name: { type: "string", minLength: 1 },
          context: { type: "object", additionalProperties: ref("any") },
          userMessage: ref("bindable.string"),
        },
        ["name"],
      );
    case "checks":
      return {
        type: "array",
        items: object({ condition: ref("bindable.boolean"), message: { type: "string" } }, [
          "condition",
        ]),
      };
    case "call":
      return {
        anyOf: Object.keys({ ...builtinCalls, ...catalog.functions }).map((one) =>
          ref(`function.${one}`),
        ),
      };
    case "nodes":
      // Most converters drop `patternProperties`, or accept no properties at all.
      return { type: "object", additionalProperties: true };
    default:
      // Value that may be bound. A schema cannot check objects that look like bindings here.
      return {
        anyOf: [
          { type: ["string", "number", "boolean", "null", "array"] },
          ref("binding"),
          ref("call"),
          { type: "object", additionalProperties: true },
        ],
      };
  }
}

function component(catalog: CatalogDefinition, name: string): Schema {
  const props = catalog.components[name]?.props ?? {};
  const definition = { id: ref("id"), component: { const: name }, ...propSchemas(props) };
  const description = catalog.components[name]?.description;
  return {
    ...(description === undefined ? {} : { description }),
    ...object(definition, ["id", "component", ...requiredProps(props)]),
  };
}

function call(catalog: CatalogDefinition, name: string): Schema {
  const { args = {} } = { ...catalog.functions, ...builtinCalls }[name] ?? {};
  const needed = requiredProps(args);
  return object(
    {
      call: { const: name },
      args: object(propSchemas(args), needed),
      // A2UI v0.9 includes the result type of a call.
      returnType: { type: "string" },
    },
    needed.length > 0 ? ["call", "args"] : ["call"],
  );
}

/** Returns the schemas of properties; `fromEntries` also keeps a `__proto__`. */
function propSchemas(props: { readonly [prop: string]: PropType }): Schema {
  return Object.fromEntries(Object.entries(props).map(([prop, type]) => [prop, propSchema(type)]));
}

/** Returns the schema of a property. */
function propSchema(type: PropType): Schema {
  const one = normalizeType(type);
  const plain = literalSchema(type);
  const note = one.description === undefined ? {} : { description: one.description };
  if (!isBindable(one) || one.type === "any") return { ...plain, ...note };
  const simple = Object.keys(plain).length === 1 && typeof plain["type"] === "string";
  if (simple) return { ...ref(`bindable.${plain["type"]}`), ...note };
  return { anyOf: [plain, ref("binding"), ref("call")], ...note };
}

/** Returns the schema of a literal value. */
function literalSchema(type: PropType): Schema {
  const {
    type: name,
    enum: values,
    anyOf: types,
    items,
    properties,
    ...rest
  } = normalizeType(type);
  if (values !== undefined) return { enum: [...values] };
  if (types !== undefined) return { anyOf: types.map(literalSchema) };
  const { minimum, maximum, minItems } = rest;
  const bounds: Schema = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minItems === undefined ? {} : { minItems }),
  };
  if (items !== undefined) return { type: "array", items: propSchema(items), ...bounds };
  if (properties !== undefined) return object(propSchemas(properties), requiredProps(properties));
  switch (name ?? "any") {
    case "component":
      return ref("id");
    case "children":
    case "action":
    case "checks":
    case "any":
      return ref(name ?? "any");
    default:
      return { type: name as string, ...bounds };
  }
}

function object(properties: Schema, needed: readonly string[]): Schema {
  return {
    type: "object",
    properties,
    required: [...needed],
    additionalProperties: false,
  };
}

function ref(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

/** Adds the names of referenced definitions to the set. */
function collectRefs(part: Json, used: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "$ref" && typeof value === "string") used.add(value.slice("#/$defs/".length));
    else collectRefs(value as Json, used);
  }
}
