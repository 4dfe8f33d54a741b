import { isBindable, normal } from "./normal.js";
import { MESSAGES } from "./schema.js";
import type { CatalogDefinition, CatalogOptions, PropType } from "./types.js";

/** What stands in every grammar of messages. JSON is written on one line, with a space where one likes. */
const JSON_RULES = `ws ::= " "?
json ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (string ":" ws json ("," ws string ":" ws json)* ws)? "}"
array ::= "[" ws (json ("," ws json)* ws)? "]"
string ::= "\\"" char* "\\""
char ::= [^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})
number ::= integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
boolean ::= "true" | "false"
id ::= "\\"" [^"\\\\!*\\x00-\\x1F] char* "\\""
name ::= "\\"" char+ "\\""
key ::= "\\"" ([^"\\\\/\\x00-\\x1F] | "\\\\" (["\\\\bfnrt] | "u" [0-9a-fA-F]{4}))+ "\\""
nodes ::= "{" ws (node ("," ws node)* ws)? "}"
node ::= id ":" ws json | "\\"!" [^"\\\\!*\\x00-\\x1F] char* "\\":" ws "null"
any ::= string | number | boolean | "null" | array | binding | call`;

interface Member {
  name: string;
  rule: string;
  required: boolean;
}

/** The messages of a catalog as a grammar of llama.cpp. Properties stand in the order of the catalog, after `id` and `component`. */
export function gbnf(catalog: CatalogDefinition, options: CatalogOptions = {}): string {
  const names = options.messages ?? MESSAGES;
  const rules = new Rules();
  const message = names.map((name) => rules.message(name)).join(" | ");
  const root = options.list
    ? `"{" ws ${text("messages")}":" ws ${list("message", 0)} ws "}"`
    : `message ("\\n" message)*`;
  if (names.includes("createSurface") || names.includes("updateComponents")) {
    rules.components(catalog);
  }
  rules.add("binding", object([one("binding", "place")]));
  rules.add("place", object([one("node", "id", false), one("key", "key", false)]));
  rules.call(catalog);
  return [`root ::= ${root}`, `message ::= ${message}`, ...rules.lines, JSON_RULES].join("\n");
}

/** Rules by name, made as they are needed. */
class Rules {
  readonly #made = new Map<string, string>();

  get lines(): string[] {
    return [...this.#made].map(([name, body]) => `${name} ::= ${body}`);
  }

  /** Answers the name; another one where it is taken by something else. */
  add(wanted: string, body: string): string {
    const plain = wanted.replaceAll(/[^a-zA-Z0-9]+/g, "-");
    let name = plain;
    for (let n = 2; this.#made.has(name) && this.#made.get(name) !== body; n += 1) {
      name = `${plain}-${n}`;
    }
    this.#made.set(name, body);
    return name;
  }

  message(name: string): string {
    const surface = one("surfaceId", "string");
    const components = one("components", list("component", 0), name === "updateComponents");
    const bodies: { [name: string]: Member[] } = {
      createSurface: [
        surface,
        one("catalogId", "string", false),
        one("sendDataModel", "boolean", false),
        components,
      ],
      updateComponents: [surface, components],
      updateDataModel: [one("surfaceId", "string", false), one("nodes", "nodes")],
      deleteSurface: [surface],
    };
    const body = this.add(`body-${name}`, object(bodies[name] ?? []));
    return this.add(`message-${name}`, object([one("version", "string", false), one(name, body)]));
  }

  components({ components }: CatalogDefinition): void {
    const names = Object.entries(components).map(([name, { props = {} }]) => {
      const own = Object.entries(props).map(([prop, type]) => this.#member(prop, type));
      return this.add(
        `c-${name}`,
        object([one("id", "name"), one("component", text(name)), ...own]),
      );
    });
    this.add("component", names.join(" | "));
    const event = [
      one("name", "name"),
      one("context", "context", false),
      one("userMessage", this.#bindable("string"), false),
    ];
    this.add(
      "children",
      `${list("name", 0)} | ${object([one("binding", "place"), one("template", "name")])}`,
    );
    this.add(
      "action",
      `${object([one("event", "event")])} | ${object([one("functionCall", "call")])}`,
    );
    this.add("event", object(event));
    this.add("context", `"{" ws (string ":" ws any ("," ws string ":" ws any)* ws)? "}"`);
    const check = [one("condition", this.#bindable("boolean")), one("message", "string", false)];
    this.add("checks", list(this.add("check", object(check)), 0));
  }

  call({ functions = {} }: CatalogDefinition): void {
    const all = { "@index": { args: { offset: "number" as const } }, ...functions };
    const names = Object.entries(all).map(([name, { args = {} }]) => {
      const members = Object.entries(args).map(([arg, type]) => this.#member(arg, type));
      const required = members.some((member) => member.required);
      return this.add(
        `f-${name}`,
        object([
          one("call", text(name)),
          one("args", this.add(`args-${name}`, object(members)), required),
          one("returnType", "string", false),
        ]),
      );
    });
    this.add("call", names.join(" | "));
  }

  #member(name: string, type: PropType): Member {
    return one(name, this.#typed(name, type), normal(type).required === true);
  }

  #typed(name: string, type: PropType): string {
    const plain = this.#plain(name, type);
    return isBindable(normal(type)) && plain !== "any" ? this.#bindable(plain) : plain;
  }

  #bindable(plain: string): string {
    return this.add(`${plain}-value`, `${plain} | binding | call`);
  }

  #plain(name: string, type: PropType): string {
    const { type: simple, enum: values, anyOf, items, properties, minItems } = normal(type);
    if (values !== undefined) return this.add(`enum-${name}`, values.map(text).join(" | "));
    if (anyOf !== undefined) {
      return this.add(`${name}-any`, anyOf.map((part) => this.#plain(name, part)).join(" | "));
    }
    if (items !== undefined) {
      return this.add(`${name}-list`, list(this.#typed(`${name}-item`, items), minItems ?? 0));
    }
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([key, inner]) => this.#member(key, inner));
      return this.add(`${name}-object`, object(members));
    }
    return simple === "component" ? "name" : (simple ?? "any");
  }
}

function one(name: string, rule: string, required = true): Member {
  return { name, rule, required };
}

/** An object with these members, in this order; those that are not required may be left out. */
function object(members: readonly Member[]): string {
  const written = members.map(({ name, rule }) => `${text(name)}":" ws ${rule}`);
  const first = members.findIndex(({ required }) => required);
  const after = (at: number): string =>
    members
      .slice(at)
      .map(({ required }, n) => {
        const part = `"," ws ${written[at + n]}`;
        return required ? ` ${part}` : ` (${part})?`;
      })
      .join("");
  // Before the first that has to be there, each brings its own comma.
  if (first >= 0) {
    const before = written.slice(0, first).map((part) => `(${part} "," ws)? `);
    return `"{" ws ${before.join("")}${written[first]}${after(first + 1)} ws "}"`;
  }
  if (members.length === 0) return `"{" ws "}"`;
  const starts = written.map((part, at) => `${part}${after(at + 1)}`);
  return `"{" ws ((${starts.join(" | ")}) ws)? "}"`;
}

function list(rule: string, least: number): string {
  const items = `${rule} ${least > 1 ? `("," ws ${rule}){${least - 1},}` : `("," ws ${rule})*`} ws`;
  return least > 0 ? `"[" ws ${items} "]"` : `"[" ws (${items})? "]"`;
}

/** A literal of JSON as a literal of the grammar. */
function text(value: string | number | boolean): string {
  const written = JSON.stringify(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `"${written}"`;
}
