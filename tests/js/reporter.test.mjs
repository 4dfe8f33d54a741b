// Reporter of `npm test`: it prints little about passed tests and everything about failed ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs these test files as `npm test` would; returns the exit code and the output. */
function runReporter(files, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), "byname-"));
  const paths = Object.entries(files).map(([name, code]) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, `import { test } from "node:test";\n${code}`);
    return path;
  });
  // A test inside a test would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--test", "--test-reporter=./scripts/reporter.mjs", ...paths];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...env, BYNAME_DURATIONS: "", ...more },
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  return { status, stdout };
}

test("prints one line for passed tests", () => {
  const { status, stdout } = runReporter({
    good: 'test("one", () => {});\ntest("two", () => {});\ntest("three", { skip: true });',
  });
  assert.equal(status, 0);
  assert.equal(stdout, "2 passed, 1 skipped\n");
});

test("prints the name, location and reason of every failure", () => {
  const { status, stdout } = runReporter({
    broken: "import 'nowhere';",
    late: 'test("early", () => {}); setTimeout(() => { throw new Error("too late"); }, 50);',
    thrown: 'console.log("said");\ntest("sums", () => { throw new Error("2 is not 3"); });',
  });
  assert.equal(status, 1);
  assert.match(stdout, /failed: sums \(.*thrown\.test\.mjs:3\)\n {2}Error: 2 is not 3/);
  assert.match(stdout, /Cannot find package 'nowhere'/);
  assert.match(stdout, /too late/);
  assert.match(stdout, /^said$/m);
  assert.match(stdout, /\n1 passed, 3 failed\n$/);
});

test("appends durations of top-level tests to a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "byname-"));
  const path = join(folder, "durations.jsonl");
  const wait = "new Promise((done) => setTimeout(done, 20))";
  runReporter(
    { timed: `test("slow", async (t) => { await t.test("inner", () => ${wait}); });` },
    { BYNAME_DURATIONS: path },
  );
  const lines = readFileSync(path, "utf8").trim().split("\n");
  rmSync(folder, { recursive: true });
  const [{ name, seconds }, ...others] = lines.map((line) => JSON.parse(line));
  assert.deepEqual(others, []);
  assert.match(name, /timed\.test\.mjs: slow$/);
  assert.ok(seconds >= 0.02, `${seconds}`);
});
