// Locks of the scripts: one process at a time changes a folder, and the lock of an ended process does not remain.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const locks = join(root, "target/locks");
const name = `test-${process.pid}`;

/** Calls `body` with the path of a file that contains 0. */
async function withCounter(body) {
  const folder = mkdtempSync(join(tmpdir(), "byname-"));
  const path = join(folder, "counter");
  writeFileSync(path, "0");
  try {
    await body(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Code of a process that reads the counter, waits, and writes the next number, all with the lock. */
const count = (path) => `
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "./scripts/lock.mjs";
await withLock(${JSON.stringify(name)}, async () => {
  const number = Number(readFileSync(${JSON.stringify(path)}, "utf8"));
  await sleep(50);
  writeFileSync(${JSON.stringify(path)}, String(number + 1));
});`;

/** Runs code as a module in the root folder. Resolves with the exit code. */
function runModule(code) {
  const args = ["--input-type=module", "--eval", code];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.on("close", resolve));
}

test("processes with the same lock run one after the other", async () => {
  await withCounter(async (path) => {
    const codes = await Promise.all(Array.from({ length: 5 }, () => runModule(count(path))));
    assert.deepEqual(codes, [0, 0, 0, 0, 0]);
    assert.equal(readFileSync(path, "utf8"), "5");
    assert.ok(!existsSync(join(locks, name)));
  });
});

test("the lock of an ended process is removed", async () => {
  await withCounter(async (path) => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, name), String(pid));
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => runModule(count(path)))), [0, 0, 0]);
    assert.equal(readFileSync(path, "utf8"), "3");
  });
});

test("a body that fails releases the lock", async () => {
  const code = `
import { withLock } from "./scripts/lock.mjs";
const failing = withLock(${JSON.stringify(name)}, () => { throw new Error("no space"); });
await failing.then(() => process.exit(2), ({ message }) => process.exit(message === "no space" ? 0 : 3));`;
  assert.equal(await runModule(code), 0);
  assert.ok(!existsSync(join(locks, name)));
});
