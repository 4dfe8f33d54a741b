// What rule 21 allows between two trees of the model: one mount or unmount per row that came or
// went, one set per property that differs, and no more moves than a reorder needs.

import { same } from "../compare.mjs";
import { flatten } from "../mirror.mjs";

/** {mount, unmount: sorted keys, set: sorted "key prop", moves: {parent key: number}}. */
export function expectedChanges(before, after) {
  const old = byKey(before);
  const now = byKey(after);
  const survivors = [...now.keys()].filter((key) => old.has(key));
  return {
    mount: tops(now, old).sort(),
    unmount: tops(old, now).sort(),
    set: survivors.flatMap((key) => changedProps(old.get(key), now.get(key))).sort(),
    moves: Object.fromEntries(
      survivors
        .map((key) => [key, leastMoves(old.get(key), now.get(key))])
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

/** Keys of one tree that the other lacks, without those whose parent is lacking too. */
function tops(these, others) {
  return [...these]
    .filter(([key, { parent }]) => !others.has(key) && (parent === null || others.has(parent)))
    .map(([key]) => key);
}

function changedProps(old, now) {
  return Object.keys(now.instance.props)
    .filter((prop) => !same(old.instance.props[prop], now.instance.props[prop]))
    .map((prop) => `${now.instance.key} ${prop}`);
}

/** The survivors of a list less the longest run of them that keeps its order. */
function leastMoves(old, now) {
  const places = new Map(old.instance.children.map((child, at) => [child.key, at]));
  const order = now.instance.children
    .map((child) => places.get(child.key))
    .filter((place) => place !== undefined);
  const longest = [];
  order.forEach((place, at) => {
    const shorter = longest.filter((_, before) => order[before] < place);
    longest[at] = 1 + Math.max(0, ...shorter);
  });
  return order.length - Math.max(0, ...longest);
}
