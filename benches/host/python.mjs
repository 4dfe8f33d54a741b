// A Python program that answers one line of JSON for each line that it is sent.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Whether python3 is there and has this module. */
export function hasPython(module) {
  return spawnSync("python3", ["-c", `import ${module}`]).status === 0;
}

/** Starts a program of `opponents/`; `ask` sends a request and answers what came back. */
export function startPython(program) {
  const path = join(import.meta.dirname, "../opponents", program);
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
