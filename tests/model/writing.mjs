// Writes in the reference model (rule 25): the document after a write, or null for an error.

import { locationOf, pointerId, valueAt } from "./reading.mjs";
import { isEdit, isLegalId } from "./update.mjs";
import { isMap, markLiterals } from "./values.mjs";

export function afterWrite(nodes, binding, value, context, options) {
  const next = writeValue(nodes, binding, value, context, options);
  const isNewEditId = (id) => !nodes.has(id) && isEdit(id, options);
  return next === null || [...next.keys()].some(isNewEditId) ? null : next;
}

function writeValue(nodes, binding, value, context, options) {
  const location = locationOf(binding, context, options);
  if (location === null) return null;
  const found = valueAt(nodes, location, options.sigil);
  if (binding.key === undefined) {
    if (Array.isArray(found) || isMap(found)) return null;
    return replaceAt(nodes, location, value, options);
  }
  return writeKey(nodes, location, found, binding.key, value, options);
}

function writeKey(nodes, location, found, key, value, options) {
  const { sigil } = options;
  if (found === undefined) {
    if (location.path.length > 0 || key.includes("/")) return null;
    return setNode(nodes, location.node, { [key]: markLiterals([value], sigil)[0] });
  }
  if (!isMap(found)) return null;
  if (!Object.hasOwn(found, key)) {
    if (key.includes("/")) return null;
    return replaceAt(nodes, { node: location.node, path: [...location.path, key] }, value, options);
  }
  const id = pointerId(found[key], sigil);
  if (id === null) {
    return replaceAt(nodes, { node: location.node, path: [...location.path, key] }, value, options);
  }
  const target = nodes.get(id);
  if (!isLegalId(id, sigil) || (typeof target === "object" && target !== null)) return null;
  return setNode(nodes, id, markLiterals(value, sigil));
}

function setNode(nodes, id, value) {
  return new Map(nodes).set(id, value);
}

/** Returns the document with the value at a location replaced, or null if it does not exist. */
function replaceAt(nodes, location, value, { sigil }) {
  if (location.path.length === 0) return setNode(nodes, location.node, markLiterals(value, sigil));
  const inner = markLiterals([value], sigil)[0];
  const root = rebuild(nodes.get(location.node), location.path, inner, sigil);
  return root === undefined ? null : setNode(nodes, location.node, root);
}

function rebuild(value, [step, ...rest], inner, sigil) {
  if (step === undefined) return inner;
  if (typeof step === "string") {
    if (!isMap(value)) return undefined;
    const child = rebuild(Object.hasOwn(value, step) ? value[step] : null, rest, inner, sigil);
    if (child === undefined) return undefined;
    const entries = Object.entries(value).filter(([key]) => key !== step);
    const index = Object.keys(value).indexOf(step);
    entries.splice(index < 0 ? entries.length : index, 0, [step, child]);
    return Object.fromEntries(entries);
  }
  if (!Array.isArray(value)) return undefined;
  let ordinal = -1;
  const index = value.findIndex((item) => pointerId(item, sigil) === null && ++ordinal === step);
  if (index < 0) return undefined;
  const child = rebuild(value[index], rest, inner, sigil);
  return child === undefined ? undefined : value.with(index, child);
}
