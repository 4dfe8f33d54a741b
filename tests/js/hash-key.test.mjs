// The key of the hashes: each process and each instance sets a random one before it hashes a text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";

const preload = new URL("hash-key-calls.mjs", import.meta.url).href;

/** Programs by entry; each hashes a text. */
const programs = {
  byname: `const { HamStore, init } = await import("byname"); await init(); new HamStore().apply({ a: 1 });`,
  "byname/inline": `const { Graph } = await import("byname/inline"); Graph.from({ nodes: [{ id: "a" }], links: [] });`,
  "byname/ham": `const { HamStore, init } = await import("byname/ham"); await init(); new HamStore().apply({ a: 1 });`,
  "a workflow": `const { compileFlow, init } = await import("byname"); await init(); compileFlow({ nodes: [] }, {});`,
  "byname/instance": `const { createInstance } = await import("byname/instance");
    const { init } = await import("byname"); await init();
    for (let count = 0; count < 2; count++) new (await createInstance()).HamStore().apply({ a: 1 });`,
  "a thread": `const { Worker } = await import("node:worker_threads");
    const code = 'const { HamStore } = await import("byname/inline"); new HamStore().apply({ a: 1 });';
    const url = new URL("data:text/javascript," + encodeURIComponent(code.replace("byname/inline", import.meta.resolve("byname/inline"))));
    new Worker(url, { execArgv: ["--import", ${JSON.stringify(preload)}] });`,
};

/** Returns the first calls of the instances of a program: name and arguments. */
function callsOf(program, env = {}) {
  const args = ["--import", preload, "--input-type=module", "--eval", program];
  const options = { encoding: "utf8", env: { ...process.env, ...env } };
  const { status, stderr } = spawnSync(process.execPath, args, options);
  assert.equal(status, 0, stderr);
  const lines = stderr.trim().split("\n").filter(Boolean);
  // The address of the input buffer needs no hash.
  return lines.map((line) => JSON.parse(line)).filter(([name]) => name !== "store_capacity_ptr");
}

for (const [name, program] of Object.entries(programs)) {
  test(`each process sets a random key before the first hash: ${name}`, () => {
    const calls = [...callsOf(program), ...callsOf(program)];
    assert.deepEqual([...new Set(calls.map(([name]) => name))], ["set_hash_key"]);
    assert.equal(calls.length, name === "byname/instance" ? 4 : 2);
    const keys = calls.map(([, words]) => words.slice(0, 4));
    assert.equal(new Set(keys.map(String)).size, calls.length, "equal keys");
    for (const words of keys) {
      assert.ok(words.every(Number.isInteger), String(words));
      assert.ok(words.some((word) => word !== 0));
    }
  });
}

test("without random numbers a fixed key is used", () => {
  const calls = callsOf(programs["byname"], { WITHOUT_CRYPTO: "1" });
  assert.ok(calls.length > 0);
  assert.ok(calls.every(([name]) => name !== "set_hash_key"));
});
