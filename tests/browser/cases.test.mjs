// Runs the cases of tests/js/cases.test.mjs with the same runner in headless Chromium.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const RUNS = [
  ["byname", "ham"],
  ["byname", "surface"],
  ["byname", "gasl"],
  ["byname", "flow"],
  ["byname/ham", "ham"],
  ["byname/ham", "surface"],
];

test("the cases in a browser", async (t) => {
  const server = await serve();
  const browser = await launchBrowser();
  try {
    await withPage(browser, `${server.url}/tests/browser/cases.html`, {}, async (page) => {
      await page.waitForFunction("window.ready === true");
      for (const [build, kind] of RUNS) {
        for (const [file, text] of caseFiles(kind)) {
          await t.test(`${kind}/${file} in ${build}`, async () => {
            const result = await page.evaluate(
              (given) => window.runCases(...given),
              [build, kind, text],
            );
            assert.equal(result.ran, JSON.parse(text).length);
            assert.deepEqual(result.failures, []);
          });
        }
      }
    });
  } finally {
    await browser.close();
    await server.close();
  }
});

// Passed as text, because an object would lose properties such as `__proto__`.
function caseFiles(kind) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]);
}
