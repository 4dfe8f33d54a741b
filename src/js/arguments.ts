import { BynameError } from "./errors.js";

/** Throws a `BynameError` for an invalid argument. */
export function throwMisuse(message: string): never {
  throw new BynameError("argument", message);
}

/** Throws a `BynameError` that names the expected and the actual value of an argument. */
export function throwExpected(what: string, expected: string, found: unknown): never {
  throwMisuse(`expected ${what} to be ${expected}, found ${describeType(found)}`);
}

/** Throws if a value is not a storage of keys. Texts and lists have a method `at` too. */
export function assertKeyedStorage(value: unknown, what: string): void {
  const { at } = Object(value) as { at?: unknown };
  if (Object(value) !== value || Array.isArray(value) || typeof at !== "function")
    throwExpected(what, "a storage of `byname/storage`", value);
}

/** Returns the type of a value as messages name it: `undefined`, `a number`, `a Promise`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const name = typeof value === "object" ? objectTag(value) : typeof value;
  return `${/^(?:[AEIO]|U(?!int))/i.test(name) ? "an" : "a"} ${name}`;
}

/** Returns the `Symbol.toStringTag` of an object: `Object`, `Array`, `Map`, `Promise`. */
function objectTag(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Tags of objects that JSON serialises completely. */
const JSON_COMPATIBLE_TAGS = ["Object", "Array", "String", "Number", "Boolean", "Module"];

/** Returns whether JSON serialises an object; a Map, a Promise or a Response would become `{}`. */
export function isJsonCompatible(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Fast path for most objects; the tag is for objects of other realms and for classes.
  if (prototype === Object.prototype || prototype === Array.prototype) return true;
  return JSON_COMPATIBLE_TAGS.includes(objectTag(value));
}

/** Returns how to convert an object that JSON does not serialise, or `undefined` if unknown. */
export function conversionHint(value: object): string | undefined {
  if (isThenable(value)) return "`await` it and pass the result";
  const helps: { [tag: string]: string } = {
    Response: "pass `await response.text()`",
    Request: "pass `await request.text()`",
    Blob: "pass `await blob.text()`",
    File: "pass `await file.text()`",
    ReadableStream: "read its chunks and push each into a `stream()`",
    Map: "pass `Object.fromEntries(map)`",
    Set: "pass `[...set]`",
  };
  const tag = objectTag(value);
  return Object.hasOwn(helps, tag) ? helps[tag] : undefined;
}

function isThenable(value: object): boolean {
  return typeof (value as { then?: unknown }).then === "function";
}

/** Throws if an object is not a message, because it is a promise or JSON does not serialise it. */
export function assertMessage(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonCompatible(value) && !isThenable(value)) return;
  const help = conversionHint(value);
  const message = `expected a message as text, bytes or a plain object, found ${describeType(value)}`;
  throwMisuse(help === undefined ? message : `${message}: ${help}`);
}

export function assertFunction(value: unknown, what: string): void {
  if (typeof value !== "function") throwExpected(what, "a function", value);
}

/**
 * Returns the bytes of a view or buffer, or `undefined` for other values. Throws if the buffer was
 * transferred.
 */
export function asBytes(value: unknown): Uint8Array | undefined {
  try {
    const bytes = toUint8Array(value);
    // A detached buffer has length 0, and `slice` throws.
    if (bytes?.length === 0) bytes.slice();
    return bytes;
  } catch {
    throwMisuse("the bytes were transferred to another owner: pass a copy of them");
  }
}

function toUint8Array(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  // Buffers of other realms are accepted.
  const isBuffer = typeof value === "object" && value !== null && /Buffer$/.test(objectTag(value));
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** Returns whether a value is an object with keys that JSON serialises; a list or a Map is not. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return isJsonCompatible(value);
}

/** Throws unless a value is an object with keys. */
export function assertMap(value: unknown, what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "an object", value);
}

export function assertString(value: unknown, what: string): void {
  if (typeof value !== "string") throwExpected(what, "a string", value);
}

/** Throws for options that are not an object or have an unknown key. */
export function assertOptions(value: unknown, known: readonly string[], what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "an object", value);
  const names = known.map((name) => `\`${name}\``).join(", ");
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      throwMisuse(`unknown key \`${name}\` in ${what}; available: ${names}`);
  }
}

/** Checks an argument and throws if it is invalid; `what` names the argument. */
export type Assertion = (value: unknown, what: string) => void;

/** Throws for unknown or invalid options, and for missing options of `required`. */
export function assertOptionTypes(
  options: unknown,
  assertions: { readonly [name: string]: Assertion },
  what: string,
  required: readonly string[] = [],
): void {
  assertOptions(options, Object.keys(assertions), what);
  for (const [name, assertion] of Object.entries(assertions)) {
    const value = (options as { [name: string]: unknown })[name];
    if (value !== undefined || required.includes(name)) assertion(value, `\`${name}\``);
  }
}

export function assertBoolean(value: unknown, what: string): void {
  if (typeof value !== "boolean") throwExpected(what, "a boolean", value);
}

/** Throws for a list, and for an object that JSON does not serialise, such as `Headers`. */
export function assertPlainObject(value: unknown, what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "a plain object", value);
}

/** Accepts any value. */
export function acceptAny(): void {}

/** Throws unless a value is an AbortSignal or `undefined`. */
export function assertSignal(value: unknown): void {
  if (value === undefined || value instanceof AbortSignal) return;
  if (typeof value === "object" && value !== null && objectTag(value) === "AbortSignal") return;
  throwExpected("`signal`", "an AbortSignal", value);
}

/** Throws unless a value is an integer of at least `minimum`, `Infinity` or `undefined`. */
export function assertCount(value: unknown, what: string, minimum = 0): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  if (Number.isInteger(value) && (value as number) >= minimum) return;
  const found = typeof value === "number" ? value : describeType(value);
  throwMisuse(`expected ${what} to be an integer of at least ${minimum}, found ${found}`);
}

/** Throws unless the value is a language tag, or undefined. */
export function assertLocale(value: unknown): void {
  const isValid = (tag: string): boolean => Intl.getCanonicalLocales(tag).length > 0;
  assertName(value, '`locale` to be a language tag such as "de-CH"', isValid);
}

/** Throws unless the value is a time zone of the host, or undefined. */
export function assertTimeZone(value: unknown): void {
  const isValid = (timeZone: string): boolean => !!new Intl.DateTimeFormat("en", { timeZone });
  assertName(value, '`timeZone` to be a time zone such as "Europe/Zurich"', isValid);
}

/** Throws unless the value is a valid name or undefined. `isValid` may throw for an invalid one. */
function assertName(value: unknown, expected: string, isValid: (name: string) => boolean): void {
  if (value === undefined) return;
  try {
    if (typeof value === "string" && isValid(value)) return;
  } catch {
    // Reported below.
  }
  const found = typeof value === "string" ? `"${value}"` : describeType(value);
  throwMisuse(`expected ${expected}, found ${found}`);
}
