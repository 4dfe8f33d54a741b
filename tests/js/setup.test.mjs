// The set-up's own promises: what cannot be installed is told in one line, and work is not repeated.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

function script(name, env) {
  const args = [join(root, "scripts", name)];
  return spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
}

test("a machine without Rust gets one line that says what to do", () => {
  const empty = mkdtempSync(join(tmpdir(), "byname-"));
  const { status, stderr } = script("build.mjs", { PATH: empty, HOME: empty });
  rmSync(empty, { recursive: true });
  assert.equal(status, 1);
  assert.equal(
    stderr.trim(),
    "byname: Rust is missing; install it from https://rustup.rs, then run this again",
  );
});

test("a PORT that is no port gets one line", () => {
  const { status, stderr } = script("start.mjs", { ...process.env, PORT: "http" });
  assert.equal(status, 1);
  assert.equal(stderr.trim(), 'byname: PORT is "http"; set it to a number from 1 to 65535');
});

test("an unknown step is named", () => {
  const args = [join(root, "scripts/test.mjs"), "nodes"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /there is no step "nodes"; the steps are fmt, clippy,/);
});

test("a second build compiles nothing", () => {
  const { status, stdout } = script("build.mjs", process.env);
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /compiling/);
});
