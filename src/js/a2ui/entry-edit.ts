import type { HamNodes, Json } from "../types.js";
import { isPointer, SIGIL } from "./data-model.js";
import { idOf, isIndex } from "./node-ids.js";
import type { NodeReader } from "./node-reader.js";
import { isReachable } from "./path-checks.js";

/** Change of an entry of a list or map. */
export interface EntryChange {
  parent: readonly string[];
  parentType: "list" | "map";
  key: string;
  oldEntry: Json | undefined;
  /** New entry, or undefined to delete it. */
  entry: Json | undefined;
}

/**
 * Returns the edit of a change, whose size does not depend on that of the list or map. Returns
 * undefined if the change is neither of a map nor an item at the end of a list, or if another entry
 * points to the same node.
 */
export function entryEdit(
  nodes: Pick<NodeReader, "entry" | "countPointers">,
  { parent, parentType, key, oldEntry, entry }: EntryChange,
): HamNodes | undefined {
  const id = idOf(parent);
  const count = (pointer: string): number | undefined =>
    nodes.countPointers?.(id, pointer.slice(SIGIL.length));
  if (isPointer(oldEntry) && count(oldEntry) !== 1) return undefined;
  if (isPointer(entry) && count(entry) !== 0) return undefined;
  if (parentType === "map") {
    if (!isReachable(key)) return undefined;
    return entry === undefined ? { [`-${id}`]: [key] } : { [`~${id}`]: { [key]: entry } };
  }
  if (oldEntry !== undefined || !isPointer(entry) || !isIndex(key)) return undefined;
  const at = Number(key);
  const isAtEnd = at === 0 || nodes.entry(id, String(at - 1)) !== undefined;
  return isAtEnd ? { [`+${id}`]: { items: [entry] } } : undefined;
}
