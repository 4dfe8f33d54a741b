// Runs the cases of tests/cases in Firefox and WebKit, if they are installed.
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../browser/server.mjs";
import { moving, scrolledNotes, shiftOfTwo } from "./moving.mjs";
import { firefox, webkit } from "./other-browsers.mjs";
import { expected, project } from "./project.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const runs = [
  ["byname", "ham"],
  ["byname", "surface"],
  ["byname", "gasl"],
  ["byname", "flow"],
  ["byname/ham", "ham"],
  ["byname/ham", "surface"],
];

// Polls, because a module script can end after the load event.
const run = `async (build, kind, text) => {
  while (!window.ready) await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.stringify(await window.runCases(build, kind, text));
}`;

const shown = `async () => {
  const app = document.querySelector("#app");
  while (!app.dataset.result) await new Promise((resolve) => setTimeout(resolve, 20));
  return app.dataset.result;
}`;

const forbidden = `async (url) => {
  const { init } = await import(url);
  return init().then(() => "", (error) => error.message);
}`;

for (const [name, found] of [
  ["Firefox", firefox()],
  ["WebKit", webkit()],
]) {
  test(`the cases in ${name}`, { skip: found.missing ?? false }, async (t) => {
    await on(found, {}, async (browser, url) => {
      await browser.goTo(`${url}/tests/browser/cases.html`);
      let ran = 0;
      for (const [build, kind] of runs) {
        for (const text of casesOf(kind)) {
          const result = JSON.parse(await browser.call(run, build, kind, text));
          assert.deepEqual(result.failures, []);
          ran += result.ran;
        }
      }
      t.diagnostic(`${ran} cases ran in ${browser.name}`);
    });
  });

  test(`a page without a build in ${name}`, { skip: found.missing ?? false }, async () => {
    const folder = project("page", { as: `page-${name}` });
    cpSync(join(folder, "node_modules/byname/pkg"), join(folder, "byname"), { recursive: true });
    await on(found, {}, async (browser, url) => {
      await browser.goTo(`${url}/${relative(root, folder)}/`);
      assert.deepEqual(JSON.parse(await browser.call(shown)), expected);
    });
  });

  test(`moved and inserted rows keep their scroll offsets in ${name}`, {
    skip: found.missing ?? false,
  }, async () => {
    await on(found, {}, async (browser, url) => {
      await browser.goTo(`${url}/moving.html`);
      assert.deepEqual(JSON.parse(await browser.call(scrolledNotes)), [true, 40, 40]);
      await browser.goTo(`${url}/moving.html?two`);
      const [many, most] = JSON.parse(await browser.call(shiftOfTwo));
      assert.ok(many && most <= 1, `${many}, ${most} pixels`);
    });
  });

  test(`a policy that forbids WebAssembly in ${name}`, {
    skip: found.missing ?? false,
  }, async () => {
    const headers = { "content-security-policy": "script-src 'self'" };
    await on(found, headers, async (browser, url) => {
      await browser.goTo(`${url}/blank.html`);
      const message = await browser.call(forbidden, `${url}/pkg/index.web.js`);
      assert.equal(message, "the Content Security Policy lacks 'wasm-unsafe-eval'");
    });
  });
}

/** Opens a browser, and a server of the checkout with these headers. */
async function on(found, headers, use) {
  const server = await serve({
    headers,
    pages: { "/blank.html": "<!doctype html><title>blank</title>", "/moving.html": moving },
  });
  try {
    const browser = await found.open();
    try {
      await use(browser, server.url);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

function casesOf(kind) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.map((name) => readFileSync(new URL(name, folder), "utf8"));
}
