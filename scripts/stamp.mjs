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

/** Runs `step` unless its products exist and the stamp matches the hash of `inputs` and `extra`. */
export async function runIfStale(stamp, { inputs, extra = [], products }, step) {
  const hash = createHash("sha256").update(JSON.stringify(extra));
  for (const file of inputs) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  const fingerprint = hash.digest("hex");
  const path = join(root, stamp);
  const fresh =
    products.every((product) => existsSync(join(root, product))) &&
    existsSync(path) &&
    readFileSync(path, "utf8") === fingerprint;
  if (fresh) return;
  // Removed first, because a step that fails can leave incomplete products.
  rmSync(path, { force: true });
  await step();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fingerprint);
}
