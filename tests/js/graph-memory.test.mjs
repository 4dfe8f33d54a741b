// Graph of 100,000 nodes and 500,000 edges in a child process: the size of the WebAssembly memory
// is its maximum, because that memory never shrinks.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

test("a large graph uses little memory", () => {
  const script = fileURLToPath(new URL("../load-large-graph.mjs", import.meta.url));
  const output = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
  const { nodes, edges, memory } = output;
  assert.deepEqual([nodes, edges], [100_000, 500_000]);
  assert.ok(memory < 120e6, `${memory} bytes`);
});
