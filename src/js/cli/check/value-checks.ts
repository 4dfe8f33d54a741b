import { describeValue } from "../../catalog/check/type-names.js";
import { escapePointer } from "../../json-text.js";
import { isJsonObject, type JsonObject } from "../../json-value.js";
import type { Diagnostic, Json } from "../../types.js";
import type { MessageFormat } from "./format.js";

/** Maximum nesting depth of checked values. */
const MAX_DEPTH = 200;

/** Returns the diagnostics of paths in a message, which a surface accepts. */
export function checkValues(message: JsonObject, format: MessageFormat): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [kind, body] of Object.entries(message)) {
    if (!isJsonObject(body)) continue;
    if (body["surfaceId"] === "") found.push(emptySurfaceId(kind));
    const { path, components } = body;
    if (format === "a2ui" && kind === "updateDataModel")
      found.push(...endOfList(path, `/${kind}/path`));
    if (Array.isArray(components))
      for (const [at, one] of components.entries())
        walk(one, `/${kind}/components/${at}`, format, found, 0);
  }
  return found;
}

function walk(
  value: Json,
  pointer: string,
  format: MessageFormat,
  out: Diagnostic[],
  depth: number,
): void {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return;
  if (isJsonObject(value) && format === "a2ui") out.push(...pathErrors(value, pointer, depth));
  for (const [key, inner] of Object.entries(value))
    walk(inner, `${pointer}/${escapePointer(key)}`, format, out, depth + 1);
}

/** Returns the errors about the path of a binding: an object with a path and no other data. */
function pathErrors(value: JsonObject, pointer: string, depth: number): Diagnostic[] {
  const lists = Object.keys(value).every((one) => one === "componentId");
  if (lists && typeof value["componentId"] === "string") return [missingPath(pointer)];
  const key = ["path", "@path"].find((one) => Object.hasOwn(value, one));
  const isBinding = Object.keys(value).every((one) => one === key || one === "componentId");
  // A bare path in the context of an event or in arguments may be data.
  const isFree = key === "path" && /\/(?:context|args)\//.test(pointer);
  if (key === undefined || depth === 0 || !isBinding || isFree) return [];
  const path = value[key];
  const at = `${pointer}/${key}`;
  if (typeof path === "string") return endOfList(path, at);
  const text = `expected a string in \`${key}\`, found ${describeValue(path)}`;
  return [diagnostic("A2UI009", "error", text, `write a path: {"${key}": "/user/name"}`, at)];
}

function missingPath(pointer: string): Diagnostic {
  const help = 'write the path of a list: {"path": "/items", "componentId": "row"}';
  return diagnostic("A2UI009", "error", "missing `path` next to `componentId`", help, pointer);
}

/** Returns the error for the step `-`, which is the end of a list in JSON Pointer alone. */
function endOfList(path: Json | undefined, pointer: string): Diagnostic[] {
  if (typeof path !== "string" || !path.split("/").includes("-")) return [];
  const help = "write an index; the length of the list appends an item";
  return [diagnostic("A2UI005", "error", "`-` is not a list index", help, pointer)];
}

function emptySurfaceId(kind: string): Diagnostic {
  const text = `expected an id in \`surfaceId\` of \`${kind}\`, found an empty string`;
  return diagnostic("HAM029", "error", text, 'write {"surfaceId": "s"}', `/${kind}/surfaceId`);
}

export function diagnostic(
  code: string,
  severity: Diagnostic["severity"],
  message: string,
  help: string,
  pointer: string,
): Diagnostic {
  return { code, severity, message, help, location: { kind: "pointer", pointer } };
}
