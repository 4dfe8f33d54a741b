import { LlmError, type LlmErrorDetails, type LlmErrorKind } from "./error.js";
import type { ProviderReply } from "./reply.js";

const HTML_NAMES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Escapes of characters in HTML, as different servers write them. */
const HTML_ESCAPES = [
  HTML_NAMES,
  { ...HTML_NAMES, '"': "&#34;", "'": "&#x27;" },
  { ...HTML_NAMES, "'": "&apos;" },
  { ...HTML_NAMES, "'": "&#x27;", "/": "&#x2F;" },
  { ...HTML_NAMES, "'": "&#x27;", "`": "&#x60;", "=": "&#x3D;" },
];

const hexOf = (one: string, digits: number): string =>
  one.charCodeAt(0).toString(16).padStart(digits, "0");
/** Escapes of one UTF-16 unit. */
const NUMERIC_ESCAPES: readonly ((one: string) => string)[] = [
  (one) => `\\u${hexOf(one, 4)}`,
  (one) => `\\u${hexOf(one, 4).toUpperCase()}`,
  (one) => `&#${one.charCodeAt(0)};`,
  (one) => `&#x${hexOf(one, 1)};`,
  (one) => `&#x${hexOf(one, 1).toUpperCase()};`,
];
/** Characters that encoders escape: those of HTML, those and `+`, those beyond ASCII, and all but words. */
const ESCAPED_CHARACTERS = [/[<>&]/g, /[<>&'"`+]|[^ -~]/g, /[^ -~]/g, /\W/g];

/**
 * Returns the forms in which a server may repeat secrets. Longest first, as one may contain another.
 * Headers trim their values, such as a key with the line break of a file.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const trimmed = secrets.map((secret) => secret.trim()).filter((secret) => secret !== "");
  const forms = trimmed.flatMap((secret) => {
    const escaped = JSON.stringify(secret).slice(1, -1);
    const encoded = encodeURIComponent(secret);
    const strict = encoded.replaceAll(/[!'()*]/g, (one) => `%${hexOf(one, 2).toUpperCase()}`);
    return [
      secret,
      escaped,
      JSON.stringify(escaped).slice(1, -1),
      escaped.replaceAll("/", "\\/"),
      ...[encoded, strict, strict.replaceAll("%20", "+")].flatMap((one) => [
        one,
        one.replaceAll(/%../g, (found) => found.toLowerCase()),
      ]),
      ...NUMERIC_ESCAPES.flatMap((encode) =>
        ESCAPED_CHARACTERS.map((characters) => secret.replaceAll(characters, encode)),
      ),
      ...HTML_ESCAPES.map((escapes) =>
        secret.replaceAll(/[&<>"'/`=]/g, (one) => escapes[one] ?? one),
      ),
    ];
  });
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/**
 * Returns the long words of headers and their parts, such as the value of a cookie, and the credentials
 * of a basic authorization. Redacting shorter words would remove words of messages.
 */
export function headerSecrets(headers: { readonly [name: string]: unknown } = {}): string[] {
  const texts = Object.values(headers).filter((value) => typeof value === "string");
  const words = texts.flatMap((value) => [...value.split(/\s+/), ...value.split(/[\s=;,"]+/)]);
  return [...words.filter(({ length }) => length >= 8), ...texts.flatMap(basicCredentials)];
}

/** Returns the decoded `user:password` of a basic authorization, and its password. */
function basicCredentials(header: string): string[] {
  const [, encoded] = /^\s*Basic\s+(\S+)\s*$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const decoded = new TextDecoder().decode(bytes);
    const password = decoded.slice(decoded.indexOf(":") + 1);
    return [decoded, password].filter(({ length }) => length >= 4);
  } catch {
    // It is not Base64, so no server decodes it.
    return [];
  }
}

/** Replaces secrets by bullets of the same length, so that offsets stay valid. */
export function redactSecrets(secrets: readonly string[], text: string): string {
  let clean = text;
  for (const secret of secrets) {
    clean = clean.replaceAll(secret, (found) => "•".repeat(found.length));
  }
  return clean;
}

/**
 * Passes on the chunks of a text without secrets. An end that may begin a secret waits for the next
 * chunk, or for a call without one.
 */
export function redactChunks(
  secrets: readonly string[],
  emit: (chunk: string) => void,
): (chunk?: string) => void {
  let pending = "";
  return (chunk) => {
    const text = redactSecrets(secrets, pending + (chunk ?? ""));
    const end = text.length - (chunk === undefined ? 0 : partLength(secrets, text));
    pending = text.slice(end);
    if (end > 0) emit(text.slice(0, end));
  };
}

/** Returns the length of the longest end of a text that begins a secret. */
function partLength(secrets: readonly string[], text: string): number {
  const lengths = secrets.map((secret) => {
    let length = Math.min(secret.length - 1, text.length);
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
    return length;
  });
  return Math.max(0, ...lengths);
}

/** Returns a reply without secrets, which a server may repeat. */
export function redactReply(secrets: readonly string[], reply: ProviderReply): ProviderReply {
  const { text, model, finishReason } = reply;
  return {
    ...reply,
    text: redactText(secrets, text),
    model: model && redactSecrets(secrets, model),
    finishReason: finishReason && redactSecrets(secrets, finishReason),
  };
}

/** Replaces the secrets of a text. If it is JSON, it may escape them in any way. */
export function redactText(secrets: readonly string[], text: string): string {
  let clean = text;
  try {
    if (text.includes("\\")) {
      const value: unknown = JSON.parse(text);
      const redacted = JSON.stringify(redactJson(secrets, value));
      if (redacted !== JSON.stringify(value)) clean = redacted;
    }
  } catch {
    // It is not JSON.
  }
  return redactSecrets(secrets, clean);
}

/** Returns JSON with the secrets in its texts and keys replaced. */
export function redactJson(secrets: readonly string[], value: unknown): unknown {
  if (typeof value === "string") return redactText(secrets, value);
  if (Array.isArray(value)) return value.map((item) => redactJson(secrets, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redactSecrets(secrets, key),
      redactJson(secrets, item),
    ]),
  );
}

export type ErrorParts = [kind: LlmErrorKind, message: string, details?: LlmErrorDetails];

/** Returns an error without secrets. */
export function redactedError(
  secrets: readonly string[],
  provider: string,
  ...[kind, message, { body, text, cause, ...rest } = {}]: ErrorParts
): LlmError {
  return new LlmError(kind, provider, redactSecrets(secrets, message), {
    ...rest,
    body: body && redactSecrets(secrets, body),
    text: text && redactSecrets(secrets, text),
    cause: freeCause(secrets, cause),
  });
}

/** Maximum number of objects of an error that are searched. */
const MAX_SEARCHED_OBJECTS = 1000;
/** Classes without private fields and methods, which could reveal a secret. */
const KNOWN_PROTOTYPES: readonly unknown[] =
  "Object Array Error TypeError RangeError SyntaxError AggregateError DOMException"
    .split(" ")
    .map((name) => Reflect.get(globalThis, name)?.prototype);

/** Returns a cause, or a plain error for one of another class, without secrets. */
function freeCause(secrets: readonly string[], cause: unknown): unknown {
  try {
    if (secrets.length === 0 || isFreeOfSecrets(secrets, cause)) return cause;
    const plain = plainError(cause);
    return isFreeOfSecrets(secrets, plain) ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a plain error with the texts and numbers of an error and of its causes. */
function plainError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  const keys = Object.getOwnPropertyNames(error);
  const own = keys.map((key) => [key, Reflect.get(error, key)] as const);
  const texts = Object.fromEntries(own.filter(([, value]) => Object(value) !== value));
  const cause = plainError(error.cause);
  return Object.assign(new Error("-"), { name, message, ...texts }, cause && { cause });
}

/** Returns whether an error has no secret. Functions and objects of other classes may have one. */
function isFreeOfSecrets(secrets: readonly string[], error: unknown): boolean {
  const visited = new Set<object>();
  const isFree = (value: unknown): boolean => {
    if (typeof value === "string") return redactSecrets(secrets, value) === value;
    if (typeof value === "function") return false;
    if (typeof value !== "object" || value === null || visited.has(value)) return true;
    visited.add(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && !KNOWN_PROTOTYPES.includes(prototype)) return false;
    if (visited.size > MAX_SEARCHED_OBJECTS) return false;
    // A DOMException inherits these.
    return [...Reflect.ownKeys(value), "name", "message"].every(
      (name) => isFree(name) && isFree(Reflect.get(value, name)),
    );
  };
  return isFree(error);
}
