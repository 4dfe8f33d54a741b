// Items of a ChildList in the reference model, with the item keys of rule 21.

import { placeOf, pointerId, valueAt } from "./reading.mjs";
import { isLegalId } from "./update.mjs";
import { isMap } from "./values.mjs";

/** [{key, context}] in order; dangling pointers are skipped, and impossible ones never count. */
export function itemsOf(nodes, list, context, options) {
  const { template, componentId, binding } = list;
  if (template !== undefined && componentId !== undefined && template !== componentId) return [];
  const place = listPlace(nodes, binding, context, options);
  const value = place === null ? undefined : valueAt(nodes, place, options.sigil);
  if (!Array.isArray(value)) return [];
  let ordinal = 0;
  const possible = (item) => {
    const id = pointerId(item, options.sigil);
    return id === null || isLegalId(id, options.sigil);
  };
  const items = value.filter(possible).map((item) => {
    const id = pointerId(item, options.sigil);
    if (id !== null) return { id, context: { node: id, path: [] } };
    return { id: null, context: { node: place.node, path: [...place.path, ordinal++] } };
  });
  const keys = itemKeys(items.map((item) => item.id));
  return items
    .map((item, at) => ({ ...item, key: keys[at] }))
    .filter((item) => item.id === null || nodes.has(item.id))
    .map((item) => ({ key: item.key, context: item.context }));
}

/** The place of the list itself: through a pointer property it is the node that is named. */
function listPlace(nodes, binding, context, options) {
  const place = placeOf(binding, context, options);
  if (place === null || binding.key === undefined) return place;
  const owner = valueAt(nodes, place, options.sigil);
  if (!isMap(owner) || !Object.hasOwn(owner, binding.key)) return null;
  const id = pointerId(owner[binding.key], options.sigil);
  if (id !== null) return { node: id, path: [] };
  return { node: place.node, path: [...place.path, binding.key] };
}

/** Keys for a list of node ids (null for a literal). */
export function itemKeys(ids) {
  const plain = new Set(ids.filter((id) => id !== null));
  const taken = new Set(plain);
  const counts = new Map();
  let ordinal = 0;
  return ids.map((id) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (id !== null && count === 1) return id;
    const number = id === null ? ordinal++ : count;
    let signs = "#";
    while (taken.has(`${id ?? ""}${signs}${number}`)) signs += "#";
    const key = `${id ?? ""}${signs}${number}`;
    taken.add(key);
    return key;
  });
}
