// Set-up scripts: a failed installation is reported in one line, and work is not repeated.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { steps } from "../../scripts/steps.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

function runScript(name, env) {
  const args = [join(root, "scripts", name)];
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
}

test("prints one line of instructions on a machine without Rust", () => {
  const empty = mkdtempSync(join(tmpdir(), "byname-"));
  const { status, stderr } = runScript("build.mjs", { PATH: empty, HOME: empty });
  rmSync(empty, { recursive: true });
  assert.equal(status, 1);
  assert.equal(
    stderr.trim(),
    "byname: Rust is missing; install it from https://rustup.rs, then run this again",
  );
});

test("prints one line for an invalid PORT", () => {
  const { status, stderr } = runScript("start.mjs", { ...process.env, PORT: "http" });
  assert.equal(status, 1);
  assert.equal(stderr.trim(), 'byname: PORT is "http"; set it to a number from 1 to 65535');
});

test("names an unknown step", () => {
  const args = [join(root, "scripts/test.mjs"), "nodes"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /there is no step "nodes"; the steps are fmt, clippy,/);
});

test("a second build compiles nothing", () => {
  const { status, stdout } = runScript("build.mjs", process.env);
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /compiling/);
});

test("a step waits only for steps before it", () => {
  const names = Object.keys(steps);
  for (const [index, name] of names.entries()) {
    const { after } = steps[name];
    if (after) assert.ok(names.slice(0, index).includes(after), `${name} waits for ${after}`);
  }
});
