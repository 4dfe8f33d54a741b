import { rangesOf, replaceRanges, startOfPart, type TextRange } from "../text-ranges.js";
import { LlmError, type LlmErrorDetails, type LlmErrorKind } from "./error.js";
import { decodedLayers, openEnds } from "./escapes.js";
import type { ProviderReply } from "./reply.js";

/** Length from which the start of a secret is replaced at the end of a text that is cut off. */
const MIN_PART_LENGTH = 4;

/**
 * Returns the forms of secrets that are searched in decoded texts: as they are, and decoded if they
 * contain escapes. Headers trim their values, such as a key with the line break of a file.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => {
    const [own = "", ...decoded] = [...decodedLayers(secret.trim())].map(({ text }) => text);
    // Shells escape an apostrophe by several characters.
    const shell = own.replaceAll("'", "'\\''");
    return [own, shell, ...decoded.filter(({ length }) => length >= MIN_PART_LENGTH)];
  });
  return [...new Set(forms)].filter((form) => form !== "");
}

/**
 * Returns the long words of values of headers and their parts, such as the value of a cookie, and
 * the credentials of a basic authorization. Redacting shorter words would remove words of messages.
 */
export function headerSecrets(headers: readonly unknown[]): string[] {
  const texts = headers.filter((value) => typeof value === "string");
  const words = texts.flatMap((value) => [
    ...[value.trim(), ...value.split(/\s+/)],
    ...value.split(/[\s=;,"]+/),
  ]);
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

/**
 * Replaces secrets by bullets of the same length, so that offsets stay valid. `forms` is the result
 * of `secretForms`; a server may escape any of their characters.
 */
export function redactSecrets(forms: readonly string[], text: string): string {
  const ranges: TextRange[] = [];
  if (forms.length === 0) return text;
  for (const { text: layer, offsetOf } of decodedLayers(text)) {
    const found = forms.flatMap((form) => rangesOf(layer, form));
    for (const [start, last] of found) {
      // An escape may be several units, which have the same offset.
      let end = last;
      while (end < layer.length && offsetOf(end) === offsetOf(last - 1)) end++;
      ranges.push([offsetOf(start), offsetOf(end)]);
    }
  }
  return replaceRanges(text, ranges, bullets);
}

function bullets(length: number): string {
  return "•".repeat(length);
}

/** Replaces secrets in a text that may be cut off, also the start of a secret at its end. */
export function redactCutText(forms: readonly string[], text: string): string {
  const clean = redactSecrets(forms, text);
  const end = partStart(forms, clean, MIN_PART_LENGTH);
  return clean.slice(0, end) + bullets(clean.length - end);
}

/** Redacts the chunks of a text. */
export interface ChunkRedactor {
  push: (chunk: string) => void;
  /** Ends the text with the finish reason of its reply. */
  end: (finishReason: string | undefined) => void;
}

/**
 * Passes on the chunks of a text without secrets. An end that may begin a secret waits for the next
 * chunk, or for the end of the text.
 */
export function redactChunks(
  forms: readonly string[],
  emit: (chunk: string) => void,
): ChunkRedactor {
  let pending = "";
  return {
    push: (chunk) => {
      const text = redactSecrets(forms, pending + chunk);
      const end = partStart(forms, text, 0);
      pending = text.slice(end);
      if (end > 0) emit(text.slice(0, end));
    },
    end: (finishReason) => {
      const text = redactReplyText(forms, pending, finishReason);
      if (text !== "") emit(text);
    },
  };
}

/**
 * Returns the start of the longest end of a text that begins a secret, or the length of the text.
 * `min` is the minimum number of characters of the secret; with 0 an escape alone may begin one.
 */
function partStart(forms: readonly string[], text: string, min: number): number {
  let first = text.length;
  if (forms.length === 0) return first;
  const limitOf = (layer: string) => Math.min(...openEnds(layer));
  for (const { text: layer, offsetOf } of decodedLayers(text, limitOf)) {
    for (const end of openEnds(layer)) {
      const part = layer.slice(0, end);
      const start = Math.min(...forms.map((form) => startOfPart(part, form)));
      if (end - start >= min) first = Math.min(first, offsetOf(start));
    }
  }
  return first;
}

/** Returns a reply without secrets, which a server may repeat. */
export function redactReply(forms: readonly string[], reply: ProviderReply): ProviderReply {
  const { text, model, finishReason } = reply;
  return {
    ...reply,
    text: redactReplyText(forms, text, finishReason),
    model: model && redactSecrets(forms, model),
    finishReason: finishReason && redactSecrets(forms, finishReason),
  };
}

/** Finish reasons of replies that may be cut off, by limits, filters, refusals and errors. */
const CUT_REASON =
  /length|max|limit|exceed|filter|safety|recitation|refus|block|prohibit|spii|error|abort|cancel|pause|incomplete|truncat|timeout/i;

/** Returns the text of a reply without secrets, also without the start of one if it is cut off. */
export function redactReplyText(
  forms: readonly string[],
  text: string,
  finishReason: string | undefined,
): string {
  const isCut = CUT_REASON.test(finishReason ?? "");
  return isCut ? redactCutText(forms, text) : redactSecrets(forms, text);
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

/** Returns an error without secrets. */
export function redactedError(
  secrets: readonly string[],
  provider: string,
  ...[kind, message, { body, text, cause, ...rest } = {}]: ErrorParts
): LlmError {
  return new LlmError(kind, provider, redactSecrets(secrets, message), {
    ...rest,
    body: body && redactCutText(secrets, body),
    text: text && redactCutText(secrets, text),
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
