// Tree built only from SurfaceChange, as a renderer builds it. It must equal the tree of the surface.
// Throws at an invalid change.

import { CaseFailure, show } from "./compare.mjs";

export class Mirror {
  constructor(tree) {
    this.tree = structuredClone(tree);
  }

  apply(change) {
    const own = structuredClone(change);
    if (own.kind === "mount") return this.mount(own);
    const found = this.locate(own.key);
    if (found === null) throw new CaseFailure(`no instance for ${show(change)}`);
    if (own.kind === "unmount") return this.take(found);
    if (own.kind === "move") return this.move(found, own);
    if (own.kind === "set") return set(found.instance, own);
    throw new CaseFailure(`an unknown change ${show(change)}`);
  }

  find(key) {
    return this.locate(key)?.instance ?? null;
  }

  mount({ key, parent, before, instance }) {
    if (instance?.key !== key) throw new CaseFailure(`a mount with another key: ${show(instance)}`);
    if (this.locate(key) !== null) throw new CaseFailure(`mounted twice: ${key}`);
    if (parent === null) {
      if (this.tree !== null) throw new CaseFailure("a second root");
      this.tree = instance;
      return;
    }
    const owner = this.locate(parent)?.instance;
    if (!owner) throw new CaseFailure(`no parent ${parent} for ${key}`);
    insert(owner, instance, before);
  }

  take({ parent, instance }) {
    if (parent === null) this.tree = null;
    else parent.children.splice(parent.children.indexOf(instance), 1);
  }

  move(found, { before }) {
    if (found.parent === null) throw new CaseFailure("the root cannot move");
    this.take(found);
    insert(found.parent, found.instance, before);
  }

  locate(key, instance = this.tree, parent = null) {
    if (instance === null) return null;
    if (instance.key === key) return { instance, parent };
    for (const child of instance.children) {
      const found = this.locate(key, child, instance);
      if (found) return found;
    }
    return null;
  }
}

function set(instance, { prop, value }) {
  if (value === undefined) delete instance.props[prop];
  else {
    Object.defineProperty(instance.props, prop, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}

function insert(parent, instance, before) {
  const keys = parent.children.map((child) => child.key);
  const at = before === null ? keys.length : keys.indexOf(before);
  if (at < 0) throw new CaseFailure(`no sibling ${before} under ${parent.key}`);
  parent.children.splice(at, 0, instance);
}

/** Returns the instances of a tree in pre-order. */
export function flatten(instance) {
  return instance === null ? [] : [instance, ...instance.children.flatMap(flatten)];
}
