// Creates projects in target/hosts from the blocks of docs/install.md and from code that imports byname.
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

/** Folder in which the hosts and the packed package are installed. */
export const hosts = join(root, "target/hosts");

const files = fileURLToPath(new URL("files", import.meta.url));

/** Result of the program in every host. */
export const expected = {
  people: [{ name: "Grace" }, { name: "Ada Lovelace" }],
  changes: ["move root/row:b", "set root/row:a"],
  answer: "ADA, and no one else",
  said: "Found: ADA, and no one else",
};

/** Result of the program of byname/ham. */
export const expectedOfHam = { people: expected.people, changes: expected.changes };

/** Returns the file blocks of docs/install.md by path: ```js vite/main.js */
export function snippets() {
  const page = readFileSync(join(root, "docs/install.md"), "utf8");
  const blocks = [...page.matchAll(/^```\w+ ([\w-]+\/\S+)\n(.*?)^```$/gms)];
  return new Map(blocks.map(([, path, code]) => [path, code]));
}

/**
 * Creates a folder with a package.json, the installed package, the program as `app.js`, the snippets of a host, and `extra` files.
 * With `of: "byname/ham"`, all files import that entry; `as` is the name of the folder.
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

/** Returns the HTML page of a project. */
export const page = (script) => `<!doctype html>
<title>byname</title>
<link rel="icon" href="data:,">
<div id="app"></div>
${script}
`;

/** Imports a module from the installed hosts. */
export async function hostModule(name) {
  const require = createRequire(join(hosts, "package.json"));
  return await import(pathToFileURL(require.resolve(name)).href);
}

/** Returns the path of a host's program, or undefined if npm has none for this platform. */
export function hostProgram(scope, file) {
  const folder = join(hosts, "node_modules", scope);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => join(folder, name, file)).find((path) => existsSync(path));
}

// Disables telemetry and update checks of the hosts.
const env = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: "1",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
};

/** Runs a program in a folder to its end; returns its output. */
export async function run(folder, program, ...args) {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env }).catch(
    (error) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
  return stdout;
}

/** Starts a server in a folder. */
export async function start(folder, program, ...args) {
  // A process group, so that child processes end with it.
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

/** Returns a free port. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the output of a server matches a pattern; returns the match. */
export async function waitForOutput(server, pattern) {
  let over = false;
  server.ended.then(() => {
    over = true;
  });
  for (;;) {
    const match = pattern.exec(server.said());
    if (match) return match;
    assert.ok(!over, `the server ended: ${server.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Fetches from a server, and retries until it listens. */
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
