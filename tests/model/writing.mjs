// Writing back in the reference model (rule 25): the document after a write, or null for an error.

import { placeOf, pointerId, valueAt } from "./reading.mjs";
import { isEdit, isLegalId } from "./update.mjs";
import { hold, isMap } from "./values.mjs";

export function afterWrite(nodes, binding, value, context, options) {
  const next = written(nodes, binding, value, context, options);
  const isMade = (id) => !nodes.has(id) && isEdit(id, options.listEdits);
  return next === null || [...next.keys()].some(isMade) ? null : next;
}

function written(nodes, binding, value, context, options) {
  const place = placeOf(binding, context, options);
  if (place === null) return null;
  const found = valueAt(nodes, place, options.sigil);
  if (binding.key === undefined) {
    if (Array.isArray(found) || isMap(found)) return null;
    return replaced(nodes, place, value, options);
  }
  return writeKey(nodes, place, found, binding.key, value, options);
}

function writeKey(nodes, place, found, key, value, options) {
  const { sigil } = options;
  if (found === undefined) {
    if (place.path.length > 0 || key.includes("/")) return null;
    return setNode(nodes, place.node, { [key]: hold([value], sigil)[0] });
  }
  if (!isMap(found)) return null;
  if (!Object.hasOwn(found, key)) {
    if (key.includes("/")) return null;
    return replaced(nodes, { node: place.node, path: [...place.path, key] }, value, options);
  }
  const id = pointerId(found[key], sigil);
  if (id === null) {
    return replaced(nodes, { node: place.node, path: [...place.path, key] }, value, options);
  }
  const target = nodes.get(id);
  if (!isLegalId(id, sigil) || (typeof target === "object" && target !== null)) return null;
  return setNode(nodes, id, hold(value, sigil));
}

function setNode(nodes, id, value) {
  return new Map(nodes).set(id, value);
}

/** The document with the value at a place replaced; null where the place is not there. */
function replaced(nodes, place, value, { sigil }) {
  if (place.path.length === 0) return setNode(nodes, place.node, hold(value, sigil));
  const inner = hold([value], sigil)[0];
  const root = rebuild(nodes.get(place.node), place.path, inner, sigil);
  return root === undefined ? null : setNode(nodes, place.node, root);
}

function rebuild(value, [step, ...rest], inner, sigil) {
  if (step === undefined) return inner;
  if (typeof step === "string") {
    if (!isMap(value)) return undefined;
    const below = rebuild(Object.hasOwn(value, step) ? value[step] : null, rest, inner, sigil);
    if (below === undefined) return undefined;
    const entries = Object.entries(value).filter(([key]) => key !== step);
    const at = Object.keys(value).indexOf(step);
    entries.splice(at < 0 ? entries.length : at, 0, [step, below]);
    return Object.fromEntries(entries);
  }
  if (!Array.isArray(value)) return undefined;
  let ordinal = -1;
  const at = value.findIndex((item) => pointerId(item, sigil) === null && ++ordinal === step);
  if (at < 0) return undefined;
  const below = rebuild(value[at], rest, inner, sigil);
  return below === undefined ? undefined : value.with(at, below);
}
