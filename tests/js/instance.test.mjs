// A further instance of the WebAssembly: it has its own memory, and is disposed as a whole.

import assert from "node:assert/strict";
import test from "node:test";
import { BynameError, compileFlow, HamStore } from "byname";
import { createInstance } from "byname/instance";
import { wasmMemory } from "../../pkg/wasm.js";

test("an instance has all classes, and a memory of its own", async () => {
  const store = new HamStore();
  store.apply({ a: 1 });
  const before = wasmMemory().buffer.byteLength;
  const instance = createInstance();
  const own = new instance.HamStore();
  assert.ok(!(own instanceof HamStore));
  assert.ok(own.apply({ b: "x".repeat(30_000_000) }).ok);
  assert.equal(wasmMemory().buffer.byteLength, before);
  assert.deepEqual(store.export(), { a: 1 });

  const surface = new instance.Surface({ store: own });
  surface.receive({
    createSurface: { surfaceId: "s", components: [{ id: "root", component: "Text", text: "t" }] },
  });
  assert.equal(surface.tree().props.text, "t");
  const graph = instance.Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] });
  const session = new instance.GaslSession({ graph });
  assert.equal((await session.execute("FIND nodes AS n")).status, "success");
  const workflow = { nodes: [{ id: "a", type: "t" }] };
  const { flow } = instance.compileFlow(workflow, { t: {} });
  assert.equal((await flow.run({ nodes: { t: () => ({ outputs: {} }) } })).status, "completed");
  assert.ok(compileFlow(workflow, { t: {} }).ok);

  instance[Symbol.dispose]();
  const isDisposed = (error) => error instanceof BynameError && error.code === "disposed";
  assert.throws(() => own.get("b"), isDisposed);
  assert.throws(() => own.apply({ c: 1 }), isDisposed);
  assert.throws(() => surface.tree(), isDisposed);
  assert.throws(() => new instance.HamStore(), isDisposed);
  assert.deepEqual(store.export(), { a: 1 });
});

test("the memory of disposed instances is freed", () => {
  // More memories than an engine can reserve at a time.
  for (let count = 0; count < 60; count += 1) {
    const instance = createInstance();
    assert.ok(new instance.HamStore().apply({ a: count }).ok);
    instance[Symbol.dispose]();
  }
});
