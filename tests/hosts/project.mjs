// Fresh projects in target/hosts, made of the very blocks of docs/install.md and of code that imports byname.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the hosts and the packed package are installed. */
export const hosts = join(root, "target/hosts");

const files = fileURLToPath(new URL("files", import.meta.url));

/** What the program answers in every host. */
export const expected = {
  people: [{ name: "Grace" }, { name: "Ada Lovelace" }],
  told: ["move root/row:b", "set root/row:a"],
  answer: "ADA, and nobody else",
  said: "Found: ADA, and nobody else",
};

/** What it answers where there are only stores and surfaces. */
export const expectedOfHam = { people: expected.people, told: expected.told };

/** The blocks of docs/install.md that are files, by path: ```js vite/main.js */
export function snippets() {
  const page = readFileSync(join(root, "docs/install.md"), "utf8");
  const blocks = [...page.matchAll(/^```\w+ ([\w-]+\/\S+)\n(.*?)^```$/gms)];
  return new Map(blocks.map(([, path, code]) => [path, code]));
}

/**
 * A folder with a package.json, byname as npm installed it, the program as `app.js`, the snippets of a host, and `extra` files.
 * With `of: "byname/ham"` all of them import that; `as` is another name for the folder.
 */
export function project(host, { of = "byname", as = host, extra = {} } = {}) {
  const folder = join(hosts, "projects", as + of.slice("byname".length).replace("/", "-"));
  rmSync(folder, { recursive: true, force: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("package.json", '{ "private": true, "type": "module" }');
  cpSync(join(hosts, "node_modules/byname"), join(folder, "node_modules/byname"), {
    recursive: true,
  });
  cpSync(join(files, of === "byname" ? "all" : "ham"), folder, { recursive: true });
  if (existsSync(join(files, host))) cpSync(join(files, host), folder, { recursive: true });
  for (const [path, code] of snippets()) {
    if (!path.startsWith(`${host}/`)) continue;
    write(path.slice(host.length + 1), code.replaceAll(/"byname(?=[/"](?!dom))/g, `"${of}`));
  }
  for (const [path, text] of Object.entries(extra)) write(path, text);
  return folder;
}

/** The page of a project whose bundler wants one. */
export const page = (script) => `<!doctype html>
<title>byname</title>
<link rel="icon" href="data:,">
<div id="app"></div>
${script}
`;

/** A module of a host, as the projects have it. */
export async function hostModule(name) {
  const require = createRequire(join(hosts, "package.json"));
  return await import(pathToFileURL(require.resolve(name)).href);
}

/** The program of a host, or undefined where npm had none for this machine. */
export function hostProgram(scope, file) {
  const folder = join(hosts, "node_modules", scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => join(folder, name, file)).find((path) => existsSync(path));
}

// No host tells its makers of this run, nor asks them for news.
const env = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: "1",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
};

/** Runs a program in a folder to its end; answers what it prints. */
export async function run(folder, program, ...args) {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env }).catch(
    (error) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
  return stdout;
}

/** Starts a server in a folder; answers once its port is open. */
export async function start(folder, program, ...args) {
  // A group of its own, so that what it starts ends with it.
  const child = spawn(program, args, { cwd: folder, env, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const ended = new Promise((resolve) => child.on("close", resolve));
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
  };
  return { stop, said: () => said, ended };
}

/** A port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a server has printed something; answers the match. */
export async function told(server, pattern) {
  let over = false;
  server.ended.then(() => {
    over = true;
  });
  for (;;) {
    const match = pattern.exec(server.said());
    if (match) return match;
    assert.ok(!over, `it ended: ${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Fetches from a server that may not listen yet. */
export async function fetchFrom(server, url, options) {
  let over = false;
  server.ended.then(() => {
    over = true;
  });
  for (;;) {
    try {
      return await fetch(url, options);
    } catch (error) {
      assert.ok(!over, `the server ended: ${server.said()}`);
      if (error.cause?.code !== "ECONNREFUSED") throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
