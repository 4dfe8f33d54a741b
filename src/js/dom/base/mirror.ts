import {
  type LazyChildren,
  type RendererChange,
  type RowsMounted,
  unreadChildren,
} from "../../lazy-children.js";
import type { Instance } from "../../types.js";
import { MirrorNode, UnreadRows } from "./mirror-node.js";

/**
 * Copy of the instance tree of a surface, updated by its changes. Rows outside the window exist
 * only here.
 */
export class InstanceMirror {
  root: MirrorNode | null = null;
  /** Number of components that are not received yet. */
  missing = 0;
  /**
   * Nodes by key: the root, and the children of indexed nodes. Most nodes are never looked up, so
   * the children of a node are added when one of them is.
   */
  readonly #nodes = new Map<string, MirrorNode>();
  /** Whether some node with children may not be indexed. */
  #hasUnindexed = false;
  /** New rows of indexed nodes, added when a lookup by key finds nothing. */
  #unnamed: (readonly MirrorNode[])[] = [];

  get(key: string): MirrorNode | undefined {
    const existing = this.#nodes.get(key);
    if (existing) return existing;
    this.#indexUnnamed();
    if (!this.#hasUnindexed) return this.#nodes.get(key);
    // The key of a parent is a prefix.
    for (let end = key.length; end > 0; end = key.lastIndexOf("/", end - 1)) {
      const above = this.#nodes.get(key.slice(0, end));
      if (!above) continue;
      if (above.key === key || above.isIndexed) return this.#nodes.get(key);
      this.#indexChildren(above);
      return this.get(key);
    }
    // Other surfaces may have other keys.
    this.#indexAll();
    return this.#nodes.get(key);
  }

  get size(): number {
    this.#indexUnnamed();
    this.#indexAll();
    return this.#nodes.size;
  }

  /** Adds the children of a node to the nodes by key, and reads the node if it is unread. */
  #indexChildren(node: MirrorNode): void {
    for (let child = node.first; child; child = child.next) this.#nodes.set(child.key, child);
    node.isIndexed = true;
  }

  #indexAll(): void {
    if (!this.#hasUnindexed || !this.root) return;
    forEachNode(this.root, (node) => {
      if (node.isRead && !node.isIndexed) this.#indexChildren(node);
    });
    this.#hasUnindexed = false;
  }

  /** Adds an instance and its descendants. Returns null if the parent is unknown. */
  mount(instance: Instance, parentKey: string | null, before: string | null): MirrorNode | null {
    const parent = parentKey === null ? null : this.get(parentKey);
    if (parent === undefined) return null;
    const existing = this.get(instance.key);
    if (existing) this.unmount(existing);
    if (parent === null && this.root) this.unmount(this.root);
    const node = this.#createNode(instance);
    this.#addDescendants(node, instance);
    if (parent === null) this.root = node;
    else linkNode(node, parent, this.#findSibling(parent, before));
    if (parent === null || parent.isIndexed) this.#nodes.set(node.key, node);
    return node;
  }

  /** Adds the descendants of a node. */
  #addDescendants(top: MirrorNode, instance: Instance): void {
    this.#hasUnindexed = true;
    // Uses an explicit stack, because a tree of the maximum depth would overflow the call stack.
    const pending: [MirrorNode, Instance][] = [[top, instance]];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [node, current] = next;
      const rows = unreadChildren.get(current);
      if (rows) {
        this.#linkRows(node, rows, null);
        continue;
      }
      for (const child of current.children) {
        const created = this.#createNode(child);
        linkNode(created, node, null);
        if (unreadChildren.has(child) || child.children.length > 0) pending.push([created, child]);
      }
    }
  }

  /** Adds rows that were mounted together. Returns an empty list if the parent is unknown. */
  mountRows({ parent, before, rows }: RowsMounted): readonly MirrorNode[] {
    const node = this.get(parent);
    return node ? this.#linkRows(node, rows, this.#findSibling(node, before)) : [];
  }

  /** Links the rows of a list without reading them. */
  #linkRows(
    node: MirrorNode,
    rows: LazyChildren,
    before: MirrorNode | null,
  ): readonly MirrorNode[] {
    const source = new UnreadRows(rows, (row, instance) => this.#addDescendants(row, instance));
    const created: MirrorNode[] = [];
    let prev = before ? before.prev : node.last;
    for (let index = 0; index < rows.length; index++) {
      const row: MirrorNode = new MirrorNode(source, index);
      row.parent = node;
      row.prev = prev;
      if (prev) prev.next = row;
      else node.first = row;
      row.place = index;
      created.push(row);
      prev = row;
    }
    if (prev) prev.next = before;
    if (before) before.prev = prev;
    else node.last = prev;
    // Without other children, the rows are the complete list in order.
    node.rows = node.count === 0 ? created : null;
    node.count += created.length;
    if (node.isIndexed) this.#unnamed.push(created);
    else this.#hasUnindexed = true;
    return created;
  }

  #indexUnnamed(): void {
    if (this.#unnamed.length === 0) return;
    for (const row of this.#unnamed.flat()) this.#nodes.set(row.key, row);
    this.#unnamed = [];
  }

  unmount(node: MirrorNode): void {
    this.#indexUnnamed();
    if (node === this.root) this.root = null;
    unlinkNode(node);
    this.#nodes.delete(node.key);
    this.#forgetDescendants(node);
  }

  /** Removes all children of a node. Returns them. */
  unmountChildren(parent: MirrorNode): readonly MirrorNode[] {
    this.#indexUnnamed();
    const children = childrenOf(parent);
    for (const child of children) {
      if (parent.isIndexed) this.#nodes.delete(child.key);
      child.parent = child.prev = child.next = null;
      this.#forgetDescendants(child);
    }
    parent.first = parent.last = null;
    parent.count = 0;
    parent.rows = null;
    return children;
  }

  /** Removes the descendants of an unmounted node from the index, and counts missing components. */
  #forgetDescendants(node: MirrorNode): void {
    if (this.missing === 0 && !node.isIndexed) return;
    forEachNode(node, (one) => {
      if (!one.isRead) return;
      if (one.component === "") this.missing -= 1;
      if (!one.isIndexed) return;
      for (let child = one.first; child; child = child.next) this.#nodes.delete(child.key);
    });
  }

  /** Moves a node before a sibling, or to the end. */
  move(node: MirrorNode, before: string | null): void {
    const parent = node.parent;
    if (parent === null || before === node.key) return;
    unlinkNode(node);
    linkNode(node, parent, this.#findSibling(parent, before));
  }

  /** Applies one change to the tree without rendering it. */
  apply(change: RendererChange): void {
    if (change.kind === "rows") {
      this.mountRows(change);
      return;
    }
    if (change.kind === "mount") {
      this.mount(change.instance, change.parent, change.before);
      return;
    }
    const node = this.get(change.key);
    if (!node) return;
    if (change.kind === "unmount") this.unmount(node);
    else if (change.kind === "move") this.move(node, change.before);
    else node.props.set(change.prop, change.value);
  }

  #findSibling(parent: MirrorNode, key: string | null): MirrorNode | null {
    const sibling = key === null ? null : (this.get(key) ?? null);
    return sibling?.parent === parent ? sibling : null;
  }

  #createNode(instance: Instance): MirrorNode {
    const node = new MirrorNode(instance);
    if (instance.component === "") this.missing += 1;
    return node;
  }
}

/** Returns the children in order, and updates their `place`. */
export function childrenOf(node: MirrorNode): readonly MirrorNode[] {
  if (node.rows) return node.rows;
  const rows: MirrorNode[] = [];
  for (let child = node.first; child; child = child.next) child.place = rows.push(child) - 1;
  node.rows = rows;
  return rows;
}

/** Visits a node and its descendants, parents first. The descendants of unread rows are skipped. */
export function forEachNode(top: MirrorNode, visit: (node: MirrorNode) => void): void {
  const pending = [top];
  for (let node = pending.pop(); node; node = pending.pop()) {
    visit(node);
    if (!node.isRead) continue;
    for (let child = node.last; child; child = child.prev) pending.push(child);
  }
}

function linkNode(node: MirrorNode, parent: MirrorNode, before: MirrorNode | null): void {
  const prev = before ? before.prev : parent.last;
  node.parent = parent;
  node.prev = prev;
  node.next = before;
  if (prev) prev.next = node;
  else parent.first = node;
  if (before) before.prev = node;
  else parent.last = node;
  parent.count += 1;
  if (before) parent.rows = null;
  else if (parent.rows) node.place = parent.rows.push(node) - 1;
}

function unlinkNode(node: MirrorNode): void {
  const parent = node.parent;
  if (!parent) return;
  if (node.prev) node.prev.next = node.next;
  else parent.first = node.next;
  if (node.next) node.next.prev = node.prev;
  else parent.last = node.prev;
  node.parent = node.prev = node.next = null;
  parent.count -= 1;
  parent.rows = null;
}
