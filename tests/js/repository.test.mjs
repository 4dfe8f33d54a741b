// Committed files: they run on any machine, so they contain no folder of a particular one.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("no committed text names a folder of one machine", (t) => {
  const folders = ["work/", "root/[.]", "tmp/[a-z]"].map(
    (folder) => `(^|[^A-Za-z0-9_.])/${folder}`,
  );
  const args = ["grep", "-nIE", folders.join("|"), "--", ":!tests/cases"];
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  // A copy without git cannot be checked; git grep ends with 1 when it finds nothing.
  if (status > 1 || status === null) return t.skip(stderr);
  assert.equal(stdout, "");
});
