import { asList, asObject, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import { Budget } from "./budget.js";
import { type CallContext, callFunction, customFunction } from "./call-context.js";
import { evaluateCondition } from "./conditions.js";
import { calledFunction, MAX_CALL_DEPTH, markData, TEXT_MARK, unmarkData } from "./data-mark.js";
import { formatDate } from "./date.js";
import { cachedFormats } from "./format-cache.js";
import { type Expression, parseTemplate } from "./template.js";
import { instantOf, isClearTime, parseTime, wallOf } from "./zoned-time.js";

/** Maximum length of a filled template. */
const maxResultLength = 1_000_000;
/** Cost of a call without its arguments, because a locale format is expensive. */
const callCost = 200;
/** Cost of a character of a date pattern: each can become the name of a month. */
const dateCost = 20;
/** Operand whose call has no result. */
const noResult: Json = { call: "" };
/** Functions of the basic catalog. Other objects with a `call` are data. */
const basicFunctions = new Set([
  ...["formatString", "formatNumber", "formatCurrency", "formatDate", "pluralize", "capitalize"],
  ...["required", "regex", "length", "numeric", "email", "and", "or", "not"],
]);

/** Returns whether a function is one of the basic catalog that returns a value. */
export function isBasicFunction(name: string): boolean {
  return basicFunctions.has(name);
}

/**
 * Evaluates all calls in a value. Returns the same object if it contains none. A call without a
 * result, or after the budget is spent, becomes null. Bindings must be resolved; actions are not
 * evaluated.
 */
export function evaluate(value: Json, context: CallContext = {}): Json {
  return unmarkData(new Evaluator(context).evaluateValue(value, 0));
}

/**
 * Evaluates the fields of an object. The object itself is not a call, because its names are the
 * author's.
 */
export function evaluateEach(object: JsonFields, context: CallContext = {}): JsonFields {
  return unmarkData(new Evaluator(context).evaluateFields(object, 0));
}

/**
 * Replaces calls in properties by their results, except in checks, which run when the user leaves
 * the field.
 */
export function evaluateProps(props: Map<string, Json>, context: CallContext = {}): void {
  for (const [prop, value] of props) {
    if (typeof value !== "object" || value === null || prop === "checks") continue;
    const result = evaluate(value, context);
    if (result !== value) props.set(prop, result);
  }
}

/** Returns whether a value is an action. It is evaluated when the user triggers it. */
export function isAction(value: Json): boolean {
  return ownProperty(value, "call") === undefined && hasActionKey(value);
}

function hasActionKey(value: Json): boolean {
  return Boolean(
    asObject(ownProperty(value, "event")) ?? asObject(ownProperty(value, "functionCall")),
  );
}

type JsonFields = { readonly [name: string]: Json };

/** Evaluation of one value with one budget. The marks of data stay until it ends. */
class Evaluator {
  readonly #context: CallContext;
  readonly #budget = new Budget();

  constructor(context: CallContext) {
    this.#context = context;
  }

  evaluateValue(value: Json, depth: number): Json {
    if (typeof value === "string") this.#budget.trySpend(value.length);
    if (typeof value !== "object" || value === null) return value;
    const name = calledFunction(value);
    if (name !== undefined && (basicFunctions.has(name) || customFunction(this.#context, name))) {
      const isText = ownProperty(value, TEXT_MARK) !== undefined;
      return this.#evaluateCall(name, asObject(ownProperty(value, "args")) ?? {}, depth, isText);
    }
    // A check of values does not know the functions of the page.
    if (name !== undefined && this.#context.onUnusable) return null;
    if (depth > MAX_CALL_DEPTH) return value;
    if (Array.isArray(value)) {
      if (!this.#budget.trySpend(1 + value.length)) return value;
      const result = value.map((item) => this.evaluateValue(item, depth + 1));
      return result.some((item, at) => item !== value[at]) ? result : value;
    }
    if (hasActionKey(value)) return value;
    return this.evaluateFields(value as JsonFields, depth);
  }

  evaluateFields(object: JsonFields, depth: number): JsonFields {
    const entries = Object.entries(object);
    if (!this.#budget.trySpend(1 + entries.length)) return object;
    let changed = false;
    const result = entries.map(([key, item]): [string, Json] => {
      const evaluated = this.evaluateValue(item, depth + 1);
      changed ||= evaluated !== item;
      return [key, evaluated];
    });
    return changed ? Object.fromEntries(result) : object;
  }

  /** Evaluates a call. `isText` states that the template of a `formatString` is data. */
  #evaluateCall(name: string, input: JsonFields, depth: number, isText: boolean): Json {
    if (depth > MAX_CALL_DEPTH || !this.#budget.trySpend(callCost)) return null;
    const args = this.evaluateFields(input, depth);
    // Arguments that exceed the budget were not evaluated.
    if (!this.#budget.trySpend(0)) return null;
    const implementation = customFunction(this.#context, name);
    if (implementation)
      return markData(callFunction(name, implementation, unmarkData(args), this.#context));
    const { locale } = this.#context;
    const value = ownProperty(args, "value");
    switch (name) {
      case "formatString":
        // Only a text that the author of the component wrote is a template.
        return isText || typeof ownProperty(input, "value") !== "string"
          ? toText(value).slice(0, maxResultLength)
          : this.#fillTemplate(toText(value), ownProperty(args, "values"), depth);
      case "formatNumber":
      case "formatCurrency":
        this.#requireNumber(name, value);
        return formatNumber(value, args, name === "formatCurrency", locale);
      case "formatDate":
        return this.#formatDate(value, toText(ownProperty(args, "format")));
      case "pluralize": {
        const number = toNumber(value);
        this.#requireNumber("pluralize", value);
        const name = ["zero", "one", "two"][number];
        const exact = name === undefined ? undefined : ownProperty(args, name);
        const category = new Intl.PluralRules(locale).select(number);
        return toText(exact ?? ownProperty(args, category) ?? ownProperty(args, "other"));
      }
      case "capitalize":
        return toText(value).slice(0, 1).toUpperCase() + toText(value).slice(1);
      default: {
        const condition = {
          call: name,
          args: /^(?:and|or|not)$/.test(name) ? markFailed(args, input) : args,
        };
        return evaluateCondition(condition, undefined, this.#budget, this.#context) ?? null;
      }
    }
  }

  /** Reports a value that is neither a number nor missing. */
  #requireNumber(call: string, value: Json | undefined): void {
    if (value === undefined || value === null || value === "") return;
    if (Number.isNaN(toNumber(value)))
      this.#context.onUnusable?.(call, unmarkData(value), "a number");
  }

  /** Fills a template with the values of its names, paths and calls. */
  #fillTemplate(template: string, values: Json | undefined, depth: number): string {
    const resolveExpression = (expression: Expression): Json => {
      if ("literal" in expression) return expression.literal;
      if ("path" in expression) return ownProperty(values, expression.path) ?? null;
      const args = Object.entries(expression.args).map(([name, item]): [string, Json] => [
        name,
        resolveExpression(item),
      ]);
      const own = Object.fromEntries(args);
      if (expression.call === "@index") {
        const index = toNumber(ownProperty(values, expression.call));
        return Number.isNaN(index) ? null : index + (toNumber(own["offset"]) || 0);
      }
      // The text of a nested template contains names of this one.
      if (expression.call === "formatString") own["values"] ??= values ?? null;
      const { value: template } = expression.args;
      const isText = template !== undefined && !("literal" in template);
      return this.#evaluateCall(expression.call, own, depth + 1, isText);
    };
    if (!this.#budget.trySpend(template.length)) return "";
    let result = "";
    for (const expression of parseTemplate(template)) {
      const segment =
        typeof expression === "string" ? expression : toText(resolveExpression(expression));
      result += segment;
      // A short template can repeat a long value.
      if (result.length > maxResultLength) return result.slice(0, maxResultLength);
      if (!this.#budget.trySpend(segment.length)) return result;
    }
    return result;
  }

  #formatDate(value: Json | undefined, format: string): string {
    if (value === undefined || value === null || value === "" || value === false) return "";
    const { locale, timeZone } = this.#context;
    const input = typeof value === "number" ? value : toText(value);
    const time = parseTime(input);
    const isIso = format === "ISO" || format === "";
    const iso = isIso ? isoTime(input, timeZone) : "";
    const isEmpty = time === undefined || (isIso && iso === "");
    if (isEmpty || !isClearTime(input))
      this.#context.onUnusable?.("formatDate", input, "a date in ISO 8601");
    if (isEmpty) return "";
    if (isIso) return iso;
    return this.#budget.trySpend(format.length * dateCost)
      ? formatDate(new Date(wallOf(time, timeZone)), format, locale)
      : "";
  }
}

/**
 * Returns the ISO 8601 text of an instant in UTC. A date alone is midnight in UTC, and a time alone
 * is not an instant.
 */
function isoTime(input: string | number, timeZone: string | undefined): string {
  if (typeof input === "string" && /^\d\d:\d\d/.test(input)) return "";
  const time = parseTime(input);
  if (time === undefined) return "";
  const isDate = typeof input === "string" && /^\d{4}-\d\d(-\d\d)?$/.test(input);
  const at = time.kind === "instant" || isDate ? time.at : instantOf(time.at, timeZone);
  return new Date(at).toISOString();
}

const numberFormats = cachedFormats(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

function formatNumber(
  value: Json | undefined,
  args: { readonly [name: string]: Json },
  currency: boolean,
  locale: string | undefined,
): string {
  const input = toNumber(value);
  if (Number.isNaN(input)) return "";
  const decimals = ownProperty(args, "decimals");
  const digits = decimals === undefined || decimals === null ? undefined : toNumber(decimals);
  const options = {
    ...(currency
      ? {
          style: "currency" as const,
          currency: toText(ownProperty(args, "currency")).toUpperCase(),
        }
      : {}),
    ...(digits === undefined
      ? {}
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    useGrouping: ownProperty(args, "grouping") !== false,
  };
  try {
    return numberFormats(locale, options).format(input);
  } catch {
    // Invalid currency or number of decimals.
    const fallbackDigits = digits !== undefined && digits >= 0 && digits <= 100 ? digits : 2;
    return currency ? input.toFixed(fallbackDigits) : String(input);
  }
}

function toNumber(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** Returns the arguments of a condition, in which calls without a result are unknown operands. */
function markFailed(args: JsonFields, input: JsonFields): JsonFields {
  const mark = (value: Json, before: Json | undefined): Json => {
    if (Array.isArray(value)) return value.map((one, at) => mark(one, asList(before)[at]));
    return value === null && calledFunction(before) !== undefined ? noResult : value;
  };
  const marked = Object.entries(args).map(([key, value]): [string, Json] => [
    key,
    mark(value, ownProperty(input, key)),
  ]);
  return Object.fromEntries(marked);
}

/** Returns the A2UI text of a value: lists and objects as JSON. */
function toText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(unmarkData(value)) : String(value);
}
