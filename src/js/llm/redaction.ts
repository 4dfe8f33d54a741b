/** Removes the secrets of an adapter from texts and errors. */
import { LlmError, type LlmErrorDetails, type LlmErrorKind } from "./error.js";

/** Returns the forms in which a server may repeat secrets, longest first. */
export function secretForms(secrets: readonly string[]): string[] {
  // A longer secret may contain a shorter one.
  return [...new Set(secrets.flatMap(variantsOf))].sort((a, b) => b.length - a.length);
}

/** Returns a secret unchanged and escaped. */
function variantsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [secret, escaped, escaped.replaceAll("/", "\\/"), encodeURIComponent(secret)];
}

/** Returns the words of headers that are long enough for a secret, because shorter ones are words. */
export function headerSecrets(headers: { readonly [name: string]: unknown } = {}): string[] {
  const texts = Object.values(headers).filter((value) => typeof value === "string");
  return texts.flatMap((value) => value.split(/\s+/)).filter(({ length }) => length >= 8);
}

/** Replaces secrets by bullets of the same length, so that offsets stay valid. */
export function redact(secrets: readonly string[], text: string): string {
  let clean = text;
  for (const secret of secrets) {
    clean = clean.replaceAll(secret, (found) => "•".repeat(found.length));
  }
  return clean;
}

/**
 * Returns a function that passes on the chunks of a text without secrets. The end of a chunk that may
 * begin a secret waits for the next chunk, or for a call without one.
 */
export function redactChunks(
  secrets: readonly string[],
  emit: (chunk: string) => void,
): (chunk?: string) => void {
  let pending = "";
  return (chunk) => {
    const text = redact(secrets, pending + (chunk ?? ""));
    const length = chunk === undefined ? 0 : partLength(secrets, text);
    pending = text.slice(text.length - length);
    const complete = text.slice(0, text.length - length);
    if (complete !== "") emit(complete);
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

/** Returns an error without secrets; a cause that may have one is left out. */
export function redactedError(
  secrets: readonly string[],
  kind: LlmErrorKind,
  provider: string,
  message: string,
  { body, text, cause, ...rest }: LlmErrorDetails = {},
): LlmError {
  const clean = (foreign: string | undefined) => foreign && redact(secrets, foreign);
  return new LlmError(kind, provider, redact(secrets, message), {
    ...rest,
    body: clean(body),
    text: clean(text),
    cause: isFreeOfSecrets(secrets, cause) ? cause : undefined,
  });
}

/** Maximum number of values of an error that are searched. */
const MAX_VALUES = 1000;

/**
 * Reports whether a foreign error has no secret in its message, its stack, its properties and its
 * causes. An error with objects of other classes may have one, such as a request with its headers.
 */
function isFreeOfSecrets(secrets: readonly string[], error: unknown): boolean {
  if (secrets.length === 0) return true;
  const pending: unknown[] = [error];
  const visited = new Set<unknown>();
  let count = 0;
  for (
    let value = pending.pop();
    value !== undefined || pending.length > 0;
    value = pending.pop()
  ) {
    if (++count > MAX_VALUES) return false;
    if (typeof value === "string" && redact(secrets, value) !== value) return false;
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    if (!isSearchable(value)) return false;
    for (const name of Reflect.ownKeys(value)) {
      if (typeof name === "string" && redact(secrets, name) !== name) return false;
      try {
        pending.push(Reflect.get(value, name));
      } catch {
        return false;
      }
    }
  }
  return true;
}

function isSearchable(value: object): boolean {
  if (Array.isArray(value) || value instanceof Error) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
