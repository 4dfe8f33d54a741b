import type { Diagnostic, HamNodes, Json } from "../types.js";
import { expandNode, getOwn, isObject, SIGIL } from "./data-model.js";
import { pointerOf, ROOT, segmentsOf } from "./node-ids.js";
import { isNodeReader, type NodeSource } from "./node-source.js";
import { checkPath } from "./path-checks.js";
import { dataModelOf, locationIn } from "./resolved-model.js";

/** Returns the changes of the nodes that set a value, or null if it cannot be set. */
type SetValue = (nodes: HamNodes, segments: readonly string[], value: Json) => HamNodes | null;

/**
 * Adds the nodes that user input has created to the data model, with the objects and lists on their
 * paths, as A2UI does. HAM writes into a node that nothing points to, so an action that reads an
 * object around it would not contain the input.
 */
export function attachInput(
  store: NodeSource,
  ids: readonly string[],
  diagnostics: Diagnostic[],
  set: SetValue,
): void {
  for (const id of ids) {
    if (!isUnattached(store, id)) continue;
    const nodes = store.export();
    const value = expandNode(id, { get: (one) => getOwn(nodes, one) });
    const segments = locationIn(nodes, id);
    const [key] = isObject(value) ? Object.keys(value) : [];
    const path = key === undefined ? segments : [...segments, key];
    const error = checkPath(dataModelOf(nodes), path, "");
    if (error !== undefined) {
      const text = `cannot store the input at the path \`${pointerOf(path)}\`: ${error.message}`;
      diagnostics.push({ ...error, severity: "warning", message: text });
      continue;
    }
    const update = set(nodes, segments, value);
    if (update !== null) store.apply?.(update);
  }
}

/** Returns whether the container of a node of the data model does not point to it. */
function isUnattached(store: NodeSource, id: string): boolean {
  const key = id.startsWith("/") ? segmentsOf(id).at(-1) : undefined;
  if (key === undefined || !isNodeReader(store)) return false;
  const parent = id.slice(0, id.lastIndexOf("/")) || ROOT;
  // The items of a list that was sent again may have moved.
  return store.entry(parent, key) !== SIGIL + id && store.orphans("/").includes(id);
}
