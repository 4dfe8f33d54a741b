import { escapePointer } from "../json-text.js";
import { type JsonObject, jsonEqual } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import { isInline, isObject, isPointer, nodesOf, pointerTo, SIGIL } from "./model.js";
import { idOf, isIndex, pointerOf } from "./names.js";
import { deepest, isNamed } from "./path.js";

/** Where the nodes of a data model are asked for one by one. */
export interface Nodes {
  has(id: string): boolean;
  /** A node in which pointers are text; text of users looks like them where it begins with the sigil. */
  get(id: string): Json | undefined;
  /** What a node holds under a key, or at an index. */
  entry(id: string, key: string): Json | undefined;
  /** Those that begin so and that the data model does not reach. */
  orphans(prefix: string): string[];
}

/** What earlier updates have found out: to find out is to look at all that a list or a map holds. */
export interface Known {
  /** Whether nobody else writes into the nodes. Then what was plain is plain. */
  readonly alone: boolean;
  /** The ids of lists and maps in which all was named as A2UI names it; and of lists, how many items have been looked for. */
  readonly plain: Map<string, number>;
}

/**
 * The update that puts a value at a path, or takes away what is there where it is undefined. It looks at nothing but the nodes
 * on the way and at the place, so all in them has to be named as A2UI names it; where it is not, the answer is undefined.
 */
export function updateAt(
  nodes: Nodes,
  segments: readonly string[],
  value: Json | undefined,
  found: Known,
): HamNodes | undefined {
  const key = segments.at(-1);
  const above = segments.slice(0, -1);
  const isStraight = above.every((name, at) => {
    const held = nodes.entry(idOf(above.slice(0, at)), name);
    return held === pointerTo(above.slice(0, at + 1));
  });
  if (key === undefined || !isStraight) return undefined;
  const old = nodes.entry(idOf(above), key);
  const before = new Map<string, Json>();
  if (!collect(nodes, old, segments, before)) return undefined;

  // What holds it has to be known where it is added or taken away: an item of a list that is taken away is null.
  const isKnown = old !== undefined && value !== undefined;
  const known = isKnown ? undefined : nodes.get(idOf(above));
  if (!isKnown && !isObject(known)) return undefined;
  const given = Array.isArray(known) ? (value ?? null) : value;
  const isNode = given !== undefined && !isInline(key, given);
  const entry = isNode ? pointerTo(segments) : given;
  const made = isNode ? nodesOf(given, segments) : {};
  if (made === null) return undefined;
  const isOther = old !== entry;
  const holder = isOther ? (known ?? nodes.get(idOf(above))) : undefined;
  const held = isObject(holder) ? withEntry(holder, key, entry) : undefined;
  // What is written again has to be what it was.
  if (isOther && (!isObject(holder) || held === undefined)) return undefined;
  if (isObject(holder) && !isPlain(nodes, above, key, holder, found)) return undefined;
  if (isOther) found.plain.set(idOf(above), Array.isArray(held) ? held.length : 0);

  const gone = [...before.keys()].filter((id) => !Object.hasOwn(made, id));
  const changed = Object.entries(made).filter(([id, one]) => !jsonEqual(before.get(id), one));
  if (held !== undefined) changed.unshift([idOf(above), held]);
  return Object.fromEntries([...gone.map((id): [string, Json] => [`!${id}`, null]), ...changed]);
}

/** Whether all entries of a holder, but for one, are pointers as A2UI makes them, or values that nobody takes for pointers. */
function isPlain(
  nodes: Nodes,
  place: readonly string[],
  but: string,
  holder: Json[] | JsonObject,
  { alone, plain }: Known,
): boolean {
  const looked = plain.get(idOf(place));
  if (alone && looked !== undefined) return true;
  const above = place.length === 0 ? "" : pointerOf(place);
  if (Array.isArray(holder)) {
    // A list may have ten thousand items: each is looked for once, and only compared from then on, even if another writer takes its node away.
    const [start, except] = [`${SIGIL}${above}/`, Number(but)];
    return holder.every((entry, at) => {
      if (at === except || !(isPointer(entry) || isObject(entry))) return true;
      return entry === start + at && (at < (looked ?? 0) || nodes.has(`${above}/${at}`));
    });
  }
  return Object.entries(holder).every(([name, entry]) => {
    if (name === but || !(isPointer(entry) || isObject(entry))) return true;
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
  holder: Json[] | JsonObject,
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
