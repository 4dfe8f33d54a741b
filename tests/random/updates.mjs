// Random updates with few ids, so that pointers often refer to nodes, cycles and missing nodes.

import { asText, isMap } from "../model/values.mjs";

export const IDS = ["root", "a", "b", "c", "d", "e", "l1", "l2", "f", "__proto__", "constructor"];
const POINTERS = [...IDS, "a", "b", "c", "d", "none", " bullet"];
const LEAVES = [0, 1, 2.5, -1, "", "x", "ä😀", true, false, null];
export const KEYS = ["n", "p", "q", "x/y"];

/** Ids that look like the keys of other items (rule 21). */
const KEY_LIKE = ["a", "a#2", "a##2", "#0", "##0", "#0#2"];

/** Returns a list of pointers and literals whose item keys collide. */
export function crowdedList(random) {
  return random.many(random.below(9), () =>
    random.chance(0.3) ? random.pick(LEAVES) : `*${random.pick([...KEY_LIKE, "none", "", "*a"])}`,
  );
}

/** Returns an update that sets or deletes a node of such lists. */
export function crowd(random) {
  const id = random.pick(KEY_LIKE);
  return random.chance(0.4) ? { [`!${id}`]: null } : { [id]: random.pick(LEAVES) };
}

/** Returns a value for a node. The order of properties is fixed, because equality ignores it. */
function nodeValue(random) {
  const kind = random.below(10);
  if (kind < 2) return random.chance(0.3) ? `*${random.pick(IDS)}` : random.pick(LEAVES);
  return kind < 6 ? list(random, 1) : map(random, 1);
}

function inner(random, depth) {
  const kind = random.below(20);
  if (kind < 8) return `*${random.pick(POINTERS)}`;
  if (kind === 8) return random.pick(["*", "**a", "*!a"]);
  if (kind < 16 || depth > 2) return random.pick(LEAVES);
  return kind < 18 ? list(random, depth + 1) : map(random, depth + 1);
}

function list(random, depth) {
  return random.many(random.below(depth > 1 ? 3 : 6), () => inner(random, depth));
}

function map(random, depth) {
  const keys = KEYS.filter(() => random.chance(depth > 1 ? 0.3 : 0.5));
  return Object.fromEntries(keys.map((key) => [key, inner(random, depth)]));
}

/** Returns a message with upserts, deletions, list edits, and sometimes an error. */
export function message(random, nodes, { listEdits = false, faults = true } = {}) {
  const entries = random.many(1 + random.below(3), () => entry(random, nodes));
  if (faults && random.chance(0.04))
    entries.push(
      random.pick([
        ["", 1],
        ["*a", 1],
        ["!!a", null],
        ["!", 1],
      ]),
    );
  if (listEdits && random.chance(0.4)) entries.push(listEdit(random, nodes));
  const update = {};
  for (const [key, value] of entries) {
    Object.defineProperty(update, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  return update;
}

function entry(random, nodes) {
  const id = random.pick(IDS);
  const kind = random.below(10);
  if (kind < 2) return [`!${id}`, random.chance(0.8) ? null : 5];
  const lists = [...nodes].filter(([, value]) => Array.isArray(value));
  if (kind < 6 && lists.length > 0) {
    const [name, items] = random.pick(lists);
    return [name, editList(random, asText(items))];
  }
  return [id, nodeValue(random)];
}

/** Returns a list edit with distinct ids, and an anchor that is not one of them (rule 26). */
function listEdit(random, nodes) {
  const lists = [...nodes].filter(([, value]) => Array.isArray(value));
  const id = lists.length > 0 && random.chance(0.9) ? random.pick(lists)[0] : random.pick(IDS);
  const names = [...new Set(random.many(1 + random.below(3), () => random.pick(IDS)))];
  const items = names.map((name) => `*${name}`);
  if (random.chance(0.4)) return [`-${id}`, items];
  const maps = [...nodes].filter(([, value]) => isMap(value));
  if (maps.length > 0 && random.chance(0.3)) {
    const [name, map] = random.pick(maps);
    const known = Object.keys(map).filter(() => random.chance(0.5));
    return [`-${name}`, [...known, ...random.many(random.below(2), () => random.pick(KEYS))]];
  }
  const edit = { items: random.chance(0.3) ? [...items, random.pick(LEAVES)] : items };
  const anchor = random.pick([...IDS, "none"]);
  if (random.chance(0.7) && !names.includes(anchor)) {
    edit[random.pick(["before", "after"])] = `*${anchor}`;
  }
  return [`+${id}`, edit];
}

/** Returns the list with an item inserted, removed or moved, or all items shuffled. */
function editList(random, items) {
  const copy = [...items];
  const kind = random.below(4);
  if (kind === 0 || copy.length === 0)
    copy.splice(random.below(copy.length + 1), 0, inner(random, 2));
  else if (kind === 1) copy.splice(random.below(copy.length), 1);
  else if (kind === 2) {
    const [item] = copy.splice(random.below(copy.length), 1);
    copy.splice(random.below(copy.length + 1), 0, item);
  } else copy.sort(() => random.next() - 0.5);
  return copy.slice(0, 8);
}

/** Returns a binding, which usually resolves. */
export function binding(random) {
  const result = {};
  if (random.chance(0.85)) result.node = random.pick([...IDS, "none"]);
  if (random.chance(0.6)) result.key = random.pick([...KEYS, "n/x", "length", "0"]);
  return result;
}

/** Splits the bytes of a text at random offsets, also inside characters. */
export function splitBytes(random, text) {
  const bytes = new TextEncoder().encode(text);
  const splits = random.many(1 + random.below(6), () => random.below(bytes.length + 1));
  const offsets = [0, ...splits.sort((a, b) => a - b), bytes.length];
  return offsets.slice(1).map((end, at) => bytes.slice(offsets[at], end));
}
