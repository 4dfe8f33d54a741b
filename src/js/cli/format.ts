import { callActions, v08Actions } from "../a2ui/versions.js";
import { findMessages } from "../catalog/check/message-spans.js";
import { isJsonObject, type JsonObject } from "../json-value.js";
import { MESSAGE_KEYS } from "../messages/frames/frame.js";
import type { Json } from "../types.js";
import { UsageError } from "./usage-error.js";

/** Format of the input of `check` and `convert`. */
export type Format = "a2ui" | "ham" | "nodes" | "express";

/** Keys that only messages of A2UI contain. */
const A2UI_KEYS: readonly string[] = [...v08Actions, ...callActions];
/** Pattern of the messages in a text that is not JSON. */
const MESSAGE_KEY = new RegExp(`"(?:${MESSAGE_KEYS.join("|")})"\\s*:`);
const A2UI_KEY = /"(?:version|surfaceUpdate|dataModelUpdate|beginRendering|path|@path)"\s*:/;

/** Returns the format that an option names, or that of the text. */
export function formatOf(text: string, name: string | boolean | undefined): Format {
  if (name === "a2ui" || name === "ham" || name === "nodes" || name === "express") return name;
  if (name !== undefined) {
    const known = "`a2ui`, `ham`, `nodes` or `express`";
    throw new UsageError(`expected the format ${known}, found \`${name}\``);
  }
  if (isExpress(text)) return "express";
  const values = jsonValuesOf(text);
  const messages = values.filter((one) => MESSAGE_KEYS.some((key) => Object.hasOwn(one, key)));
  if (messages.length === 0 && !MESSAGE_KEY.test(text)) return "nodes";
  if (messages.some(isHam)) return "ham";
  if (messages.some(isA2ui)) return "a2ui";
  // Messages with a syntax error are searched as text.
  return A2UI_KEY.test(text) ? "a2ui" : "ham";
}

/** Returns whether a text contains statements of Express, and no JSON. */
export function isExpress(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false;
  // Without line breaks before a statement, so that the search through blank lines is linear.
  return /<a2ui[\s>]/i.test(text) || /^[ \t]*(?:surface\(|(?:\$[\w/]+|\w+) *=(?!=))/m.test(text);
}

/** Returns the objects of a text, also those in a list of messages. */
function jsonValuesOf(text: string): JsonObject[] {
  const values = findMessages(text).map(({ value }) => value as Json | undefined);
  return values.flatMap((value) => listedMessages(value ?? null)).filter(isJsonObject);
}

/** Returns the messages of a value: a message, a list of them, or `{ messages }`. */
export function listedMessages(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  const list = isJsonObject(value) ? value["messages"] : undefined;
  return Array.isArray(list) ? list : [value];
}

/** Returns whether a message has nodes, or components with bindings to nodes. */
function isHam(message: JsonObject): boolean {
  const { updateDataModel } = message;
  const body = isJsonObject(updateDataModel) ? updateDataModel : {};
  if (isJsonObject(body["nodes"]) || isJsonObject(body["edits"])) return true;
  return componentsOf(message).some((one) => contains(one, ({ binding }) => isJsonObject(binding)));
}

/** Returns whether a message has a key of A2UI, or components with paths. */
function isA2ui(message: JsonObject): boolean {
  if (A2UI_KEYS.some((key) => Object.hasOwn(message, key))) return true;
  const { updateDataModel, createSurface } = message;
  if (isJsonObject(updateDataModel) && ("path" in updateDataModel || "value" in updateDataModel))
    return true;
  if (isJsonObject(createSurface) && Object.hasOwn(createSurface, "dataModel")) return true;
  const isPath = (one: JsonObject): boolean =>
    typeof (one["path"] ?? one["@path"]) === "string" || typeof one["@call"] === "string";
  return componentsOf(message).some((one) => contains(one, isPath));
}

function componentsOf({ createSurface, updateComponents }: JsonObject): readonly Json[] {
  return [createSurface, updateComponents].flatMap((body) => {
    const components = isJsonObject(body) ? body["components"] : undefined;
    return Array.isArray(components) ? components : [];
  });
}

/** Returns whether a value contains an object with a property. Needs no stack for deep nesting. */
function contains(value: Json, test: (object: JsonObject) => boolean): boolean {
  const pending = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (isJsonObject(one) && test(one)) return true;
    if (typeof one === "object" && one !== null)
      for (const inner of Object.values(one)) pending.push(inner);
  }
  return false;
}
