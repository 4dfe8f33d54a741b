// Content of `npm pack`: everything in `exports`, and no development files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

function packedPaths() {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const stdio = ["ignore", "pipe", "ignore"];
  const printed = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio }));
  // npm 11 prints a list; later ones print an object by package name.
  const [{ files }] = Object.values(printed);
  return files.map(({ path }) => `./${path}`);
}

function exportTargets(exports) {
  return typeof exports === "string" ? [exports] : Object.values(exports).flatMap(exportTargets);
}

test("the package contains every export", () => {
  const paths = packedPaths();
  for (const target of [...exportTargets(manifest.exports), manifest.main, manifest.types]) {
    assert.ok(paths.includes(target), `${target} is not packed`);
  }
});

test("packs only the built package and its documents", () => {
  const strangers = packedPaths().filter(
    (path) =>
      !/^\.\/(pkg\/|docs\/[\w-]+\.(md|svg|png)$|docs\/components\/\w+\.png$|[A-Z]+(\.md)?$|package\.json$)/.test(
        path,
      ),
  );
  assert.deepEqual(strangers, []);
});

test("every packed link and picture has a packed target, and packing builds what is missing", () => {
  const paths = packedPaths();
  const links = paths
    .filter((path) => path.endsWith(".md"))
    .flatMap((from) => {
      const text = readFileSync(`${root}/${from}`, "utf8").replaceAll(
        /^```.*?^```|`[^`\n]*`/gms,
        "",
      );
      const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link);
      const own = links.filter((link) => !/^(https?|mailto):/.test(link));
      return own.map((link) => ({ from, link, to: `./${posix.join(dirname(from), link)}` }));
    });
  assert.ok(links.length > 50, `only ${links.length} links`);
  assert.deepEqual(
    links.filter(({ to }) => !paths.includes(to)),
    [],
  );
  assert.equal(manifest.scripts.prepack, manifest.scripts.build);
});

test("the import map of docs/install.md has every entry for a page without a bundler", () => {
  const page = readFileSync(`${root}/docs/install.md`, "utf8");
  const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(page);
  const expected = Object.entries(manifest.exports)
    .filter(([name]) => !/inline|web|server|react|wasm|json/.test(name))
    .map(([name, { browser, default: file }]) => [
      `byname${name.slice(1)}`,
      (browser ?? file).replace("./pkg", "./byname"),
    ]);
  assert.deepEqual(JSON.parse(map).imports, Object.fromEntries(expected));
});

test("has no runtime dependencies", () => {
  assert.deepEqual(manifest.dependencies ?? {}, {});
});

test("Node imports the package and initialises it twice", async () => {
  const { init } = await import("byname");
  await init();
  await init();
});

test("the glue contains no URL of the wasm, which bundlers would ship a second time", () => {
  for (const glue of ["pkg/byname_bg.js", "pkg/ham/byname_bg.js"]) {
    assert.doesNotMatch(readFileSync(`${root}/${glue}`, "utf8"), /import\.meta\.url|\.wasm"/);
  }
});

test("no call of WebAssembly awaits in its arguments, which Next's dev server moves into a function that is not async", () => {
  for (const path of ["pkg/wasm.js", "pkg/ham/wasm.js"]) {
    const code = readFileSync(`${root}/${path}`, "utf8");
    assert.match(code, /await WebAssembly\.instantiate\(/);
    assert.doesNotMatch(code, /WebAssembly\.\w+\([^;]*\bawait\b/);
  }
});

test("the module contains no path of the builder's home", () => {
  for (const path of ["pkg/byname_bg.wasm", "pkg/ham/byname_bg.wasm"]) {
    const wasm = readFileSync(`${root}/${path}`, "latin1");
    assert.doesNotMatch(wasm, /\/\.cargo\/|\/(home|root|Users)\//);
  }
});

test("server components find all of byname/react", async () => {
  const [entry, client] = await Promise.all([
    import("byname/react"),
    import("../../pkg/react.client.js"),
  ]);
  assert.deepEqual({ ...client }, { ...entry });
  const text = readFileSync(new URL("../../pkg/react.client.js", import.meta.url), "utf8");
  assert.match(text, /^"use client";/);
});
