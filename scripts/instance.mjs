// Writes pkg/instance-modules.js: the modules that use the WebAssembly as one function, so that a page can evaluate
// them again for a second memory. All other modules are imported, and so shared.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./run.mjs";

const folder = join(root, "pkg");
const entry = join(folder, "instance-entry.js");
const source = join(folder, "wasm.js");

/** Writes the module. */
export async function writeInstanceModules() {
  const { build } = await import("vite");
  const users = findUsers();
  const result = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [
      {
        name: "shared-modules",
        enforce: "pre",
        resolveId: (id, from) => resolveShared(id, from, users),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      minify: false,
      modulePreload: false,
      // Comments of the bundle name the modules relative to this folder.
      rolldownOptions: { cwd: root, input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const [{ code }] = result.output;
  writeFileSync(join(folder, "instance-modules.js"), toFunction(code));
  const types = readFileSync(join(root, "src/js/instance-modules.d.ts"), "utf8");
  writeFileSync(join(folder, "instance-modules.d.ts"), types);
  rmSync(entry);
}

/** Returns the path of a module that is imported and not copied. */
function resolveShared(id, from, users) {
  if (from === undefined || !id.startsWith(".")) return undefined;
  const file = resolve(dirname(from), id);
  return users.has(file) ? undefined : { id: `./${relative(folder, file)}`, external: true };
}

/** Returns the modules that the entry imports and that use the WebAssembly, directly or through others. */
function findUsers() {
  const imports = new Map();
  const visit = (file) => {
    if (imports.has(file)) return;
    const paths = readFileSync(file, "utf8").matchAll(
      /^(?:import|export|\}).*?from "(\.[^"]+)";$|^import "(\.[^"]+)";$/gm,
    );
    const found = [...paths].map(([, path, bare]) => resolve(dirname(file), path ?? bare));
    imports.set(file, found);
    found.forEach(visit);
  };
  visit(entry);
  const users = new Set([source, join(folder, "byname_bg.js")]);
  for (let before = 0; before !== users.size; ) {
    before = users.size;
    for (const [file, found] of imports) if (found.some((one) => users.has(one))) users.add(file);
  }
  return users;
}

/** Turns a module into one that exports a function with its content. */
function toFunction(code) {
  const imports = [];
  const body = code.replace(/^import [^;]*? from "[^"]+";\n/gm, (line) => {
    imports.push(line);
    return "";
  });
  const end = body.lastIndexOf("export {");
  const names = body.slice(body.indexOf("{", end) + 1, body.lastIndexOf("}"));
  const entries = names.split(",").map((one) => one.trim().split(" as "));
  const properties = entries.map(([own, name = own]) => `${name}: ${own}`);
  return `${imports.join("")}
export function createModules() {
${body.slice(0, end)}
return { ${properties.join(", ")} };
}
`;
}
