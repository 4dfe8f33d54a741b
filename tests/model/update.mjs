// Messages of the reference model: the document after a message, or null if it is rejected.

import { equal, isMap, isWritable, mapLeaves } from "./values.mjs";

export function isLegalId(id, sigil) {
  return id !== "" && !id.startsWith("!") && !id.startsWith(sigil);
}

/** Returns whether a key is an edit, not an id. */
export function isEdit(key, { listEdits, merge }) {
  return (Boolean(listEdits) && /^[+\->]/.test(key)) || (Boolean(merge) && key.startsWith("~"));
}

/** Returns the nodes object of a message, or null if the message is invalid. */
export function nodesOf(message) {
  if (!isMap(message)) return null;
  if (!Object.hasOwn(message, "updateDataModel")) return message;
  const body = message.updateDataModel;
  if (!isMap(body) || Object.hasOwn(body, "path")) return null;
  const nodes = body.edits ?? body.nodes;
  return isMap(nodes) && !(body.nodes !== undefined && body.edits !== undefined) ? nodes : null;
}

/** Returns the options of a message: `edits` in an envelope need no extension. */
function optionsOf(message, options) {
  const edits = Object.hasOwn(message, "updateDataModel") && message.updateDataModel.edits;
  return isMap(edits) ? { ...options, listEdits: true, merge: true } : options;
}

/** Returns the document after the message, a new Map, or null after an error. */
export function afterUpdate(nodes, message, options) {
  const entries = nodesOf(message);
  if (entries === null || !isWritable(entries)) return null;
  const plan = sortEntries(entries, optionsOf(message, options));
  if (plan === null) return null;
  const next = new Map(nodes);
  for (const id of plan.deletions) next.delete(id);
  for (const [id, value] of plan.upserts) setIfNew(next, nodes, id, value);
  for (const [id, items] of plan.removals) {
    if (!removeItems(next, id, items, options.sigil)) return null;
  }
  for (const [id, edit] of plan.insertions) {
    if (!insertItems(next, id, edit, options.sigil)) return null;
  }
  for (const [key, value] of plan.others) {
    if (!editNode(next, key, value)) return null;
  }
  return next;
}

/** Sets a node, but reuses the old object if the value is equal, so that changes are visible. */
function setIfNew(next, before, id, value) {
  const old = before.get(id);
  const copy = mapLeaves(value, (leaf) => leaf);
  next.set(id, before.has(id) && equal(old, copy) ? old : copy);
}

function sortEntries(entries, options) {
  const { sigil, repair } = options;
  const plan = { deletions: [], upserts: [], removals: [], insertions: [], others: [] };
  for (const [key, value] of Object.entries(entries)) {
    if (key.startsWith("!")) {
      if (!isLegalId(key.slice(1), sigil)) return null;
      plan.deletions.push(key.slice(1));
    } else if (isEdit(key, options) && isEdit(key.slice(1), options)) {
      return null;
    } else if (isEdit(key, options) && /^[>~]/.test(key)) {
      plan.others.push([key, value]);
    } else if (isEdit(key, options)) {
      (key.startsWith("+") ? plan.insertions : plan.removals).push([key.slice(1), value]);
    } else {
      const id = repair && key.startsWith(sigil) ? key.slice(sigil.length) : key;
      if (!isLegalId(id, sigil) || isEdit(id, options)) return null;
      plan.upserts.push([id, value]);
    }
  }
  return plan;
}

/** Appends to a text, or merges properties into a map. */
function editNode(next, key, value) {
  const id = key.slice(1);
  const old = next.get(id);
  if (key.startsWith(">")) {
    if (typeof old !== "string" || typeof value !== "string") return false;
    if (value !== "") next.set(id, old + value);
    return true;
  }
  if (!isMap(value) || !(old === undefined || isMap(old))) return false;
  const merged = { ...old, ...mapLeaves(value, (leaf) => leaf) };
  if (old === undefined || !equal(old, merged)) next.set(id, merged);
  return true;
}

function isPointer(item, sigil) {
  return typeof item === "string" && item.startsWith(sigil);
}

function removeItems(next, id, items, sigil) {
  const list = next.get(id);
  if (!Array.isArray(items)) return false;
  if (isMap(list)) return removeProperties(next, id, items, sigil);
  if (!Array.isArray(list)) return false;
  if (!items.every((item) => isPointer(item, sigil))) return false;
  const remaining = [...list];
  for (const item of items) {
    const at = remaining.indexOf(item);
    if (at >= 0) remaining.splice(at, 1);
  }
  next.set(id, remaining);
  return true;
}

function removeProperties(next, id, names, sigil) {
  const map = next.get(id);
  const isName = (name) =>
    typeof name === "string" && (!isPointer(name, sigil) || Object.hasOwn(map, name));
  if (!names.every(isName)) return false;
  const kept = Object.entries(map).filter(([name]) => !names.includes(name));
  if (kept.length < Object.keys(map).length) next.set(id, Object.fromEntries(kept));
  return true;
}

function insertItems(next, id, edit, sigil) {
  const list = next.get(id);
  if (!Array.isArray(list) || !isMap(edit) || !Array.isArray(edit.items)) return false;
  const anchors = ["before", "after"].filter((name) => Object.hasOwn(edit, name));
  if (anchors.length > 1) return false;
  const [relation] = anchors;
  if (relation && !isPointer(edit[relation], sigil)) return false;
  // The anchor itself may be moved, so a placeholder marks its position.
  const placeholder = {};
  const remaining = [...list];
  const found = relation ? remaining.indexOf(edit[relation]) : -1;
  remaining.splice(
    found < 0 ? remaining.length : relation === "before" ? found : found + 1,
    0,
    placeholder,
  );
  for (const item of edit.items) {
    const at = isPointer(item, sigil) ? remaining.indexOf(item) : -1;
    if (at >= 0) remaining.splice(at, 1);
  }
  remaining.splice(remaining.indexOf(placeholder), 1, ...edit.items);
  next.set(id, remaining);
  return true;
}
