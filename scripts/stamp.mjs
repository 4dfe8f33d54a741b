// Skips a step whose inputs have not changed since it last succeeded.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { withLock } from "./lock.mjs";
import { root } from "./run.mjs";

/** Returns the sorted paths, relative to the root, of all files in a folder; of a file, its own path. */
export function listFiles(path, suffix = "") {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Runs `step` unless its products exist and the stamp matches the hash of `inputs` and `extra`. Of several processes one
 * runs the step, and the others wait for it.
 */
export async function runIfStale(stamp, task, step) {
  if (isFresh(stamp, task)) return;
  await withLock(stamp.replaceAll("/", "-"), async () => {
    if (isFresh(stamp, task)) return;
    const path = join(root, stamp);
    const fingerprint = hashInputs(task);
    // Removed first, because a step that fails can leave incomplete products.
    rmSync(path, { force: true });
    await step();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fingerprint);
  });
}

function isFresh(stamp, task) {
  const path = join(root, stamp);
  return (
    task.products.every((product) => existsSync(join(root, product))) &&
    existsSync(path) &&
    readFileSync(path, "utf8") === hashInputs(task)
  );
}

function hashInputs({ inputs, extra = [] }) {
  const hash = createHash("sha256").update(JSON.stringify(extra));
  for (const file of inputs) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}
