import { BynameError } from "../errors.js";
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
import { idOf, isIndex, ROOT, segmentsOf } from "./node-ids.js";
import { checkPath, isDeeper, isReachable, maxDepth } from "./path-checks.js";

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
const maxValues = 1_000_000;
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

/** New value at a location. */
export interface ValueChange {
  segments: string[];
  value: Json;
}

/**
 * Returns the changed values of an update that only replaces scalars in one node at one location.
 * Returns undefined for every other update, which needs a complete comparison.
 */
export function changedValues(
  update: JsonObject,
  nodes: HamNodes,
  { model, locations, shared, cyclic }: ResolvedModel,
): ValueChange[] | undefined {
  const [id = "", ...others] = Object.keys(update);
  const newValue = update[id];
  const location = locations.get(id);
  const oldValue = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
  if (others.length > 0 || location === undefined || shared.has(id) || cyclic.has(id))
    return undefined;
  if (!isJsonObject(oldValue) || !isJsonObject(newValue) || !isStablePath(model, location))
    return undefined;
  const names = Object.keys(oldValue);
  const changed = names.filter((name) => !jsonEqual(oldValue[name], getOwn(newValue, name)));
  // Null counts as missing, so a node with the name of this location could take it.
  const isValue = (value: Json | undefined): value is Json =>
    value !== undefined && value !== null && !isPointer(value) && !isObject(value);
  const values = changed.map((name): [string, Json | undefined] => [name, getOwn(newValue, name)]);
  if (names.length !== Object.keys(newValue).length) return undefined;
  if (
    !values.every(([name, value]) => isReachable(name) && isValue(oldValue[name]) && isValue(value))
  ) {
    return undefined;
  }
  return values.map(([name, value]) => ({ segments: [...location, name], value: value as Json }));
}

/**
 * Adds the row of an update that only adds one scalar row at the end of a list that is not empty.
 * Returns undefined for every other update, which needs a complete comparison.
 */
export function appendRow(update: JsonObject, resolved: ResolvedModel): ValueChange | undefined {
  const [id = "", ...others] = Object.keys(update);
  const value = update[id];
  const item = resolved.missing.get(id);
  // A new root brings the complete model.
  if (others.length > 0 || item === undefined || id === ROOT || id.startsWith("!")) {
    return undefined;
  }
  const { list, at } = item;
  const rows = list.segments.reduce(getOwn, resolved.model);
  const isPlain =
    isJsonObject(value) &&
    Object.values(value).every((field) => !isPointer(field) && !isObject(field));
  if (!isPlain || !Array.isArray(rows) || rows.length === 0 || at < list.lastPresent)
    return undefined;
  const segments = [...list.segments, String(rows.length)];
  const count = resolved.count + 2 + Object.keys(value).length;
  if (count > maxValues || segments.length >= maxDepth) return undefined;
  if (!isStablePath(resolved.model, list.segments)) return undefined;
  resolved.locations.set(id, segments);
  resolved.missing.delete(id);
  resolved.count = count;
  list.lastPresent = at;
  return { segments, value: { ...value } };
}

/**
 * Returns whether a path can name each step to a location, and a change at its end replaces no list
 * or object above.
 */
function isStablePath(model: Json | undefined, location: readonly string[]): boolean {
  let at = model;
  return location.every((segment) => {
    // A list with mostly different items is replaced.
    const isStable = Array.isArray(at) ? at.length > 1 : isReachable(segment);
    at = getOwn(at, segment);
    return isStable;
  });
}

/** Document resolved to a data model, with the location of each node. */
export interface ResolvedModel {
  model: Json | undefined;
  /** Location of the first pointer to each node reachable from `root`. */
  locations: Map<string, string[]>;
  /** Nodes with several locations. */
  shared: Set<string>;
  /** Nodes that contain themselves: the inner occurrence is null. */
  cyclic: Set<string>;
  /** List item of each missing node, or undefined if it is not exactly one list item. */
  missing: Map<string, MissingItem | undefined>;
  /** Number of resolved values. */
  count: number;
}

/** List item whose node is missing. */
interface MissingItem {
  list: ResolvedList;
  /** Index among all items, present or missing. */
  at: number;
}

interface ResolvedList {
  segments: string[];
  /** Index of the last present item among all items. */
  lastPresent: number;
}

/**
 * Resolves all pointers. Nodes of `extraIds` that `root` does not reach are added under their own
 * names, or at the location in their id.
 */
export function resolveModel(nodes: HamNodes, extraIds: Iterable<string> = []): ResolvedModel {
  const resolved: ResolvedModel = {
    model: undefined,
    locations: new Map(),
    shared: new Set(),
    cyclic: new Set(),
    missing: new Map(),
    count: 0,
  };
  const ancestors = new Set<string>();
  const node = (id: string, segments: string[]): Json => {
    if (ancestors.has(id)) {
      resolved.cyclic.add(id);
      return null;
    }
    if (resolved.locations.has(id)) resolved.shared.add(id);
    else resolved.locations.set(id, segments);
    ancestors.add(id);
    const value = nodes[id] as Json;
    const entries = isObject(value) ? inner(value, segments) : value;
    ancestors.delete(id);
    return entries;
  };
  const inner = (value: Json, segments: string[]): Json => {
    resolved.count += 1;
    if (resolved.count > maxValues || segments.length > maxDepth) {
      throw new BynameError("too-large", "the document is too large for an A2UI data model");
    }
    if (isPointer(value)) {
      const id = value.slice(SIGIL.length);
      return Object.hasOwn(nodes, id) ? node(id, segments) : null;
    }
    if (Array.isArray(value)) {
      const list: ResolvedList = { segments, lastPresent: -1 };
      return value
        .filter((item, at) => isPresent(item, { list, at }))
        .map((item, at) => inner(item, [...segments, String(at)]));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => isPresent(item))
        .map(([name, item]) => [name, inner(item, [...segments, name])]),
    );
  };
  /** Returns whether an item is not a pointer to a missing node. */
  const isPresent = (item: Json, row?: MissingItem): boolean => {
    const id = isPointer(item) ? item.slice(SIGIL.length) : undefined;
    if (id !== undefined && !Object.hasOwn(nodes, id)) {
      resolved.missing.set(id, resolved.missing.has(id) ? undefined : row);
      return false;
    }
    if (row) row.list.lastPresent = row.at;
    return true;
  };
  if (Object.hasOwn(nodes, ROOT)) resolved.model = node(ROOT, []);
  for (const id of extraIds) {
    if (resolved.locations.has(id)) continue;
    const segments = freeLocation(resolved.model, id, locationBelow(id, resolved.locations));
    if (segments === undefined) continue;
    if (Object.hasOwn(nodes, id))
      resolved.model = insertValue(resolved.model ?? {}, segments, node(id, segments));
    // Reserves the location for the missing node.
    else if (segments[0] !== id && !id.startsWith("/")) resolved.locations.set(id, segments);
  }
  return resolved;
}

/**
 * Returns a free location for a node that `root` does not reach. Returns undefined if the location
 * in its id is in use or the model is not an object.
 */
function freeLocation(
  model: Json | undefined,
  id: string,
  location: string[],
): string[] | undefined {
  let segments = location;
  for (let number = 2; !isFree(model, segments); number += 1) {
    if (id.startsWith("/") || !isJsonObject(model)) return undefined;
    segments = [`${id}_${number}`];
  }
  return checkPath(model, segments, "") ? undefined : segments;
}

/** Returns the location of a node, below its nearest ancestor with a location. */
function locationBelow(id: string, locations: ReadonlyMap<string, string[]>): string[] {
  if (!id.startsWith("/")) return locationOf(id);
  for (let end = id.lastIndexOf("/"); end > 0; end = id.lastIndexOf("/", end - 1)) {
    const location = locations.get(id.slice(0, end));
    if (location) return [...location, ...segmentsOf(id.slice(end))];
  }
  return locationOf(id);
}

/** Returns the location of a node of the data model that may have no pointer yet. */
export function locationIn(nodes: HamNodes, id: string): string[] {
  return locationBelow(id, resolveModel(nodes).locations);
}

/** Sets the value at a location of a model in place. The path must have passed `checkPath`. */
function insertValue(model: Json | undefined, segments: readonly string[], value: Json): Json {
  const [segment, ...rest] = segments;
  if (segment === undefined) return value;
  const container: Json[] | JsonObject = isObject(model) ? model : isIndex(segment) ? [] : {};
  const inner = insertValue(getOwn(container, segment), rest, value);
  if (Array.isArray(container)) {
    while (container.length < Number(segment)) container.push(null);
    container[Number(segment)] = inner;
  } else setOwn(container, segment, inner);
  return container;
}

/** Returns the data model of nodes, including nodes that were created before their parent. */
export function dataModelOf(nodes: HamNodes): Json | undefined {
  const extraIds = Object.keys(nodes).filter((id) => id.startsWith("/"));
  // Parents are inserted before their children.
  extraIds.sort((a, b) => locationOf(a).length - locationOf(b).length);
  return resolveModel(nodes, extraIds).model;
}

/**
 * Returns the location of a node that `root` does not reach: the pointer in its id, or its id as a
 * key.
 */
export function locationOf(id: string): string[] {
  if (id === ROOT) return [];
  return id.startsWith("/") ? segmentsOf(id) : [id];
}

/**
 * Returns whether a location is free. Null is free, because user input below it creates a node
 * without a pointer.
 */
export function isFree(model: Json | undefined, segments: readonly string[]): boolean {
  let at = model;
  for (const segment of segments) {
    if (at === undefined || at === null) return true;
    if (!isObject(at)) return false;
    // An orphan can be in an existing item, but not add an item.
    if (Array.isArray(at) && !Object.hasOwn(at, segment)) return false;
    at = getOwn(at, segment);
  }
  return at === undefined || at === null;
}

export function isObject(value: Json | undefined): value is Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}

/** Returns the own property or list item of a name, or undefined. */
export function getOwn(value: Json | undefined, name: string): Json | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
