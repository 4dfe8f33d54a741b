// The tables of a graph as files, for opponents that read files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder for what opponents read. */
export const folder = join(import.meta.dirname, "../../target/bench-data");

const written = new Map();

/** Paths of both tables; each size is written once. */
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
