// Conformance vectors of A2UI in Chromium: the results are the same as in Node, and no surface is empty without a
// diagnostic.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { init } from "byname";
import { build } from "vite";
import { hasVectors, runVector, suites } from "../a2ui/conformance.mjs";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
pages["/conformance.html"] =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title></html>';

/** Returns the code of the page. */
async function bundle() {
  const { output } = await build({
    root: `${root}tests/a2ui`,
    configFile: false,
    logLevel: "error",
    resolve: {
      alias: [
        { find: /^node:.*/, replacement: `${root}tests/a2ui/node-stub.mjs` },
        { find: "byname/a2ui", replacement: `${root}tests/a2ui/observed-a2ui.mjs` },
        { find: /^byname\/(.+)$/, replacement: `${root}pkg/$1.js` },
        { find: /^byname$/, replacement: `${root}pkg/index.inline.js` },
      ],
    },
    build: {
      write: false,
      target: "es2022",
      minify: false,
      rolldownOptions: { input: `${root}tests/a2ui/conformance-page.mjs` },
    },
  });
  return output.find(({ type }) => type === "chunk").code;
}

const skip = hasVectors ? false : "the folder of the vectors is missing";
const data = new URL("../../../shared/data/", import.meta.url);

async function outcome(vector) {
  try {
    return (await runVector(vector)) ?? null;
  } catch (error) {
    return `throws ${error}`;
  }
}

test("the vectors have the same results as in Node, and no surface is empty", {
  skip,
}, async () => {
  await init();
  const code = await bundle();
  let [passed, rendered] = [0, 0];
  await withPage(browser, `${server.url}/conformance.html`, {}, async (page) => {
    // Media of the vectors, whose hosts do not exist.
    const isForeign = ({ origin }) => origin !== new URL(server.url).origin;
    await page.route(isForeign, (route) => route.fulfill({ contentType: "audio/wav", body: "" }));
    // Catalogs and trees of the vectors.
    await page.route("**/shared/data/**", async (route) => {
      const [, path] = route.request().url().split("/shared/data/");
      await route.fulfill({ body: await readFile(new URL(path, data)) });
    });
    await page.addScriptTag({ type: "module", content: code });
    await page.waitForFunction(() => window.run);
    for (const { name: suite, cases, run = runVector } of suites()) {
      // Schema cases have another runner.
      for (const vector of run === runVector ? cases : []) {
        // Opens a page.
        if (vector.name.includes("open_url")) continue;
        const name = `${suite}: ${vector.name}`;
        const { reason, surfaces } = await page.evaluate((given) => window.run(given), vector);
        assert.equal(reason, await outcome(vector), name);
        if (reason === null) passed += 1;
        const shown = surfaces.filter(({ components }) => components > 0);
        rendered += shown.length;
        for (const { diagnostics, isVisible, hasData } of shown) {
          // Without data, bound components wait for them.
          assert.ok(isVisible || diagnostics > 0 || !hasData, `${name} shows nothing`);
        }
      }
    }
  });
  // Not every vector has messages.
  assert.ok(passed > 100 && rendered > 50, `${passed} vectors pass, ${rendered} surfaces render`);
});
