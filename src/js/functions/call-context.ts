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
 * Custom function. It receives resolved arguments and synchronously returns JSON. It runs whenever
 * its arguments change, so it must not have side effects. The result for an action is ignored.
 */
export type CatalogFunction = (
  args: { readonly [name: string]: Json },
  context: { readonly locale: string | undefined },
) => unknown;

/**
 * Functions that a page runs for actions of the user in place of those for properties. Each returns
 * undefined if the agent runs the function.
 */
export const asActionFunction = new WeakMap<CatalogFunction, () => CatalogFunction | undefined>();

/** Custom functions by catalog name. They override those of the basic catalog. */
export interface Functions {
  readonly [name: string]: CatalogFunction;
}

/** Throws if the value is not an object of functions. */
export function assertFunctions(value: unknown, what: string): void {
  assertPlainObject(value, what);
  for (const [name, item] of Object.entries(value as object)) assertFunction(item, `\`${name}\``);
}

/** Locale, time zone and custom functions for calls in data. */
export interface CallContext {
  /** Locale of numbers and dates. */
  readonly locale?: string | undefined;
  /** Time zone of instants; that of the system by default. */
  readonly timeZone?: string | undefined;
  readonly functions?: Functions | undefined;
  /** Whether the calls belong to an action that the user triggers now. */
  readonly isAction?: boolean;
  /** Called with a function of the basic catalog, and a value from which it makes no text. */
  readonly onUnusable?: (call: string, value: Json, expected: string) => void;
}

/** Returns the custom function of a name, or undefined. */
export function customFunction(
  context: CallContext,
  name: Json | undefined,
): CatalogFunction | undefined {
  const { functions } = context;
  if (functions === undefined || typeof name !== "string") return undefined;
  const own = Object.hasOwn(functions, name) ? functions[name] : undefined;
  const ofAction = own && context.isAction ? asActionFunction.get(own) : undefined;
  return ofAction ? ofAction() : own;
}

/**
 * Calls a custom function. Returns null and reports the error if it throws or does not return JSON.
 */
export function callFunction(
  name: string,
  implementation: CatalogFunction,
  args: JsonObject,
  context: CallContext,
): Json {
  try {
    const value = implementation(args, { locale: context.locale });
    return value === undefined ? null : assertJsonResult(value, name);
  } catch (error) {
    report(error);
    return null;
  }
}

function assertJsonResult(value: unknown, name: string): Json {
  const isObject = typeof value === "object" && value !== null;
  const help = isObject ? conversionHint(value) : undefined;
  const isPlain = isObject
    ? help === undefined && isJsonCompatible(value)
    : value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
  if (isPlain) return value as Json;
  return throwMisuse(
    `\`${name}\` must return a JSON value synchronously, not ${describeType(value)}`,
  );
}
