import { escapePointer, setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import {
  assignItemIds,
  isItemId,
  itemId,
  type ListRule,
  listItems,
  type OldItem,
} from "./list-identity.js";
import { idOf, isIndex, ROOT } from "./node-ids.js";
import { isDeeper, maxDepth } from "./path-checks.js";

/** Prefix of pointers in a store of A2UI data. */
export const SIGIL = "*";

/** Returns the pointer to the node at a location. */
export function pointerTo(segments: readonly string[]): string {
  return SIGIL + idOf(segments);
}

export function isPointer(value: Json | undefined): value is string {
  return typeof value === "string" && value.startsWith(SIGIL);
}

/** Maximum number of values in a data model. */
export const maxValues = 1_000_000;
/** Maximum total length of all node ids, because each id repeats the names of its ancestors. */
const maxIdLength = 100_000_000;

/** Nodes of the previous data model, which keep their ids. */
export interface PreviousNodes {
  get(id: string): Json | undefined;
  /** Location that the update sets. Lists at it and below it were sent again. */
  updated: readonly string[];
  /** Configured key property of the items of a list. */
  keyOf?(segments: readonly string[]): string | undefined;
  /** Values of list items as the agent sent them, by node id. */
  sent?: Map<string, Json>;
  /** Called with the rule that matched the items of a list. */
  report?(segments: readonly string[], rule: ListRule, isMoved: boolean): void;
}

/**
 * Returns the nodes of a data model, or of the part at a location. An item of a list keeps the id
 * of the previous item that it is matched with. Returns null if the model is too large.
 */
export function nodesOf(
  model: Json | undefined,
  location: readonly string[] = [],
  previous?: PreviousNodes,
): HamNodes | null {
  const nodes: [string, Json][] = [];
  let text = 0;
  /** Adds a node and returns the pointer to it. */
  const add = (id: string, segments: readonly string[], value: Json): string => {
    if (isTooLarge()) return "";
    text += id.length;
    const at = nodes.push([id, value]) - 1;
    const items = listItems(value);
    if (items) {
      const ids = previous && itemIds(id, segments, items, previous);
      const pointers = items.map((item, index): string => {
        const [inner, location] = [ids?.[index] ?? itemId(id, index), [...segments, String(index)]];
        if (previous) recordSent(inner, location, item, previous);
        return add(inner, location, item);
      });
      nodes[at] = [id, Array.isArray(value) ? pointers : { ...pointers }];
    } else if (isJsonObject(value)) {
      const entries = Object.entries(value).map(([name, item]): [string, Json] => [
        name,
        isInlined(name, item) ? item : add(childId(id, name), [...segments, name], item),
      ]);
      nodes[at] = [id, Object.fromEntries(entries)];
    }
    return SIGIL + id;
  };
  const isTooLarge = (): boolean => nodes.length > maxValues || text > maxIdLength;
  if (isDeeper(model, maxDepth - location.length)) return null;
  if (model !== undefined) add(idOf(location), location, model);
  return isTooLarge() ? null : Object.fromEntries(nodes);
}

/** Returns the ids of the items of a list, or undefined if the list is new. */
function itemIds(
  id: string,
  segments: readonly string[],
  items: readonly Json[],
  previous: PreviousNodes,
): string[] | undefined {
  const list = listItems(previous.get(id));
  if (list === undefined || list.length === 0) return undefined;
  const used = new Set<string>();
  const oldIds = list
    .filter((entry) => !isPointer(entry) || previous.get(entry.slice(SIGIL.length)) !== undefined)
    .map((entry) => {
      const oldId = isPointer(entry) ? entry.slice(SIGIL.length) : "";
      if (!isItemId(id, oldId) || used.has(oldId)) return undefined;
      used.add(oldId);
      return oldId;
    });
  const isSentAgain = previous.updated.every((segment, at) => segments[at] === segment);
  // An update inside a list keeps the positions of its items.
  const old = oldIds.map((oldId): OldItem | undefined =>
    oldId === undefined
      ? undefined
      : {
          id: oldId,
          value: isSentAgain ? expandNode(oldId, previous) : null,
          sent: isSentAgain ? previous.sent?.get(oldId) : undefined,
        },
  );
  if (!isSentAgain)
    return assignItemIds(
      id,
      items.map(() => null),
      old,
      undefined,
    ).ids;
  const { ids, rule } = assignItemIds(id, items, old, previous.keyOf?.(segments));
  previous.report?.(
    segments,
    rule,
    ids.some((one, at) => one !== itemId(id, at)),
  );
  return ids;
}

/** Records the value of a list item that was sent, or removes it if only a part of it was sent. */
function recordSent(
  id: string,
  segments: readonly string[],
  value: Json,
  { sent, updated }: PreviousNodes,
): void {
  const isEqual = (segment: string, at: number): boolean => segment === updated[at];
  if (updated.every((segment, at) => segments[at] === segment)) sent?.set(id, value);
  else if (segments.every(isEqual)) sent?.delete(id);
}

/** Returns the value of a node with all pointers resolved. A repeated ancestor is null. */
export function expandNode(
  id: string,
  previous: Pick<PreviousNodes, "get">,
  ancestors: readonly string[] = [],
): Json {
  if (ancestors.includes(id) || ancestors.length > maxDepth) return null;
  const inner = (value: Json): Json => {
    if (isPointer(value))
      return expandNode(value.slice(SIGIL.length), previous, [...ancestors, id]);
    if (Array.isArray(value)) return value.map(inner);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]));
  };
  const value = previous.get(id);
  return value === undefined ? null : isObject(value) ? inner(value) : value;
}

/** Returns the id of the node at a key of a map. */
export function childId(id: string, name: string): string {
  return `${id === ROOT ? "" : id}/${escapePointer(name)}`;
}

/**
 * Returns whether a value is stored in its parent. Text that begins with the sigil and values with
 * the name of a list index are nodes of their own.
 */
export function isInlined(name: string, value: Json): boolean {
  if (isIndex(name)) return false;
  return !isPointer(value) && !isObject(value);
}

/** Returns the update from one set of nodes to another. Nodes that A2UI did not name are kept. */
export function nodeDiff(before: HamNodes, after: HamNodes): HamNodes {
  const deleted = Object.keys(before).filter((id) => isModelNode(id) && !Object.hasOwn(after, id));
  const entries = Object.entries(after).filter(
    ([id, value]) => !Object.hasOwn(before, id) || !jsonEqual(before[id], value),
  );
  return Object.fromEntries([...deleted.map((id): [string, Json] => [`!${id}`, null]), ...entries]);
}

/** Applies an update to nodes in place. */
export function applyUpdate(nodes: HamNodes, update: JsonObject): void {
  for (const key of Object.keys(update)) {
    if (key.startsWith("!")) delete nodes[key.slice(1)];
  }
  for (const [key, value] of Object.entries(update)) {
    if (!key.startsWith("!")) setOwn(nodes, key, value);
  }
}

/** Returns whether a node id belongs to the A2UI data model. */
function isModelNode(id: string): boolean {
  return id === ROOT || /^(?:\/|items?:)/.test(id);
}

/**
 * Returns a copy of the model with the value at a path replaced, or deleted if it is undefined. The
 * path must have passed `checkPath`.
 */
export function withValueAt(
  model: Json | undefined,
  [segment, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (segment === undefined) return value;
  const container: Json = isObject(model) ? model : isIndex(segment) ? [] : {};
  if (Array.isArray(container)) {
    const list = [...container];
    const inner = withValueAt(list[Number(segment)], rest, value);
    while (list.length < Number(segment)) list.push(null);
    list[Number(segment)] = inner ?? null;
    return list;
  }
  const map = container as JsonObject;
  const inner = withValueAt(Object.hasOwn(map, segment) ? map[segment] : undefined, rest, value);
  const others = Object.entries(map).filter(([name]) => name !== segment);
  if (inner === undefined) return Object.fromEntries(others);
  if (others.length === Object.keys(map).length)
    return Object.fromEntries([...others, [segment, inner]]);
  // Keeps the position of an existing key.
  return Object.fromEntries(
    Object.entries(map).map(([name, item]) => [name, name === segment ? inner : item]),
  );
}

export function isObject(value: Json | undefined): value is Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}

/** Returns the own property or list item of a name, or undefined. */
export function getOwn(value: Json | undefined, name: string): Json | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
