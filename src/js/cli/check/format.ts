import { closestMatch } from "../../catalog/check/suggestions.js";
import { isJsonObject } from "../../json-value.js";
import { MESSAGE_KEYS } from "../../messages/frames/frame.js";

/** Format of messages. */
export type MessageFormat = "a2ui" | "ham";

/** Start of an HTML document, or of a part of one. */
const HTML_START =
  /^\s*<(?:!doctype|html|head|body|div|p|main|section|script|style|ul|table|h\d)\b/i;
const A2UI_KEY = /"(?:version|path|@path)"\s*:/;

/** Returns whether a text is HTML. */
export function isHtml(text: string): boolean {
  return HTML_START.test(text);
}

/** Returns the format of a text whose only message keys are misspelled, or undefined. */
export function misspelledFormat(text: string): MessageFormat | undefined {
  if (!hasMisspelledMessage(text)) return undefined;
  return A2UI_KEY.test(text) ? "a2ui" : "ham";
}

/** Returns whether a key or its value shows that it was written as a message. */
export function isMisspelledMessage(key: string, value: unknown): boolean {
  if (MESSAGE_KEYS.includes(key)) return false;
  if (closestMatch(key, MESSAGE_KEYS) !== undefined) return true;
  return isJsonObject(value) && (isName(value["surfaceId"]) || isComponents(value["components"]));
}

function isName(value: unknown): boolean {
  return typeof value === "string";
}

function isComponents(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => isJsonObject(one) && "component" in one);
}

/** Returns whether an object of the text, or of a list in it, has a misspelled message key. */
function hasMisspelledMessage(text: string): boolean {
  return parsedObjects(text).some((object) =>
    Object.entries(object).some(([key, value]) => isMisspelledMessage(key, value)),
  );
}

/** Returns the objects of JSON text: the text, the items of its list, or one object per line. */
function parsedObjects(text: string): { [key: string]: unknown }[] {
  const complete = parse(text);
  const values = complete === undefined ? text.split("\n").map(parse) : [complete].flat();
  return values.filter(isJsonObject);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
