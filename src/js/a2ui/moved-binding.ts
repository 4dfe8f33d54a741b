import { escapePointer } from "../json-text.js";
import type { Binding, Json } from "../types.js";
import { getOwn, isPointer, SIGIL } from "./data-model.js";
import { unusedItemId } from "./list-identity.js";
import { bindingOf, isIndex, ROOT, segmentsOf } from "./node-ids.js";

/** Returns the binding of an absolute path in nodes in which items of lists have moved. */
export function movedBinding(
  path: string,
  nodeOf: (id: string) => Json | undefined,
): Binding | null {
  const segments = segmentsOf(path);
  const binding = bindingOf(path);
  if (!segments.some(isIndex) || binding === null) return binding;
  const { key } = binding;
  const owners = key === undefined ? segments : segments.slice(0, -1);
  let id = ROOT;
  for (const segment of owners) {
    const node = nodeOf(id);
    const entry = getOwn(node, segment);
    const next = `${id === ROOT ? "" : id}/${escapePointer(segment)}`;
    if (isPointer(entry)) id = entry.slice(SIGIL.length);
    else id = unusedItemId(id, node) ?? next;
  }
  return key === undefined ? { node: id } : { node: id, key };
}
