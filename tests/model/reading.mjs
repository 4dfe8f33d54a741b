// Readings of the reference model, each computed from scratch.
// A place is a node, or a literal inside one: {node, path}, the path being property names and
// ordinals among the literals of a list.

import { isLegalId } from "./update.mjs";
import { isHeld, isMap } from "./values.mjs";

export const TOP = { node: "root", path: [] };

class TooDeep extends Error {}

/** The place that a binding starts from, or null where the binding is malformed. */
export function placeOf(binding, context, { sigil, repair }) {
  if (binding.node === undefined) return context ?? TOP;
  const strip = repair && binding.node.startsWith(sigil);
  const node = strip ? binding.node.slice(sigil.length) : binding.node;
  return isLegalId(node, sigil) ? { node, path: [] } : null;
}

/** The stored value at a place; undefined where there is none. */
export function valueAt(nodes, place, sigil) {
  let value = nodes.get(place.node);
  for (const step of place.path) {
    if (typeof step === "number") {
      if (!Array.isArray(value)) return undefined;
      value = value.filter((item) => pointerId(item, sigil) === null)[step];
    } else {
      if (!isMap(value) || !Object.hasOwn(value, step)) return undefined;
      value = value[step];
    }
  }
  return value;
}

/** The id that an inner value points to; null for everything that is no pointer. */
export function pointerId(inner, sigil) {
  const points = typeof inner === "string" && inner.startsWith(sigil);
  return points ? inner.slice(sigil.length) : null;
}

/** {value, status, ref}; ref is undefined where there is none. */
export function readingOf(nodes, binding, context, options) {
  const place = placeOf(binding, context, options);
  if (place === null) return { value: null, status: "error", ref: undefined };
  const found = valueAt(nodes, place, options.sigil);
  if (binding.key === undefined) {
    const way = place.path.length === 0 ? [place.node] : [];
    return settle(found, place.path.length === 0, way, undefined, nodes, options);
  }
  if (!isMap(found) || !Object.hasOwn(found, binding.key)) return missing(undefined);
  const property = found[binding.key];
  const ref = pointerId(property, options.sigil);
  if (ref === null) return settle(property, false, [], undefined, nodes, options);
  return settle(nodes.get(ref), true, [ref], ref, nodes, options);
}

function missing(ref) {
  return { value: null, status: "missing", ref };
}

function settle(value, isNode, way, ref, nodes, options) {
  if (value === undefined) return missing(ref);
  const walk = { nodes, sigil: options.sigil, left: options.deepRead };
  try {
    const deep = isNode ? expandNode(value, way, walk) : expand(value, way, walk);
    return { value: deep, status: "ok", ref };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { value: null, status: "error", ref };
  }
}

/** A node's own text is a literal (rule 3), inner text is not (rule 4). */
function expandNode(value, way, walk) {
  return typeof value === "string" ? value : expand(value, way, walk);
}

function expand(value, way, walk) {
  walk.left -= 1;
  if (walk.left < 0) throw new TooDeep();
  if (isHeld(value)) return value.text;
  if (Array.isArray(value)) return value.map((item) => expand(item, way, walk));
  if (isMap(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, expand(item, way, walk)]),
    );
  }
  const id = pointerId(value, walk.sigil);
  if (id === null) return value;
  if (way.includes(id) || !walk.nodes.has(id)) return null;
  return expandNode(walk.nodes.get(id), [...way, id], walk);
}
