import { rangesOf, replaceRanges, type TextRange } from "../text-ranges.js";
import type { Json } from "../types.js";
import { stringEnd } from "./json-place.js";

/** Replacement of a secret. */
export const REDACTED = "[secret]";

/** Length from which a secret is also redacted inside longer texts. */
const MIN_PART_LENGTH = 4;

/** Length of the end of a name that decides whether it is one of a secret. */
const MAX_NAME_LENGTH = 100;

/** Deepest level of a value in the log; surfaces reject messages before that. */
const MAX_DEPTH = 500;
const TOO_DEEP = `[deeper than ${MAX_DEPTH} levels]`;

/** Names of secrets, in lower case with underscores between words. */
const SECRET_NAMES = [
  ...["api_?keys?", "(?:private|secret)_?keys?", "pass(?:word|wd|phrase|code)s?"],
  ...["^(?:proxy_?)?authorization", "^(?:set_?)?cookies?", "^pass", "(?:user|db|admin)_?pass"],
  ...["(?:^|_)(?:pwd|jwt|credentials?)", "(?:^|_)(?:pin|otp|totp|cvv|cvc)(?:_?(?:code|number))?"],
  ...["(?:^|_|client)secrets?", "^tokens?", "(?<!page|next|stop|design|color)_token"],
  ...["(?:access|refresh|auth|bearer|id|api|csrf)_?token", "(?:^|_)(?:access|session|api)_?tokens"],
];
/** Ends of such names: `password2`, `passwordConfirm` and `secretValue`. */
const NAME_END = "(?:_?(?:\\d|confirm(?:ation|ed)?|again|repeat(?:ed)?|value|new|old))*$";
const SECRET_NAME = new RegExp(`(?:${SECRET_NAMES.join("|")})${NAME_END}`);

/** Keys of common model providers, JSON Web Tokens, and bearer tokens. */
const KEY_TEXT =
  /\b(?:sk|pk|rk|xai|gsk|hf|r8)[-_][\w-]{16,}|\bAIza[\w-]{30,}|\bgh[pousr]_\w{20,}|\bAKIA[A-Z0-9]{16}\b/g;
/** JSON Web Token. The lookahead reads each word once, so that a search is linear. */
const WEB_TOKEN = /((?<![\w-])(?=[\w-]+\.[\w-]{8,}\.)[\w-]*?\b)eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const BEARER_TOKEN = /(\bBearer\s{1,100})[\w.~+/=-]{8,}/g;

/** End of the name and start of the text of a property, in JSON that may be invalid or cut off. */
const PROPERTY_TEXT = /"\s*:\s*"/g;

/** Values of a property that another entry names: `{path, value}` and `{key, valueString}` of A2UI. */
const NAMED_VALUE = /^value(?:String|Number)?$/;

/** Keys whose texts are names that the agent has chosen, which a secret may equal by chance. */
const STRUCTURAL_KEYS = new Set(["id", "component", "surfaceId", "catalogId", "version", "kind"]);

/**
 * Returns the name of a property whose values are under a key: the key of an edit without its
 * prefix, or the last name in the id of a node of A2UI data, which is a path.
 */
function nameOfKey(key: string): string {
  const steps = key.slice(-MAX_NAME_LENGTH).split("/");
  const name = steps.filter((step) => !/^\d+$/.test(step)).at(-1) ?? "";
  return name.replace(/^[~+>-]/, "");
}

/** Returns whether the texts of a property are secrets. */
function isSecretName(key: string): boolean {
  const words = nameOfKey(key)
    .replace(/([a-z\d])(?=[A-Z])/g, "$1_")
    .replaceAll(/[-. ]/g, "_");
  return SECRET_NAME.test(words.toLowerCase());
}

/** Removes secrets from values before they enter a log. */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #isPointer: (text: string) => boolean;

  /** `isPointer` reports whether a text refers to a node, so that it is not the secret itself. */
  constructor(secrets: Iterable<string> = [], isPointer: (text: string) => boolean = () => false) {
    this.#isPointer = isPointer;
    for (const secret of secrets) this.add(secret);
  }

  /** Adds a secret. Returns whether it is new. */
  add(secret: Json | undefined): boolean {
    if (typeof secret !== "string" || secret === "" || secret === REDACTED) return false;
    if (this.#secrets.has(secret)) return false;
    this.#secrets.add(secret);
    return true;
  }

  /** Returns a copy of a value without secrets. Values that are not JSON are left out. */
  redact<T>(value: T): T {
    return this.#redactValue(value as Json, "", 0) as T;
  }

  #redactValue(value: Json, name: string, depth: number): Json {
    if (typeof value === "string") {
      if (STRUCTURAL_KEYS.has(name)) return this.#redactText(value, false);
      if (isSecretName(name) && value !== "" && !this.#isPointer(value)) return REDACTED;
      return this.#redactText(value, true);
    }
    if (typeof value === "number") {
      // A number of tokens is a count.
      const isSecret = isSecretName(name) && !/tokens$/i.test(nameOfKey(name));
      return isSecret || this.#secrets.has(String(value)) ? REDACTED : value;
    }
    if (typeof value !== "object" || value === null)
      return typeof value === "boolean" ? value : null;
    if (depth >= MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => this.#redactValue(item, name, depth + 1));
    const named = [value["path"], value["key"]].find((one) => typeof one === "string");
    const last = typeof named === "string" ? (named.split("/").at(-1) ?? "") : "";
    const nameOf = (key: string): string => {
      if (key === "items" && name.startsWith("+")) return name;
      return NAMED_VALUE.test(key) && last !== "" ? last : key;
    };
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined && typeof item !== "function")
        .map(([key, item]) => [
          this.#redactText(key, false),
          this.#redactValue(item, nameOf(key), depth + 1),
        ]),
    );
  }

  /** Returns a text without secrets; one that equals a short secret only if `isContent`. */
  #redactText(text: string, isContent: boolean): string {
    if (isContent && this.#secrets.has(text)) return REDACTED;
    // The text may be JSON, such as a message that is invalid.
    const words = new Set(
      [...this.#secrets]
        .filter(({ length }) => length >= MIN_PART_LENGTH)
        .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]),
    );
    // All are searched in the original text, because a replacement could hide a longer secret.
    const ranges = [
      ...[KEY_TEXT, WEB_TOKEN, BEARER_TOKEN].flatMap((kind) => matchRanges(text, kind)),
      ...[...words].flatMap((word) => rangesOf(text, word)),
      ...propertyRanges(text),
    ];
    if (ranges.length === 0) return text;
    // Earlier replacements stay, even if a secret is a part of them.
    return replaceRanges(text, [...ranges, ...rangesOf(text, REDACTED)], () => REDACTED);
  }
}

/** Returns the ranges of the matches of a pattern, each without its first group. */
function matchRanges(text: string, pattern: RegExp): TextRange[] {
  return [...text.matchAll(pattern)].map(({ 0: found, 1: before = "", index }) => [
    index + before.length,
    index + found.length,
  ]);
}

/** Returns the ranges of the secrets in JSON, which may be invalid or cut off. */
function propertyRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { 0: found, index } of text.matchAll(PROPERTY_TEXT)) {
    const start = index + found.length;
    const before = text.slice(Math.max(0, index - MAX_NAME_LENGTH), index);
    const name = before.slice(before.lastIndexOf('"') + 1);
    if (start <= (ranges.at(-1)?.[1] ?? 0) || !isSecretName(name)) continue;
    const end = stringEnd(text, start);
    if (end > start) ranges.push([start, end]);
  }
  return ranges;
}
