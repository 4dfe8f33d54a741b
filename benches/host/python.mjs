// Python program that returns one JSON line for each request line.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Returns whether python3 and a module are installed. */
export function hasPython(module) {
  return spawnSync("python3", ["-c", `import ${module}`]).status === 0;
}

/** Starts a program of `baselines/`; `ask` sends a request and resolves to its response. */
export function startPython(program) {
  const path = join(import.meta.dirname, "../baselines", program);
  const child = spawn("python3", [path], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${program} ended without an answer`);
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}
