import { isJsonObject } from "../../json-value.js";
import type { Json } from "../../types.js";

/** Applies the operations `add`, `replace` and `remove` of a JSON Patch (RFC 6902) to a copy. */
export function applyPatch(target: Json, patch: Json | undefined): Json {
  let result = structuredClone(target);
  for (const operation of Array.isArray(patch) ? patch : []) {
    if (!isJsonObject(operation) || typeof operation["path"] !== "string") continue;
    const keys = operation["path"].split("/").slice(1);
    const path = keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (path.length === 0) result = operation["value"] ?? null;
    else applyAt(result, path, operation["op"], operation["value"] ?? null);
  }
  return result;
}

function applyAt(target: Json, path: string[], op: Json | undefined, value: Json): void {
  const last = path.at(-1) ?? "";
  let parent: Json | undefined = target;
  for (const key of path.slice(0, -1)) {
    const next: Json | undefined = Array.isArray(parent)
      ? parent[Number(key)]
      : isJsonObject(parent) && Object.hasOwn(parent, key)
        ? parent[key]
        : undefined;
    parent = next;
  }
  if (Array.isArray(parent)) {
    const index = last === "-" ? parent.length : Number(last);
    if (op === "remove") parent.splice(index, 1);
    else parent.splice(index, op === "add" ? 0 : 1, value);
  } else if (isJsonObject(parent)) {
    if (op === "remove") delete parent[last];
    else
      Object.defineProperty(parent, last, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
}
