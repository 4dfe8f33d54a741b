import { pathsOf } from "../../functions/expression.js";
import { asObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Severity } from "../../wire.js";
import { isBindable, normal, required } from "../normal.js";
import type { CatalogDefinition, Literal, PropDefinition, PropType } from "../types.js";
import { instead, nearest, quote } from "./names.js";
import { called, type Place, within } from "./place.js";
import { described, kindOf } from "./words.js";

/** A diagnostic, and the steps that lead to the place of what is wrong. */
export interface Fault extends Diagnostic {
  path: readonly (string | number)[];
}

/** What checks a field: a type, or a function. */
type Rule = PropType | ((given: unknown, place: Place) => Fault[]);
/** Fields, each with its rule; `needed` have to be there. */
export interface Form {
  readonly rules: { readonly [key: string]: Rule };
  readonly needed?: readonly string[];
  /** What has these fields, where it goes by a name: "a `Text`". */
  readonly what?: string;
}

/** Calls can stand in calls; nobody writes them deeper than this. */
const DEEPEST = 200;
const TEXT = { type: "string", bindable: false } as const;

/** A fault, in a list of its own. */
export function fault(
  code: string,
  { path }: Place,
  message: string,
  help: string,
  severity: Severity = "error",
): Fault[] {
  return [{ code, severity, message, help, path }];
}

/** The fields of an object: those that it has not to have, the value of each, and those that it lacks. */
export function fields(
  catalog: CatalogDefinition,
  object: JsonObject,
  place: Place,
  { rules, needed = [], what }: Form,
): Fault[] {
  const owner = what === undefined ? called(place) : `${called(place)} (${what})`;
  const found = Object.entries(object).flatMap(([key, given]) => {
    const at = within(place, key);
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (typeof rule === "function") return rule(given, at);
    if (rule !== undefined) return value(catalog, rule, given, at);
    const message = `${owner} has no property ${quote(key)}`;
    return fault("CAT001", at, message, instead(key, Object.keys(rules), "properties"));
  });
  const missing = needed.filter((key) => !Object.hasOwn(object, key));
  const lacks = missing.flatMap((key) => {
    const rule = rules[key];
    const type = typeof rule === "function" || rule === undefined ? "" : `: ${described(rule)}`;
    const message = `${owner} needs a property ${quote(key)}`;
    return fault("CAT002", place, message, `add ${quote(key)}${type}`);
  });
  return [...found, ...lacks];
}

/** The value of a property, which a binding or a call may stand for. */
export function value(
  catalog: CatalogDefinition,
  type: PropType,
  given: unknown,
  place: Place,
): Fault[] {
  const one = normal(type);
  if (place.path.length > DEEPEST) {
    const help = "put inner values into nodes of their own, and bind them";
    return fault("JSON009", place, `${called(place)} is nested too deep`, help);
  }
  const object = asObject(given);
  const open = isBindable(one) || isAny(one);
  const dynamic = open && object !== undefined ? dynamicOf(catalog, one, object, place) : undefined;
  if (dynamic !== undefined) return dynamic;
  const faults = literal(catalog, one, given, place);
  if (open || object === undefined || faults.length === 0 || one.type === "children") return faults;
  const kind = ["binding", "call"].find((name) => isMeant(one, object, name));
  if (kind === undefined) return faults;
  return fault("CAT008", place, `${called(place)} takes no ${kind}`, `write ${described(one)}`);
}

/** What is wrong with an object that is meant as a binding or as a call; nothing where it is meant as neither. */
function dynamicOf(
  catalog: CatalogDefinition,
  one: PropDefinition,
  object: JsonObject,
  place: Place,
): Fault[] | undefined {
  if (isMeant(one, object, "binding")) {
    return fields(catalog, object, place, { rules: { binding: bindingIn(catalog) } });
  }
  if (isMeant(one, object, "call")) return callOf(catalog, object, place);
  if (isMeant(one, object, "path")) return byPath(place);
  return isBare(object, one) ? bare(object, place) : undefined;
}

/** What stands under `binding`: a node and one property of it. */
function bindingIn(catalog: CatalogDefinition) {
  return (given: unknown, place: Place): Fault[] => {
    const object = asObject(given);
    if (object === undefined) {
      const help = 'write {"binding": {"node": "user", "key": "name"}}';
      return fault("HAM014", place, `${called(place)} is ${kindOf(given)}`, help);
    }
    if (Object.hasOwn(object, "path")) return byPath(place);
    return fields(catalog, object, place, { rules: { node, key } });
  };
}

function key(given: unknown, place: Place): Fault[] {
  if (typeof given !== "string" || given === "") {
    const help = 'write the name of one property: {"binding": {"key": "name"}}';
    return fault("HAM014", place, `${called(place)} is ${kindOf(given)}`, help);
  }
  if (!given.includes("/")) return [];
  const help = "a key names one property; give what is further down a node of its own";
  return fault("HAM010", place, `the key ${quote(given)} is a path`, help, "warning");
}

function node(given: unknown, place: Place): Fault[] {
  if (typeof given === "string" && /^[^!*]/.test(given)) return [];
  if (typeof given !== "string" || given === "") {
    const help = 'write the id of a node: {"binding": {"node": "user"}}';
    return fault("HAM014", place, `${called(place)} is ${kindOf(given)}`, help);
  }
  const help = `write the id alone: ${quote(given.replace(/^[!*]+/, ""))}`;
  return fault("HAM014", place, `${quote(given)} in ${called(place)} is no id`, help);
}

function byPath(place: Place): Fault[] {
  const help =
    'write {"binding": {"node": "user", "key": "name"}}: a binding names a node and one property of it';
  return fault("HAM027", place, `${called(place)} is bound by a path`, help);
}

function bare(object: JsonObject, place: Place): Fault[] {
  const [binding, rest]: [string[], string[]] = [[], []];
  for (const [name, given] of Object.entries(object)) {
    const text = typeof given === "string" ? JSON.stringify(given) : "…";
    (name === "template" ? rest : binding).push(`, "${name}": ${text}`);
  }
  const help = `write {"binding": {${binding.join("").slice(2)}}${rest.join("")}}`;
  return fault(
    "CAT006",
    place,
    `${called(place)} names a place in the data without \`binding\``,
    help,
  );
}

/** A call of a function of the catalog. */
function callOf(catalog: CatalogDefinition, object: JsonObject, place: Place): Fault[] {
  const functions = catalog.functions ?? {};
  const name = typeof object["call"] === "string" ? object["call"] : "";
  const index = name === "@index";
  if (!index && !Object.hasOwn(functions, name)) {
    const message = `there is no function ${quote(name)}, which ${called(place)} calls`;
    const help = instead(name, Object.keys(functions), "functions");
    return fault("HAM031", within(place, "call"), message, help, "warning");
  }
  const types = index ? { offset: "number" as const } : (functions[name]?.args ?? {});
  const form = { rules: types, needed: required(types), what: `for ${quote(name)}` };
  const args = (given: unknown, at: Place): Fault[] => {
    const named = asObject(given);
    if (named !== undefined) return fields(catalog, named, at, form);
    return other({ properties: types, bindable: false }, given, at);
  };
  const rules = { call: () => [], args, returnType: TEXT };
  const faults = fields(catalog, object, place, { rules });
  const values = types["values"] === undefined ? undefined : asObject(object["args"]);
  for (const one of values === undefined ? [] : unfilled(values, place)) faults.push(one);
  if (Object.hasOwn(object, "args")) return faults;
  return [...faults, ...fields(catalog, {}, within(place, "args"), form)];
}

/** The names in the text of a call that its `values` do not have. */
function unfilled(args: JsonObject, place: Place): Fault[] {
  const text = args["value"];
  if (typeof text !== "string") return [];
  const values = asObject(args["values"]) ?? {};
  const names = new Set(pathsOf(text).map(({ path }) => path));
  const missing = [...names].filter((name) => !Object.hasOwn(values, name));
  return missing.flatMap((name) => {
    const own = name.split(/[/.]/).filter(Boolean).at(-1) ?? name;
    const as = own === name ? "" : `write ${quote(`\${${own}}`)} in the text, and `;
    const help = `${as}give \`"values": {"${own}": {"binding": {"key": "${own}"}}}\``;
    const message = `the text of ${called(place)} names ${quote(name)}, which its \`values\` do not have`;
    return fault("CAT010", within(place, "args", "value"), message, help, "warning");
  });
}

/** A text that holds what looks like a name to be filled in, where nothing fills it in. */
function templated(catalog: CatalogDefinition, given: unknown, place: Place): Fault[] {
  const { formatString } = catalog.functions ?? {};
  // The text of a call is for the call to fill in, and what is code stands as it is.
  const isFilled = formatString === undefined || place.path.includes("args");
  const isPattern = /regex|pattern/i.test(String(place.path.at(-1)));
  if (typeof given !== "string" || isFilled || isPattern) return [];
  const words = given.replace(/```.*?(?:```|$)|`[^`]*`/gs, "");
  const [written, doubled, dollar] =
    /\{\{\s*([\w./-]+)\s*\}\}|\$\{\s*([\w./-]+)\s*\}/.exec(words) ?? [];
  if (written === undefined) return [];
  const name = (doubled ?? dollar ?? "").split(/[/.]/).filter(Boolean).at(-1) ?? "name";
  const call = `{"call": "formatString", "args": {"value": "… \${${name}} …", "values": {"${name}": {"binding": {"key": "${name}"}}}}}`;
  const message = `${called(place)} holds ${quote(written)}, which nothing fills in`;
  return fault("CAT010", place, message, `write ${call}`, "warning");
}

/** A value that is written out. */
function literal(
  catalog: CatalogDefinition,
  one: PropDefinition,
  given: unknown,
  place: Place,
): Fault[] {
  const { enum: values, anyOf, items, properties } = one;
  if (values !== undefined) return oneOf(one, values, given, place);
  if (anyOf !== undefined) {
    const tries = anyOf.map((type) => literal(catalog, normal(type), given, place));
    if (tries.some((faults) => faults.length === 0)) return [];
    // Whoever complains about something else than the kind of value was meant.
    const near = tries.find((faults) => !faults.some(({ code }) => code === "CAT003"));
    return near ?? other(one, given, place);
  }
  const object = asObject(given);
  if (items !== undefined) {
    if (!Array.isArray(given)) return other(one, given, place);
    const faults = given.flatMap((item, at) => value(catalog, items, item, within(place, at)));
    return [...faults, ...bounds(one, given, place)];
  }
  if (properties !== undefined) {
    if (object === undefined) return other(one, given, place);
    return fields(catalog, object, place, { rules: properties, needed: required(properties) });
  }
  switch (one.type ?? "any") {
    case "any":
      return (object && dynamicOf(catalog, one, object, place)) ?? [];
    case "component":
      return idOf(given, place);
    case "children":
      return children(catalog, one, given, place);
    case "action":
      return action(catalog, one, given, place);
    case "checks":
      if (!Array.isArray(given)) return other(one, given, place);
      return given.flatMap((part, at) => checkOf(catalog, one, part, within(place, at)));
    default:
      if (!isOf(one, given)) return other(one, given, place);
      return [...bounds(one, given, place), ...templated(catalog, given, place)];
  }
}

/** A value of another type. */
function other(type: PropType, given: unknown, place: Place): Fault[] {
  const message = `${called(place)} is ${kindOf(given)}, which it cannot be`;
  return fault("CAT003", place, message, `write ${described(type)}`);
}

function oneOf(
  one: PropDefinition,
  values: readonly Literal[],
  given: unknown,
  place: Place,
): Fault[] {
  if (values.some((known) => known === given)) return [];
  if (typeof given === "object" || given === undefined) return other(one, given, place);
  const message = `${called(place)} is ${quote(JSON.stringify(given))}, which is none of its values`;
  const near = nearest(String(given), values.map(String));
  const meant = near === undefined ? "" : `did you mean ${quote(near)}? `;
  return fault("CAT004", place, message, `${meant}write ${described(one)}`);
}

function bounds(one: PropDefinition, given: unknown, place: Place): Fault[] {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0 } = one;
  const told = (what: string, help: string): Fault[] =>
    fault("CAT005", place, `${called(place)} ${what}`, `write ${help}`);
  if (typeof given === "number") {
    if (given < minimum) return told(`is ${given}, less than ${minimum}`, `${minimum} or more`);
    return given > maximum ? told(`is ${given}, more than ${maximum}`, `${maximum} or less`) : [];
  }
  if (!Array.isArray(given) || given.length >= minItems) return [];
  return told(`has fewer than ${minItems} items`, `${minItems} or more`);
}

/** The id of a component, where a model likes to write the component itself. */
function idOf(given: unknown, place: Place): Fault[] {
  if (typeof given === "string" && given !== "") return [];
  const object = asObject(given);
  if (
    object === undefined ||
    !(Object.hasOwn(object, "component") || Object.hasOwn(object, "id"))
  ) {
    return other("component", given, place);
  }
  const id = typeof object["id"] === "string" ? object["id"] : "title";
  const message = `${called(place)} holds a component, where its id belongs`;
  const help = `put the component beside the others in \`components\`, and write its id here: "${id}"`;
  return fault("CAT007", place, message, help);
}

function children(
  catalog: CatalogDefinition,
  one: PropDefinition,
  given: unknown,
  place: Place,
): Fault[] {
  if (Array.isArray(given)) return given.flatMap((id, at) => idOf(id, within(place, at)));
  const object = asObject(given);
  if (object === undefined) return other(one, given, place);
  if (Object.hasOwn(object, "path")) return byPath(place);
  const { template: _, ...rest } = object;
  if (isBare(rest, one)) return bare(object, place);
  const rules = { binding: bindingIn(catalog), template: idOf };
  const form = { rules, needed: ["binding", "template"], what: "a list of children" };
  return fields(catalog, object, place, form);
}

function action(
  catalog: CatalogDefinition,
  one: PropDefinition,
  given: unknown,
  place: Place,
): Fault[] {
  const object = asObject(given);
  const kinds = ["event", "functionCall"].filter((kind) => object && Object.hasOwn(object, kind));
  if (object === undefined || kinds.length !== 1) return other(one, given, place);
  const event = (part: unknown, at: Place): Fault[] => {
    const named = asObject(part);
    if (named === undefined) return other(one, part, at);
    const rules = { name: eventName, context, userMessage: "string" as const };
    return fields(catalog, named, at, { rules, needed: ["name"] });
  };
  const context = (part: unknown, at: Place): Fault[] => {
    const named = asObject(part);
    if (named === undefined) return other({ type: "object", bindable: false }, part, at);
    return Object.entries(named).flatMap(([name, inner]) =>
      value(catalog, "any", inner, within(at, name)),
    );
  };
  const functionCall = (part: unknown, at: Place): Fault[] => {
    const call = asObject(part);
    return call === undefined ? other(one, part, at) : callOf(catalog, call, at);
  };
  return fields(catalog, object, place, { rules: { event, functionCall } });
}

function eventName(given: unknown, place: Place): Fault[] {
  return typeof given === "string" && given !== "" ? [] : other(TEXT, given, place);
}

function checkOf(
  catalog: CatalogDefinition,
  one: PropDefinition,
  given: unknown,
  place: Place,
): Fault[] {
  const object = asObject(given);
  if (object === undefined) return other(one, given, place);
  if (Object.hasOwn(object, "call") && !Object.hasOwn(object, "condition")) {
    const help = 'put the call into it: {"condition": {"call": "required", …}, "message": "…"}';
    return fault(
      "CAT002",
      place,
      `${called(place)} (a check) needs a property \`condition\``,
      help,
    );
  }
  const rules = { condition: "boolean" as const, message: TEXT };
  return fields(catalog, object, place, { rules, needed: ["condition"], what: "a check" });
}

function isAny({ type, enum: values, anyOf, items, properties }: PropDefinition): boolean {
  if (type !== undefined) return type === "any";
  return [values, anyOf, items, properties].every((form) => form === undefined);
}

/** Whether an object has a key that its type does not declare as one of its own. */
function isMeant(one: PropDefinition, object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && !Object.hasOwn(one.properties ?? {}, key);
}

/** Whether an object is what belongs under `binding`. In free values it takes both keys to tell. */
function isBare(object: JsonObject, one: PropDefinition): boolean {
  const keys = Object.keys(object);
  const only = keys.length > 0 && keys.every((key) => key === "node" || key === "key");
  const free = isAny(one) || (one.type === "object" && one.properties === undefined);
  if (!only || keys.some((key) => Object.hasOwn(one.properties ?? {}, key))) return false;
  return free ? keys.length === 2 && keys.every((key) => typeof object[key] === "string") : true;
}

function isOf({ type }: PropDefinition, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return asObject(value) !== undefined;
    default:
      return typeof value === type;
  }
}
