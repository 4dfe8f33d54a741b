// The same cases as tests/js/cases.test.mjs, by the same runner, in headless Chromium.

import test from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { startServer } from "./server.mjs";

const CHROME = {
  executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  args: [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ],
};

test("the cases in a browser", async (t) => {
  const server = await startServer();
  const browser = await chromium.launch(CHROME);
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(new URL("/tests/browser/cases.html", server.url).href);
    await page.waitForFunction("window.ready === true");
    for (const kind of ["ham", "surface"]) {
      for (const [file, cases] of caseFiles(kind)) {
        await t.test(`${kind}/${file}`, async () => {
          const result = await page.evaluate(
            ([name, list]) => window.runCases(name, list), [kind, cases],
          );
          assert.equal(result.ran, cases.length);
          assert.deepEqual(result.failures, []);
        });
      }
    }
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await server.close();
  }
});

function caseFiles(kind) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]);
}
