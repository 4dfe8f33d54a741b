// Instance tree of the renderer, and how changes update it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { childrenOf, InstanceMirror } from "../../pkg/dom/base/mirror.js";

const instance = (key, children = [], props = {}) => ({
  id: key,
  component: "Text",
  key,
  props,
  children,
});
const keys = (node) => childrenOf(node).map((child) => child.key);

function mountedMirror(...names) {
  const mirror = new InstanceMirror();
  mirror.mount(
    instance(
      "root",
      names.map((name) => instance(name)),
    ),
    null,
    null,
  );
  return mirror;
}

test("a mount inserts before the named sibling, or last", () => {
  const mirror = mountedMirror("a", "b");
  mirror.apply({ kind: "mount", key: "x", parent: "root", before: "a", instance: instance("x") });
  mirror.apply({ kind: "mount", key: "y", parent: "root", before: null, instance: instance("y") });
  assert.deepEqual(keys(mirror.root), ["x", "a", "b", "y"]);
});

test("applies moves in order", () => {
  const mirror = mountedMirror("a", "b", "c");
  mirror.apply({ kind: "move", key: "c", before: "a" });
  mirror.apply({ kind: "move", key: "a", before: null });
  assert.deepEqual(keys(mirror.root), ["c", "b", "a"]);
  mirror.apply({ kind: "move", key: "b", before: "b" });
  assert.deepEqual(keys(mirror.root), ["c", "b", "a"]);
});

test("an unmount removes all descendants", () => {
  const mirror = mountedMirror("a");
  mirror.apply({
    kind: "mount",
    key: "x",
    parent: "a",
    before: null,
    instance: instance("x", [instance("x1")]),
  });
  assert.equal(mirror.size, 4);
  mirror.apply({ kind: "unmount", key: "x" });
  assert.equal(mirror.size, 2);
  assert.equal(mirror.get("x1"), undefined);
});

test("stores a set property, whatever its name", () => {
  const mirror = mountedMirror("a");
  mirror.apply({ kind: "set", key: "a", prop: "__proto__", value: "x" });
  assert.equal(mirror.get("a").props.get("__proto__"), "x");
  assert.equal({}.x, undefined);
});

test("ignores changes of missing instances", () => {
  const mirror = mountedMirror("a");
  mirror.apply({ kind: "set", key: "?", prop: "text", value: 1 });
  mirror.apply({ kind: "unmount", key: "?" });
  mirror.apply({ kind: "mount", key: "x", parent: "?", before: null, instance: instance("x") });
  assert.deepEqual(keys(mirror.root), ["a"]);
});

test("a tree of 100,000 levels does not overflow the stack", () => {
  let deep = instance("leaf");
  for (let level = 0; level < 100_000; level += 1) deep = instance(`n${level}`, [deep]);
  const mirror = new InstanceMirror();
  mirror.mount(deep, null, null);
  assert.equal(mirror.size, 100_001);
  mirror.unmount(mirror.root);
  assert.equal(mirror.size, 0);
});

// A scan of the rows for each of them would take minutes here.
test("reverses 100,000 rows", { timeout: 60_000 }, () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `r${index}`);
  const mirror = mountedMirror(...names);
  for (const name of names) {
    mirror.apply({ kind: "move", key: name, before: mirror.root.first.key });
  }
  assert.deepEqual(keys(mirror.root), names.reverse());
});

test("finds nodes by their keys at any depth, also after changes", () => {
  const mirror = new InstanceMirror();
  const row = (id) => instance(`root/row:${id}`, [instance(`root/row:${id}/cell`, [])]);
  mirror.mount(instance("root", [row("a"), row("b")]), null, null);
  assert.equal(mirror.get("root/row:b/cell").parent.key, "root/row:b");
  mirror.apply({
    kind: "mount",
    key: "root/row:c",
    parent: "root",
    before: null,
    instance: row("c"),
  });
  assert.equal(mirror.get("root/row:c/cell").key, "root/row:c/cell");
  mirror.apply({ kind: "unmount", key: "root/row:a" });
  assert.equal(mirror.get("root/row:a/cell"), undefined);
  assert.equal(mirror.size, 5);
});

test("removes all children at once, with their descendants", () => {
  const mirror = new InstanceMirror();
  const missing = { ...instance("root/a/x"), component: "" };
  mirror.mount(instance("root", [instance("root/a", [missing]), instance("root/b")]), null, null);
  assert.equal(mirror.missing, 1);
  assert.ok(mirror.get("root/a/x"));
  const removed = mirror.unmountChildren(mirror.root);
  assert.deepEqual(
    removed.map(({ key, parent }) => [key, parent]),
    [
      ["root/a", null],
      ["root/b", null],
    ],
  );
  assert.deepEqual([mirror.missing, mirror.size, mirror.root.count], [0, 1, 0]);
  assert.deepEqual(
    ["root/a", "root/a/x", "root/b"].map((key) => mirror.get(key)),
    [undefined, undefined, undefined],
  );
});
