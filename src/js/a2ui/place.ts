import { escapePointer } from "../text.js";
import type { HamNodes, Json } from "../types.js";
import { equal, type Fields } from "../value.js";
import { isInline, isObject, isPointer, nodesOf, ownOf, pointerTo, SIGIL } from "./model.js";
import { idOf, isIndex, pointerOf } from "./names.js";
import { deepest, isNamed } from "./path.js";

/** Where the nodes of a data model are asked for one by one. */
export interface Nodes {
  /** The lists and maps that hold nothing but what is named as A2UI names it, where they stay the same objects: to look is to look at all. */
  readonly plain?: WeakSet<object>;
  has(id: string): boolean;
  /** A node in which pointers are text; text of users looks like them where it begins with the sigil. */
  get(id: string): Json | undefined;
  /** Those that the data model does not reach. */
  orphans(): string[];
}

/**
 * The update that puts a value at a path, or takes away what is there where it is undefined. It looks at nothing but the nodes
 * on the way and at the place, so all in them has to be named as A2UI names it; where it is not, the answer is undefined.
 */
export function updateAt(
  nodes: Nodes,
  segments: readonly string[],
  value: Json | undefined,
): HamNodes | undefined {
  const key = segments.at(-1);
  const above = segments.slice(0, -1);
  const isStraight = above.every((name, at) => {
    const held = ownOf(nodes.get(idOf(above.slice(0, at))), name);
    return held === pointerTo(above.slice(0, at + 1));
  });
  const holder = nodes.get(idOf(above));
  if (key === undefined || !isStraight || !isObject(holder)) return undefined;
  const before = new Map<string, Json>();
  if (!collect(nodes, ownOf(holder, key), segments, before)) return undefined;

  const isItem = Array.isArray(holder);
  const given = isItem ? (value ?? null) : value;
  const isNode = given !== undefined && (isItem || !isInline(key, given));
  const held = withEntry(holder, key, isNode ? pointerTo(segments) : given);
  const made = isNode ? nodesOf(given, segments) : {};
  if (held === undefined || made === null) return undefined;
  const isOther = ownOf(holder, key) !== ownOf(held, key);
  // What is written again has to be what it was.
  if (isOther && !nodes.plain?.has(holder) && !isPlain(nodes, above, key, holder)) return undefined;
  if (isOther && isObject(held)) nodes.plain?.add(held);

  const gone = [...before.keys()].filter((id) => !Object.hasOwn(made, id));
  const changed = Object.entries(made).filter(([id, one]) => !equal(before.get(id), one));
  if (isOther) changed.unshift([idOf(above), held]);
  return Object.fromEntries([...gone.map((id): [string, Json] => [`!${id}`, null]), ...changed]);
}

/** Whether all entries of a holder, but for one, are pointers as A2UI makes them, or values that nobody takes for pointers. */
function isPlain(
  nodes: Nodes,
  place: readonly string[],
  but: string,
  holder: Json[] | Fields,
): boolean {
  const above = place.length === 0 ? "" : pointerOf(place);
  return Object.entries(holder).every(([name, entry]) => {
    if (name === but || !(isPointer(entry) || isObject(entry))) return true;
    // A list may have ten thousand items, whose ids differ in the last step alone.
    const id = `${above}/${escapePointer(name)}`;
    return entry === SIGIL + id && nodes.has(id);
  });
}

/** Adds the nodes that stand at a place and below it. Answers whether all of them are named by their places. */
function collect(
  nodes: Nodes,
  entry: Json | undefined,
  segments: readonly string[],
  found: Map<string, Json>,
): boolean {
  if (entry !== pointerTo(segments)) return !isPointer(entry) && !isObject(entry);
  if (segments.length > deepest) return false;
  const id = idOf(segments);
  const value = nodes.get(id);
  if (value === undefined) return false;
  found.set(id, value);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, item]) =>
    collect(nodes, item, [...segments, name], found),
  );
}

/** The holder with something else under a key, or nothing there where it is undefined. Where A2UI may refuse it the answer is undefined. */
function withEntry(
  holder: Json[] | Fields,
  key: string,
  entry: Json | undefined,
): Json | undefined {
  if (Array.isArray(holder)) {
    const at = Number(key);
    if (!isIndex(key) || at > holder.length) return undefined;
    return [...holder.slice(0, at), entry ?? null, ...holder.slice(at + 1)];
  }
  if (!isNamed(key)) return undefined;
  const { [key]: _, ...others } = holder;
  if (entry === undefined) return others;
  // A key that stays keeps its place.
  return { ...holder, [key]: entry };
}
