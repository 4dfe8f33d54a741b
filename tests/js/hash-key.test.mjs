// The key of the hashes: each process and each instance sets a random one before it hashes a text.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { GaslSession, Graph, HamStore } from "byname/inline";

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

/** Returns texts of 16 characters. With `end` the low words of their hashes without a key are equal. */
const idsOf = (count, end) =>
  Array.from({ length: count }, (_, at) => {
    const middle = at.toString(36).padStart(4, "0");
    return `aaaa${middle}${end}zzzz`;
  });

/** Inputs that hash each id. */
const inputs = {
  "a table": (ids) => Graph.fromCsv({ nodes: `id\n${ids.join("\n")}\n`, edges: "source,target\n" }),
  "properties of a node": (ids) =>
    new HamStore().apply({ root: Object.fromEntries(ids.map((id) => [id, 1])) }),
  nodes: (ids) => new HamStore().apply(Object.fromEntries(ids.map((id) => [id, 1]))),
  "fields of a command": (ids) =>
    GaslSession.check(`SELECT x FIELDS ${ids.map((id) => `\`${id}\``).join(", ")} AS y`),
};

for (const [name, read] of Object.entries(inputs)) {
  test(`ids that would collide without a key take no longer than others: ${name}`, () => {
    const [colliding, others] = ["Dsp\u0003", "Dsp_"].map((end) => idsOf(40_000, end));
    const timeOf = (ids) => {
      const times = [1, 2, 3].map(() => {
        const start = performance.now();
        read(ids);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    timeOf(others);
    // Colliding ids took a hundred times as long.
    const [slow, fast] = [timeOf(colliding), timeOf(others)];
    assert.ok(slow < 10 * fast + 50, `${slow} ms, and ${fast} ms for others`);
  });
}
