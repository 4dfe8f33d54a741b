import { asObject, ownProperty } from "../json-value.js";
import type { Json } from "../types.js";
import { Budget } from "./budget.js";
import { answerOf, type Calls, ownFunction } from "./calls.js";
import { test } from "./checks.js";
import { formatDate } from "./date.js";
import { type Expression, parseTemplate } from "./expression.js";
import { remembered } from "./remembered.js";

/** Longer chains of calls have no value. */
const maxDepth = 64;
/** The characters of a text that a template makes. */
const longest = 1_000_000;
/** What a call costs beside its arguments: making a format of a language takes its time. */
const callCost = 200;
/** What a character of the pattern of a date costs: each can be the name of a month. */
const dateCost = 20;
/** What is called. Other objects that have a `call` are data. */
const known = new Set([
  ...["formatString", "formatNumber", "formatCurrency", "formatDate", "pluralize", "capitalize"],
  ...["required", "regex", "length", "numeric", "email", "and", "or", "not"],
]);

/**
 * A value with the functions of the basic catalog and the page's own called, wherever they stand in it; itself where there are none. A
 * call that has no value is null, and so is one that comes when the budget is spent. Bindings are resolved already; actions stay as written.
 */
export function evaluate(value: Json, calls: Calls = {}): Json {
  return new Evaluation(calls).value(value, 0);
}

/** The same for what is under each name of an object. Its names are the author's, so it is no call itself. */
export function evaluateEach(object: Fields, calls: Calls = {}): Fields {
  return new Evaluation(calls).each(object, 0);
}

/** Puts the values of calls in place of them. Checks are looked at when a user has left the field. */
export function evaluateProps(props: Map<string, Json>, calls: Calls = {}): void {
  for (const [prop, value] of props) {
    if (typeof value !== "object" || value === null || prop === "checks") continue;
    const made = evaluate(value, calls);
    if (made !== value) props.set(prop, made);
  }
}

type Fields = { readonly [name: string]: Json };

/** One value with all that is called on the way, out of one budget. */
class Evaluation {
  readonly #calls: Calls;
  readonly #budget = new Budget();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  value(value: Json, depth: number): Json {
    if (typeof value === "string") this.#budget.pay(value.length);
    if (typeof value !== "object" || value === null) return value;
    const name = ownProperty(value, "call");
    if (typeof name === "string" && (known.has(name) || ownFunction(this.#calls, name))) {
      return this.#call(name, asObject(ownProperty(value, "args")) ?? {}, depth);
    }
    if (depth > maxDepth) return value;
    if (Array.isArray(value)) {
      if (!this.#budget.pay(1 + value.length)) return value;
      const made = value.map((one) => this.value(one, depth + 1));
      return made.some((one, at) => one !== value[at]) ? made : value;
    }
    // An action is called when the user acts.
    if (asObject(ownProperty(value, "event")) || asObject(ownProperty(value, "functionCall")))
      return value;
    return this.each(value as Fields, depth);
  }

  each(object: Fields, depth: number): Fields {
    const entries = Object.entries(object);
    if (!this.#budget.pay(1 + entries.length)) return object;
    let changed = false;
    const made = entries.map(([key, one]): [string, Json] => {
      const other = this.value(one, depth + 1);
      changed ||= other !== one;
      return [key, other];
    });
    return changed ? Object.fromEntries(made) : object;
  }

  #call(name: string, given: Fields, depth: number): Json {
    if (depth > maxDepth || !this.#budget.pay(callCost)) return null;
    const args = this.each(given, depth);
    // Arguments that were too long to be looked at are not worked with either.
    if (!this.#budget.pay(0)) return null;
    const made = ownFunction(this.#calls, name);
    if (made) return answerOf(name, made, args, this.#calls);
    const { locale } = this.#calls;
    const value = ownProperty(args, "value");
    switch (name) {
      case "formatString":
        return this.#filled(text(value), ownProperty(args, "values"), depth);
      case "formatNumber":
      case "formatCurrency":
        return number(value, args, name === "formatCurrency", locale);
      case "formatDate":
        return this.#date(value, text(ownProperty(args, "format")));
      case "pluralize": {
        const category = new Intl.PluralRules(locale).select(toNumber(value));
        return text(ownProperty(args, category) ?? ownProperty(args, "other"));
      }
      case "capitalize":
        return text(value).slice(0, 1).toUpperCase() + text(value).slice(1);
      default:
        return test({ call: name, args }, undefined, this.#budget, this.#calls) ?? null;
    }
  }

  /** A template with the values that its names and paths stand for. */
  #filled(template: string, values: Json | undefined, depth: number): string {
    const worth = (part: Expression): Json => {
      if ("literal" in part) return part.literal;
      if ("path" in part) return ownProperty(values, part.path) ?? null;
      const args = Object.entries(part.args).map(([name, one]): [string, Json] => [
        name,
        worth(one),
      ]);
      return this.#call(part.call, Object.fromEntries(args), depth + 1);
    };
    if (!this.#budget.pay(template.length)) return "";
    let made = "";
    for (const part of parseTemplate(template)) {
      const more = typeof part === "string" ? part : text(worth(part));
      made += more;
      // A short template can name a long value again and again.
      if (made.length > longest) return made.slice(0, longest);
      if (!this.#budget.pay(more.length)) return made;
    }
    return made;
  }

  #date(value: Json | undefined, format: string): string {
    if (value === undefined || value === null || value === "" || value === false) return "";
    const isWhole = format === "ISO" || format === "";
    const given = typeof value === "number" ? value : text(value);
    const date = new Date(isWhole || typeof given === "number" ? given : local(given));
    if (Number.isNaN(date.getTime())) return "";
    if (isWhole) return date.toISOString();
    return this.#budget.pay(format.length * dateCost)
      ? formatDate(date, format, this.#calls.locale)
      : "";
  }
}

/** A date or a time as it is here. To a Date a day begins in Greenwich: west of it, that is the day before. */
function local(given: string): string {
  if (/^\d{4}-\d\d$/.test(given)) return `${given}-01T00:00`;
  if (/^\d{4}-\d\d-\d\d$/.test(given)) return `${given}T00:00`;
  // A time alone, as an input for times writes it; which day that is, no format of it shows.
  return /^\d\d:\d\d(:\d\d)?$/.test(given) ? `2000-01-01T${given}` : given;
}

const numbers = remembered(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

function number(
  value: Json | undefined,
  args: { readonly [name: string]: Json },
  currency: boolean,
  locale: string | undefined,
): string {
  const given = toNumber(value);
  if (Number.isNaN(given)) return "";
  const decimals = ownProperty(args, "decimals");
  const digits = decimals === undefined || decimals === null ? undefined : toNumber(decimals);
  const options = {
    ...(currency
      ? { style: "currency" as const, currency: text(ownProperty(args, "currency")).toUpperCase() }
      : {}),
    ...(digits === undefined
      ? {}
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    useGrouping: ownProperty(args, "grouping") !== false,
  };
  try {
    return numbers(locale, options).format(given);
  } catch {
    // A currency that does not exist, or a number of decimals that cannot be.
    const some = digits !== undefined && digits >= 0 && digits <= 100 ? digits : 2;
    return currency ? given.toFixed(some) : String(given);
  }
}

function toNumber(value: Json | undefined): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

/** Text as A2UI makes it of a value: lists and objects are written as JSON. */
function text(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
