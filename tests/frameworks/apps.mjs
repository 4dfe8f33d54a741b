// Builds the recipes of docs/frameworks.md as applications, as the tools of their frameworks do.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = join(here, "apps");
const resolve = createRequire(join(here, "package.json")).resolve;
const load = (name) => import(pathToFileURL(resolve(name)));

/** Plugins that `npm create vite` adds for each framework. */
const plugins = {
  React: async () => [(await load("@vitejs/plugin-react")).default()],
  Vue: async () => [(await load("@vitejs/plugin-vue")).default()],
  Svelte: async () => [(await load("@sveltejs/vite-plugin-svelte")).svelte()],
  Solid: async () => [(await load("vite-plugin-solid")).default()],
  Lit: () => [],
  "A plain page": () => [],
};
export const names = Object.keys(plugins);

/** Folders of the React in the repository, and of the oldest supported one. */
export const reacts = { newest: fileURLToPath(new URL("../..", import.meta.url)), oldest: here };

const page = (
  entry,
) => `<!doctype html><html lang="en"><title>Order</title><link rel="icon" href="data:,">
<div id="app"></div><script type="module" src="/${entry}"></script></html>`;

/** Returns the file blocks of a section by path. */
function filesIn(markdown) {
  const blocks = markdown.matchAll(/^```\w+ (\S+\.\w+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, path, text]) => [path, text]));
}

/** Returns the files of each recipe, including the shared ones. */
export function recipes() {
  const markdown = readFileSync(new URL("../../docs/frameworks.md", import.meta.url), "utf8");
  const parts = markdown.split(/^## (.*)$/m);
  const sections = new Map();
  for (let at = 1; at < parts.length; at += 2) sections.set(parts[at], filesIn(parts[at + 1]));
  const shared = sections.get("What all of them share");
  return new Map(names.map((name) => [name, new Map([...shared, ...(sections.get(name) ?? [])])]));
}

/** Returns the example of the README in a page that shows the last action and can remove the example. */
export function readmeExample() {
  const files = filesIn(readFileSync(new URL("../../README.md", import.meta.url), "utf8"));
  return files.set("src/main.jsx", readmePage);
}

const readmePage = `import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { Assistant } from "./Assistant.jsx";

function Page() {
  const [open, setOpen] = useState(true);
  const [sent, setSent] = useState("");
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)}>Show or hide</button>
      {open && <Assistant send={({ name, context }) => setSent(name + " " + context.stars)} />}
      <p id="sent">{sent}</p>
    </>
  );
}
createRoot(document.querySelector("#app")).render(<StrictMode><Page /></StrictMode>);
`;

/** Writes a recipe as a project and builds it; returns the path of the build on the server. */
export async function buildApp(name, files, react = reacts.newest) {
  const slug = name.toLowerCase().replaceAll(" ", "-");
  const root = join(folder, slug);
  rmSync(root, { recursive: true, force: true });
  const entry = files.has("src/main.jsx") ? "src/main.jsx" : "src/main.js";
  const all = new Map([
    ["index.html", page(entry)],
    ["package.json", '{ "type": "module" }'],
    ...files,
  ]);
  for (const [path, text] of all) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { build, createLogger } = await load("vite");
  const complaints = [];
  const logger = createLogger("warn");
  logger.info = () => {};
  logger.warn = logger.warnOnce = (message) => complaints.push(message);
  await build({
    root,
    base: "./",
    configFile: false,
    customLogger: logger,
    plugins: await plugins[name](),
    // The package is the repository itself, so its React would differ from that of the project.
    resolve: {
      alias: [{ find: /^(react|react-dom)(?=\/|$)/, replacement: join(react, "node_modules/$1") }],
    },
    build: { target: "es2022", chunkSizeWarningLimit: 5000 },
  });
  return { path: `/tests/frameworks/apps/${slug}/dist/index.html`, complaints };
}

export function removeApps() {
  rmSync(folder, { recursive: true, force: true });
}
