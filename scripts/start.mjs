// Sets up what is missing, builds, and serves the playground.
import { join } from "node:path";
import { build } from "./build.mjs";
import { given, main, root, say, Trouble } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { site } from "./site.mjs";

await main(async () => {
  given({ instead: "set PORT to serve at another port" });
  const port = wantedPort();
  await ensureForBuild();
  await build();
  await site();
  endWithNpm();
  const url = await serve(port);
  say(`the playground is at ${url} (Ctrl-C ends it)`);
});

// The development server starts in half a second and bundles nothing.
async function serve(port) {
  // Vite is there only after the set-up.
  const { createServer } = await import("vite");
  const server = await createServer({
    configFile: join(root, "www/vite.config.ts"),
    root: join(root, "www"),
    clearScreen: false,
    // A port that was asked for is that port or an error; otherwise the next free one.
    server: { host: "127.0.0.1", port: port ?? 5173, strictPort: port !== undefined },
  });
  try {
    await server.listen();
  } catch (error) {
    throw new Trouble(`port ${port} cannot be used: ${error.message}; set PORT to another`);
  }
  return `http://localhost:${server.httpServer.address().port}/`;
}

// When npm is ended it does not tell the server, which would keep the port.
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const look = () => process.ppid !== parent && process.exit(0);
  setInterval(look, 500).unref();
}

function wantedPort() {
  const { PORT } = process.env;
  if (!PORT) return undefined;
  const port = Number(PORT);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new Trouble(`PORT is "${PORT}"; set it to a number from 1 to 65535`);
}
