import { isJsonObject, type JsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Length up to which a text is displayed only when it is complete. */
const MAX_SHORT_LENGTH = 32;
/** Duration of a frame in milliseconds. */
const FRAME_DURATION = 16;

/**
 * Limits how often the text of an incomplete component is displayed: once per frame, and for at
 * most half of the time, because each display costs as much as the whole text.
 */
export class FrameLimit {
  #next = Number.NEGATIVE_INFINITY;

  /** Runs a display unless the last one is too recent. */
  run(display: () => void): void {
    const start = performance.now();
    if (start < this.#next) return;
    try {
      display();
    } finally {
      const end = performance.now();
      this.#next = end + Math.max(FRAME_DURATION, end - start);
    }
  }
}

/** JSON text that was closed inside of a string, and its value. */
export interface ClosedJson {
  json: string;
  value: JsonObject;
}

/**
 * Closes a JSON text that ends inside of a string value. `brackets` are those that close its
 * objects. Returns undefined if the text ends in a key.
 */
export function closeInString(text: string, brackets: string): ClosedJson | undefined {
  // The last escape may be incomplete.
  for (const end of [text, text.replace(/\\(?:u[0-9a-f]{0,3})?$/i, "")]) {
    const json = `${end}"${brackets}`;
    try {
      const value = JSON.parse(json) as Json;
      return isJsonObject(value) ? { json, value } : undefined;
    } catch {
      // Ends in a key, or in an escape.
    }
  }
  return undefined;
}

/**
 * Returns whether a component ends with a long text: `{"component": "Text", "text": "…`, or
 * `{"component": {"Text": {"text": {"literalString": "…` in v0.8.
 */
export function componentEndsWithLongText({ component, ...props }: JsonObject): boolean {
  if (!isJsonObject(component)) return endsWithLongText(props);
  const [type] = Object.values(component);
  if (!isJsonObject(type)) return false;
  const last = Object.values(type).at(-1);
  const isLiteral = isJsonObject(last) && Object.keys(last).at(-1) === "literalString";
  return endsWithLongText(isLiteral ? last : type);
}

/**
 * Returns whether the last property of an object is a long text of several words, and not an id or
 * an address.
 */
export function endsWithLongText(object: JsonObject): boolean {
  const last = Object.values(object).at(-1);
  return typeof last === "string" && last.length > MAX_SHORT_LENGTH && /\s/.test(last);
}
