import { BynameError } from "../errors.js";
import { setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import { getOwn, isObject, isPointer, maxValues, SIGIL } from "./data-model.js";
import { isIndex, ROOT, segmentsOf } from "./node-ids.js";
import { checkPath, isReachable, maxDepth } from "./path-checks.js";

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
