// Files of a storage that other programs replace, link or protect.

import assert from "node:assert/strict";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileStorage, StorageError } from "byname/storage";

const folder = mkdtempSync(join(tmpdir(), "byname-storage-files-"));
after(() => rmSync(folder, { recursive: true }));

/** Saves until the file is rewritten with its values only. */
async function rewrite(storage, path) {
  let { rev } = (await storage.load()) ?? { rev: null };
  for (let length = 0; ; ) {
    ({ rev } = await storage.save({ text: `${length}`.repeat(9_000) }, { expectedRev: rev }));
    const { size } = statSync(path);
    if (size < length) return rev;
    length = size;
  }
}

test("a file that was replaced under the same inode is read again", async () => {
  const [path, otherPath] = [join(folder, "one"), join(folder, "other")];
  const storage = fileStorage(path);
  const { rev } = await storage.save({ n: 1 }, { expectedRev: null });
  const { ino } = statSync(path);
  for (const count of [1, 5]) {
    // The values differ in length, and so do the lines.
    const other = fileStorage(otherPath);
    let last = (await other.load())?.rev ?? null;
    for (let n = 0; n < count; n += 1)
      ({ rev: last } = await other.save({ n, text: "x".repeat(n) }, { expectedRev: last }));
    writeFileSync(path, readFileSync(otherPath));
    assert.equal(statSync(path).ino, ino);
    const refused = storage.save({ n: 2 }, { expectedRev: rev });
    await assert.rejects(
      refused,
      (error) => error instanceof StorageError && error.reason === "conflict",
    );
    assert.equal((await storage.load()).rev, last);
    rmSync(otherPath);
  }
});

test("each rewritten file has its own header", async () => {
  const path = join(folder, "rewritten");
  const headers = new Set();
  for (let count = 0; count < 3; count += 1) {
    await rewrite(fileStorage(path), path);
    headers.add(readFileSync(path, "utf8").split("\n", 1)[0]);
  }
  assert.equal(headers.size, 3);
});

test("a rewritten file keeps its link and its permissions", async () => {
  const [path, link] = [join(folder, "target"), join(folder, "link")];
  await fileStorage(path).save(0, { expectedRev: null });
  chmodSync(path, 0o600);
  symlinkSync(path, link);
  const rev = await rewrite(fileStorage(link), path);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal((await fileStorage(path).load()).rev, rev);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});
