// Runs whose process is killed before each of their calls, and that another process resumes from
// the stored trace. The outputs are equal, and only the calls that ran at that time are made twice.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../flow/killed-run.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "byname-killed-"));
test.after(() => rmSync(folder, { recursive: true }));

const EXPECTED = {
  status: "completed",
  outputs: { r: { y: [2, 4, 4, 6], o: 4, k: 3, w: "broken" } },
  warnings: [],
};
// One call of `start`, `broken`, `fix`, `end`, `first` and `last`, three of `loop`, four of `double`.
const CALLS = 13;

/** Runs processes that end before their call `left`, until one completes; returns its result and all calls. */
function runToEnd(name, left, concurrency) {
  const own = mkdtempSync(join(folder, name));
  const read = (file) => readFileSync(join(own, file), "utf8");
  let processes = 0;
  for (; !existsSync(join(own, "result.json")); processes += 1) {
    assert.ok(processes <= CALLS, "no process made progress");
    const { status, signal, stderr } = spawnSync(process.execPath, [
      script,
      own,
      left,
      concurrency,
    ]);
    assert.ok(status === 0 || signal === "SIGKILL", String(stderr));
  }
  return {
    result: JSON.parse(read("result.json")),
    calls: read("calls").trim().split("\n"),
    processes,
  };
}

for (const concurrency of [1, 4]) {
  test(`a killed run is continued by another process, with ${concurrency} calls at a time`, () => {
    for (const left of [1, 3, 8, CALLS]) {
      // A group of batch items is stored when as many have ended as run at a time.
      if (concurrency > 1 && left < 2 * concurrency) continue;
      const { result, calls, processes } = runToEnd(`${concurrency}-${left}-`, left, concurrency);
      assert.deepEqual(result, EXPECTED);
      assert.equal(new Set(calls).size, CALLS);
      // A kill loses only calls that ran then, and batch items since the last checkpoint.
      const repeated = calls.length - CALLS;
      const lost = concurrency === 1 ? 0 : 2 * concurrency;
      assert.ok(repeated <= (processes - 1) * lost, `${repeated} repeated: ${calls.join(" ")}`);
      assert.equal(processes > 1, left < CALLS);
    }
  });
}
