import { conversionHint, describeType, isJsonCompatible } from "./arguments.js";
import { toBynameError } from "./diagnostic-error.js";
import { errorMessage } from "./errors.js";
import type { Diagnostic } from "./wire.js";

/**
 * Serialises a value as JSON, or returns a diagnostic for the first invalid part. With `sparse`,
 * keys with `undefined` are left out.
 */
export function toJsonText(
  value: unknown,
  sparse = false,
): { text: string } | { error: Diagnostic } {
  let clean = true;
  function check(this: unknown, _: string, part: unknown): unknown {
    clean &&= isJsonPart(part) || (sparse && part === undefined && !Array.isArray(this));
    return typeof part === "bigint" ? null : part;
  }
  try {
    // A check before serialising is faster than a replacer function.
    if (isPlainJson(value, sparse, [])) return { text: JSON.stringify(value) };
    const text: string | undefined = JSON.stringify(value, check);
    if (clean && text !== undefined) return { text };
  } catch (error) {
    // Engines also throw this for a string that would be too long. No regular expression, because
    // its compiler needs stack too.
    if (error instanceof RangeError && error.message.toLowerCase().includes("string length")) {
      return {
        error: errorDiagnostic("JSON010", "the text is too large", "send it in several messages"),
      };
    }
    if (error instanceof RangeError) {
      const help = "move inner values into separate nodes";
      return { error: errorDiagnostic("JSON009", "the object is nested too deep", help) };
    }
    const help = "a HAM update names other nodes by pointers such as `*u1`, not by reference";
    const message = `the object is circular or unreadable: ${oneLine(error)}`;
    return { error: errorDiagnostic("JSON013", message, help) };
  }
  const { pointer, part } = findInvalidPart(value, "", sparse) ?? { pointer: "", part: value };
  const message = `JSON has no value for ${describePart(part)}`;
  return {
    error: {
      ...errorDiagnostic("JSON013", message, hintForPart(part)),
      location: { kind: "pointer", pointer },
    },
  };
}

/** Maximum nesting of the fast check; deeper values take the slow path. */
const MAX_FAST_DEPTH = 64;

/**
 * Returns whether a value is plain JSON. Returns false if that is uncertain, as for objects with
 * `toJSON`.
 */
function isPlainJson(value: unknown, sparse: boolean, ancestors: object[]): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || ancestors.length > MAX_FAST_DEPTH || ancestors.includes(value))
    return false;
  ancestors.push(value);
  const clean = Array.isArray(value)
    ? isCleanList(value, sparse, ancestors)
    : isCleanMap(value as { [key: string]: unknown }, sparse, ancestors);
  ancestors.pop();
  return clean;
}

function isCleanList(list: readonly unknown[], sparse: boolean, ancestors: object[]): boolean {
  if (Object.getPrototypeOf(list) !== Array.prototype || "toJSON" in list) return false;
  // A hole in a list is not JSON either.
  for (let at = 0; at < list.length; at++)
    if (!isPlainJson(list[at], sparse, ancestors)) return false;
  return true;
}

function isCleanMap(
  map: { [key: string]: unknown },
  sparse: boolean,
  ancestors: object[],
): boolean {
  if (Object.getPrototypeOf(map) !== Object.prototype || "toJSON" in map) return false;
  for (const key in map) {
    const value = map[key];
    if (value === undefined ? !sparse : !isPlainJson(value, sparse, ancestors)) return false;
  }
  return true;
}

/** Serialises an argument, or throws if it is not JSON. */
export function requireJsonText(value: unknown, sparse?: boolean): string {
  const written = toJsonText(value, sparse);
  if ("text" in written) return written.text;
  throw toBynameError("argument", [written.error]);
}

/** Returns a value as plain JSON: itself if possible, else a copy. Throws if it is not JSON. */
export function toPlainJson<T>(value: T, sparse = false): T {
  return isPlainJson(value, sparse, []) ? value : (JSON.parse(requireJsonText(value, sparse)) as T);
}

/**
 * Returns the message of a thrown value in one short line; V8 describes a circular object in
 * several.
 */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? errorMessage(error) : describeType(error);
  return text.replace(/\s+/g, " ").slice(0, 200);
}

function describePart(part: unknown): string {
  if (part === undefined || typeof part === "number") return `\`${part}\``;
  return typeof part === "bigint" ? `the bigint \`${part}\`` : describeType(part);
}

function hintForPart(part: unknown): string {
  if (typeof part === "bigint") return "write it as a number, or its digits as a string";
  const help = typeof part === "object" && part !== null ? conversionHint(part) : undefined;
  return help ?? "write null, a boolean, a finite number, a string, a list or an object";
}

export function errorDiagnostic(code: string, message: string, help: string): Diagnostic {
  return { code, severity: "error", message, help, location: { kind: "pointer", pointer: "" } };
}

export function warningDiagnostic(code: string, message: string, help: string): Diagnostic {
  return { ...errorDiagnostic(code, message, help), severity: "warning" };
}

function isJsonPart(part: unknown): boolean {
  switch (typeof part) {
    case "number":
      return Number.isFinite(part);
    case "undefined":
    case "function":
    case "symbol":
    case "bigint":
      return false;
    case "object":
      return part === null || isJsonCompatible(part);
    default:
      return true;
  }
}

/** Finds the first part that is not JSON. The value has been serialised before, so it is finite. */
function findInvalidPart(
  input: unknown,
  pointer: string,
  sparse: boolean,
): { pointer: string; part: unknown } | undefined {
  const value = applyToJson(input);
  if (!isJsonPart(value)) return { pointer, part: value };
  if (typeof value !== "object" || value === null) return undefined;
  // Spreading turns holes of a list into `undefined`.
  for (const [key, part] of Array.isArray(value) ? [...value].entries() : Object.entries(value)) {
    if (sparse && part === undefined && !Array.isArray(value)) continue;
    const found = findInvalidPart(part, `${pointer}/${escapePointer(String(key))}`, sparse);
    if (found) return found;
  }
  return undefined;
}

/** Returns a part as `JSON.stringify` serialises it, after `toJSON`. */
function applyToJson(part: unknown): unknown {
  const own = (part as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof own === "function" ? own.call(part, "") : part;
}

/** Escapes a key for a JSON pointer (RFC 6901). */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the UTF-16 offset of the first lone surrogate, or -1. */
export function loneSurrogateIndex(text: string): number {
  return isWellFormed(text) ? -1 : text.search(/\p{Surrogate}/u);
}

/** Returns whether a string has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  // Newer than the language level that is compiled for.
  const method = (text as { isWellFormed?: () => boolean }).isWellFormed;
  return method === undefined ? !/\p{Surrogate}/u.test(text) : method.call(text);
}

/** Replaces each lone surrogate by U+FFFD, as UTF-8 encoders do. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

export function loneSurrogateDiagnostic(at: number): Diagnostic {
  return {
    code: "JSON006",
    severity: "error",
    message: "lone surrogate",
    help: "write both halves of the pair, or the character itself",
    location: { kind: "text", start: at, end: at + 1 },
  };
}

/** Sets an own property, even one named `__proto__`. */
export function setOwn<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}
