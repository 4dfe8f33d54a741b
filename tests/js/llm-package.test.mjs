// byname/llm from the packed package: typed for both module resolutions, small and without
// WebAssembly.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns a module of pkg/ and all of its imports. */
function modulesFrom(entry) {
  const imports = new Map();
  const visit = (path) => {
    if (imports.has(path)) return;
    const code = readFileSync(path, "utf8");
    imports.set(path, code);
    for (const [, from] of code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      assert.match(from, /^\.\.?\//, `${path} imports ${from}`);
      visit(join(dirname(path), from));
    }
  };
  visit(entry);
  return imports;
}

test("byname/llm imports only its own files and those for signals, options, responses, errors and ranges", () => {
  const pkg = join(root, "pkg");
  const modules = [...modulesFrom(join(pkg, "llm.js")).keys()].map((path) => relative(pkg, path));
  assert.ok(modules.length > 15);
  const strangers = modules.filter((path) => !/^llm(\.js$|\/)/.test(path));
  assert.deepEqual(strangers.sort(), [
    "abort.js",
    "arguments.js",
    "errors.js",
    "event-stream.js",
    "response-body.js",
    "text-ranges.js",
  ]);
});

test("all adapters together are small", () => {
  const code = [...modulesFrom(join(root, "pkg/llm.js")).values()].join("");
  const kilobytes = gzipSync(code, { level: 9 }).length / 1000;
  assert.ok(kilobytes < 28.5, `${kilobytes} kB gzipped, with all comments`);
});

test("byname/llm works without WebAssembly", () => {
  const script = `
    delete globalThis.WebAssembly;
    const { scripted } = await import("byname/llm");
    const signal = new AbortController().signal;
    console.log(await scripted(["a"])({ task: "plan", prompt: "", signal }));
  `;
  const flags = ["--input-type=module", "-e", script];
  const options = { cwd: root, encoding: "utf8" };
  assert.equal(execFileSync(process.execPath, flags, options), "a\n");
});

test("the packed package resolves in Node, and its types in nodenext and bundler", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "byname-llm-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (program, ...args) =>
    execFileSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const stored = JSON.parse(
    run("npm", "pack", root, "--pack-destination", folder, "--json", "--ignore-scripts"),
  );
  // npm 11 prints a list; later ones print an object by package name.
  const [{ filename }] = Object.values(stored);
  const installed = join(folder, "node_modules/byname");
  mkdirSync(installed, { recursive: true });
  run("tar", "-xzf", filename, "-C", installed, "--strip-components=1");
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const script = 'const llm = await import("byname/llm"); console.log(typeof llm.openai);';
  assert.equal(run(process.execPath, "--input-type=module", "-e", script), "function\n");
  writeFileSync(
    join(folder, "use.ts"),
    `import { type LlmCallback, openai } from "byname/llm";
    export const llm: LlmCallback = openai({ model: "m" });
    // @ts-expect-error A model is named.
    openai({});`,
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const strict = [
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    "false",
    "--exactOptionalPropertyTypes",
  ];
  const lib = ["--target", "ES2022", "--lib", "ES2022,ESNext.Disposable,DOM,DOM.AsyncIterable"];
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const how = ["--module", module, "--moduleResolution", resolution];
    run(process.execPath, tsc, ...strict, ...lib, ...how, "use.ts");
  }
});
