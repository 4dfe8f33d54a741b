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
    names.length === 1 && !options.list
      ? messageSchema(names[0] as MessageName)
      : anyOfMessages(names);
  const $defs: Schema = {};
  // The set grows while its definitions are visited.
  collectRefs(root, used);
  for (const name of used) {
    const definition = definitionOf(catalog, name, options);
    $defs[name] = definition;
    collectRefs(definition, used);
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...wrapInList(root, options),
    $defs,
  };
}

function anyOfMessages(names: readonly MessageName[]): Schema {
  return { type: "object", anyOf: names.map((name) => messageSchema(name)) };
}

function wrapInList(root: Schema, { list }: CatalogOptions): Schema {
  return list ? objectSchema({ messages: { type: "array", items: root } }, ["messages"]) : root;
}

function messageSchema(name: MessageName): Schema {
  return objectSchema({ version: { type: "string" }, [name]: refTo(name) }, [name]);
}

/** Returns a definition by name: a message, a part of a property, a component or a function. */
function definitionOf(catalog: CatalogDefinition, name: string, options: CatalogOptions): Schema {
  const [kind, rest] = [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)];
  if (kind === "component") return componentSchema(catalog, rest);
  if (kind === "function") return callSchema(catalog, rest);
  if (kind === "bindable") return { anyOf: [{ type: rest }, refTo("binding"), refTo("call")] };
  const components = { type: "array", items: refTo("component") };
  const surfaceId =
    options.surfaceId === undefined ? { type: "string" } : { const: options.surfaceId };
  switch (name) {
    case "createSurface":
      return objectSchema(
        {
          surfaceId,
          catalogId: { type: "string" },
          sendDataModel: { type: "boolean" },
          components,
        },
        ["surfaceId"],
      );
    case "updateComponents":
      return objectSchema({ surfaceId, components }, ["surfaceId", "components"]);
    case "updateDataModel":
      return objectSchema({ surfaceId, nodes: refTo("nodes") }, ["nodes"]);
    case "deleteSurface":
      return objectSchema({ surfaceId }, ["surfaceId"]);
    case "component":
      return { anyOf: Object.keys(catalog.components).map((one) => refTo(`component.${one}`)) };
    case "id":
      return { type: "string", minLength: 1 };
    case "binding":
      return objectSchema({ binding: refTo("place") }, ["binding"]);
    case "place":
      return objectSchema(
        { node: { type: "string", pattern: ID }, key: { type: "string", pattern: KEY } },
        [],
      );
    case "children":
      return {
        anyOf: [
          { type: "array", items: refTo("id") },
          objectSchema({ binding: refTo("place"), template: refTo("id") }, ["binding", "template"]),
        ],
      };
    case "action":
      return {
        anyOf: [
          objectSchema({ event: refTo("event") }, ["event"]),
          objectSchema({ functionCall: refTo("call") }, ["functionCall"]),
        ],
      };
    case "event":
      return objectSchema(
        {
          name: { type: "string", minLength: 1 },
          context: { type: "object", additionalProperties: refTo("any") },
          userMessage: refTo("bindable.string"),
        },
        ["name"],
      );
    case "checks":
      return {
        type: "array",
        items: objectSchema({ condition: refTo("bindable.boolean"), message: { type: "string" } }, [
          "condition",
        ]),
      };
    case "call":
      return {
        anyOf: Object.keys({ ...builtinCalls, ...catalog.functions }).map((one) =>
          refTo(`function.${one}`),
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
          refTo("binding"),
          refTo("call"),
          { type: "object", additionalProperties: true },
        ],
      };
  }
}

function componentSchema(catalog: CatalogDefinition, name: string): Schema {
  const props = catalog.components[name]?.props ?? {};
  const definition = { id: refTo("id"), component: { const: name }, ...propSchemas(props) };
  const description = catalog.components[name]?.description;
  return {
    ...(description === undefined ? {} : { description }),
    ...objectSchema(definition, ["id", "component", ...requiredProps(props)]),
  };
}

function callSchema(catalog: CatalogDefinition, name: string): Schema {
  const { args = {} } = { ...catalog.functions, ...builtinCalls }[name] ?? {};
  const needed = requiredProps(args);
  return objectSchema(
    {
      call: { const: name },
      args: objectSchema(propSchemas(args), needed),
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
  if (simple) return { ...refTo(`bindable.${plain["type"]}`), ...note };
  return { anyOf: [plain, refTo("binding"), refTo("call")], ...note };
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
  if (properties !== undefined)
    return objectSchema(propSchemas(properties), requiredProps(properties));
  switch (name ?? "any") {
    case "component":
      return refTo("id");
    case "children":
    case "action":
    case "checks":
    case "any":
      return refTo(name ?? "any");
    default:
      return { type: name as string, ...bounds };
  }
}

function objectSchema(properties: Schema, needed: readonly string[]): Schema {
  return {
    type: "object",
    properties,
    required: [...needed],
    additionalProperties: false,
  };
}

function refTo(name: string): Schema {
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
