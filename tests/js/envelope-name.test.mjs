// A node that is called `updateDataModel`: the updates that a store returns are applied as they are.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore } from "byname";

const node = { nodes: { admin: true } };
const contents = [
  { updateDataModel: node, z: 1 },
  { z: 1, updateDataModel: node },
  { updateDataModel: node },
  { version: "v0.9", updateDataModel: node },
  { updateDataModel: 1, z: "*" },
];

for (const content of contents) {
  const names = Object.keys(content).join(", ");
  const other = new HamStore();
  other.apply({ updateDataModel: { nodes: { other: 1, ...content } } });
  other.apply({ "!other": null });

  test(`an export of ${names} is applied to an empty store`, () => {
    const store = new HamStore();
    assert.ok(store.apply(other.export()).ok);
    assert.deepEqual(store.get("updateDataModel"), content.updateDataModel);
    assert.equal(store.has("admin"), false);
    assert.deepEqual(store.diff(other), {});
  });

  test(`an inverse and a difference with ${names} are applied`, () => {
    const store = new HamStore();
    store.apply({ y: 1 });
    assert.ok(store.apply(store.diff(other)).ok);
    assert.equal(store.has("y"), false);
    assert.deepEqual(store.get("updateDataModel"), content.updateDataModel);
    const { inverse } = store.apply({ "!updateDataModel": null });
    assert.ok(store.apply(inverse).ok);
    assert.deepEqual(store.get("updateDataModel"), content.updateDataModel);
    assert.deepEqual(store.diff(other), {});
  });
}
