// Checks the declarations of the packed package for `import` and `require`.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hosts, project, run } from "./project.mjs";

const tests = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(hosts, "node_modules/typescript/bin/tsc");
const manifest = JSON.parse(readFileSync(join(hosts, "node_modules/byname/package.json"), "utf8"));
const entries = Object.keys(manifest.exports)
  .filter((path) => !/\.(wasm|json)$/.test(path))
  .map((path) => `byname${path.slice(1)}`);

// CommonJS has the same names and type errors.
const required = `import byname = require("byname");
${entries.map((entry, at) => `import entry${at} = require("${entry}");`).join("\n")}
const all: object[] = [${entries.map((_, at) => `entry${at}`).join(", ")}];

const ready: Promise<void> = byname.init();
const store: byname.HamStore = new byname.HamStore({ sigil: "@" });
const read: byname.Json = store.read({ key: "a" }).value;
// @ts-expect-error A binding has no index.
store.read({ index: 1 });
// @ts-expect-error There is no default export.
const other = byname.default;
export = { all, ready, read, other };
`;

const imported = `${entries.map((entry, at) => `import * as entry${at} from "${entry}";`).join("\n")}
export const all: object[] = [${entries.map((_, at) => `entry${at}`).join(", ")}];

// Every condition of a host resolves to the declared exports.
export const same: (typeof entry0)[] = [web, inline];
import * as web from "byname/web";
import * as inline from "byname/inline";
// @ts-expect-error Files outside of the exports cannot be imported.
import "byname/pkg/store.js";
`;

for (const [module, moduleResolution] of [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
]) {
  test(`valid code compiles under ${moduleResolution}, and errors are reported`, async () => {
    const folder = project("types", { as: `types-${moduleResolution}` });
    // Checks the type tests of the repository against the packed declarations.
    cpSync(join(tests, "types"), folder, { recursive: true });
    const { compilerOptions } = JSON.parse(readFileSync(join(tests, "tsconfig.json"), "utf8"));
    const options = { ...compilerOptions, module, moduleResolution };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, include: ["**/*.ts", "**/*.cts"] }),
    );
    writeFileSync(join(folder, "imported.ts"), imported);
    if (module === "nodenext") writeFileSync(join(folder, "required.cts"), required);
    await run(folder, process.execPath, tsc, "-p", ".");
  });
}
