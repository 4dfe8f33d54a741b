import { assertMap, assertString } from "../arguments.js";
import { asObject, isJsonObject, jsonEqual, ownProperty } from "../json-value.js";
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

/** Maximum number of properties that are compared to match edited items. */
const maxComparedProperties = 32;

/** Old item of a list. */
export interface OldItem {
  id: string;
  value: Json;
  /** Value that the agent sent; user input may have changed it since. */
  sent?: Json | undefined;
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
  const matching = new ItemMatching(items, old);
  const textOf = (value: Json): string =>
    key === undefined ? JSON.stringify(value) : JSON.stringify(keyValue(value, key));
  // An agent that has not received user input yet repeats the earlier value.
  matching.matchEqual(textOf, ({ sent, value }) => sent ?? value);
  matching.matchEqual(textOf, ({ value }) => value);
  const hasContentMatch = matching.ids.some((id) => id !== undefined);
  const isEditable = key === undefined || editableProperties.has(key);
  if (isEditable) matching.matchSimilar();
  if (isEditable && (key === undefined || items.length === old.length)) matching.matchPosition();
  const rule: ListRule =
    key !== undefined
      ? { by: "property", property: key }
      : { by: hasContentMatch ? "content" : "position" };
  return { ids: withNewIds(listId, matching.ids, present), rule };
}

/** Items of a list with the ids of the matched old items. */
class ItemMatching {
  readonly ids: (string | undefined)[];
  readonly #items: readonly Json[];
  readonly #old: readonly (OldItem | undefined)[];
  /** Old items that are not matched yet, by id. */
  readonly #free: Map<string, OldItem>;

  constructor(items: readonly Json[], old: readonly (OldItem | undefined)[]) {
    this.#items = items;
    this.#old = old;
    this.ids = new Array(items.length).fill(undefined);
    this.#free = new Map(old.flatMap((one) => (one ? [[one.id, one]] : [])));
  }

  /** Matches items with equal texts. */
  matchEqual(textOf: (value: Json) => string, read: (item: OldItem) => Json): void {
    if (this.#free.size === 0) return;
    // An item that stays at its position is matched first, because equal items may occur twice.
    for (const at of this.#unmatched()) {
      const before = this.#old[at];
      if (before && textOf(read(before)) === textOf(this.#items[at] as Json))
        this.#assignId(at, before.id);
    }
    const byText = new Map<string, string[]>();
    for (const one of this.#free.values()) {
      const text = textOf(read(one));
      const ids = byText.get(text);
      if (ids) ids.push(one.id);
      else byText.set(text, [one.id]);
    }
    for (const at of this.#unmatched())
      this.#assignId(at, byText.get(textOf(this.#items[at] as Json))?.shift());
  }

  /** Matches edited items: at least half of their properties are equal, one of them a unique text. */
  matchSimilar(): void {
    const names = new Set<string>();
    for (const at of this.#unmatched()) {
      for (const name of Object.keys(asObject(this.#items[at]) ?? {})) {
        if (names.size < maxComparedProperties) names.add(name);
      }
    }
    for (const name of names) {
      if (this.#free.size === 0) return;
      const before = uniqueTexts(
        [...this.#free].map(([id, { sent, value }]) => [id, sent ?? value]),
        name,
      );
      const after = uniqueTexts(
        this.#unmatched().map((at) => [at, this.#items[at] as Json]),
        name,
      );
      for (const [text, at] of after) {
        const one = this.#free.get(before.get(text) ?? "");
        if (one && isSimilar(this.#items[at], one.sent ?? one.value)) this.#assignId(at, one.id);
      }
    }
  }

  /** Matches the remaining items with the old items at the same positions. */
  matchPosition(): void {
    for (const at of this.#unmatched()) this.#assignId(at, this.#old[at]?.id);
  }

  #unmatched(): number[] {
    return [...this.ids.keys()].filter((at) => this.ids[at] === undefined);
  }

  #assignId(at: number, id: string | undefined): void {
    if (id !== undefined && this.#free.delete(id)) this.ids[at] = id;
  }
}

/** Returns the owners of the values of a property that are texts and occur once. */
function uniqueTexts<T>(entries: readonly (readonly [T, Json])[], name: string): Map<string, T> {
  const owners = new Map<string, T | undefined>();
  for (const [owner, value] of entries) {
    const text = ownProperty(value, name);
    if (typeof text === "string" && text !== "")
      owners.set(text, owners.has(text) ? undefined : owner);
  }
  const unique = [...owners].flatMap(([text, owner]): [string, T][] =>
    owner === undefined ? [] : [[text, owner]],
  );
  return new Map(unique);
}

/** Returns whether at least half of the properties of two items are equal. */
function isSimilar(item: Json | undefined, old: Json): boolean {
  const [a, b] = [asObject(item) ?? {}, asObject(old) ?? {}];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const equal = [...names].filter(
    (name) => Object.hasOwn(a, name) && Object.hasOwn(b, name) && jsonEqual(a[name], b[name]),
  );
  return equal.length * 2 >= names.size;
}

/** Returns the first property that is present and unique in both versions of a list. */
function commonKey(
  items: readonly Json[],
  old: readonly OldItem[],
  property: string | undefined,
): string | undefined {
  const names = property === undefined ? keyProperties : [property, ...keyProperties];
  const oldValues = old.map(({ sent, value }) => sent ?? value);
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

/**
 * Returns the items of a list, or of a map with the keys `0`, `1` and so on, as v0.8 writes a list;
 * else undefined.
 */
export function listItems(value: Json | undefined): Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, "0")) return undefined;
  return Object.keys(value).every((name, at) => name === String(at))
    ? Object.values(value)
    : undefined;
}

/** Returns an id that no item of a list has, or undefined if the node is not a list. */
export function unusedItemId(listId: string, node: Json | undefined): string | undefined {
  const list = listItems(node);
  if (list === undefined) return undefined;
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
