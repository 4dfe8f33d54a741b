// Readings of the reference model, computed without caches.
// A location is a node, or a literal inside one: {node, path}, the path being property names and
// ordinals among the literals of a list.

import { isLegalId } from "./update.mjs";
import { isLiteral, isMap } from "./values.mjs";

export const TOP = { node: "root", path: [] };

class TooDeep extends Error {}

/** Returns the location that a binding starts from, or null if the binding is invalid. */
export function locationOf(binding, context, { sigil, repair }) {
  if (binding.node === undefined) return context ?? TOP;
  const strip = repair && binding.node.startsWith(sigil);
  const node = strip ? binding.node.slice(sigil.length) : binding.node;
  return isLegalId(node, sigil) ? { node, path: [] } : null;
}

/** Returns the stored value at a location, or undefined. */
export function valueAt(nodes, location, sigil) {
  let value = nodes.get(location.node);
  for (const step of location.path) {
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

/** Returns the id that an inner value points to, or null if it is not a pointer. */
export function pointerId(inner, sigil) {
  const points = typeof inner === "string" && inner.startsWith(sigil);
  return points ? inner.slice(sigil.length) : null;
}

/** Returns {value, status, ref}. */
export function readingOf(nodes, binding, context, options) {
  const location = locationOf(binding, context, options);
  if (location === null) return { value: null, status: "error", ref: undefined };
  const found = valueAt(nodes, location, options.sigil);
  if (binding.key === undefined) {
    const enclosing = location.path.length === 0 ? [location.node] : [];
    return toReading(found, location.path.length === 0, enclosing, undefined, nodes, options);
  }
  if (!isMap(found) || !Object.hasOwn(found, binding.key)) return missing(undefined);
  const property = found[binding.key];
  const ref = pointerId(property, options.sigil);
  if (ref === null) return toReading(property, false, [], undefined, nodes, options);
  return toReading(nodes.get(ref), true, [ref], ref, nodes, options);
}

function missing(ref) {
  return { value: null, status: "missing", ref };
}

function toReading(value, isNode, enclosing, ref, nodes, options) {
  if (value === undefined) return missing(ref);
  const state = { nodes, sigil: options.sigil, left: options.deepRead };
  try {
    const deep = isNode ? expandNode(value, enclosing, state) : expand(value, enclosing, state);
    return { value: deep, status: "ok", ref };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { value: null, status: "error", ref };
  }
}

/** A node's own text is a literal (rule 3), inner text is not (rule 4). */
function expandNode(value, enclosing, state) {
  return typeof value === "string" ? value : expand(value, enclosing, state);
}

function expand(value, enclosing, state) {
  state.left -= 1;
  if (state.left < 0) throw new TooDeep();
  if (isLiteral(value)) return value.text;
  if (Array.isArray(value)) return value.map((item) => expand(item, enclosing, state));
  if (isMap(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, expand(item, enclosing, state)]),
    );
  }
  const id = pointerId(value, state.sigil);
  if (id === null) return value;
  if (enclosing.includes(id) || !state.nodes.has(id)) return null;
  return expandNode(state.nodes.get(id), [...enclosing, id], state);
}
