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

/** Returns the forms in which a server may repeat secrets. Longest first, as one may contain another. */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => {
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
    text: redactSecrets(secrets, withoutEscapedSecrets(secrets, text)),
    model: model && redactSecrets(secrets, model),
    finishReason: finishReason && redactSecrets(secrets, finishReason),
  };
}

/** Returns JSON without the secrets of its texts, which it may escape in any way. Other text stays. */
function withoutEscapedSecrets(secrets: readonly string[], text: string): string {
  if (secrets.length === 0 || !text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(text);
    const clean = redactJson(secrets, value);
    const [before, after] = [JSON.stringify(value), JSON.stringify(clean)];
    return before === after ? text : after;
  } catch {
    return text;
  }
}

/** Returns JSON with the secrets in its texts and keys replaced. */
export function redactJson(secrets: readonly string[], value: unknown): unknown {
  if (typeof value === "string") return redactSecrets(secrets, value);
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

/** Returns an error without secrets, and without a cause that may have one. */
export function redactedError(
  secrets: readonly string[],
  provider: string,
  ...[kind, message, { body, text, cause, ...rest } = {}]: ErrorParts
): LlmError {
  return new LlmError(kind, provider, redactSecrets(secrets, message), {
    ...rest,
    body: body && redactSecrets(secrets, body),
    text: text && redactSecrets(secrets, text),
    cause: isFreeOfSecrets(secrets, cause) ? cause : undefined,
  });
}

/** Maximum number of objects of an error that are searched. */
const MAX_SEARCHED_OBJECTS = 1000;

/** Returns whether an error has no secret. Functions and objects of other classes may have one. */
function isFreeOfSecrets(secrets: readonly string[], error: unknown): boolean {
  const visited = new Set<object>();
  const isFree = (value: unknown): boolean => {
    if (typeof value === "string") return redactSecrets(secrets, value) === value;
    if (typeof value === "function") return false;
    if (typeof value !== "object" || value === null || visited.has(value)) return true;
    visited.add(value);
    const isKnown = [Object.prototype, null].includes(Object.getPrototypeOf(value));
    if (!isKnown && !Array.isArray(value) && !(value instanceof Error)) return false;
    if (visited.size > MAX_SEARCHED_OBJECTS) return false;
    return Reflect.ownKeys(value).every((name) => isFree(name) && isFree(Reflect.get(value, name)));
  };
  try {
    return secrets.length === 0 || isFree(error);
  } catch {
    return false;
  }
}
