import { isJsonObject, type JsonObject } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import { getOwn, isPointer } from "./data-model.js";

/** Returns whether a key of an update is an edit. The ids of A2UI data begin with none of these. */
function isEdit(key: string): boolean {
  return /^[~+>-]/.test(key);
}

export function hasEdits(update: HamNodes): boolean {
  return Object.keys(update).some(isEdit);
}

/** Returns the value of a node after the edits of an update, in the order of HAM. */
export function editedNode(
  id: string,
  value: Json | undefined,
  update: HamNodes,
): Json | undefined {
  const edit = (prefix: string): Json | undefined => getOwn(update, prefix + id);
  const [removed, inserted, text, set] = ["-", "+", ">", "~"].map(edit);
  let result = value;
  if (Array.isArray(removed)) {
    if (Array.isArray(result)) result = result.filter(keptWithout(removed));
    else if (isJsonObject(result)) result = withoutKeys(result, removed);
  }
  if (Array.isArray(result) && isJsonObject(inserted)) result = withItems(result, inserted);
  if (typeof result === "string" && typeof text === "string") result += text;
  if (isJsonObject(set)) result = isJsonObject(result) ? { ...result, ...set } : (result ?? set);
  return result;
}

/** Returns a function that returns whether the next item of a list is kept without these pointers. */
function keptWithout(pointers: readonly Json[]): (item: Json) => boolean {
  const counts = new Map<Json, number>();
  for (const one of pointers) if (isPointer(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return (item) => {
    const count = counts.get(item) ?? 0;
    if (count > 0) counts.set(item, count - 1);
    return count === 0;
  };
}

function withoutKeys(map: JsonObject, names: readonly Json[]): JsonObject {
  const removed = new Set(names);
  return Object.fromEntries(Object.entries(map).filter(([key]) => !removed.has(key)));
}

/** Returns a list with items at an anchor or at the end; pointers that it contains are moved. */
function withItems(list: readonly Json[], { items, before, after }: JsonObject): Json[] {
  const added = Array.isArray(items) ? items : [];
  const anchor = before ?? after;
  const at = anchor === undefined ? -1 : list.indexOf(anchor);
  const position = at < 0 ? list.length : before === undefined ? at + 1 : at;
  const isKept = keptWithout(added);
  const start = list.slice(0, position).filter(isKept);
  return [...start, ...added, ...list.slice(position).filter(isKept)];
}

/** Returns the value of a node after the deletions and complete nodes of an update. */
function valueBefore(
  id: string,
  update: HamNodes,
  get: (id: string) => Json | undefined,
): Json | undefined {
  if (Object.hasOwn(update, id)) return update[id];
  return Object.hasOwn(update, `!${id}`) ? undefined : get(id);
}

/** Returns whether an edit has a value of its kind, and a node that it can change. */
function canEdit(prefix: string, node: Json | undefined, value: Json): boolean {
  if (prefix === "-") return (Array.isArray(node) || isJsonObject(node)) && Array.isArray(value);
  if (prefix === "+")
    return Array.isArray(node) && isJsonObject(value) && Array.isArray(value["items"]);
  if (prefix === ">") return typeof node === "string" && typeof value === "string";
  return (node === undefined || isJsonObject(node)) && isJsonObject(value);
}

/** Returns the keys of the edits that cannot be applied. A store rejects a message with them. */
export function invalidEdits(update: HamNodes, get: (id: string) => Json | undefined): string[] {
  return Object.entries(update)
    .filter(([key]) => isEdit(key))
    .filter(
      ([key, value]) => !canEdit(key.charAt(0), valueBefore(key.slice(1), update, get), value),
    )
    .map(([key]) => key);
}

/** Returns an update with complete nodes in place of edits. */
export function withoutEdits(update: HamNodes, get: (id: string) => Json | undefined): HamNodes {
  if (!hasEdits(update)) return update;
  const set = new Map(Object.entries(update).filter(([key]) => !isEdit(key)));
  const edited = Object.keys(update).filter(isEdit);
  for (const id of new Set(edited.map((key) => key.slice(1)))) {
    const value = editedNode(id, valueBefore(id, update, get), update);
    if (value !== undefined) set.set(id, value);
  }
  return Object.fromEntries(set);
}
