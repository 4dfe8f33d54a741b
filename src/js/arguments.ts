import { BynameError } from "./errors.js";

/** Throws a `BynameError` for an invalid argument. */
export function throwMisuse(message: string): never {
  throw new BynameError("argument", message);
}

/** Throws a `BynameError` that names the expected and the actual value of an argument. */
export function throwExpected(what: string, expected: string, found: unknown): never {
  throwMisuse(`expected ${what} to be ${expected}, found ${describeType(found)}`);
}

/** What a value is called in a message: `undefined`, `a number`, `a Promise`. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const name = typeof value === "object" ? objectTag(value) : typeof value;
  return `${/^(?:[AEIO]|U(?!int))/i.test(name) ? "an" : "a"} ${name}`;
}

/** The kind of object that the engine or the host says it is: `Object`, `Array`, `Map`, `Promise`. */
function objectTag(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** The kinds of objects that JSON shows all of. */
const JSON_COMPATIBLE_TAGS = ["Object", "Array", "String", "Number", "Boolean", "Module"];

/** Whether JSON shows what an object holds: a Map, a Promise or a Response would pass as `{}`. */
export function isJsonCompatible(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Most are these; objects of other windows and of classes have to be asked.
  if (prototype === Object.prototype || prototype === Array.prototype) return true;
  return JSON_COMPATIBLE_TAGS.includes(objectTag(value));
}

/** What to do with an object that JSON shows nothing of; nothing where nobody knows. */
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

/** Throws where an object is no message: its content is not there yet, or JSON does not show it. */
export function assertMessage(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (isJsonCompatible(value) && !isThenable(value)) return;
  const help = conversionHint(value);
  const message = `expected a message as text, bytes or a plain object, found ${describeType(value)}`;
  throwMisuse(help === undefined ? message : `${message}: ${help}`);
}

/** Throws for whoever gives something else than a function. */
export function assertFunction(value: unknown, what: string): void {
  if (typeof value !== "function") throwExpected(what, "a function", value);
}

/** The bytes of whatever holds some; nothing where it holds none. Throws for those that were transferred to somebody else. */
export function asBytes(value: unknown): Uint8Array | undefined {
  try {
    const bytes = toUint8Array(value);
    // Bytes that are gone have no length, and say so when they are read.
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
  // Those of other windows are as good as ours.
  const isBuffer = typeof value === "object" && value !== null && /Buffer$/.test(objectTag(value));
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** Whether an object has names and values that JSON shows: a list has none, nor has a Map. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return isJsonCompatible(value);
}

/** Throws for what is no object with names of its own. */
export function assertMap(value: unknown, what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "an object", value);
}

/** Throws unless a value is a string. */
export function assertString(value: unknown, what: string): void {
  if (typeof value !== "string") throwExpected(what, "a string", value);
}

/** Throws for options that are no object, and for names that are not among those given. */
export function assertOptions(value: unknown, known: readonly string[], what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "an object", value);
  const names = known.map((name) => `\`${name}\``).join(", ");
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      throwMisuse(`unknown key \`${name}\` in ${what}; available: ${names}`);
  }
}

/** Throws for a value that cannot be; `what` names it. */
export type Assertion = (value: unknown, what: string) => void;

/** Throws for what {@link assertOptions} refuses, for an option that cannot be, and for one of `required` that is left out. */
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

/** Throws for what is neither true nor false. */
export function assertBoolean(value: unknown, what: string): void {
  if (typeof value !== "boolean") throwExpected(what, "a boolean", value);
}

/** Throws for a list, and for an object that JSON shows nothing of, such as `Headers`. */
export function assertPlainObject(value: unknown, what: string): void {
  if (!isPlainObject(value)) throwExpected(what, "a plain object", value);
}

/** What may be anything. */
export function acceptAny(): void {}

/** Throws for a signal that is none. */
export function assertSignal(value: unknown): void {
  if (value === undefined || value instanceof AbortSignal) return;
  if (typeof value === "object" && value !== null && objectTag(value) === "AbortSignal") return;
  throwExpected("`signal`", "an AbortSignal", value);
}

/** Throws for a number that is no count from the least on; left out, it is none either, and one without an end is one. */
export function assertCount(value: unknown, what: string, minimum = 0): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return;
  if (Number.isInteger(value) && (value as number) >= minimum) return;
  const found = typeof value === "number" ? value : describeType(value);
  throwMisuse(`expected ${what} to be an integer of at least ${minimum}, found ${found}`);
}

/** Throws for a language that is no language tag: formats would throw for it, in the middle of drawing. */
export function assertLocale(value: unknown): void {
  if (value === undefined) return;
  try {
    if (typeof value === "string" && Intl.getCanonicalLocales(value)) return;
  } catch {
    // It is refused below.
  }
  const found = typeof value === "string" ? `"${value}"` : describeType(value);
  throwMisuse(`expected \`locale\` to be a language tag such as "de-CH", found ${found}`);
}
