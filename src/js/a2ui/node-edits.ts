import { isJsonObject, type JsonObject } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import { getOwn } from "./data-model.js";

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
  if (Array.isArray(result)) {
    if (Array.isArray(removed)) result = result.filter((item) => !removed.includes(item));
    if (isJsonObject(inserted)) result = withItems(result, inserted);
  }
  if (typeof result === "string" && typeof text === "string") result += text;
  if (isJsonObject(set)) result = isJsonObject(result) ? { ...result, ...set } : (result ?? set);
  if (isJsonObject(result) && Array.isArray(removed)) {
    const kept = Object.entries(result).filter(([key]) => !removed.includes(key));
    result = Object.fromEntries(kept);
  }
  return result;
}

/** Returns a list with items at an anchor or at the end; those that it contains are moved. */
function withItems(list: readonly Json[], { items, before, after }: JsonObject): Json[] {
  const added = Array.isArray(items) ? items : [];
  const isKept = (item: Json): boolean => !added.includes(item);
  const anchor = before ?? after;
  const at = anchor === undefined ? -1 : list.indexOf(anchor);
  const kept = list.filter(isKept);
  if (at < 0) return [...kept, ...added];
  const isAfter = before === undefined && isKept(list[at] as Json);
  const position = list.slice(0, at).filter(isKept).length + (isAfter ? 1 : 0);
  return [...kept.slice(0, position), ...added, ...kept.slice(position)];
}

/** Returns an update with complete nodes in place of edits. */
export function withoutEdits(update: HamNodes, get: (id: string) => Json | undefined): HamNodes {
  if (!hasEdits(update)) return update;
  const entries = Object.entries(update).filter(([key]) => !isEdit(key));
  const set = new Map(entries);
  const edited = Object.keys(update).filter(isEdit);
  for (const id of new Set(edited.map((key) => key.slice(1)))) {
    const before = set.get(id) ?? (set.has(`!${id}`) ? undefined : get(id));
    const value = editedNode(id, before, update);
    if (value !== undefined) set.set(id, value);
  }
  return Object.fromEntries(set);
}
