import { test } from "../dom/checks.js";
import { asObject, own } from "../dom/value.js";
import type { Json } from "../types.js";
import { formatDate } from "./date.js";
import { type Expression, parseTemplate } from "./expression.js";

/** Longer chains of calls have no value. */
const maxDepth = 64;
/** The characters of a text that a template makes. */
const longest = 1_000_000;

/**
 * A value with the functions of the basic catalog called, wherever they stand in it; itself where there are none. What cannot be
 * called is null. Bindings are resolved already; actions stay as they are written.
 */
export function evaluate(value: Json, locale?: string, depth = 0): Json {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) {
    const made = value.map((one) => evaluate(one, locale, depth + 1));
    return made.some((one, at) => one !== value[at]) ? made : value;
  }
  if (typeof own(value, "call") === "string") return call(value, locale, depth);
  if (Object.hasOwn(value, "event") || Object.hasOwn(value, "functionCall")) return value;
  let changed = false;
  const made = Object.entries(value).map(([key, one]): [string, Json] => {
    const other = evaluate(one, locale, depth + 1);
    changed ||= other !== one;
    return [key, other];
  });
  return changed ? Object.fromEntries(made) : value;
}

/** Puts the values of calls in place of them. Checks are looked at when a user has left the field. */
export function evaluateProps(props: Map<string, Json>, locale?: string): void {
  for (const [prop, value] of props) {
    if (typeof value !== "object" || value === null || prop === "checks") continue;
    const made = evaluate(value, locale);
    if (made !== value) props.set(prop, made);
  }
}

function call(given: Json, locale: string | undefined, depth: number): Json {
  const name = own(given, "call");
  const args = asObject(evaluate(own(given, "args") ?? {}, locale, depth + 1)) ?? {};
  const value = own(args, "value");
  switch (name) {
    case "formatString":
      return filled(text(value), own(args, "values"), locale, depth);
    case "formatNumber":
    case "formatCurrency":
      return number(value, args, name === "formatCurrency", locale);
    case "formatDate": {
      if (value === undefined || value === null || value === "" || value === false) return "";
      const date = new Date(typeof value === "number" ? value : text(value));
      if (Number.isNaN(date.getTime())) return "";
      const format = text(own(args, "format"));
      return format === "ISO" || format === ""
        ? date.toISOString()
        : formatDate(date, format, locale);
    }
    case "pluralize": {
      const category = new Intl.PluralRules(locale).select(toNumber(value));
      return text(own(args, category) ?? own(args, "other"));
    }
    case "capitalize":
      return text(value).slice(0, 1).toUpperCase() + text(value).slice(1);
    default:
      return test({ call: name as string, args }, undefined, 0) ?? null;
  }
}

/** A template with the values that its names and paths stand for. */
function filled(
  template: string,
  values: Json | undefined,
  locale: string | undefined,
  depth: number,
): string {
  const worth = (part: Expression): Json => {
    if ("literal" in part) return part.literal;
    if ("path" in part) return own(values, part.path) ?? null;
    const args = Object.entries(part.args).map(([name, one]): [string, Json] => [name, worth(one)]);
    return evaluate({ call: part.call, args: Object.fromEntries(args) }, locale, depth + 1);
  };
  let made = "";
  for (const part of parseTemplate(template)) {
    made += typeof part === "string" ? part : text(worth(part));
    // A short template can name a long value again and again.
    if (made.length > longest) return made.slice(0, longest);
  }
  return made;
}

const numbers = new Map<string, Intl.NumberFormat>();

function number(
  value: Json | undefined,
  args: { readonly [name: string]: Json },
  currency: boolean,
  locale: string | undefined,
): string {
  const given = toNumber(value);
  if (Number.isNaN(given)) return "";
  const decimals = own(args, "decimals");
  const digits = decimals === undefined || decimals === null ? undefined : toNumber(decimals);
  const options = {
    ...(currency ? { style: "currency" as const, currency: text(own(args, "currency")) } : {}),
    ...(digits === undefined
      ? {}
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    useGrouping: own(args, "grouping") !== false,
  };
  const key = JSON.stringify([locale, options]);
  try {
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
    numbers.set(key, format);
    return format.format(given);
  } catch {
    // A currency that does not exist, or a number of decimals that cannot be.
    return currency ? given.toFixed(2) : String(given);
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
