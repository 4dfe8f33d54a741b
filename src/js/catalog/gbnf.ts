import { builtinCalls, isBindable, normalizeType } from "./prop-types.js";
import { MESSAGES } from "./schema.js";
import type { CatalogDefinition, CatalogOptions, MessageName, PropType } from "./types.js";

/** Common rules of all grammars. JSON is on one line with optional spaces. */
const JSON_RULES = `ws ::= " "?
json ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (string ":" ws json ("," ws string ":" ws json)* ws)? "}"
array ::= "[" ws (json ("," ws json)* ws)? "]"
string ::= "\\"" char* "\\""
char ::= [^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})
number ::= integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
positive ::= [1-9] [0-9]{0,15}
boolean ::= "true" | "false"
id ::= "\\"" [^"\\\\!*\\x00-\\x1F] char* "\\""
name ::= "\\"" char+ "\\""
key ::= "\\"" ([^"\\\\/\\x00-\\x1F] | "\\\\" (["\\\\bfnrt] | "u" [0-9a-fA-F]{4}))+ "\\""
nodes ::= "{" ws node ("," ws node)* ws "}"
node ::= id ":" ws json | "\\"!" [^"\\\\!*\\x00-\\x1F] char* "\\":" ws "null"
any ::= string | number | boolean | "null" | array | binding | call`;

interface Member {
  name: string;
  rule: string;
  required: boolean;
}

/**
 * Returns a llama.cpp grammar for the messages of a catalog. Properties follow `id` and `component`
 * in the order of the catalog.
 */
export function gbnf(catalog: CatalogDefinition, options: CatalogOptions = {}): string {
  const names = options.messages ?? MESSAGES;
  const { surfaceId } = options;
  const rules = new RuleSet(surfaceId === undefined ? "string" : literalRule(surfaceId));
  const messages = rules.messagesRule(names, surfaceId !== undefined, options.list === true);
  const root = options.list
    ? `"{" ws ${literalRule("messages")}":" ws "[" ws (${messages} ws)? "]" ws "}"`
    : messages;
  if (names.includes("createSurface") || names.includes("updateComponents")) {
    rules.addComponentRules(catalog);
  }
  rules.add("binding", objectRule([objectMember("binding", "place")]));
  rules.add(
    "place",
    objectRule([objectMember("node", "id", false), objectMember("key", "key", false)]),
  );
  rules.addCallRules(catalog);
  return [`root ::= ${root}`, ...rules.lines, JSON_RULES].join("\n");
}

/** Grammar rules by name, added on demand. */
class RuleSet {
  readonly #rules = new Map<string, string>();
  readonly #surfaceRule: string;

  /** `surfaceRule` is the rule of the ids of surfaces. */
  constructor(surfaceRule: string) {
    this.#surfaceRule = surfaceRule;
  }

  get lines(): string[] {
    return [...this.#rules].map(([name, body]) => `${name} ::= ${body}`);
  }

  /** Adds a rule and returns its name, with a suffix if the name is in use. */
  add(requestedName: string, body: string): string {
    const plain = requestedName.replaceAll(/[^a-zA-Z0-9]+/g, "-");
    let name = plain;
    for (let n = 2; this.#rules.has(name) && this.#rules.get(name) !== body; n += 1) {
      name = `${plain}-${n}`;
    }
    this.#rules.set(name, body);
    return name;
  }

  /** Returns the rule of one or more messages. With `createsOnce`, only the first one creates a surface. */
  messagesRule(names: readonly MessageName[], createsOnce: boolean, isList: boolean): string {
    const alternatives = (list: readonly MessageName[]): string =>
      list.map((name) => this.#messageRule(name)).join(" | ");
    const first = this.add("message", alternatives(names));
    const later = names.filter((name) => !createsOnce || name !== "createSurface");
    if (later.length === 0) return first;
    const next =
      later.length === names.length ? first : this.add("later-message", alternatives(later));
    return `${first} (${isList ? `"," ws` : `"\\n"`} ${next})*`;
  }

  #messageRule(name: string): string {
    const surface = objectMember("surfaceId", this.#surfaceRule);
    const components = objectMember(
      "components",
      listRule("component", 1),
      name === "updateComponents",
    );
    const bodies: { [name: string]: Member[] } = {
      createSurface: [
        surface,
        objectMember("catalogId", "string", false),
        objectMember("sendDataModel", "boolean", false),
        components,
      ],
      updateComponents: [surface, components],
      updateDataModel: [
        objectMember("surfaceId", this.#surfaceRule, false),
        objectMember("nodes", "nodes"),
      ],
      deleteSurface: [surface],
    };
    const body = this.add(`body-${name}`, objectRule(bodies[name] ?? []));
    return this.add(
      `message-${name}`,
      objectRule([objectMember("version", "string", false), objectMember(name, body)]),
    );
  }

  addComponentRules({ components }: CatalogDefinition): void {
    const names = Object.entries(components).map(([name, { props = {}, input = [] }]) => {
      const ownMembers = Object.entries(props).map(([prop, type]) =>
        // Input of the user is lost without a binding.
        input.includes(prop)
          ? objectMember(prop, "binding", normalizeType(type).required === true)
          : this.#member(prop, type),
      );
      return this.add(
        `c-${name}`,
        objectRule([
          objectMember("id", "name"),
          objectMember("component", literalRule(name)),
          ...ownMembers,
        ]),
      );
    });
    this.add("component", names.join(" | "));
    const event = [
      objectMember("name", "name"),
      objectMember("context", "context", false),
      objectMember("userMessage", this.#bindableRule("string"), false),
    ];
    this.add(
      "children",
      `${listRule("name", 0)} | ${objectRule([objectMember("binding", "place"), objectMember("template", "name")])}`,
    );
    this.add(
      "action",
      `${objectRule([objectMember("event", "event")])} | ${objectRule([objectMember("functionCall", "call")])}`,
    );
    this.add("event", objectRule(event));
    this.add("context", `"{" ws (string ":" ws any ("," ws string ":" ws any)* ws)? "}"`);
    const check = [
      objectMember("condition", this.#bindableRule("boolean")),
      objectMember("message", "string", false),
    ];
    this.add("checks", listRule(this.add("check", objectRule(check)), 0));
  }

  addCallRules({ functions = {} }: CatalogDefinition): void {
    const all = { ...builtinCalls, ...functions };
    const names = Object.entries(all).map(([name, { args = {} }]) => {
      const members = Object.entries(args).map(([arg, type]) => this.#member(arg, type));
      const required = members.some((member) => member.required);
      return this.add(
        `f-${name}`,
        objectRule([
          objectMember("call", literalRule(name)),
          objectMember("args", this.add(`args-${name}`, objectRule(members)), required),
          objectMember("returnType", "string", false),
        ]),
      );
    });
    this.add("call", names.join(" | "));
  }

  #member(name: string, type: PropType): Member {
    return objectMember(name, this.#typedRule(name, type), normalizeType(type).required === true);
  }

  #typedRule(name: string, type: PropType): string {
    const plain = this.#literalRule(name, type);
    return isBindable(normalizeType(type)) && plain !== "any" ? this.#bindableRule(plain) : plain;
  }

  #bindableRule(plain: string): string {
    return this.add(`${plain}-value`, `${plain} | binding | call`);
  }

  #literalRule(name: string, type: PropType): string {
    const { type: simple, enum: values, anyOf, items, properties, minItems } = normalizeType(type);
    if (values !== undefined) return this.add(`enum-${name}`, values.map(literalRule).join(" | "));
    if (anyOf !== undefined) {
      return this.add(
        `${name}-any`,
        anyOf.map((part) => this.#literalRule(name, part)).join(" | "),
      );
    }
    if (items !== undefined) {
      return this.add(
        `${name}-list`,
        listRule(this.#typedRule(`${name}-item`, items), minItems ?? 0),
      );
    }
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([key, inner]) => this.#member(key, inner));
      return this.add(`${name}-object`, objectRule(members));
    }
    return simple === "component" ? "name" : simpleRule(type);
  }
}

/** Returns the rule of a simple type. */
function simpleRule(type: PropType): string {
  const { type: simple = "any", minimum = 0 } = normalizeType(type);
  return simple === "integer" && minimum >= 1 ? "positive" : simple;
}

function objectMember(name: string, rule: string, required = true): Member {
  return { name, rule, required };
}

/**
 * Returns the rule of an object with members in this order; only required members are mandatory.
 */
function objectRule(members: readonly Member[]): string {
  const written = members.map(({ name, rule }) => `${literalRule(name)}":" ws ${rule}`);
  const first = members.findIndex(({ required }) => required);
  const after = (at: number): string =>
    members
      .slice(at)
      .map(({ required }, n) => {
        const part = `"," ws ${written[at + n]}`;
        return required ? ` ${part}` : ` (${part})?`;
      })
      .join("");
  // Optional members before the first required one end with a comma.
  if (first >= 0) {
    const before = written.slice(0, first).map((part) => `(${part} "," ws)? `);
    return `"{" ws ${before.join("")}${written[first]}${after(first + 1)} ws "}"`;
  }
  if (members.length === 0) return `"{" ws "}"`;
  const starts = written.map((part, at) => `${part}${after(at + 1)}`);
  return `"{" ws ((${starts.join(" | ")}) ws)? "}"`;
}

function listRule(rule: string, minCount: number): string {
  const items = `${rule} ${minCount > 1 ? `("," ws ${rule}){${minCount - 1},}` : `("," ws ${rule})*`} ws`;
  return minCount > 0 ? `"[" ws ${items} "]"` : `"[" ws (${items})? "]"`;
}

/** Returns a JSON literal as grammar literal. */
function literalRule(value: string | number | boolean): string {
  const written = JSON.stringify(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `"${written}"`;
}
