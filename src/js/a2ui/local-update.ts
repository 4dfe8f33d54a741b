import { escapePointer } from "../json-text.js";
import { type JsonObject, jsonEqual } from "../json-value.js";
import type { HamNodes, Json } from "../types.js";
import {
  isInlined,
  isObject,
  isPointer,
  nodesOf,
  type PreviousNodes,
  pointerTo,
  SIGIL,
  withValueAt,
} from "./data-model.js";
import { type EntryChange, entryEdit } from "./entry-edit.js";
import { idOf, isIndex, pointerOf } from "./node-ids.js";
import type { NodeReader } from "./node-reader.js";
import { isReachable, maxDepth } from "./path-checks.js";

/** Reader that knows the types of nodes. */
type TypedReader = NodeReader & Required<Pick<NodeReader, "typeOf">>;

/** Parts of the previous nodes that match the items of lists. */
export type ListIdentity = Pick<PreviousNodes, "keyOf" | "report" | "sent">;

/** Form of the updates, and results of earlier checks, which visit all entries of a list or map. */
export interface UpdateContext {
  /** Number of entries from which a list or map is edited, in place of being sent completely. */
  readonly edits: number;
  /** Whether all writes go through this translator, so that a canonical node stays canonical. */
  readonly exclusive: boolean;
  /**
   * Number of checked items by the id of a list or map whose entries all had canonical names; 0 for
   * a map.
   */
  readonly canonical: Map<string, number>;
}

/** Value to set at a location, or none to delete it. */
interface ValueWrite {
  segments: readonly string[];
  value: Json | undefined;
}

/**
 * Returns the update that sets the value at a path, or deletes it if the value is undefined. It
 * reads only the nodes on the path and below it, so these must have canonical names. Returns
 * undefined if they have not.
 */
export function localUpdate(
  nodes: TypedReader,
  path: readonly string[],
  value: Json | undefined,
  context: UpdateContext,
  identity: ListIdentity = {},
): HamNodes | undefined {
  // The complete update reports the error.
  if (path.length > maxDepth) return undefined;
  const write = writeWithAncestors(nodes, { segments: path, value });
  if (identity.sent !== undefined) forgetItems(identity.sent, path);
  return write && updateOf(nodes, write, context, { ...identity, updated: path });
}

/** Removes the values of the items that contain a path, because they change. */
function forgetItems(sent: Map<string, Json>, path: readonly string[]): void {
  for (const [at, segment] of path.entries())
    if (sent.size > 0 && isIndex(segment)) sent.delete(idOf(path.slice(0, at + 1)));
}

/** Returns the update of a write whose path has canonical names. */
function updateOf(
  nodes: TypedReader,
  write: ValueWrite,
  context: UpdateContext,
  identity: Omit<PreviousNodes, "get">,
): HamNodes | undefined {
  const { segments, value } = write;
  const key = segments.at(-1);
  if (key === undefined) return undefined;
  const parent = segments.slice(0, -1);
  const oldEntry = nodes.entry(idOf(parent), key);
  const before = new Map<string, Json>();
  if (!collectNodes(nodes, oldEntry, segments, before)) return undefined;

  const parentType = nodes.typeOf(idOf(parent));
  if (parentType === "null") {
    const outer = writeOfAncestor(write, parent.length);
    return outer && updateOf(nodes, outer, context, identity);
  }
  if (parentType !== "list" && parentType !== "map") return undefined;
  // A deleted list item becomes null.
  const newValue = parentType === "list" ? (value ?? null) : value;
  const isNode = newValue !== undefined && !isInlined(key, newValue);
  const entry = isNode ? pointerTo(segments) : newValue;
  const get = (id: string) => before.get(id);
  const newNodes = isNode ? nodesOf(newValue, segments, { ...identity, get }) : {};
  if (newNodes === null) return undefined;
  for (const [id, node] of Object.entries(newNodes))
    if (Array.isArray(node)) context.canonical.delete(id);
  const change =
    oldEntry === entry
      ? {}
      : containerChange(nodes, { parent, parentType, key, oldEntry, entry }, context);
  if (change === undefined) return undefined;

  const deleted = [...before.keys()].filter((id) => !Object.hasOwn(newNodes, id));
  const changed = Object.entries(newNodes).filter(([id, one]) => !jsonEqual(before.get(id), one));
  return Object.fromEntries([
    ...deleted.map((id): [string, Json] => [`!${id}`, null]),
    ...Object.entries(change),
    ...changed,
  ]);
}

/**
 * Returns the edit of an entry, or the changed list or map. Returns undefined if not all of its
 * entries have canonical names, or if A2UI could reject the result.
 */
function containerChange(
  nodes: NodeReader,
  change: EntryChange,
  context: UpdateContext,
): HamNodes | undefined {
  const { parent, key, entry } = change;
  const id = idOf(parent);
  const size = nodes.sizeOf?.(id) ?? -1;
  const edit = size >= context.edits ? entryEdit(nodes, change) : undefined;
  if (edit !== undefined) return edit;
  const container = nodes.get(id);
  if (!isObject(container)) return undefined;
  const changed = withEntry(container, key, entry);
  // All entries are written again, so they must be known.
  if (changed === undefined || !isCanonical(nodes, parent, key, container, context))
    return undefined;
  context.canonical.set(id, Array.isArray(changed) ? changed.length : 0);
  return { [id]: changed };
}

/**
 * Returns the write with the same result that also creates the missing ancestors. Returns undefined
 * if an ancestor has no canonical name.
 */
function writeWithAncestors(nodes: NodeReader, write: ValueWrite): ValueWrite | undefined {
  const { segments } = write;
  for (let length = 1; length < segments.length; length += 1) {
    const ancestor = segments.slice(0, length);
    const entry = nodes.entry(idOf(ancestor.slice(0, -1)), ancestor.at(-1) as string);
    if (entry === undefined || entry === null) return writeOfAncestor(write, length);
    if (entry !== pointerTo(ancestor)) return undefined;
  }
  return write;
}

/**
 * Returns the write of a missing ancestor with a number of segments that contains the value. Returns
 * undefined if A2UI could reject it.
 */
function writeOfAncestor({ segments, value }: ValueWrite, length: number): ValueWrite | undefined {
  const inner = segments.slice(length);
  // Another index adds nulls, whose number is limited for the complete path.
  const isCreatable = (name: string): boolean => (isIndex(name) ? name === "0" : isReachable(name));
  if (length === 0 || !inner.every(isCreatable)) return undefined;
  return { segments: segments.slice(0, length), value: withValueAt(undefined, inner, value) };
}

/**
 * Returns whether all entries of a container except one are canonical pointers, or values that
 * cannot be pointers.
 */
function isCanonical(
  nodes: NodeReader,
  segments: readonly string[],
  exceptKey: string,
  container: Json[] | JsonObject,
  { exclusive, canonical }: UpdateContext,
): boolean {
  const checkedCount = canonical.get(idOf(segments));
  if (exclusive && checkedCount !== undefined) return true;
  const parentPointer = segments.length === 0 ? "" : pointerOf(segments);
  if (Array.isArray(container)) {
    // Each item of a long list is looked up once, and then only compared, even if another writer
    // deletes its node.
    const [start, except] = [`${SIGIL}${parentPointer}/`, Number(exceptKey)];
    return container.every((entry, at) => {
      if (at === except || !(isPointer(entry) || isObject(entry))) return true;
      return (
        entry === start + at && (at < (checkedCount ?? 0) || nodes.has(`${parentPointer}/${at}`))
      );
    });
  }
  return Object.entries(container).every(([name, entry]) => {
    if (name === exceptKey || !(isPointer(entry) || isObject(entry))) return true;
    const id = `${parentPointer}/${escapePointer(name)}`;
    return entry === SIGIL + id && nodes.has(id);
  });
}

/** Collects the nodes at a path and below it. Returns whether all have canonical names. */
function collectNodes(
  nodes: NodeReader,
  entry: Json | undefined,
  segments: readonly string[],
  collected: Map<string, Json>,
): boolean {
  if (entry !== pointerTo(segments)) return !isPointer(entry) && !isObject(entry);
  if (segments.length > maxDepth) return false;
  const id = idOf(segments);
  const value = nodes.get(id);
  if (value === undefined) return false;
  collected.set(id, value);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, item]) =>
    collectNodes(nodes, item, [...segments, name], collected),
  );
}

/**
 * Returns the container with the entry set, or deleted if it is undefined. Returns undefined if
 * A2UI could reject the result.
 */
function withEntry(
  container: Json[] | JsonObject,
  key: string,
  entry: Json | undefined,
): Json | undefined {
  if (Array.isArray(container)) {
    const at = Number(key);
    if (!isIndex(key) || at > container.length) return undefined;
    return [...container.slice(0, at), entry ?? null, ...container.slice(at + 1)];
  }
  if (!isReachable(key)) return undefined;
  if (entry === undefined) {
    const { [key]: _, ...others } = container;
    return others;
  }
  // Spread keeps the position of an existing key.
  return { ...container, [key]: entry };
}
