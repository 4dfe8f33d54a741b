// Checks the contents of the packed file, and runs publint and attw on it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { hosts, run, snippets } from "./project.mjs";

const installed = join(hosts, "node_modules/byname");
const tarball = readdirSync(hosts).find((name) => name.endsWith(".tgz"));
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

const contents = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(installed, join(entry.parentPath, entry.name)));

test("publint reports nothing", async () => {
  const publint = join(hosts, "node_modules/.bin/publint");
  assert.match(await run(hosts, publint, "run", tarball, "--strict"), /All good!/);
});

test("types and code agree under every condition", async () => {
  const attw = join(hosts, "node_modules/.bin/attw");
  const untyped = Object.keys(manifest.exports).filter((path) => path.endsWith(".wasm"));
  const options = ["--profile", "esm-only", "--format", "json"];
  const printed = await run(hosts, attw, tarball, ...options, "--exclude-entrypoints", ...untyped);
  const { analysis, problems } = JSON.parse(printed);
  const entries = Object.keys(analysis.entrypoints).sort();
  assert.deepEqual([...entries, ...untyped].sort(), Object.keys(manifest.exports).sort());
  // "esm-only" allows CommonJS in current Node, which can require modules; other problems are errors.
  assert.deepEqual(problems?.["UntypedResolution"] ?? [], []);
});

test("export conditions are ordered from the most specific host", () => {
  const order = ["types", "workerd", "edge-light", "browser", "deno", "bun", "node", "default"];
  for (const path of [".", "./ham"]) {
    assert.deepEqual(Object.keys(manifest.exports[path]), order, path);
  }
});

test("every module has types, and there are two WebAssembly modules and the documents", () => {
  const code = contents.filter((path) => path.startsWith("pkg/"));
  const bases = code.filter((path) => path.endsWith(".js")).map((path) => path.slice(0, -3));
  const pairs = bases.flatMap((base) => [`${base}.js`, `${base}.d.ts`]);
  // Its code is in `instance-modules.js`, which has its types.
  const types = ["pkg/instance-entry.d.ts"];
  const wasm = ["pkg/byname_bg.wasm", "pkg/ham/byname_bg.wasm"];
  assert.deepEqual(code.sort(), [...pairs, ...types, ...wasm].sort());
  const others = contents.filter((path) => !path.startsWith("pkg/"));
  const pages = others.filter((path) => /^docs\/(?:components\/)?[\w-]+\.(md|svg|png)$/.test(path));
  const known = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "package.json",
  ];
  assert.deepEqual(others.sort(), [...pages, ...known].sort());
});

test("files that modules refer to exist", () => {
  for (const path of contents.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const code = readFileSync(join(installed, path), "utf8");
    assert.doesNotMatch(code, /sourceMappingURL/, path);
    const named = [...code.matchAll(/(?:from |import |import\(|URL\()"(\.[^"?]+)/g)];
    for (const [, other] of named) {
      // The types of a module are in a file of their own.
      const target = path.endsWith(".d.ts") ? other.replace(/\.js$/, ".d.ts") : other;
      const file = join(installed, dirname(path), target);
      assert.ok(existsSync(file), `${path} names ${other}`);
    }
  }
});

test("every entry of a module has the same types", () => {
  for (const folder of ["pkg", "pkg/ham"]) {
    const [first, ...others] = ["edge", "inline", "web", "workerd"].map((name) => {
      const text = readFileSync(join(installed, folder, `index.${name}.d.ts`), "utf8");
      return text.replaceAll(/^\/\*\*.*\*\/\n/gm, "").replace("_source", "source");
    });
    for (const other of others) assert.equal(other, first);
  }
});

test("docs/install.md states the sizes of the files", () => {
  const page = readFileSync(join(installed, "docs/install.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(pkg\/\S+)` \| (\d+) \| (\d+) \|/gm)];
  assert.equal(rows.length, 4);
  for (const [, path, raw, zipped] of rows) {
    const bytes = readFileSync(join(installed, path));
    for (const [stated, actual] of [
      [raw, bytes.length],
      [zipped, gzipSync(bytes, { level: 9 }).length],
    ]) {
      assert.ok(
        Math.abs(stated * 1000 - actual) < actual / 20,
        `${path}: ${stated} kB stated, ${actual} bytes`,
      );
    }
  }
});

test("a test runs every file block of docs/install.md", () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.mjs"));
  const code = tests.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("");
  for (const path of snippets().keys()) assert.ok(code.includes(`project("${path.split("/")[0]}"`));
});
