// The memory ends inside the module: one typed error, and everything else keeps working.

import assert from "node:assert/strict";
import test from "node:test";
import { subflow } from "byname/flow";
import {
  BynameError,
  compileFlow,
  GaslSession,
  Graph,
  HamStore,
  initSync,
  Surface,
} from "byname/web";
import { wasmMemory } from "../../pkg/wasm.js";
import { moduleWithPages } from "../small-memory.mjs";

const PAGES = 1600;
initSync(moduleWithPages(PAGES));

const outOfMemory = (error) => error instanceof BynameError && error.code === "out-of-memory";
const limits = { bytes: 2 ** 31, memory: 2 ** 32 };
/** Needs several times the memory of the module. */
const expanding = `{"a":[${"0,".repeat(8_000_000)}1]}`;

const graph = Graph.fromNodeLink({ nodes: [{ id: "a" }], links: [] });

test("a store whose update has no memory can be exported and freed; others keep working", () => {
  const innocent = new HamStore();
  innocent.apply({ root: { draft: "typed text" } });
  for (let round = 0; round < 30; round += 1) {
    const store = new HamStore({ limits });
    store.apply({ root: { kept: round } });
    assert.throws(() => store.apply(expanding), outOfMemory);
    assert.throws(() => store.apply({ b: 1 }), outOfMemory);
    assert.throws(() => store.get("root"), outOfMemory);
    assert.deepEqual(store.export(), { root: { kept: round } });
    assert.throws(() => store.get("root"), outOfMemory);
    store[Symbol.dispose]();
    assert.throws(() => store.get("root"), { code: "disposed" });
    assert.ok(innocent.apply({ q: "x".repeat(1_000_000 + round) }).ok);
    assert.deepEqual(innocent.get("root"), { draft: "typed text" });
  }
  innocent[Symbol.dispose]();
  assert.equal(wasmMemory().buffer.byteLength <= PAGES * 65_536, true);
});

test("the last good state is that before the update that had no memory", () => {
  const store = new HamStore({ limits });
  store.apply({ root: { list: ["*a"] }, a: { n: 1 } });
  const surface = new Surface({ store });
  surface.receive({
    createSurface: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: { binding: { key: "list" }, template: "t" } },
        { id: "t", component: "Text", text: { binding: { key: "n" } } },
      ],
    },
  });
  surface.subscribe(() => {});
  const before = store.export();
  const many = Array.from({ length: 250_000 }, (_, at) => `n${at}`);
  // The nodes fit; their instances do not.
  const message = JSON.stringify({
    root: { list: many.map((id) => `*${id}`) },
    ...Object.fromEntries(many.map((id) => [id, { n: 1 }])),
  });
  assert.throws(() => store.apply(message), outOfMemory);
  assert.deepEqual(store.export(), before);
  surface[Symbol.dispose]();
  store[Symbol.dispose]();
});

test("a reader that has no memory leaves its store usable", () => {
  const store = new HamStore({ limits: { ...limits, deepRead: 2 ** 30 } });
  const text = "x".repeat(1_000_000);
  store.apply({ root: Array(90).fill("*t"), t: text });
  assert.throws(() => store.toJSON(), outOfMemory);
  assert.equal(store.get("t"), text);
  assert.ok(store.apply({ other: 1 }).ok);
  store[Symbol.dispose]();
});

test("a flow, an import and a session without memory fail alone", async () => {
  const other = new GaslSession({ graph });
  await other.execute("DECLARE z AS LIST");
  const compiled = compileFlow(
    { inputs: { x: {} }, nodes: [{ id: "a", type: "t", params: { text: "${x}" } }] },
    { t: { outputs: ["y"] } },
  );
  const nodes = { t: () => ({ outputs: { y: 1 } }) };
  const inputs = { x: "y".repeat(40_000_000) };
  await assert.rejects(compiled.flow.run({ nodes, inputs, maxBytes: 2 ** 30 }), outOfMemory);
  const { status } = await compiled.flow.run({ nodes, inputs: { x: "y" } });
  assert.equal(status, "completed");

  const nodeLink = `{"nodes":[${'{"id":1},'.repeat(4_000_000)}{"id":2}],"links":[]}`;
  assert.throws(() => Graph.fromNodeLink(nodeLink), outOfMemory);
  assert.equal((await other.execute("FIND nodes AS n")).status, "success");

  const session = new GaslSession({ graph, limits: { commands: 2 ** 30 } });
  const commands = Array.from({ length: 400_000 }, (_, at) => `DECLARE k${at} AS LIST`);
  await assert.rejects(session.run({ plan_id: "p", why: "w", commands }), outOfMemory);
  await assert.rejects(session.execute("FIND nodes AS n"), outOfMemory);
  session[Symbol.dispose]();
  assert.equal((await other.execute("DECLARE y AS LIST")).status, "success");
});

test("a workflow of a node without memory ends the run", async () => {
  const of = (type) => {
    const node = { id: "n", type, inputs: [], outputs: ["o"], retry: { max_attempts: 2 } };
    return compileFlow({ nodes: [node] }, { [type]: {} }).flow;
  };
  let calls = 0;
  const t = () => {
    calls += 1;
    return { outputs: { o: "y".repeat(60_000_000) } };
  };
  const nodes = { sub: subflow(of("t")), t };
  await assert.rejects(of("sub").run({ nodes, maxBytes: 2 ** 31 }), outOfMemory);
  assert.equal(calls, 1);
});

test("a call whose answer has no memory stays open, and throws again", () => {
  const nodes = [{ id: "a", type: "t", inputs: [], outputs: ["o"] }];
  const run = compileFlow({ nodes }, { t: {} }).flow.begin({ maxBytes: 2 ** 31 });
  const [{ key }] = run.calls;
  const answer = () => run.answer(key, { outputs: { o: "y".repeat(60_000_000) } });
  assert.throws(answer, outOfMemory);
  assert.equal(run.calls.length, 1);
  assert.throws(answer, outOfMemory);
});

test("a result of a stream without memory throws each time", () => {
  const store = new HamStore({ limits });
  const stream = store.stream();
  const results = [stream.push('{"root":{"kept":1},"a":{"l":[')];
  try {
    for (;;) results.push(stream.push("0,".repeat(8000)));
  } catch (error) {
    assert.ok(outOfMemory(error));
  }
  for (let time = 0; time < 2; time += 1) {
    assert.throws(() => results.at(-1).ok, outOfMemory);
    assert.throws(() => JSON.stringify(results.at(-1)), outOfMemory);
  }
  assert.equal(results[0].ok, true);
  assert.deepEqual(store.export(), { root: { kept: 1 } });
  store[Symbol.dispose]();
});
