// What `npm pack` would publish: everything that `exports` names, and nothing of the workshop.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));

function packed() {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const stdio = ["ignore", "pipe", "ignore"];
  const printed = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio }));
  // npm 11 prints a list; later ones print an object by package name.
  const [{ files }] = Object.values(printed);
  return files.map(({ path }) => `./${path}`);
}

function targets(exports) {
  return typeof exports === "string" ? [exports] : Object.values(exports).flatMap(targets);
}

test("every export is in the package", () => {
  const paths = packed();
  for (const target of [...targets(manifest.exports), manifest.main, manifest.types]) {
    assert.ok(paths.includes(target), `${target} is not packed`);
  }
});

test("only the built package and its documents are packed", () => {
  const strangers = packed().filter(
    (path) => !/^\.\/(pkg\/|docs\/[\w-]+\.md$|[A-Z]+(\.md)?$|package\.json$)/.test(path),
  );
  assert.deepEqual(strangers, []);
});

test("the pages that README.md links to are packed, and packing builds what is missing", () => {
  const paths = packed();
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const pages = [...readme.matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, page]) => `./${page}`);
  assert.ok(pages.length > 3);
  for (const page of pages) assert.ok(paths.includes(page), `${page} is not packed`);
  assert.equal(manifest.scripts.prepack, manifest.scripts.build);
});

test("nothing is needed at run time", () => {
  assert.deepEqual(manifest.dependencies ?? {}, {});
});

test("Node imports the package and initialises it twice", async () => {
  const { init } = await import("byname");
  await init();
  await init();
});

test("the glue names no place of the wasm, which bundlers would ship a second time", () => {
  for (const glue of ["pkg/byname_bg.js", "pkg/ham/byname_bg.js"]) {
    assert.doesNotMatch(readFileSync(`${root}/${glue}`, "utf8"), /import\.meta\.url|\.wasm"/);
  }
});

test("no call of WebAssembly awaits in its arguments, which Next's dev server puts into a function that is not async", () => {
  for (const path of ["pkg/wasm.js", "pkg/ham/wasm.js"]) {
    const code = readFileSync(`${root}/${path}`, "utf8");
    assert.match(code, /await WebAssembly\.instantiate\(/);
    assert.doesNotMatch(code, /WebAssembly\.\w+\([^;]*\bawait\b/);
  }
});

test("the module holds no path of the builder's home", () => {
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
