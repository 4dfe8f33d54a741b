import type { HamNodes, Json } from "../types.js";
import { isPointer, SIGIL } from "./data-model.js";

/** Returns the ids of nodes that neither the starts nor pointers from them reach. */
export function unreachedNodes(nodes: HamNodes, starts: Iterable<string>): string[] {
  const reached = new Set(starts);
  // A set visits the ids that are added while it is read.
  for (const id of reached) if (Object.hasOwn(nodes, id)) addPointers(nodes[id] ?? null, reached);
  return Object.keys(nodes).filter((id) => !reached.has(id));
}

/** Adds the ids that a value points to. Needs no stack for deep nesting. */
function addPointers(value: Json, ids: Set<string>): void {
  const pending = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (isPointer(one)) ids.add(one.slice(SIGIL.length));
    else if (typeof one === "object" && one !== null)
      for (const inner of Object.values(one)) pending.push(inner);
  }
}
