// A surface and its model: compares trees, keys and changes after every step.

import { expectSame, expectTrue, show } from "../compare.mjs";
import { Mirror } from "../mirror.mjs";
import { ModelSurface } from "../model/surface.mjs";
import { expectedChanges } from "./expected-changes.mjs";

const bound = (node, key) => ({ binding: { node, key } });

/** Returns components with nested rows, a recursive template, complete values and positions. */
export function components(random) {
  const order = random.chance(0.5) ? ["one", "two", "tree"] : ["tree", "one", "two", "one"];
  return [
    { id: "root", component: "Column", children: ["head", ...order], title: bound("root", "n") },
    { id: "head", component: "Text", text: bound(random.pick(["a", "b"]), "n"), fixed: "x" },
    { id: "one", component: "List", children: { binding: { node: "l1" }, template: "row" } },
    {
      id: "two",
      component: "Row",
      children: { ...bound("root", random.pick(["p", "q"])), componentId: "cell" },
    },
    { id: "row", component: "Card", child: "body", all: { binding: {} } },
    { id: "body", component: "Column", children: ["cells", "text"] },
    {
      id: "text",
      component: "Text",
      text: { binding: { key: "n" } },
      no: { call: "@index", args: { offset: 1 } },
    },
    { id: "cells", component: "Row", children: { binding: { key: "p" }, template: "cell" } },
    { id: "cell", component: "Text", text: { binding: {} }, far: bound("c", "x/y") },
    { id: "tree", component: "List", children: { binding: { node: "l2" }, template: "branch" } },
    {
      id: "branch",
      component: "Column",
      children: { binding: {}, template: "branch" },
      n: { binding: { key: "n" } },
    },
  ];
}

export class SurfacePair {
  constructor(Surface, pair) {
    this.surface = new Surface({ store: pair.real });
    this.model = new ModelSurface({ store: pair.model });
    this.mirror = new Mirror(this.surface.tree());
    this.newChanges = [];
    this.calls = 0;
    this.names = new Map();
    this.before = null;
    this.surface.subscribe((changes) => {
      this.calls += 1;
      this.newChanges.push(...changes.map((change) => this.withParent(change)));
    });
  }

  /** Applies a change to the mirror and adds the parent of a moved instance. */
  withParent(change) {
    const parent = change.kind === "move" ? this.mirror.locate(change.key)?.parent?.key : undefined;
    this.mirror.apply(change);
    return { ...change, parent: change.parent ?? parent };
  }

  receive(message, what) {
    const result = this.surface.receive(message);
    expectTrue(result.ok, `${what}: ${show(result.diagnostics)}`);
    this.model.receive(message);
  }

  /** Returns whether the tree is small enough to be compared. */
  isSmall(store = this.model.store) {
    const trial = new ModelSurface({ store });
    trial.components = this.model.components;
    try {
      trial.tree(1500);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Discards the changes of a step that is not compared. */
  skipStep() {
    this.newChanges = [];
    this.calls = 0;
    this.before = this.model.tree();
  }

  compare(what) {
    const tree = this.surface.tree();
    const expected = this.model.tree();
    expectSame(this.mirror.tree, tree, `${what}: the mirror`);
    this.compareTrees(tree, expected, what);
    const changes = expectedChanges(this.before, expected);
    this.compareChanges(changes, what);
    this.before = expected;
  }

  compareTrees(actual, expected, what) {
    if (expected === null) return expectSame(actual, null, what);
    const name = this.names.get(actual.key) ?? expected.key;
    this.names.set(actual.key, name);
    expectSame(name, expected.key, `${what}: the key ${actual.key} belongs to another instance`);
    expectSame(actual.id, expected.id, what);
    expectSame(actual.component, expected.component, what);
    expectSame(actual.props, expected.props, `${what}: props of ${expected.key}`);
    const ids = expected.children.map((child) => child.key);
    expectSame(
      actual.children.length,
      ids.length,
      `${what}: children of ${expected.key} ${show(ids)}`,
    );
    for (const [at, child] of expected.children.entries()) {
      this.compareTrees(actual.children[at], child, what);
    }
  }

  compareChanges(expected, what) {
    const newChanges = this.newChanges.splice(0);
    const named = (kind) => newChanges.filter((change) => change.kind === kind);
    const name = (key) => this.names.get(key) ?? `unknown ${key}`;
    expectSame(
      named("mount")
        .map(({ key }) => name(key))
        .sort(),
      expected.mount,
      `${what}: mounts`,
    );
    expectSame(
      named("unmount")
        .map(({ key }) => name(key))
        .sort(),
      expected.unmount,
      `${what}: unmounts`,
    );
    expectSame(
      named("set")
        .map(({ key, prop }) => `${name(key)} ${prop}`)
        .sort(),
      expected.set,
      `${what}: sets`,
    );
    const moves = {};
    for (const { parent } of named("move")) moves[name(parent)] = (moves[name(parent)] ?? 0) + 1;
    expectSame(moves, expected.moves, `${what}: moves`);
    expectSame(this.calls, newChanges.length > 0 ? 1 : 0, `${what}: calls of the listener`);
    this.calls = 0;
  }
}
