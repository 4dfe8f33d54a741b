import type { Json } from "../types.js";
import { isBindable, normal, required } from "./normal.js";
import type { CatalogDefinition, CatalogOptions, MessageName, PropType } from "./types.js";

type Schema = { [key: string]: Json };

/**
 * An id begins neither with the sigil nor with the mark of a deletion, and no key is a path. Servers that make a grammar of
 * a schema take a pattern for the text as it is written, where a quote ends it: so neither has quotes or backslashes.
 */
const ID = String.raw`^[^!*"\\\x00-\x1F][^"\\\x00-\x1F]*$`;
const KEY = String.raw`^[^/"\\\x00-\x1F]+$`;
export const MESSAGES: readonly MessageName[] = [
  "createSurface",
  "updateComponents",
  "updateDataModel",
  "deleteSurface",
];

/** The JSON Schema of the messages of a catalog. */
export function schema(catalog: CatalogDefinition, options: CatalogOptions = {}): Schema {
  const names = options.messages ?? MESSAGES;
  const used = new Set<string>();
  const root =
    names.length === 1 && !options.list ? message(names[0] as MessageName) : anyOf(names);
  const $defs: Schema = {};
  // What a definition refers to is defined too, until nothing is left to do.
  need(root, used);
  for (const name of used) {
    const made = definitionOf(catalog, name);
    $defs[name] = made;
    need(made, used);
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...listed(root, options),
    $defs,
  };
}

function anyOf(names: readonly MessageName[]): Schema {
  return { type: "object", anyOf: names.map((name) => message(name)) };
}

function listed(root: Schema, { list }: CatalogOptions): Schema {
  return list ? object({ messages: { type: "array", items: root } }, ["messages"]) : root;
}

function message(name: MessageName): Schema {
  return object({ version: { type: "string" }, [name]: ref(name) }, [name]);
}

/** The definitions by name: messages, what properties are made of, components and functions. */
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
        anyOf: ["@index", ...Object.keys(catalog.functions ?? {})].map((one) =>
          ref(`function.${one}`),
        ),
      };
    case "nodes":
      // Of patterns for names most converters make nothing, or an object without any.
      return { type: "object", additionalProperties: true };
    default:
      // A value that may be bound. That an object which looks like a binding is a right one, no converter can be told.
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
  const made = { id: ref("id"), component: { const: name }, ...allTyped(props) };
  const description = catalog.components[name]?.description;
  return {
    ...(description === undefined ? {} : { description }),
    ...object(made, ["id", "component", ...required(props)]),
  };
}

function call(catalog: CatalogDefinition, name: string): Schema {
  const one = catalog.functions?.[name];
  const args = name === "@index" ? { offset: "number" as const } : (one?.args ?? {});
  const needed = required(args);
  return object(
    {
      call: { const: name },
      args: object(allTyped(args), needed),
      // A2UI v0.9 names what a call gives.
      returnType: { type: "string" },
    },
    needed.length > 0 ? ["call", "args"] : ["call"],
  );
}

/** The schemas of properties, a `__proto__` among them too. */
function allTyped(props: { readonly [prop: string]: PropType }): Schema {
  return Object.fromEntries(Object.entries(props).map(([prop, type]) => [prop, typed(type)]));
}

/** The schema of a property. */
function typed(type: PropType): Schema {
  const one = normal(type);
  const plain = literal(type);
  const note = one.description === undefined ? {} : { description: one.description };
  if (!isBindable(one) || one.type === "any") return { ...plain, ...note };
  const simple = Object.keys(plain).length === 1 && typeof plain["type"] === "string";
  if (simple) return { ...ref(`bindable.${plain["type"]}`), ...note };
  return { anyOf: [plain, ref("binding"), ref("call")], ...note };
}

/** The schema of a value that is written out. */
function literal(type: PropType): Schema {
  const { type: name, enum: values, anyOf: types, items, properties, ...rest } = normal(type);
  if (values !== undefined) return { enum: [...values] };
  if (types !== undefined) return { anyOf: types.map(literal) };
  const { minimum, maximum, minItems } = rest;
  const bounds: Schema = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(minItems === undefined ? {} : { minItems }),
  };
  if (items !== undefined) return { type: "array", items: typed(items), ...bounds };
  if (properties !== undefined) return object(allTyped(properties), required(properties));
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

/** Notes the definitions that a schema refers to. */
function need(part: Json, used: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === "$ref" && typeof value === "string") used.add(value.slice("#/$defs/".length));
    else need(value as Json, used);
  }
}
