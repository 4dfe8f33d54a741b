// Starts the server of an example in a process of its own, on a free port of 127.0.0.1.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * Starts `server.mjs` of an example, with arguments and further variables of the environment. Returns its `url`, which
 * it prints, and `stop`, which ends the process and returns what it wrote to the standard error.
 */
export async function startExample(name, { args = [], env = {} } = {}) {
  const script = fileURLToPath(new URL(`../../examples/${name}/server.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  const firstLine = new Promise((resolve) =>
    createInterface({ input: child.stdout }).once("line", resolve),
  );
  const url = await Promise.race([firstLine, closed.then(() => undefined)]);
  if (url === undefined) throw new Error(`examples/${name}/server.mjs ended: ${errors}`);
  return {
    url,
    stop: async () => {
      child.kill("SIGKILL");
      await closed;
      return errors;
    },
  };
}

/** Returns the server-sent events of a response as `[type, data]`. */
export async function readEvents(response) {
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  return events.map((event) => {
    const [first, ...lines] = event.split("\n");
    return [
      first.replace("event: ", ""),
      lines.map((line) => line.replace("data: ", "")).join("\n"),
    ];
  });
}
