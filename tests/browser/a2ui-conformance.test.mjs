// Conformance vectors of A2UI in Chromium: the results are the same as in Node, and no surface is empty without a
// diagnostic.
import assert from "node:assert/strict";
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
        { find: "byname/a2ui", replacement: `${root}pkg/a2ui.js` },
        { find: "byname/dom", replacement: `${root}pkg/dom.js` },
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

/** Surfaces that show nothing and have no diagnostic, with the reason. */
const EMPTY = {
  "index_function: test_index_function_outside_loop_error":
    "the index outside of a list is null, which is not reported yet",
  "message_processor_v1_0: test_v10_index_function_on_surface_with_default":
    "the data of the list are not sent",
  "reserved_keys: test_reserved_at_call_index": "the data of the list are not sent",
  "reserved_keys: test_reserved_at_path_valid": "the data of the text are not sent",
};

const skip = hasVectors ? false : "the folder of the vectors is missing";

test("the vectors have the same results as in Node, and no surface is empty", {
  skip,
}, async () => {
  await init();
  const code = await bundle();
  const empty = [];
  let [passed, rendered] = [0, 0];
  await withPage(browser, `${server.url}/conformance.html`, {}, async (page) => {
    await page.addScriptTag({ type: "module", content: code });
    await page.waitForFunction(() => window.run);
    for (const { name: suite, cases } of suites()) {
      for (const vector of cases) {
        const name = `${suite}: ${vector.name}`;
        const { reason, surfaces } = await page.evaluate((given) => window.run(given), vector);
        assert.equal(reason, runVector(vector) ?? null, name);
        if (reason === null) passed += 1;
        const shown = surfaces.filter(({ components }) => components > 0);
        rendered += shown.length;
        if (shown.some(({ diagnostics, isVisible }) => diagnostics === 0 && !isVisible))
          empty.push(name);
      }
    }
  });
  assert.deepEqual(empty.sort(), Object.keys(EMPTY).sort());
  // Not every vector has messages.
  assert.ok(passed > 100 && rendered > 50, `${passed} vectors pass, ${rendered} surfaces render`);
});
