// Items of a ChildList in the reference model, with the item keys of rule 21.

import { locationOf, pointerId, valueAt } from "./reading.mjs";
import { isLegalId } from "./update.mjs";
import { isMap } from "./values.mjs";

/** Returns [{key, context}] in order, without dangling and invalid pointers. */
export function itemsOf(nodes, list, context, options) {
  const { template, componentId, binding } = list;
  if (template !== undefined && componentId !== undefined && template !== componentId) return [];
  const location = listLocation(nodes, binding, context, options);
  const value = location === null ? undefined : valueAt(nodes, location, options.sigil);
  if (!Array.isArray(value)) return [];
  let ordinal = 0;
  const isPossible = (item) => {
    const id = pointerId(item, options.sigil);
    return id === null || isLegalId(id, options.sigil);
  };
  const items = value.filter(isPossible).map((item) => {
    const id = pointerId(item, options.sigil);
    if (id !== null) return { id, context: { node: id, path: [] } };
    return { id: null, context: { node: location.node, path: [...location.path, ordinal++] } };
  });
  const keys = itemKeys(items.map((item) => item.id));
  return items
    .map((item, index) => ({ ...item, key: keys[index] }))
    .filter((item) => item.id === null || nodes.has(item.id))
    .map((item) => ({ key: item.key, context: item.context }));
}

/** Returns the location of the list; a pointer property leads to its node. */
function listLocation(nodes, binding, context, options) {
  const location = locationOf(binding, context, options);
  if (location === null || binding.key === undefined) return location;
  const owner = valueAt(nodes, location, options.sigil);
  if (!isMap(owner) || !Object.hasOwn(owner, binding.key)) return null;
  const id = pointerId(owner[binding.key], options.sigil);
  if (id !== null) return { node: id, path: [] };
  return { node: location.node, path: [...location.path, binding.key] };
}

/** Returns the item keys of a list of node ids (null for a literal). */
export function itemKeys(ids) {
  const uniqueIds = new Set(ids.filter((id) => id !== null));
  const usedKeys = new Set(uniqueIds);
  const counts = new Map();
  let ordinal = 0;
  return ids.map((id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (id !== null && count === 1) return id;
    const number = id === null ? ordinal++ : count;
    let hashes = "#";
    while (usedKeys.has(`${id ?? ""}${hashes}${number}`)) hashes += "#";
    const key = `${id ?? ""}${hashes}${number}`;
    usedKeys.add(key);
    return key;
  });
}
