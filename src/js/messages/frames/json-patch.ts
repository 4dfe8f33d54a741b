import { setOwn } from "../../json-text.js";
import { isJsonObject, type JsonObject, jsonEqual, textOf } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Invalid operation of a JSON Patch. */
export class PatchError extends Error {}

/**
 * Applies a JSON Patch (RFC 6902) to a copy. Throws a `PatchError` for an invalid operation; then
 * no operation has an effect.
 */
export function applyPatch(target: Json, patch: Json | undefined): Json {
  if (!Array.isArray(patch)) throw new PatchError("the patch is not a list");
  // The wrapper makes the root a value like any other.
  const document: JsonObject = { root: structuredClone(target) };
  for (const operation of patch) applyOperation(document, operation);
  return document["root"] as Json;
}

function applyOperation(document: JsonObject, operation: Json): void {
  if (!isJsonObject(operation)) throw new PatchError("an operation is not an object");
  const { op, path, from, value = null } = operation;
  if (op === "add") insert(document, path, value);
  else if (op === "remove") remove(document, path);
  else if (op === "replace") {
    remove(document, path);
    insert(document, path, value);
  } else if (op === "move") insert(document, path, remove(document, from));
  else if (op === "copy") insert(document, path, structuredClone(read(document, from)));
  else if (op !== "test") throw new PatchError(`unknown operation \`${textOf(op)}\``);
  else if (!jsonEqual(read(document, path), value))
    throw new PatchError(`the value at \`${textOf(path)}\` differs`);
}

/** Returns the container of a location and the key in it. */
function locateTarget(document: JsonObject, path: Json | undefined): [Json[] | JsonObject, string] {
  if (typeof path !== "string" || !/^(?:\/|$)/.test(path))
    throw new PatchError(`expected a JSON Pointer, found \`${textOf(path)}\``);
  const keys = path.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let key = "root";
  let container: Json[] | JsonObject = document;
  for (const next of keys.slice(1)) {
    const value: Json | undefined = entryOf(container, key);
    if (!Array.isArray(value) && !isJsonObject(value)) throw missingLocationError(path);
    container = value;
    key = next;
  }
  return [container, key];
}

function entryOf(container: Json[] | JsonObject, key: string): Json | undefined {
  if (Array.isArray(container)) return container[indexOf(key) ?? container.length];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function indexOf(key: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : undefined;
}

function missingLocationError(path: Json | undefined): PatchError {
  return new PatchError(`missing value at \`${textOf(path)}\``);
}

function read(document: JsonObject, path: Json | undefined): Json {
  const [container, key] = locateTarget(document, path);
  const value = entryOf(container, key);
  if (value === undefined) throw missingLocationError(path);
  return value;
}

function remove(document: JsonObject, path: Json | undefined): Json {
  const value = read(document, path);
  const [container, key] = locateTarget(document, path);
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
  return value;
}

function insert(document: JsonObject, path: Json | undefined, value: Json): void {
  const [container, key] = locateTarget(document, path);
  if (Array.isArray(container)) {
    const index = key === "-" ? container.length : indexOf(key);
    if (index === undefined || index > container.length) throw missingLocationError(path);
    container.splice(index, 0, value);
  } else setOwn(container, key, value);
}
