// Builds the package again in another folder, and compares every file with pkg/: paths of the builder must not change
// the result.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { main, printStatus, root, run, UserError } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";

/** Its path is longer than that of the repository. */
const otherFolder = join(root, "target/reproducible/a folder with another name");
/** Everything that the build reads. */
const sources = [
  ...[".cargo", "benches/counts", "scripts", "src", "tools"],
  ...["Cargo.lock", "Cargo.toml", "LICENSE", "README.md", "package-lock.json", "package.json"],
];

/** Throws unless a second build gives the files of pkg/. */
export async function checkReproducible() {
  await build();
  rmSync(otherFolder, { recursive: true, force: true });
  for (const path of sources)
    cpSync(join(root, path), join(otherFolder, path), { recursive: true });
  // Installed tools are shared.
  symlinkSync(join(root, "node_modules"), join(otherFolder, "node_modules"), "dir");
  mkdirSync(join(otherFolder, "target/stamps"), { recursive: true });
  symlinkSync(join(root, "target/tools"), join(otherFolder, "target/tools"), "dir");
  cpSync(join(root, "target/stamps/tools"), join(otherFolder, "target/stamps/tools"));
  await run("node", [join(otherFolder, "scripts/build.mjs")]);
  const [first, second] = [root, otherFolder].map((folder) => readFiles(join(folder, "pkg")));
  const names = [...new Set([...first.keys(), ...second.keys()])];
  const isEqual = (name) => second.has(name) && first.get(name)?.equals(second.get(name));
  const different = names.filter((name) => name !== "README.md" && !isEqual(name));
  if (different.length > 0) {
    throw new UserError(`the build in another folder has other files: ${different.join(", ")}`);
  }
  rmSync(join(root, "target/reproducible"), { recursive: true });
  printStatus(`${names.length} files of pkg/ are the same when they are built in another folder`);
}

/** Returns the contents of all files of a folder by path. */
function readFiles(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.sort().map((path) => [relative(folder, path), readFileSync(path)]));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await checkReproducible();
  });
}
