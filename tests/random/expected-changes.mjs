// Expected changes between two trees of the model (rule 21). There is one mount or unmount per
// added or removed row, one set per property that differs, and the minimum number of moves.

import { same } from "../compare.mjs";
import { flatten } from "../mirror.mjs";

/** {mount, unmount: sorted keys, set: sorted "key prop", moves: {parent key: number}}. */
export function expectedChanges(before, after) {
  const old = byKey(before);
  const now = byKey(after);
  const survivors = [...now.keys()].filter((key) => old.has(key));
  return {
    mount: topKeys(now, old).sort(),
    unmount: topKeys(old, now).sort(),
    set: survivors.flatMap((key) => changedProps(old.get(key), now.get(key))).sort(),
    moves: Object.fromEntries(
      survivors
        .map((key) => [key, minimumMoves(old.get(key), now.get(key))])
        .filter(([, count]) => count > 0),
    ),
  };
}

/** key → {instance, parent}, by the keys of the model. */
function byKey(tree) {
  const found = new Map();
  const parents = new Map();
  for (const instance of flatten(tree)) {
    found.set(instance.key, { instance, parent: parents.get(instance) ?? null });
    for (const child of instance.children) parents.set(child, instance.key);
  }
  return found;
}

/** Returns the keys that only one tree has, without those whose parent is missing too. */
function topKeys(some, others) {
  return [...some]
    .filter(([key, { parent }]) => !others.has(key) && (parent === null || others.has(parent)))
    .map(([key]) => key);
}

function changedProps(old, now) {
  return Object.keys(now.instance.props)
    .filter((prop) => !same(old.instance.props[prop], now.instance.props[prop]))
    .map((prop) => `${now.instance.key} ${prop}`);
}

/** Returns the number of common items outside a longest increasing subsequence. */
function minimumMoves(old, now) {
  const indices = new Map(old.instance.children.map((child, position) => [child.key, position]));
  const order = now.instance.children
    .map((child) => indices.get(child.key))
    .filter((index) => index !== undefined);
  const longest = [];
  order.forEach((index, position) => {
    const shorter = longest.filter((_, before) => order[before] < index);
    longest[position] = 1 + Math.max(0, ...shorter);
  });
  return order.length - Math.max(0, ...longest);
}
