import { isBindable, normalizeType } from "../catalog/prop-types.js";
import type {
  CatalogComponent,
  FunctionDefinition,
  PropDefinition,
  PropType,
} from "../catalog/types.js";
import { type ExpressCatalog, parametersOf, positionalProps, Signatures } from "./signatures.js";

/** Rules of all grammars. A section is about one surface, because statements without one need a root. */
const COMMON_RULES = `section ::= surface "\\n" ((data | name " = " component) "\\n")+ | deletion "\\n"
deletion ::= "deleteSurface(" string ")"
data ::= "$" ("/" step)+ " = " json
step ::= [A-Za-z0-9_]+
name ::= [A-Za-z] [A-Za-z0-9_]*
path ::= "$" "/"? (step ("/" step)*)?
key ::= name | string
string ::= "\\"" char* "\\""
filled ::= "\\"" char+ "\\""
char ::= [^"\\\\\\x00-\\x1F] | "\\\\" ["\\\\nrt]
number ::= integer ("." [0-9]{1,16})?
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
positive ::= [1-9] [0-9]{0,15}
boolean ::= "true" | "false"
json ::= string | number | boolean | "null" | "[" ws (json ("," ws json)*)? "]" | "{" ws (key ":" ws json ("," ws key ":" ws json)*)? "}"
any ::= string | number | boolean | path | call | array | object
array ::= "[" ws (any ("," ws any)*)? "]"
object ::= "{" ws (key ":" ws any ("," ws key ":" ws any)*)? "}"
child ::= name | component
children ::= "[" ws (child ("," ws child)*)? "]" | "_template(" path "," ws child ")"
event ::= "Event(" filled ("," ws object)? ")"
ws ::= " "?`;

/** Returns a llama.cpp grammar for replies in Express with the components of a catalog. */
export function expressGbnf(catalog: ExpressCatalog): string {
  const signatures = new Signatures(catalog);
  const rules = new GrammarRules();
  const functions = signatures.catalogs.flatMap(({ catalog: { functions = {} } }) =>
    Object.entries(functions),
  );
  const callsOf = (isVoid: boolean): string[] =>
    functions
      .filter(([, { returns }]) => returns === undefined || (returns === "void") === isVoid)
      .map(([name, one]) =>
        rules.add(
          `f-${name}`,
          `${literal(`${name}(`)} ${rules.argumentsRule(parametersOf(one))} ")"`,
        ),
      );
  const calls = callsOf(false);
  const conditions = functions.filter(
    ([, { returns = "boolean", args = {} }]) =>
      returns === "boolean" && Object.keys(args).length > 0,
  );
  const checks = conditions.map((one) => rules.check(one, ""));
  const checksOf = conditions.map((one) => rules.check(one, 'path "," ws '));
  const names = signatures.catalogs.flatMap(({ catalog: { components } }) =>
    Object.entries(components).map(([name, one]) =>
      rules.componentRule(name, one, checks.length > 0),
    ),
  );
  const ids = signatures.catalogs.map(({ id }) => literal(JSON.stringify(id)));
  return [
    'root ::= "<a2ui>\\n" section+ "</a2ui>"',
    `surface ::= "surface(" string ("," ws (${ids.join(" | ")}))? ("," ws "sendDataModel=" boolean)? ")"`,
    `component ::= ${names.join(" | ")}`,
    `call ::= ${calls.length > 0 ? calls.join(" | ") : "path"}`,
    ...(checks.length > 0
      ? [`check ::= ${checks.join(" | ")}`, `check-of ::= ${checksOf.join(" | ")}`]
      : []),
    `action ::= ${["event", ...callsOf(true)].join(" | ")}`,
    ...rules.lines,
    COMMON_RULES,
  ].join("\n");
}

/** Returns the literal of a text: on one line, whatever characters the text has. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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

  /** Adds the rule of a check. `value` is the rule of its first argument, if that is written. */
  check([name, definition]: readonly [string, FunctionDefinition], value: string): string {
    const parameters = parametersOf(definition);
    const isOfValue = parameters[0]?.[0] === "value";
    const own = isOfValue ? parameters.slice(1) : parameters;
    const args = own.map(([arg, type]) => {
      const rule = this.typedRule(`${name}-${arg}`, type);
      return type.required ? rule : `(${rule})`;
    });
    const all = [...args, "string"].join(' "," ws ');
    return this.add(`k-${name}`, `${literal(`?${name}(`)} ${isOfValue ? value : ""}${all} ")"`);
  }

  componentRule(name: string, definition: CatalogComponent, canCheck: boolean): string {
    const { props, input: inputs } = definition;
    const positions = positionalProps(definition);
    const [input] = inputs;
    /** Returns the parameters. Input of the user is lost without a path. */
    const parameters = (needed?: string): [string, PropDefinition][] =>
      positions.map((prop) => {
        const { required = false, ...type } = props[prop] ?? {};
        const isInput = inputs.includes(prop);
        return [prop, { ...type, input: isInput, required: required || prop === needed }];
      });
    const named = Object.keys(props)
      .filter((prop) => !positions.includes(prop) && props[prop]?.type !== "checks")
      .map((prop): Member => {
        const type = { ...props[prop], input: inputs.includes(prop) };
        const isRequired = type.required === true;
        return { rule: `${literal(`${prop}=`)} ${this.typedRule(prop, type)}`, isRequired };
      });
    const hasChecks = canCheck && Object.values(props).some(({ type }) => type === "checks");
    const rule = (others: readonly Member[], needed?: string): string => {
      const own = parameters(needed);
      const isRequired = own.some(([, type]) => type.required === true);
      return `${literal(`${name}(`)} ${withOthers({ rule: this.argumentsRule(own), isRequired }, others)} ")"`;
    };
    if (!hasChecks) return this.add(`c-${name}`, rule(named));
    // A check is about the bound input. Without an input it names its value.
    const check = input === undefined ? "check-of" : "check";
    const checks = { rule: `"[" ${check} ("," ws ${check})* "]"`, isRequired: true };
    return this.add(`c-${name}`, `${rule(named)} | ${rule([checks, ...named], input)}`);
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
    if (normalizeType(type).input === true) return "path";
    const plain = this.#literalRule(name, type);
    const isOpen = isBindable(normalizeType(type)) && plain !== "any";
    return isOpen ? this.add(`${plain}-value`, `${plain} | path | call`) : plain;
  }

  #literalRule(name: string, type: PropType): string {
    const definition = normalizeType(type);
    const { type: simple, enum: values, anyOf, items, properties } = definition;
    const { minimum = 0, minItems = 0 } = definition;
    if (values !== undefined) {
      const texts = values.map((value) => literal(JSON.stringify(value)));
      return this.add(`enum-${name}`, texts.join(" | "));
    }
    if (anyOf !== undefined)
      return this.add(
        `${name}-any`,
        anyOf.map((part) => this.#literalRule(name, part)).join(" | "),
      );
    if (items !== undefined) {
      const item = this.typedRule(`${name}-item`, items);
      const more = `("," ws ${item}){${Math.max(0, minItems - 1)},}`;
      const all = `${item} ${more}`;
      return this.add(`${name}-list`, `"[" ws ${minItems > 0 ? all : `(${all})?`} "]"`);
    }
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([key, inner]): Member => {
        const isRequired = normalizeType(inner).required === true;
        return { rule: `${literal(`${key}:`)} ws ${this.typedRule(key, inner)}`, isRequired };
      });
      return this.add(`${name}-object`, `"{" ws ${inOrder(members)} "}"`);
    }
    if (simple === "component") return "child";
    if (simple === "integer") return minimum >= 1 ? "positive" : "integer";
    if (simple === "checks") return "any";
    return simple ?? "any";
  }
}

/** Rule of a member of an object. */
interface Member {
  rule: string;
  isRequired: boolean;
}

/** Returns the rule of members in this order, so that none is repeated. */
function inOrder(members: readonly Member[]): string {
  if (members.length === 0) return '""';
  const required = members.findIndex(({ isRequired }) => isRequired);
  const starts = required < 0 ? members : members.slice(0, required + 1);
  const alternatives = starts.map(({ rule }, at) => {
    return `${rule}${afterComma(members.slice(at + 1))}`;
  });
  return `(${alternatives.join(" | ")})${required < 0 ? "?" : ""}`;
}

/** Returns the rule of positional arguments, which may all be optional, and of others after them. */
function withOthers({ rule, isRequired }: Member, others: readonly Member[]): string {
  if (isRequired) return rule + afterComma(others);
  if (rule === '""') return inOrder(others);
  // The rule of optional arguments is a group with a question mark.
  return `(${rule.slice(1, -2)}${afterComma(others)} | ${inOrder(others)})`;
}

function afterComma(members: readonly Member[]): string {
  const parts = members.map(({ rule, isRequired }) =>
    isRequired ? ` "," ws ${rule}` : ` ("," ws ${rule})?`,
  );
  return parts.join("");
}
