// Servers of the example `durable-flow`, on free ports of 127.0.0.1. They end with the test.

import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Returns a reason to skip tests with Redis, or undefined. */
export function redisMissing() {
  const isMissing = spawnSync("redis-server", ["--version"]).error !== undefined;
  return isMissing ? "redis-server is not installed" : undefined;
}

/** Starts Redis without files. Returns `{ port, stop }`. */
export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), "byname-redis-"));
  const port = await freePort();
  const options = ["--bind", "127.0.0.1", "--port", port, "--dir", folder];
  const memory = ["--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", [...options, ...memory], { stdio: "ignore" });
  await untilReady(server, () => {
    const { stdout } = spawnSync("redis-cli", ["-p", port, "ping"], { encoding: "utf8" });
    return stdout?.trim() === "PONG";
  });
  return { port, stop: () => stop(server, "SIGTERM", folder) };
}

/** Returns a reason to skip tests with Postgres, or undefined. */
export function postgresMissing() {
  if (postgresFolder() === undefined) return "postgresql is not installed";
  if (process.getuid?.() === 0 && postgresUser() === undefined)
    return "there is no user `postgres`, and the server does not run as root";
  return undefined;
}

/** Starts Postgres in a new folder. Returns `{ port, stop }`. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), "byname-postgres-"));
  const user = process.getuid?.() === 0 ? postgresUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { cwd: folder, stdio: "ignore", ...user };
  const program = (name) => join(postgresFolder(), name);
  const created = spawnSync(
    program("initdb"),
    ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "--no-sync"],
    { ...options, stdio: "pipe", encoding: "utf8" },
  );
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`);
  const port = await freePort();
  const server = spawn(
    program("postgres"),
    ["-D", join(folder, "data"), "-h", "127.0.0.1", "-p", port, "-k", folder, "-F"],
    options,
  );
  await untilReady(server, () => {
    const ready = spawnSync(program("pg_isready"), ["-h", "127.0.0.1", "-p", port]);
    return ready.status === 0;
  });
  return { port, stop: () => stop(server, "SIGINT", folder) };
}

/** Returns the folder of the programs of the newest installed Postgres. */
function postgresFolder() {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, "bin"));
  return folders.find((folder) => existsSync(join(folder, "postgres")));
}

function postgresUser() {
  const id = (option) => Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout);
  const [uid, gid] = [id("-u"), id("-g")];
  return uid > 0 && gid > 0 ? { uid, gid } : undefined;
}

async function untilReady(server, isReady) {
  for (let attempt = 0; !isReady(); attempt += 1) {
    if (attempt > 200 || server.exitCode !== null) throw new Error("a server did not start");
    await delay(50);
  }
}

async function stop(server, signal, folder) {
  const ended = new Promise((resolve) => server.once("close", resolve));
  server.kill(signal);
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}
