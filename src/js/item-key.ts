/** Characters of the escapes `~0` to `~3` in keys of instances. */
const ESCAPED = ["~", "/", ":", "="];

/** Returns the item of a step `slot=component:item`: the node or the index of a list item. */
function itemOfStep(step: string): string | undefined {
  const at = step.indexOf(":");
  if (at < 0) return undefined;
  return step.slice(at + 1).replaceAll(/~([0-3])/g, (_, digit) => ESCAPED[Number(digit)] as string);
}

/** Returns the list item that an instance displays itself, or undefined. */
export function ownItemOf(key: string): string | undefined {
  return itemOfStep(key.slice(key.lastIndexOf("/") + 1));
}

/** Returns the list item of an instance, or that of the nearest list around it. */
export function itemOf(key: string): string | undefined {
  const items = key.split("/").map(itemOfStep);
  return items.filter((item) => item !== undefined).at(-1);
}

/** Returns whether an instance displays a list item, or is in one. */
export function hasItem(key: string, node: string): boolean {
  return key.split("/").some((step) => itemOfStep(step) === node);
}
