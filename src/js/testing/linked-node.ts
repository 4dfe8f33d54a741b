import type { Instance } from "../types.js";

/** Instance with its parent. */
export interface LinkedNode {
  readonly key: string;
  readonly component: string;
  readonly instance: Instance;
  readonly parent: LinkedNode | null;
  readonly children: LinkedNode[];
}

/** Returns the instance with a key, linked to its parents. */
export function linkedNode(top: Instance, key: string): LinkedNode | undefined {
  let found: LinkedNode | undefined;
  const link = (instance: Instance, parent: LinkedNode | null): LinkedNode => {
    const { key: own, component } = instance;
    const node: LinkedNode = { key: own, component, instance, parent, children: [] };
    if (own === key) found = node;
    node.children.push(...instance.children.map((child) => link(child, node)));
    return node;
  };
  link(top, null);
  return found;
}
