import {
  assertFunction,
  assertPlainObject,
  conversionHint,
  describeType,
  isJsonCompatible,
  throwMisuse,
} from "../arguments.js";
import type { JsonObject } from "../json-value.js";
import { report } from "../report.js";
import type { Json } from "../types.js";

/**
 * A function of one's own. It gets its arguments as values, and returns one of JSON at once: it runs whenever what it is given
 * changes, so it changes nothing itself. What it returns for an action is not looked at.
 */
export type CatalogFunction = (
  args: { readonly [name: string]: Json },
  context: { readonly locale: string | undefined },
) => unknown;

/** Functions of one's own by their name in the catalog, or others in place of those of the basic catalog. */
export interface Functions {
  readonly [name: string]: CatalogFunction;
}

/** Throws for what is no object of functions. */
export function needFunctions(value: unknown, what: string): void {
  assertPlainObject(value, what);
  for (const [name, one] of Object.entries(value as object)) assertFunction(one, `\`${name}\``);
}

/** What calls in data stand for, beside the functions of the basic catalog. */
export interface Calls {
  /** The language of numbers and dates. */
  readonly locale?: string | undefined;
  readonly functions?: Functions | undefined;
}

/** The page's own function of a name. */
export function ownFunction(calls: Calls, name: Json | undefined): CatalogFunction | undefined {
  const { functions } = calls;
  if (functions === undefined || typeof name !== "string") return undefined;
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/** What a function of the page's own returns; null where it throws or returns no value of JSON, which is shown as a fault. */
export function answerOf(
  name: string,
  made: CatalogFunction,
  args: JsonObject,
  calls: Calls,
): Json {
  try {
    const value = made(args, { locale: calls.locale });
    return value === undefined ? null : needJson(value, name);
  } catch (error) {
    report(error);
    return null;
  }
}

function needJson(value: unknown, name: string): Json {
  const isObject = typeof value === "object" && value !== null;
  const help = isObject ? conversionHint(value) : undefined;
  const isPlain = isObject
    ? help === undefined && isJsonCompatible(value)
    : value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  if (isPlain) return value as Json;
  return throwMisuse(`\`${name}\` returns a value of JSON at once, not ${describeType(value)}`);
}
