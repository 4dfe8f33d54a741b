// Saves of a session write what changed: PROCESS of many rows, and the loop of a conflict.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GaslSession, Graph, init } from "byname";
import { fileStorage, memoryStorage, StorageError } from "byname/storage";

await init();
const folder = mkdtempSync(join(tmpdir(), "byname-growth-"));
after(() => rmSync(folder, { recursive: true }));

/** Number of bytes that files have written. */
let written = 0;
const probe = await open(join(folder, "probe"), "w");
const fileHandle = Object.getPrototypeOf(probe);
const { write } = fileHandle;
fileHandle.write = async function (...given) {
  const result = await write.apply(this, given);
  written += result.bytesWritten;
  return result;
};
await probe.close();

/** Model that labels each row of a batch. */
async function label({ prompt }) {
  const ids = [...prompt.matchAll(/"id":\s*"(n\d+)"/g)].map(([, id]) => id);
  const items = ids.map((id) => ({ id, label: `about ${id}` }));
  return { json: { items, provenance: ids.map((id, item) => ({ item, input_id: id })) } };
}

const commands = [
  "DECLARE out AS LIST",
  "FIND nodes AS x",
  'PROCESS x USING "label" AS y',
  "UPDATE out WITH y",
];
const plan = { plan_id: "p", why: "w", commands };
const limits = { max_results: 1_000_000 };

function sessionOver(count, backend, llm = label) {
  const rows = Array.from({ length: count }, (_, n) => `n${n},text ${n}`).join("\n");
  const graph = Graph.fromCsv({ nodes: `id,text\n${rows}`, edges: "source,target" });
  return new GaslSession({ graph, llm, backend, caps: limits, ceilings: limits });
}

test("PROCESS of 100,000 rows writes less than five times its final state", async () => {
  const path = join(folder, "large");
  const session = sessionOver(100_000, fileStorage(path));
  const { status, diagnostics } = await session.run(plan);
  assert.equal(status, "completed", JSON.stringify(diagnostics));
  const { state } = session;
  assert.equal(state.variables.out.items.length, 100_000);
  const final = JSON.stringify(state).length;
  assert.ok(written < 5 * final, `${written} bytes for ${final}`);
  const stored = await fileStorage(path).load();
  assert.deepEqual(stored.state.variables, state.variables);
  assert.deepEqual(stored.state.history, state.history);
});

test("an interrupted PROCESS resumes from its changes", async () => {
  const path = join(folder, "resumed");
  let calls = 0;
  const failing = async (request) => {
    calls += 1;
    if (calls > 5) throw new Error("gone");
    return label(request);
  };
  const first = sessionOver(1_000, fileStorage(path), failing);
  await first.run(plan);
  const { state } = await fileStorage(path).load();
  assert.ok(state.checkpoints[0].batches.length > 2);
  assert.deepEqual(state.checkpoints, first.state.checkpoints);
  let laterCalls = 0;
  const counting = (request) => {
    laterCalls += 1;
    return label(request);
  };
  const later = sessionOver(1_000, fileStorage(path), counting);
  const result = await later.run(plan);
  assert.equal(result.status, "completed", JSON.stringify(result.diagnostics));
  assert.equal(later.variable("out").length, 1_000);
  // The five batches of the first session are not repeated.
  assert.equal(laterCalls, 15);
});

test("changes are saved in order, and a failure is followed by the complete state", async () => {
  const storage = memoryStorage();
  const calls = [];
  let failures = 0;
  const backend = {
    load: () => storage.load(),
    save: (state, options) => {
      calls.push("save");
      return storage.save(state, options);
    },
    saveChanges: (changes, options) => {
      calls.push("changes");
      failures += 1;
      if (failures === 2) throw new Error("no connection");
      return storage.saveChanges(changes, options);
    },
  };
  const session = sessionOver(3, backend);
  for (const name of ["a", "b", "c", "d"]) await session.execute(`DECLARE ${name} AS LIST`);
  assert.deepEqual(calls, ["save", "changes", "changes", "save", "changes"]);
  assert.deepEqual((await storage.load()).state, session.state);
});

test("changes that do not fit to the stored value change nothing", async () => {
  for (const storage of [memoryStorage(), fileStorage(join(folder, "misfit"))]) {
    const { rev } = await storage.save({ a: [1] }, { expectedRev: null });
    const changes = [
      { at: ["a"], append: [2] },
      { at: ["none", "b"], set: 1 },
    ];
    await assert.rejects(storage.saveChanges(changes, { expectedRev: rev }));
    assert.deepEqual(await storage.load(), { state: { a: [1] }, rev });
    const conflict = storage.saveChanges([], { expectedRev: "other" });
    await assert.rejects(conflict, (error) => error instanceof StorageError);
    const saved = await storage.saveChanges([changes[0]], { expectedRev: rev });
    assert.deepEqual(await storage.load(), { state: { a: [1, 2] }, rev: saved.rev });
    await assert.rejects(storage.saveChanges({}, { expectedRev: saved.rev }), { code: "argument" });
  }
});

for (const [kind, create] of [
  ["memory", () => memoryStorage()],
  ["file", () => fileStorage(join(folder, "forms"))],
]) {
  test(`${kind}: changes that cannot be applied are rejected and change nothing`, async () => {
    const storage = create();
    const { rev } = await storage.save({ a: 1, l: [1, 2, 3] }, { expectedRev: null });
    const save = (change) => storage.saveChanges([change], { expectedRev: rev });
    for (const change of [
      { at: ["a"] },
      { at: ["a"], set: 1, delete: true },
      { at: ["a"], delete: false },
      { at: ["l"], drop: -1 },
      { at: ["l"], drop: 1.5 },
      { at: ["l"], drop: "1" },
      { at: ["l"], append: "text" },
      { at: "l", set: 1 },
      { at: [null], set: 1 },
      { set: 1 },
      null,
    ])
      await assert.rejects(save(change), { code: "argument", message: /expected a change to be/ });
    for (const change of [
      { at: ["l", 0], delete: true },
      { at: [], delete: true },
      { at: ["l", -1], set: 1 },
      { at: ["l", 0.5], set: 1 },
    ])
      await assert.rejects(save(change), /expected/, JSON.stringify(change));
    assert.deepEqual(await storage.load(), { state: { a: 1, l: [1, 2, 3] }, rev });
    const changes = [
      { at: ["l"], drop: 1 },
      { at: ["l"], append: [4] },
      { at: ["a"], delete: true },
      { at: ["l", 0], set: 5 },
    ];
    await storage.saveChanges(changes, { expectedRev: rev });
    assert.deepEqual((await storage.load()).state, { l: [5, 3, 4] });
    await storage.close();
  });
}
