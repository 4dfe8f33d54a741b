// Starts one measuring Node process for each group of workloads.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inTabs } from "./tabs.mjs";

const program = join(import.meta.dirname, "run-node.mjs");
const flags = ["--expose-gc", "--max-old-space-size=12000"];

/**
 * Measures workloads; `options` are those of `measure` and `sizes` by name. `tell` receives each
 * result.
 */
export async function runInNode(workloads, options, tell) {
  for (const group of inTabs(workloads)) {
    await runGroup({ names: group.map(({ name }) => name), ...options }, tell);
  }
}

function runGroup(asked, tell) {
  const child = spawn(process.execPath, [...flags, program, JSON.stringify(asked)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => tell(JSON.parse(line)));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${asked.names.join(", ")}: the process failed, see its output above`));
    });
  });
}
