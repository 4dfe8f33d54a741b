import { isBindable, normalizeType } from "../catalog/prop-types.js";
import type { CatalogComponent, PropDefinition, PropType } from "../catalog/types.js";
import { type ExpressCatalog, parametersOf, positionalProps, Signatures } from "./signatures.js";

/** Rules of all grammars. */
const COMMON_RULES = `surface ::= "surface(" string ("," ws string)? ("," ws ("sendDataModel=" | "update=") boolean)* ")"
deletion ::= "deleteSurface(" string ")"
data ::= "$" ("/" step)+ " = " json
step ::= [A-Za-z0-9_]+
name ::= [A-Za-z_] [A-Za-z0-9_]*
path ::= "$" "/"? (step ("/" step)*)?
key ::= name | string
string ::= "\\"" char* "\\""
char ::= [^"\\\\\\x00-\\x1F] | "\\\\" ["\\\\nrt]
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})?
boolean ::= "true" | "false"
json ::= string | number | boolean | "null" | "[" ws (json ("," ws json)*)? "]" | "{" ws (key ":" ws json ("," ws key ":" ws json)*)? "}"
any ::= string | number | boolean | path | call | "[" ws (any ("," ws any)*)? "]" | "{" ws (key ":" ws any ("," ws key ":" ws any)*)? "}"
child ::= name | component
children ::= "[" ws (child ("," ws child)*)? "]" | "_template(" path "," ws child ")"
action ::= "Event(" string ("," ws "{" ws (key ":" ws any ("," ws key ":" ws any)*)? "}")? ")" | call
ws ::= " "?`;

/** Returns a llama.cpp grammar for replies in Express with the components of a catalog. */
export function expressGbnf(catalog: ExpressCatalog): string {
  const signatures = new Signatures(catalog);
  const rules = new GrammarRules();
  const names = signatures.catalogs.flatMap(({ catalog: { components } }) =>
    Object.entries(components).map(([name, one]) => rules.componentRule(name, one)),
  );
  const functions = signatures.catalogs.flatMap(({ catalog: { functions = {} } }) =>
    Object.entries(functions),
  );
  const calls = functions.map(([name, one]) =>
    rules.add(`f-${name}`, `"${name}(" ${rules.argumentsRule(parametersOf(one))} ")"`),
  );
  const checks = functions.map(([name, one]) => {
    const parameters = parametersOf(one);
    const own = parameters[0]?.[0] === "value" ? parameters.slice(1) : parameters;
    const args = own.map(([arg, type]) => rules.typedRule(`${name}-${arg}`, type));
    const all = [...args.map((rule, at) => (own[at]?.[1].required ? rule : `(${rule})`)), "string"];
    return rules.add(`k-${name}`, `"?${name}(" ${all.join(' "," ws ')} ")"`);
  });
  return [
    'root ::= "<a2ui>\\n" (statement "\\n")+ "</a2ui>"',
    'statement ::= surface | deletion | data | name " = " component',
    `component ::= ${names.join(" | ")}`,
    `call ::= ${calls.length > 0 ? calls.join(" | ") : "path"}`,
    ...(checks.length > 0 ? [`check ::= ${checks.join(" | ")}`] : []),
    ...rules.lines,
    COMMON_RULES,
  ].join("\n");
}

/** Grammar rules by name. */
class GrammarRules {
  readonly #rules = new Map<string, string>();

  get lines(): string[] {
    return [...this.#rules].map(([name, body]) => `${name} ::= ${body}`);
  }

  /** Adds a rule and returns its name, with a suffix if the name is in use. */
  add(requestedName: string, body: string): string {
    const plain = requestedName.replaceAll(/[^a-zA-Z0-9]+/g, "-");
    let name = plain;
    for (let n = 2; this.#rules.has(name) && this.#rules.get(name) !== body; n += 1)
      name = `${plain}-${n}`;
    this.#rules.set(name, body);
    return name;
  }

  componentRule(name: string, definition: CatalogComponent): string {
    const positions = positionalProps(definition);
    const parameters = positions.map((prop): [string, PropDefinition] => [
      prop,
      definition.props[prop] ?? {},
    ]);
    const named = Object.keys(definition.props)
      .filter((prop) => !positions.includes(prop) && definition.props[prop]?.type !== "checks")
      .map((prop) => ` ("," ws "${prop}=" ${this.typedRule(prop, definition.props[prop] ?? {})})?`);
    const hasChecks = Object.values(definition.props).some(({ type }) => type === "checks");
    const checks = hasChecks ? ' ("," ws "[" check ("," ws check)* "]")?' : "";
    return this.add(
      `c-${name}`,
      `"${name}(" ${this.argumentsRule(parameters)}${checks}${named.join("")} ")"`,
    );
  }

  /** Returns the rule of arguments in order. Optional ones are skipped, or missing at the end. */
  argumentsRule(parameters: readonly (readonly [string, PropDefinition])[]): string {
    let rule = "";
    let isRequired = false;
    for (let at = parameters.length - 1; at >= 0; at -= 1) {
      const [name, type] = parameters[at] as readonly [string, PropDefinition];
      const value = this.typedRule(name, type);
      isRequired ||= type.required === true;
      const argument = type.required === true ? value : `(${value} | "_")`;
      const part = `${at === 0 ? "" : '"," ws '}${argument}${rule === "" ? "" : ` ${rule}`}`;
      rule = isRequired ? part : `(${part})?`;
    }
    return rule === "" ? '""' : rule;
  }

  /** Returns the rule of a value with its paths and calls. */
  typedRule(name: string, type: PropType): string {
    const plain = this.#literalRule(name, type);
    const isOpen = isBindable(normalizeType(type)) && plain !== "any";
    return isOpen ? this.add(`${plain}-value`, `${plain} | path | call`) : plain;
  }

  #literalRule(name: string, type: PropType): string {
    const { type: simple, enum: values, anyOf, items, properties } = normalizeType(type);
    if (values !== undefined) {
      const texts = values.map((value) => JSON.stringify(JSON.stringify(value)));
      return this.add(`enum-${name}`, texts.join(" | "));
    }
    if (anyOf !== undefined)
      return this.add(
        `${name}-any`,
        anyOf.map((part) => this.#literalRule(name, part)).join(" | "),
      );
    if (items !== undefined) {
      const item = this.typedRule(`${name}-item`, items);
      return this.add(`${name}-list`, `"[" ws (${item} ("," ws ${item})*)? "]"`);
    }
    if (properties !== undefined) {
      const members = Object.entries(properties).map(
        ([key, inner]) => `"${key}:" ws ${this.typedRule(key, inner)}`,
      );
      const isFixed = Object.values(properties).every((one) => normalizeType(one).required);
      if (isFixed) return this.add(`${name}-object`, `"{" ws ${members.join(' "," ws ')} "}"`);
      const member = this.add(`${name}-member`, members.join(" | "));
      return this.add(`${name}-object`, `"{" ws (${member} ("," ws ${member})*)? "}"`);
    }
    if (simple === "component") return "child";
    if (simple === "integer") return "number";
    if (simple === "array" || simple === "object" || simple === "checks") return "any";
    return simple ?? "any";
  }
}
