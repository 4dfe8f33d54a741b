// A step is skipped when what it reads has not changed since it last succeeded.
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

/** All files under a folder, sorted, as paths from the root; a file stands for itself. */
export function files(path, suffix = "") {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Runs `step` unless these inputs are those of its last success and its products are there. */
export async function unlessFresh(stamp, { inputs, words = [], products }, step) {
  const hash = createHash("sha256").update(JSON.stringify(words));
  for (const file of inputs) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  const fingerprint = hash.digest("hex");
  const path = join(root, stamp);
  const fresh =
    products.every((product) => existsSync(join(root, product))) &&
    existsSync(path) &&
    readFileSync(path, "utf8") === fingerprint;
  if (fresh) return;
  // A step that fails half way leaves products that no stamp vouches for.
  rmSync(path, { force: true });
  await step();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fingerprint);
}
