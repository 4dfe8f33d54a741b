import { BynameError } from "../errors.js";
import { setOwn } from "../json-text.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import { idOf, isIndex, pointerOf, ROOT, segmentsOf } from "./names.js";
import { deepest, isDeeper, isNamed, obstacle } from "./path.js";

/** What pointers begin with in a store of A2UI. */
export const SIGIL = "*";

/** What stands for the node at a place. */
export function pointerTo(segments: readonly string[]): string {
  return SIGIL + idOf(segments);
}

export function isPointer(value: Json | undefined): value is string {
  return typeof value === "string" && value.startsWith(SIGIL);
}

/** A data model that shows more values is none that anybody could send. */
const most = 1_000_000;
/** The ids of all nodes together: a long name counts again in each node below it. */
const mostText = 100_000_000;

/** The nodes of a data model, or of what stands at a place in one; null where it is too large. */
export function nodesOf(model: Json | undefined, place: readonly string[] = []): HamNodes | null {
  const nodes: [string, Json][] = [];
  let text = 0;
  /** Answers the pointer to the node that it adds. */
  const add = (segments: readonly string[], value: Json): string => {
    if (isTooLarge()) return "";
    const id = idOf(segments);
    text += id.length;
    const below = (name: string, item: Json): string => add([...segments, name], item);
    const at = nodes.push([id, value]) - 1;
    if (Array.isArray(value)) {
      nodes[at] = [id, value.map((item, index) => below(String(index), item))];
    } else if (isJsonObject(value)) {
      const made = Object.entries(value).map(([name, item]): [string, Json] => [
        name,
        isInline(name, item) ? item : below(name, item),
      ]);
      nodes[at] = [id, Object.fromEntries(made)];
    }
    return pointerTo(segments);
  };
  const isTooLarge = (): boolean => nodes.length > most || text > mostText;
  if (isDeeper(model, deepest - place.length)) return null;
  if (model !== undefined) add(place, model);
  return isTooLarge() ? null : Object.fromEntries(nodes);
}

/** Text that begins with the sigil is hoisted; what is named like an item is a node as items are. */
export function isInline(name: string, value: Json): boolean {
  if (isIndex(name)) return false;
  return !isPointer(value) && !isObject(value);
}

/** The update that leads from what a store holds to the nodes of a model. Nodes that are named otherwise are none of A2UI's, and stay. */
export function difference(before: HamNodes, after: HamNodes): HamNodes {
  const gone = Object.keys(before).filter((id) => isOfModel(id) && !Object.hasOwn(after, id));
  const made = Object.entries(after).filter(
    ([id, value]) => !Object.hasOwn(before, id) || !jsonEqual(before[id], value),
  );
  return Object.fromEntries([...gone.map((id): [string, Json] => [`!${id}`, null]), ...made]);
}

/** Makes an update of nodes. */
export function applyTo(nodes: HamNodes, update: JsonObject): void {
  for (const key of Object.keys(update)) {
    if (key.startsWith("!")) delete nodes[key.slice(1)];
  }
  for (const [key, value] of Object.entries(update)) {
    if (!key.startsWith("!")) setOwn(nodes, key, value);
  }
}

/** Whether a node is one that A2UI made. */
function isOfModel(id: string): boolean {
  return id === ROOT || id.startsWith("/");
}

/** A model with the value at a path replaced, or taken away where it is undefined. No obstacle may be in its way. */
export function withValue(
  model: Json | undefined,
  [segment, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (segment === undefined) return value;
  const held: Json = isObject(model) ? model : isIndex(segment) ? [] : {};
  if (Array.isArray(held)) {
    const list = [...held];
    const inner = withValue(list[Number(segment)], rest, value);
    while (list.length < Number(segment)) list.push(null);
    list[Number(segment)] = inner ?? null;
    return list;
  }
  const map = held as JsonObject;
  const inner = withValue(Object.hasOwn(map, segment) ? map[segment] : undefined, rest, value);
  const others = Object.entries(map).filter(([name]) => name !== segment);
  if (inner === undefined) return Object.fromEntries(others);
  if (others.length === Object.keys(map).length)
    return Object.fromEntries([...others, [segment, inner]]);
  // A key that stays keeps its place.
  return Object.fromEntries(
    Object.entries(map).map(([name, item]) => [name, name === segment ? inner : item]),
  );
}

/** A step that A2UI takes: a value at a path, or none. */
export interface ModelChange {
  path: string;
  value?: Json;
}

/** The updates by path that lead from one model to another. A list that has another length, except at its end, is sent anew, and so is an object where no path names what changed. */
export function changesOf(before: Json | undefined, after: Json | undefined): ModelChange[] {
  const changes: ModelChange[] = [];
  const visit = (old: Json | undefined, now: Json | undefined, segments: string[]): void => {
    if (jsonEqual(old, now)) return;
    const path = segments.length === 0 ? "/" : pointerOf(segments);
    if (now === undefined) changes.push({ path });
    else if (Array.isArray(old) && Array.isArray(now) && now.length >= old.length) {
      const same = old.filter((item, at) => jsonEqual(item, now[at])).length;
      // Where most items differ, something was put in front of them, or they came at once.
      if (same * 2 < now.length) changes.push({ path, value: now });
      else {
        for (const [at, item] of now.entries()) visit(old[at], item, [...segments, String(at)]);
      }
    } else if (isJsonObject(old) && isJsonObject(now)) {
      const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
      const changed = names.filter((name) => !jsonEqual(ownOf(old, name), ownOf(now, name)));
      if (!changed.every(isNamed)) changes.push({ path, value: now });
      else {
        for (const name of changed) visit(ownOf(old, name), ownOf(now, name), [...segments, name]);
      }
    } else changes.push({ path, value: now });
  };
  visit(before, after, []);
  return changes;
}

/** Another value at a place where one stood. */
export interface ValueChange {
  segments: string[];
  value: Json;
}

/**
 * The values that an update makes others, where that is all it does: one node, shown in one place, in which text, numbers
 * and booleans become others. Then nothing else of the model has to be looked at; else the answer is undefined.
 */
export function valuesOf(
  update: JsonObject,
  nodes: HamNodes,
  { model, places, shared, cyclic }: Shown,
): ValueChange[] | undefined {
  const [id = "", ...others] = Object.keys(update);
  const now = update[id];
  const place = places.get(id);
  const old = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
  if (others.length > 0 || place === undefined || shared.has(id) || cyclic.has(id))
    return undefined;
  if (!isJsonObject(old) || !isJsonObject(now) || !isSteady(model, place)) return undefined;
  const names = Object.keys(old);
  const changed = names.filter((name) => !jsonEqual(old[name], ownOf(now, name)));
  // Null is nothing, and what stands under its own name may come there.
  const isValue = (value: Json | undefined): value is Json =>
    value !== undefined && value !== null && !isPointer(value) && !isObject(value);
  const values = changed.map((name): [string, Json | undefined] => [name, ownOf(now, name)]);
  if (names.length !== Object.keys(now).length) return undefined;
  if (!values.every(([name, value]) => isNamed(name) && isValue(old[name]) && isValue(value))) {
    return undefined;
  }
  return values.map(([name, value]) => ({ segments: [...place, name], value: value as Json }));
}

/**
 * Takes the row that an update brings, where that is all it does: one node that holds no others, for which a list waits
 * that has rows, and none behind it. Then nothing else of the model has to be looked at; else the answer is undefined.
 */
export function takeRow(update: JsonObject, shown: Shown): ValueChange | undefined {
  const [id = "", ...others] = Object.keys(update);
  const value = update[id];
  const waiting = shown.waiting.get(id);
  // Where there was no root, all of it comes with this.
  if (others.length > 0 || waiting === undefined || id === ROOT || id.startsWith("!")) {
    return undefined;
  }
  const { list, at } = waiting;
  const rows = list.segments.reduce(ownOf, shown.model);
  const isPlain =
    isJsonObject(value) &&
    Object.values(value).every((item) => !isPointer(item) && !isObject(item));
  if (!isPlain || !Array.isArray(rows) || rows.length === 0 || at < list.last) return undefined;
  const segments = [...list.segments, String(rows.length)];
  const count = shown.count + 2 + Object.keys(value).length;
  if (count > most || segments.length >= deepest) return undefined;
  if (!isSteady(shown.model, list.segments)) return undefined;
  shown.places.set(id, segments);
  shown.waiting.delete(id);
  shown.count = count;
  list.last = at;
  return { segments, value: { ...value } };
}

/** Whether all on the way to a place is named by a path, and stays when one thing at its end is another. */
function isSteady(model: Json | undefined, place: readonly string[]): boolean {
  let at = model;
  return place.every((segment) => {
    // A list of which most items are others is sent anew.
    const isKept = Array.isArray(at) ? at.length > 1 : isNamed(segment);
    at = ownOf(at, segment);
    return isKept;
  });
}

/** What a document shows as a data model, and where each node of it stands. */
export interface Shown {
  model: Json | undefined;
  /** The first pointer to each node that `root` reaches. */
  places: Map<string, string[]>;
  /** Nodes that stand in several places. */
  shared: Set<string>;
  /** Nodes that hold themselves: where they come again, there is null. */
  cyclic: Set<string>;
  /** The nodes that are pointed to and are not there: which row of which list each is, or nothing where it is no single row. */
  waiting: Map<string, Waiting | undefined>;
  /** How many values are shown. */
  count: number;
}

/** A row of a list that is not there. */
interface Waiting {
  list: ShownList;
  /** Its place among all rows. */
  at: number;
}

interface ShownList {
  segments: string[];
  /** The place of the last row that is there, among all rows. */
  last: number;
}

/** Follows all pointers. `more` are ids that `root` may not reach, which then stand under their own names, or at the place that they name. */
export function show(nodes: HamNodes, more: Iterable<string> = []): Shown {
  const shown: Shown = {
    model: undefined,
    places: new Map(),
    shared: new Set(),
    cyclic: new Set(),
    waiting: new Map(),
    count: 0,
  };
  const open = new Set<string>();
  const node = (id: string, segments: string[]): Json => {
    if (open.has(id)) {
      shown.cyclic.add(id);
      return null;
    }
    if (shown.places.has(id)) shown.shared.add(id);
    else shown.places.set(id, segments);
    open.add(id);
    const value = nodes[id] as Json;
    const made = isObject(value) ? inner(value, segments) : value;
    open.delete(id);
    return made;
  };
  const inner = (value: Json, segments: string[]): Json => {
    shown.count += 1;
    if (shown.count > most || segments.length > deepest) {
      throw new BynameError("too-large", "the document shows too much for a data model of A2UI");
    }
    if (isPointer(value)) {
      const id = value.slice(SIGIL.length);
      return Object.hasOwn(nodes, id) ? node(id, segments) : null;
    }
    if (Array.isArray(value)) {
      const list: ShownList = { segments, last: -1 };
      return value
        .filter((item, at) => isThere(item, { list, at }))
        .map((item, at) => inner(item, [...segments, String(at)]));
    }
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => isThere(item))
        .map(([name, item]) => [name, inner(item, [...segments, name])]),
    );
  };
  /** A pointer to nothing is a row that is not there. */
  const isThere = (item: Json, row?: Waiting): boolean => {
    const id = isPointer(item) ? item.slice(SIGIL.length) : undefined;
    if (id !== undefined && !Object.hasOwn(nodes, id)) {
      shown.waiting.set(id, shown.waiting.has(id) ? undefined : row);
      return false;
    }
    if (row) row.list.last = row.at;
    return true;
  };
  if (Object.hasOwn(nodes, ROOT)) shown.model = node(ROOT, []);
  for (const id of more) {
    if (shown.places.has(id)) continue;
    const segments = freePlace(shown.model, id);
    if (segments === undefined) continue;
    if (Object.hasOwn(nodes, id))
      shown.model = put(shown.model ?? {}, segments, node(id, segments));
    // Until it comes, nothing else is shown for it.
    else if (segments[0] !== id && !id.startsWith("/")) shown.places.set(id, segments);
  }
  return shown;
}

/**
 * Where a node can stand that `root` does not reach: what is there already is not written over. Nowhere, where the place in its name is
 * taken, or the model is no object.
 */
function freePlace(model: Json | undefined, id: string): string[] | undefined {
  let segments = placeOf(id);
  for (let number = 2; !isFree(model, segments); number += 1) {
    if (id.startsWith("/") || !isJsonObject(model)) return undefined;
    segments = [`${id}_${number}`];
  }
  return obstacle(model, segments, "") ? undefined : segments;
}

/** Puts a value at a place of a model that is nobody else's. No obstacle may be in its way. */
function put(model: Json | undefined, segments: readonly string[], value: Json): Json {
  const [segment, ...rest] = segments;
  if (segment === undefined) return value;
  const held: Json[] | JsonObject = isObject(model) ? model : isIndex(segment) ? [] : {};
  const inner = put(ownOf(held, segment), rest, value);
  if (Array.isArray(held)) {
    while (held.length < Number(segment)) held.push(null);
    held[Number(segment)] = inner;
  } else setOwn(held, segment, inner);
  return held;
}

/** What a store shows as a data model, with nodes that were made before their owner came. */
export function modelOf(nodes: HamNodes): Json | undefined {
  const more = Object.keys(nodes).filter((id) => id.startsWith("/"));
  // What holds others comes before them, or it would find its place taken.
  more.sort((a, b) => placeOf(a).length - placeOf(b).length);
  return show(nodes, more).model;
}

/** Where a node stands that \`root\` does not reach: its id is the pointer where it came from A2UI. */
export function placeOf(id: string): string[] {
  if (id === ROOT) return [];
  return id.startsWith("/") ? segmentsOf(id) : [id];
}

/** Whether nothing stands at a place. Null is nothing: what a user types below it makes a node that null does not point to. */
export function isFree(model: Json | undefined, segments: readonly string[]): boolean {
  let at = model;
  for (const segment of segments) {
    if (at === undefined || at === null) return true;
    if (!isJsonObject(at)) return false;
    at = ownOf(at, segment);
  }
  return at === undefined || at === null;
}

export function isObject(value: Json | undefined): value is Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}

/** What stands under a name of an object, or at an index of a list. */
export function ownOf(value: Json | undefined, name: string): Json | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
