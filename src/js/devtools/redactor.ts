import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Replacement of a secret. */
export const REDACTED = "[secret]";

/** Length from which a secret is also redacted inside longer texts. */
const MIN_PART_LENGTH = 4;

/** Properties whose texts are secrets. */
const SECRET_NAME =
  /api[-_]?key$|^(?:proxy[-_]?)?authorization$|pass(?:word|wd|phrase|code)$|^(?:pwd|pin|token|jwt|credentials?)$|^(?:set[-_]?)?cookie$|(?:^|[-_]|client)secret(?:$|[-_]?key$)|(?:private|secret)[-_]?key$|(?:access|refresh|auth|bearer|id|api)[-_]?token$/i;

/** Keys of common model providers, bearer tokens, and JSON Web Tokens. */
const KEY_TEXT =
  /\b(?:sk|pk|rk|xai|gsk|hf|r8)[-_][\w-]{16,}|\bAIza[\w-]{30,}|\bgh[pousr]_\w{20,}|\bAKIA[A-Z0-9]{16}\b|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|(?<=\bBearer\s+)[\w.~+/=-]{8,}/g;

/** Property with a text in JSON that may be invalid or cut off. */
const JSON_PROPERTY = /("((?:[^"\\]|\\.)*)"\s*:\s*)"(?:[^"\\]|\\.)+("|$)/g;

/** Values of a property that another entry names: `{path, value}` and `{key, valueString}` of A2UI. */
const NAMED_VALUE = /^value(?:String|Number)?$/;

/** Keys whose texts are names that the agent has chosen, which a secret may equal by chance. */
const STRUCTURAL_KEYS = new Set(["id", "component", "surfaceId", "catalogId", "version", "kind"]);

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
    return this.#redactValue(value as Json, "") as T;
  }

  #redactValue(value: Json, name: string): Json {
    if (typeof value === "string") {
      if (STRUCTURAL_KEYS.has(name)) return this.#redactText(value, false);
      if (SECRET_NAME.test(name) && value !== "" && !this.#isPointer(value)) return REDACTED;
      return this.#redactText(value, true);
    }
    if (typeof value === "number") {
      const isSecret = this.#secrets.has(String(value)) || SECRET_NAME.test(name);
      return isSecret ? REDACTED : value;
    }
    if (Array.isArray(value)) return value.map((item) => this.#redactValue(item, name));
    if (!isJsonObject(value)) return typeof value === "boolean" ? value : null;
    const named = [value["path"], value["key"]].find((one) => typeof one === "string");
    const last = typeof named === "string" ? (named.split("/").at(-1) ?? "") : "";
    const nameOf = (key: string): string => (NAMED_VALUE.test(key) && last !== "" ? last : key);
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined && typeof item !== "function")
        .map(([key, item]) => [this.#redactText(key, false), this.#redactValue(item, nameOf(key))]),
    );
  }

  /** Returns a text without secrets; one that equals a short secret only if `isContent`. */
  #redactText(text: string, isContent: boolean): string {
    if (isContent && this.#secrets.has(text)) return REDACTED;
    let clean = text.replace(KEY_TEXT, REDACTED);
    if (clean.includes('"'))
      clean = clean.replaceAll(JSON_PROPERTY, (found, before: string, name: string, end: string) =>
        SECRET_NAME.test(name) ? `${before}"${REDACTED}${end}` : found,
      );
    for (const secret of this.#secrets) {
      if (secret.length < MIN_PART_LENGTH) continue;
      clean = clean.replaceAll(secret, REDACTED);
      // The text may be JSON, such as a message that is invalid.
      const escaped = JSON.stringify(secret).slice(1, -1);
      if (escaped !== secret) clean = clean.replaceAll(escaped, REDACTED);
    }
    return clean;
  }
}
