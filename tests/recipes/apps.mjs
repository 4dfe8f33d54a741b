// Files of docs/recipes.md as applications: a server in a process of its own, and a page that forwards requests to it.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
export const folder = join(here, "apps");

/** Returns the blocks with a file name by path. */
export function filesOf(markdown) {
  const blocks = markdown.matchAll(/^```\w+ ([\w-]+\/\S+\.\w+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, path, text]) => [path, text]));
}

export const markdown = readFileSync(join(root, "docs/recipes.md"), "utf8");
export const files = filesOf(markdown);

export function writeApps() {
  removeApps();
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function removeApps() {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts `server.mjs` of a recipe on a free port; it prints the port. */
export async function startAgent(name) {
  const env = { ...process.env, PORT: "0" };
  const child = spawn(process.execPath, [join(folder, name, "server.mjs")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((done) => child.once("exit", done));
  const port = await Promise.race([
    new Promise((done) => createInterface({ input: child.stdout }).once("line", done)),
    exited.then((code) => {
      throw new Error(`${name}/server.mjs ended with ${code}`);
    }),
  ]);
  return {
    port: Number(port),
    stop: () => {
      child.kill();
      return exited;
    },
  };
}

const types = {
  js: "text/javascript",
  mjs: "text/javascript",
  wasm: "application/wasm",
  html: "text/html; charset=utf-8",
};

/** Import map for the package, as in docs/install.md. */
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const imports = Object.fromEntries(
  Object.entries(exports)
    .map(([path, target]) => [`byname${path.slice(1)}`, target.browser ?? target.default])
    .filter(([, file]) => file?.endsWith(".js"))
    .map(([name, file]) => [name, file.slice(1)]),
);
const importMap = `<script type="importmap">${JSON.stringify({ imports })}</script>`;

/** Serves a page and the package, and forwards the paths of `client/vite.config.js` to a port. */
export async function servePage(html, script, agentPort) {
  const config = await import(pathToFileURL(join(folder, "client/vite.config.js")));
  const forwarded = Object.keys(config.default.server.proxy);
  const page = html.replace("<script", `${importMap}\n  <script`);
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url, "http://localhost");
    if (forwarded.includes(pathname)) return forward(incoming, outgoing, agentPort);
    const texts = { "/": page, "/page.js": script };
    const extension = pathname === "/" ? "html" : pathname.split(".").at(-1);
    outgoing.setHeader("content-type", types[extension] ?? "text/plain");
    if (Object.hasOwn(texts, pathname)) outgoing.end(texts[pathname]);
    else if (pathname.startsWith("/pkg/")) outgoing.end(readFileSync(join(root, pathname)));
    else outgoing.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** Forwards a request, as the proxy of Vite does. */
function forward(incoming, outgoing, port) {
  const { method, headers, url: path } = incoming;
  const options = { host: "127.0.0.1", port, path, method, headers };
  const forwarded = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(forwarded);
}
