// Launches Chromium and opens pages that must not report errors.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { findTestBrowser } from "../../scripts/setup.mjs";

// Disable requests of Chromium for updates and experiments.
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Delays the second compilation of WebAssembly, which optimises, until a function has run eight times as long as by
 * default. Most pages of the tests are open for a second and do not profit from it: it takes a quarter of their
 * processor time.
 */
const lateOptimisation = "--js-flags=--wasm-tiering-budget=100000000";

/** Milliseconds until a wait fails. Larger than the default of Playwright, because the machine can be busy. */
const timeout = 90_000;

/** Launches a headless browser with an empty profile; for measurements with the default compilation. */
export async function launchBrowser({ isMeasured = false } = {}) {
  const flags = isMeasured ? args : [...args, lateOptimisation];
  return await chromium.launch({ executablePath: findTestBrowser(), args: flags });
}

/**
 * Opens a page in a new context and passes it to `body`. Fails on any console warning or error, uncaught exception
 * or failed request, unless its text matches `allowed`. `options` are those of Playwright's `newContext`.
 */
export async function withPage(browser, url, options, body, allowed = /^$/) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(timeout);
  const problems = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("requestfailed", (request) => {
      // Chromium also reports this for a response whose stream was read to its end.
      if (request.failure()?.errorText === "net::ERR_ABORTED") return;
      problems.push(`${request.url()} failed`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`);
    });
    await page.goto(url);
    await body(page);
    assert.deepEqual(
      problems.filter((problem) => !allowed.test(problem)),
      [],
    );
  } finally {
    await context.close();
  }
}

/** Confirms the dialog of models and waits until it is closed. */
export async function submitModelDialog(page) {
  await page.getByRole("button", { name: "Use model" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Delays the requests that match `pattern`. Returns a function that lets them continue. */
export async function blockRequests(page, pattern) {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
