// Resources of a handle in a store: they are closed when the handle is garbage-collected, and not
// before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HamStore, init, Surface } from "byname";
import { coreOfStore } from "../../pkg/store.js";

await init();
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Collects garbage in a separate task, because what a task has read lives to its end. */
async function collectGarbage() {
  await wait(1);
  collect();
  // Finalisers run between two tasks.
  await wait(1);
}

async function waitUntil(condition) {
  for (let round = 0; round < 50; round++) {
    await collectGarbage();
    if (condition()) return;
  }
  assert.fail("it was not collected");
}

/** Creates the handles in a separate function, so that no variable of the test keeps them alive. */
function openAndDrop(store, count) {
  for (let at = 0; at < count; at++) {
    new Surface({ store });
    store.stream().push('{"a": ');
  }
}

test("collected surfaces and streams free their slots", async () => {
  const store = new HamStore();
  const core = coreOfStore(store);
  openAndDrop(store, 10);
  await waitUntil(() => core.surfaces.every((reader) => reader === undefined));
  await waitUntil(() => {
    const number = core.handle.stream_open();
    core.handle.stream_close(number);
    return number < 10;
  });
  assert.equal(core.surfaces.length, 10);
  const surface = new Surface({ store });
  assert.equal(core.surfaces.length, 10, "a place is taken again");
  assert.equal(surface.tree(), null);
});

test("a handle that was disposed of closes nothing when it is collected", async () => {
  const store = new HamStore();
  const core = coreOfStore(store);
  const dropped = (() => {
    const surface = new Surface({ store });
    const stream = store.stream();
    surface[Symbol.dispose]();
    stream.end();
    return [new WeakRef(surface), new WeakRef(stream)];
  })();
  const surface = new Surface({ store });
  const stream = store.stream();
  await waitUntil(() => dropped.every((handle) => handle.deref() === undefined));
  await collectGarbage();
  assert.notEqual(core.surfaces[0], undefined);
  assert.equal(surface.tree(), null);
  assert.ok(stream.push("{}").ok && stream.end().ok);
});

function subscribeTo(store, listener) {
  const surface = new Surface({ store });
  const root = { id: "root", component: "Text", text: { binding: { node: "a" } } };
  surface.receive({ createSurface: { surfaceId: "s", catalogId: "c" } });
  surface.receive({ updateComponents: { surfaceId: "s", components: [root] } });
  return surface.subscribe(listener);
}

test("keeps a surface with a listener, also without a reference to it", async () => {
  const store = new HamStore();
  const received = [];
  subscribeTo(store, ([{ value }]) => received.push(value));
  for (let round = 0; round < 10; round++) await collectGarbage();
  store.apply({ a: "still" });
  assert.deepEqual(received, ["still"]);
});

test("collects a store with all its listeners and surfaces", async () => {
  const dropped = (() => {
    const store = new HamStore();
    store.subscribe({}, () => store);
    subscribeTo(store, () => store);
    store.stream();
    return [store, coreOfStore(store).handle].map((each) => new WeakRef(each));
  })();
  await waitUntil(() => dropped.every((each) => each.deref() === undefined));
});
