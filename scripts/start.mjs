// Installs what is missing, builds the package and the documentation, and serves the playground.
import { join } from "node:path";
import { build } from "./build.mjs";
import { main, parseCommandLine, printStatus, root, UserError } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { buildDocs } from "./site.mjs";

await main(async () => {
  parseCommandLine({ hint: "set PORT to serve at another port" });
  const port = readPort();
  await ensureForBuild();
  await build();
  await buildDocs();
  exitWithNpm();
  const url = await startServer(port);
  printStatus(`the playground is at ${url} (Ctrl-C ends it)`);
});

// Uses the development server, which starts in half a second and bundles nothing.
async function startServer(port) {
  // Vite can be loaded only after the set-up.
  const { createServer } = await import("vite");
  const server = await createServer({
    configFile: join(root, "www/vite.config.ts"),
    root: join(root, "www"),
    clearScreen: false,
    // A requested port must be free; otherwise the next free port is used.
    server: { host: "127.0.0.1", port: port ?? 5173, strictPort: port !== undefined },
  });
  try {
    await server.listen();
  } catch (error) {
    throw new UserError(`port ${port} cannot be used: ${error.message}; set PORT to another`);
  }
  return `http://localhost:${server.httpServer.address().port}/`;
}

// Exits when npm has ended, because npm does not stop the server and the port would stay in use.
function exitWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const check = () => process.ppid !== parent && process.exit(0);
  setInterval(check, 500).unref();
}

function readPort() {
  const { PORT } = process.env;
  if (!PORT) return undefined;
  const port = Number(PORT);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new UserError(`PORT is "${PORT}"; set it to a number from 1 to 65535`);
}
