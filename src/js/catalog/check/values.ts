import { asObject, type JsonObject } from "../../json-value.js";
import { builtinCalls, isBindable, normalizeType, requiredProps } from "../prop-types.js";
import type { CatalogDefinition, Literal, PropDefinition, PropType } from "../types.js";
import { checkDateFormat } from "./date-formats.js";
import { diagnosticsAt, type PathDiagnostic } from "./path-diagnostic.js";
import {
  missingTemplateValues,
  unfilledPlaceholder,
  unfilledPlaceholders,
} from "./placeholders.js";
import { invalidDate } from "./shown-values.js";
import { closestMatch, quote, suggestName } from "./suggestions.js";
import { expressionsOf, invalidExpression } from "./template-text.js";
import { describeLiteral, describePropType, describeValue, exampleFor } from "./type-names.js";
import { relativeUrl } from "./urls.js";
import { childLocation, describeLocation, type ValueLocation } from "./value-location.js";
import { hasType, hasUndeclaredKey, isAny, isUnwrappedBinding } from "./value-shapes.js";

/** Check of a field: a type or a function. */
type FieldRule = PropType | ((value: unknown, location: ValueLocation) => PathDiagnostic[]);
/** Fields of an object with their rules, and the required ones. */
export interface ObjectShape {
  readonly rules: { readonly [key: string]: FieldRule };
  readonly requiredKeys?: readonly string[];
  /** Description of the object: "a `Text`". */
  readonly what?: string;
}

/** Maximum nesting depth of values. */
const MAX_DEPTH = 200;
const TEXT = { type: "string", bindable: false } as const;
/** Functions of the basic catalog that do not fill in the texts of their arguments. */
const LITERAL_CALL =
  /^(?:formatNumber|formatCurrency|formatDate|pluralize|openUrl|required|regex|length|numeric|email)$/;
/** Keys of an event besides its name and its context. */
const EVENT_KEYS = {
  userMessage: "string",
  wantResponse: { type: "boolean", bindable: false },
  responsePath: TEXT,
  metadata: { type: "object", bindable: false },
} as const;

/** Checks the fields of an object: unknown keys, values and missing keys. */
export function checkFields(
  catalog: CatalogDefinition,
  object: JsonObject,
  location: ValueLocation,
  { rules, requiredKeys = [], what }: ObjectShape,
): PathDiagnostic[] {
  const owner =
    what === undefined ? describeLocation(location) : `${describeLocation(location)} (${what})`;
  const found = Object.entries(object).flatMap(([key, value]) => {
    const at = childLocation(location, key);
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (typeof rule === "function") return rule(value, at);
    if (rule !== undefined) return checkValue(catalog, rule, value, at);
    const message = `unknown property ${quote(key)} of ${owner}`;
    return diagnosticsAt("CAT001", at, message, suggestName(key, Object.keys(rules), "properties"));
  });
  const missing = requiredKeys.filter((key) => !Object.hasOwn(object, key));
  const lacks = missing.flatMap((key) => {
    const rule = rules[key];
    const type =
      typeof rule === "function" || rule === undefined ? "" : `: ${describePropType(rule)}`;
    const message = `missing property ${quote(key)} of ${owner}`;
    return diagnosticsAt("CAT002", location, message, `add ${quote(key)}${type}`);
  });
  return [...found, ...lacks];
}

/** Checks a property value: a literal, a binding or a call. */
export function checkValue(
  catalog: CatalogDefinition,
  type: PropType,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const one = normalizeType(type);
  if (location.path.length > MAX_DEPTH) {
    const help = "put inner values into separate nodes and bind them";
    return diagnosticsAt(
      "JSON009",
      location,
      `${describeLocation(location)} is nested too deep`,
      help,
    );
  }
  if (value === null && location.isPartial) return [];
  if (location.isResolved) return checkLiteral(catalog, one, value, location);
  const object = asObject(value);
  const open = isBindable(one) || isAny(one);
  const dynamic =
    open && object !== undefined ? checkDynamic(catalog, one, object, location) : undefined;
  if (dynamic !== undefined) return dynamic;
  const diagnostics = checkLiteral(catalog, one, value, location);
  if (open || object === undefined || diagnostics.length === 0 || one.type === "children")
    return diagnostics;
  const kind = ["binding", "call"].find((name) => hasUndeclaredKey(one, object, name));
  if (kind === undefined) return diagnostics;
  return diagnosticsAt(
    "CAT008",
    location,
    `${describeLocation(location)} does not accept a ${kind}`,
    `write ${describePropType(one)}`,
  );
}

/** Checks a binding or a call. Returns undefined for any other object. */
function checkDynamic(
  catalog: CatalogDefinition,
  one: PropDefinition,
  object: JsonObject,
  location: ValueLocation,
): PathDiagnostic[] | undefined {
  if (hasUndeclaredKey(one, object, "binding")) {
    return checkFields(catalog, object, location, { rules: { binding: bindingRule(catalog) } });
  }
  if (hasUndeclaredKey(one, object, "call")) return checkCall(catalog, object, location);
  if (hasUndeclaredKey(one, object, "path")) return pathBinding(location);
  return isUnwrappedBinding(object, one) ? unwrappedBinding(object, location) : undefined;
}

/** Returns the check of a `binding`: a node and one property of it. */
function bindingRule(catalog: CatalogDefinition) {
  return (value: unknown, location: ValueLocation): PathDiagnostic[] => {
    const object = asObject(value);
    if (object === undefined) {
      const help = 'write {"binding": {"node": "user", "key": "name"}}';
      return diagnosticsAt(
        "HAM014",
        location,
        `expected an object in ${describeLocation(location)}, found ${describeValue(value)}`,
        help,
      );
    }
    if (Object.hasOwn(object, "path")) return pathBinding(location);
    return checkFields(catalog, object, location, { rules: { node: checkNode, key: checkKey } });
  };
}

function checkKey(value: unknown, location: ValueLocation): PathDiagnostic[] {
  if (typeof value !== "string" || value === "") {
    const help = 'write the name of one property: {"binding": {"key": "name"}}';
    return diagnosticsAt(
      "HAM014",
      location,
      `expected a property name in ${describeLocation(location)}, found ${describeValue(value)}`,
      help,
    );
  }
  if (!value.includes("/")) return [];
  const help = "name one property; put nested data into a separate node";
  return diagnosticsAt("HAM010", location, `the key ${quote(value)} is a path`, help, "warning");
}

function checkNode(value: unknown, location: ValueLocation): PathDiagnostic[] {
  if (typeof value === "string" && /^[^!*]/.test(value)) return [];
  if (typeof value !== "string" || value === "") {
    const help = 'write the id of a node: {"binding": {"node": "user"}}';
    return diagnosticsAt(
      "HAM014",
      location,
      `expected a node id in ${describeLocation(location)}, found ${describeValue(value)}`,
      help,
    );
  }
  const help = `write the id alone: ${quote(value.replace(/^[!*]+/, ""))}`;
  return diagnosticsAt(
    "HAM014",
    location,
    `invalid node id ${quote(value)} in ${describeLocation(location)}`,
    help,
  );
}

function pathBinding(location: ValueLocation): PathDiagnostic[] {
  const help =
    'write {"binding": {"node": "user", "key": "name"}}: a binding names a node and one property of it';
  return diagnosticsAt(
    "HAM027",
    location,
    `${describeLocation(location)} is bound by a path`,
    help,
  );
}

function unwrappedBinding(object: JsonObject, location: ValueLocation): PathDiagnostic[] {
  const [binding, rest]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(object)) {
    const text = typeof value === "string" ? JSON.stringify(value) : "…";
    (name === "template" ? rest : binding).push(`, "${name}": ${text}`);
  }
  const help = `write {"binding": {${binding.join("").slice(2)}}${rest.join("")}}`;
  return diagnosticsAt(
    "CAT006",
    location,
    `${describeLocation(location)} refers to data without \`binding\``,
    help,
  );
}

/** Checks a call of a catalog function. */
function checkCall(
  catalog: CatalogDefinition,
  object: JsonObject,
  location: ValueLocation,
): PathDiagnostic[] {
  const functions = catalog.functions ?? {};
  const name = typeof object["call"] === "string" ? object["call"] : "";
  const builtin = Object.hasOwn(builtinCalls, name) ? builtinCalls[name] : undefined;
  if (builtin === undefined && !Object.hasOwn(functions, name)) {
    const message = `unknown function ${quote(name)} in ${describeLocation(location)}`;
    const help = suggestName(name, Object.keys(functions), "functions");
    return diagnosticsAt("HAM031", childLocation(location, "call"), message, help, "warning");
  }
  const types = argumentTypes(catalog, name);
  const args = (value: unknown, at: ValueLocation): PathDiagnostic[] =>
    checkArguments(catalog, name, value, at);
  const rules = { call: () => [], args, catalogId: TEXT, returnType: TEXT };
  const diagnostics = checkFields(catalog, object, location, { rules });
  const values = types["values"] === undefined ? undefined : asObject(object["args"]);
  if (values !== undefined) diagnostics.push(...missingTemplateValues(values, location));
  const { format, value: text } = asObject(object["args"]) ?? {};
  if (name === "formatDate")
    diagnostics.push(...checkDateFormat(format, childLocation(location, "args", "format")));
  if (name === "formatString" && typeof text === "string")
    diagnostics.push(...checkTemplate(catalog, text, childLocation(location, "args", "value")));
  if (Object.hasOwn(object, "args")) return diagnostics;
  return [...diagnostics, ...checkArguments(catalog, name, {}, childLocation(location, "args"))];
}

/** Checks the expressions in the text of a `formatString`. */
function checkTemplate(
  catalog: CatalogDefinition,
  text: string,
  location: ValueLocation,
): PathDiagnostic[] {
  const { calls, invalid } = expressionsOf(text);
  const found = [
    ...invalid.flatMap((one) => invalidExpression(one, location)),
    ...calls.flatMap((one) => checkCall(catalog, one, location)),
  ];
  const inText = found.map((one): [string, PathDiagnostic] => {
    const message = one.message.replace(/(\/args\/value)\/[^`]*/, "$1");
    return [message, { ...one, message, path: location.path }];
  });
  // A text can repeat a fault.
  return [...new Map(inText).values()];
}

function argumentTypes({ functions = {} }: CatalogDefinition, name: string) {
  return name === "@index" ? { offset: "number" as const } : (functions[name]?.args ?? {});
}

/** Checks the arguments of a call of a catalog function. */
export function checkArguments(
  catalog: CatalogDefinition,
  name: string,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const rules = argumentTypes(catalog, name);
  const args = asObject(value);
  if (args === undefined) return typeError({ properties: rules, bindable: false }, value, location);
  const requiredKeys = requiredProps(rules);
  const at = { ...location, texts: LITERAL_CALL.test(name) ? "literal" : "filled" } as const;
  return checkFields(catalog, args, at, { rules, requiredKeys, what: `for ${quote(name)}` });
}

/** Checks a literal value. */
function checkLiteral(
  catalog: CatalogDefinition,
  one: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const { enum: values, anyOf, items, properties } = one;
  if (values !== undefined) return checkEnum(one, values, value, location);
  if (anyOf !== undefined) {
    const attempts = anyOf.map((type) =>
      checkLiteral(catalog, normalizeType(type), value, location),
    );
    if (attempts.some((diagnostics) => diagnostics.length === 0)) return [];
    // The intended type is the first one with a diagnostic about something other than the type.
    const match = attempts.find(
      (diagnostics) => !diagnostics.some(({ code }) => code === "CAT003"),
    );
    return match ?? typeError(one, value, location);
  }
  const object = asObject(value);
  if (items !== undefined) {
    if (!Array.isArray(value)) return typeError(one, value, location);
    const diagnostics = value.flatMap((item, at) =>
      checkValue(catalog, items, item, childLocation(location, at)),
    );
    return [...diagnostics, ...checkBounds(one, value, location)];
  }
  if (properties !== undefined) {
    if (object === undefined) return typeError(one, value, location);
    return checkFields(catalog, object, location, {
      rules: properties,
      requiredKeys: requiredProps(properties),
    });
  }
  switch (one.type ?? "any") {
    case "any":
      return (
        (object && !location.isResolved && checkDynamic(catalog, one, object, location)) ||
        (location.texts === "literal" ? unfilledPlaceholders(catalog, value, location) : [])
      );
    case "component":
      return checkComponentId(value, location);
    case "children":
      return checkChildren(catalog, one, value, location);
    case "action":
      return checkAction(catalog, one, value, location);
    case "checks":
      if (!Array.isArray(value)) return typeError(one, value, location);
      return value.flatMap((part, at) =>
        checkCondition(catalog, one, part, childLocation(location, at)),
      );
    default:
      if (!hasType(one, value)) return typeError(one, value, location);
      return [
        ...checkBounds(one, value, location),
        ...unfilledPlaceholder(catalog, value, location),
        ...relativeUrl(one.url, value, location),
        ...invalidDate(one, value, location),
      ];
  }
}

/** Returns the error for a value of the wrong type. */
function typeError(type: PropType, value: unknown, location: ValueLocation): PathDiagnostic[] {
  const definition = normalizeType(type);
  // The form of a binding depends on the sender and is in the help.
  const [expected] = describeLiteral(definition).split(/, or \{|: \{/);
  const message = `expected ${expected} in ${describeLocation(location)}, found ${describeValue(value)}`;
  const form = exampleFor(definition, value) ?? describePropType(type);
  return diagnosticsAt("CAT003", location, message, `write ${form}`);
}

function checkEnum(
  one: PropDefinition,
  values: readonly Literal[],
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (values.some((known) => known === value)) return [];
  if (typeof value === "object" || value === undefined) return typeError(one, value, location);
  const message = `expected ${describeLiteral(one)} in ${describeLocation(location)}, found ${quote(JSON.stringify(value))}`;
  const match = closestMatch(String(value), values.map(String));
  const suggestion = match === undefined ? "" : `did you mean ${quote(match)}? `;
  return diagnosticsAt("CAT004", location, message, `${suggestion}write ${describePropType(one)}`);
}

function checkBounds(
  one: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const { minimum = -Infinity, maximum = Infinity, minItems = 0 } = one;
  const outOfBounds = (expected: string, found: number): PathDiagnostic[] => {
    const message = `expected ${expected} in ${describeLocation(location)}, found ${found}`;
    return diagnosticsAt("CAT005", location, message, `write ${expected}`);
  };
  if (typeof value === "number") {
    if (value < minimum) return outOfBounds(`${minimum} or more`, value);
    return value > maximum ? outOfBounds(`${maximum} or less`, value) : [];
  }
  if (!Array.isArray(value) || value.length >= minItems) return [];
  return outOfBounds(`${minItems} or more items`, value.length);
}

/** Checks a component id; models often write the component itself instead. */
function checkComponentId(value: unknown, location: ValueLocation): PathDiagnostic[] {
  if (typeof value === "string" && value !== "") return [];
  const object = asObject(value);
  if (
    object === undefined ||
    !(Object.hasOwn(object, "component") || Object.hasOwn(object, "id"))
  ) {
    return typeError("component", value, location);
  }
  const id = typeof object["id"] === "string" ? object["id"] : "title";
  const message = `expected a component id in ${describeLocation(location)}, found a component`;
  const help = `move the component to \`components\` and write its id here: "${id}"`;
  return diagnosticsAt("CAT007", location, message, help);
}

function checkChildren(
  catalog: CatalogDefinition,
  one: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  if (Array.isArray(value))
    return value.flatMap((id, at) => checkComponentId(id, childLocation(location, at)));
  const object = asObject(value);
  if (object === undefined) return typeError(one, value, location);
  if (Object.hasOwn(object, "path")) return pathBinding(location);
  const { template: _, ...rest } = object;
  if (isUnwrappedBinding(rest, one)) return unwrappedBinding(object, location);
  const rules = { binding: bindingRule(catalog), template: checkComponentId };
  const shape = { rules, requiredKeys: ["binding", "template"], what: "a list of children" };
  return checkFields(catalog, object, location, shape);
}

function checkAction(
  catalog: CatalogDefinition,
  one: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const object = asObject(value);
  const kinds = ["event", "functionCall"].filter((kind) => object && Object.hasOwn(object, kind));
  if (object === undefined || kinds.length !== 1) return typeError(one, value, location);
  const event = (part: unknown, at: ValueLocation): PathDiagnostic[] => {
    const named = asObject(part);
    if (named === undefined) return typeError(one, part, at);
    const rules = { name: eventName, context, ...EVENT_KEYS };
    return checkFields(catalog, named, at, { rules, requiredKeys: ["name"] });
  };
  const context = (part: unknown, at: ValueLocation): PathDiagnostic[] => {
    const named = asObject(part);
    if (named === undefined) return typeError({ type: "object", bindable: false }, part, at);
    return Object.entries(named).flatMap(([name, inner]) =>
      checkValue(catalog, "any", inner, { ...childLocation(at, name), texts: "literal" }),
    );
  };
  const functionCall = (part: unknown, at: ValueLocation): PathDiagnostic[] => {
    const call = asObject(part);
    return call === undefined ? typeError(one, part, at) : checkCall(catalog, call, at);
  };
  return checkFields(catalog, object, location, { rules: { event, functionCall } });
}

function eventName(value: unknown, location: ValueLocation): PathDiagnostic[] {
  return typeof value === "string" && value !== "" ? [] : typeError(TEXT, value, location);
}

function checkCondition(
  catalog: CatalogDefinition,
  one: PropDefinition,
  value: unknown,
  location: ValueLocation,
): PathDiagnostic[] {
  const object = asObject(value);
  if (object === undefined) return typeError(one, value, location);
  if (Object.hasOwn(object, "call") && !Object.hasOwn(object, "condition")) {
    const help = 'wrap the call: {"condition": {"call": "required", …}, "message": "…"}';
    return diagnosticsAt(
      "CAT002",
      location,
      `missing property \`condition\` of ${describeLocation(location)} (a check)`,
      help,
    );
  }
  const rules = { condition: "boolean" as const, message: TEXT };
  return checkFields(catalog, object, location, {
    rules,
    requiredKeys: ["condition"],
    what: "a check",
  });
}
