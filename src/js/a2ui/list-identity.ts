import { assertMap, assertString } from "../arguments.js";
import { isJsonObject } from "../json-value.js";
import type { Json } from "../types.js";

/** Rule that matched the items of a list that was sent again. */
export type ListRule =
  | { by: "property"; property: string }
  | { by: "content" }
  | { by: "position" };

/** Unique properties of list items, in the order in which they are tried. */
const keyProperties = ["id", "key", "_id", "uuid", "name", "title"];
/** Properties that describe an item, so that an edit may change them. */
const editableProperties = new Set(["name", "title"]);

/** Old item of a list. */
export interface OldItem {
  id: string;
  value: Json;
}

/**
 * Returns the node id of each item: that of the matched old item, or a new one. `property` is the
 * configured key, which is tried first.
 */
export function assignItemIds(
  listId: string,
  items: readonly Json[],
  old: readonly (OldItem | undefined)[],
  property: string | undefined,
): { ids: string[]; rule: ListRule } {
  const present = old.filter((one) => one !== undefined);
  const key = commonKey(items, present, property);
  const matched: (string | undefined)[] = new Array(items.length).fill(undefined);
  const free = new Map(present.map(({ id }) => [id, true]));
  const take = (at: number, id: string | undefined): void => {
    if (id === undefined || !free.delete(id)) return;
    matched[at] = id;
  };
  const textOf = (value: Json): string =>
    key === undefined ? JSON.stringify(value) : JSON.stringify(keyValue(value, key));
  // An item that stays at its position is matched first, because equal items may occur twice.
  for (const [at, item] of items.entries()) {
    const before = old[at];
    if (before && textOf(before.value) === textOf(item)) take(at, before.id);
  }
  const byText = new Map<string, string[]>();
  for (const { id, value } of present) {
    if (!free.has(id)) continue;
    const text = textOf(value);
    const ids = byText.get(text);
    if (ids) ids.push(id);
    else byText.set(text, [id]);
  }
  for (const [at, item] of items.entries()) {
    if (matched[at] === undefined) take(at, byText.get(textOf(item))?.shift());
  }
  const hasContentMatch = matched.some((id) => id !== undefined);
  const isEdited =
    key === undefined || (editableProperties.has(key) && items.length === old.length);
  if (isEdited) {
    for (const at of items.keys()) if (matched[at] === undefined) take(at, old[at]?.id);
  }
  const rule: ListRule =
    key !== undefined
      ? { by: "property", property: key }
      : { by: hasContentMatch ? "content" : "position" };
  return { ids: withNewIds(listId, matched, present), rule };
}

/** Returns the first property that is present and unique in both versions of a list. */
function commonKey(
  items: readonly Json[],
  old: readonly OldItem[],
  property: string | undefined,
): string | undefined {
  const names = property === undefined ? keyProperties : [property, ...keyProperties];
  const oldValues = old.map(({ value }) => value);
  return names.find((name) => isUnique(items, name) && isUnique(oldValues, name));
}

function isUnique(items: readonly Json[], name: string): boolean {
  const values = new Set(items.map((item) => keyValue(item, name)));
  return values.size === items.length && !values.has(undefined);
}

function keyValue(item: Json, name: string): string | number | undefined {
  if (!isJsonObject(item) || !Object.hasOwn(item, name)) return undefined;
  const value = item[name];
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** Adds an id for each new item. It differs from all old ids, because a row is not reused. */
function withNewIds(
  listId: string,
  matched: readonly (string | undefined)[],
  old: readonly OldItem[],
): string[] {
  const used = new Set(old.map(({ id }) => id));
  let next = matched.length;
  return matched.map((id, at) => {
    if (id !== undefined) return id;
    let fresh = itemId(listId, at);
    while (used.has(fresh)) fresh = itemId(listId, next++);
    used.add(fresh);
    return fresh;
  });
}

/** Returns the id of the item that is created at an index. */
export function itemId(listId: string, at: number): string {
  return listId === "root" ? `/${at}` : `${listId}/${at}`;
}

/** Returns whether an id has the form of an item of a list. */
export function isItemId(listId: string, id: string): boolean {
  const start = listId === "root" ? "/" : `${listId}/`;
  return id.startsWith(start) && /^\d+$/.test(id.slice(start.length));
}

/** Returns an id for an item that no item of the list has. */
export function unusedItemId(listId: string, list: readonly Json[]): string {
  const used = new Set(list);
  let at = list.length;
  while (used.has(`*${itemId(listId, at)}`)) at += 1;
  return itemId(listId, at);
}

/** Throws unless a value names the key property of lists by their path. */
export function assertKeys(value: unknown, what: string): void {
  assertMap(value, what);
  for (const [path, property] of Object.entries(value as object))
    assertString(property, `the key of \`${path}\``);
}
