import type { Instance, Json, SurfaceChange } from "../types.js";
import type { View } from "./view.js";

/** One mounted component as the renderer knows it. Siblings are linked, so a mount or a move in a list of 10,000 costs no search. */
export class MirrorNode {
  readonly key: string;
  readonly id: string;
  readonly component: string;
  readonly slot: string | undefined;
  parent: MirrorNode | null = null;
  prev: MirrorNode | null = null;
  next: MirrorNode | null = null;
  first: MirrorNode | null = null;
  last: MirrorNode | null = null;
  count = 0;
  /** What stands in the document for it; null while its row is outside the window. */
  view: View | null = null;
  /** The children in order, kept until one comes, goes or moves. */
  rows: MirrorNode[] | null = null;
  /** What the user did and the data does not know (the selected tab), kept while the row is outside the window. */
  memo: Map<string, string> | null = null;
  readonly #given: Instance["props"];
  #props: Map<string, Json> | null = null;

  constructor(instance: Instance) {
    this.key = instance.key;
    this.id = instance.id;
    this.component = instance.component;
    this.slot = instance.slot;
    this.#given = instance.props;
  }

  /** A map, so that a property called `__proto__` is a property; made when first asked for, which most rows of a long list never are. */
  get props(): Map<string, Json> {
    this.#props ??= new Map(Object.entries(this.#given));
    return this.#props;
  }
}

/** The instance tree of a surface, kept up to date by its changes. Rows outside the window exist only here. */
export class Mirror {
  root: MirrorNode | null = null;
  readonly #nodes = new Map<string, MirrorNode>();

  get(key: string): MirrorNode | undefined {
    return this.#nodes.get(key);
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Puts an instance with all below it in its place; null when the parent is unknown. */
  mount(instance: Instance, parentKey: string | null, before: string | null): MirrorNode | null {
    const parent = parentKey === null ? null : this.#nodes.get(parentKey);
    if (parent === undefined) return null;
    const known = this.#nodes.get(instance.key);
    if (known) this.unmount(known);
    if (parent === null && this.root) this.unmount(this.root);
    const node = this.#create(instance);
    // The walk keeps its own list of what is left to do: a tree as deep as the core allows must not end the stack.
    const left: [MirrorNode, readonly Instance[]][] = [[node, instance.children]];
    for (let next = left.pop(); next; next = left.pop()) {
      for (const child of next[1]) {
        const made = this.#create(child);
        link(made, next[0], null);
        if (child.children.length > 0) left.push([made, child.children]);
      }
    }
    if (parent === null) this.root = node;
    else link(node, parent, this.#sibling(parent, before));
    return node;
  }

  unmount(node: MirrorNode): void {
    if (node === this.root) this.root = null;
    unlink(node);
    each(node, (one) => this.#nodes.delete(one.key));
  }

  /** Puts the node in front of a sibling, or last. */
  move(node: MirrorNode, before: string | null): void {
    const parent = node.parent;
    if (parent === null || before === node.key) return;
    unlink(node);
    link(node, parent, this.#sibling(parent, before));
  }

  /** Takes over one change without touching a document: the whole meaning of a change, and what tests of the pure part use. */
  apply(change: SurfaceChange): void {
    if (change.kind === "mount") {
      this.mount(change.instance, change.parent, change.before);
      return;
    }
    const node = this.#nodes.get(change.key);
    if (!node) return;
    if (change.kind === "unmount") this.unmount(node);
    else if (change.kind === "move") this.move(node, change.before);
    else node.props.set(change.prop, change.value);
  }

  #sibling(parent: MirrorNode, key: string | null): MirrorNode | null {
    const sibling = key === null ? null : (this.#nodes.get(key) ?? null);
    return sibling?.parent === parent ? sibling : null;
  }

  #create(instance: Instance): MirrorNode {
    const node = new MirrorNode(instance);
    this.#nodes.set(node.key, node);
    return node;
  }
}

/** The children in order. */
export function childrenOf(node: MirrorNode): readonly MirrorNode[] {
  if (node.rows) return node.rows;
  const rows: MirrorNode[] = [];
  for (let child = node.first; child; child = child.next) rows.push(child);
  node.rows = rows;
  return rows;
}

/** Visits the node and all below it, parents first. */
export function each(top: MirrorNode, visit: (node: MirrorNode) => void): void {
  const left = [top];
  for (let node = left.pop(); node; node = left.pop()) {
    visit(node);
    for (let child = node.last; child; child = child.prev) left.push(child);
  }
}

function link(node: MirrorNode, parent: MirrorNode, before: MirrorNode | null): void {
  const prev = before ? before.prev : parent.last;
  node.parent = parent;
  node.prev = prev;
  node.next = before;
  if (prev) prev.next = node;
  else parent.first = node;
  if (before) before.prev = node;
  else parent.last = node;
  parent.count += 1;
  parent.rows = null;
}

function unlink(node: MirrorNode): void {
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
