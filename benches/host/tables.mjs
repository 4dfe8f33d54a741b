// Graph tables as files, for baselines that read files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folder of the files. */
export const folder = join(import.meta.dirname, "../../target/bench-data");

const written = new Map();

/** Returns the paths of both tables; each size is written once. */
export function tableFiles(size, tables) {
  if (written.has(size)) return written.get(size);
  mkdirSync(folder, { recursive: true });
  const files = {};
  for (const name of ["nodes", "edges"]) {
    files[name] = join(folder, `${name}-${size}.csv`);
    writeFileSync(files[name], tables[name]);
  }
  written.set(size, files);
  return files;
}
