// Starts the system's Chromium and opens pages that must not complain.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { findBrowser } from "../../scripts/setup.mjs";

// Without these, Chromium asks the network for updates and experiments.
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A headless browser with an empty profile. */
export async function launch() {
  return await chromium.launch({ executablePath: findBrowser(), args });
}

/**
 * Opens a page, hands it to `body`, and fails on any console warning or error, uncaught exception
 * or failed request. `options` are those of Playwright's `newContext`, such as `viewport`; what is said as in
 * `expected` is no complaint.
 */
export async function withPage(browser, url, options, body, expected = /^$/) {
  const context = await browser.newContext(options);
  const complaints = [];
  try {
    const page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("requestfailed", (request) => {
      // Chromium also says so of an answer whose stream was read to its end.
      if (request.failure()?.errorText === "net::ERR_ABORTED") return;
      complaints.push(`${request.url()} failed`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
    });
    await page.goto(url);
    await body(page);
    assert.deepEqual(
      complaints.filter((one) => !expected.test(one)),
      [],
    );
  } finally {
    await context.close();
  }
}

/** Takes the model that the dialog is filled in with, which is one: the dialog is gone then, and the page can be typed into. */
export async function uses(page) {
  await page.getByRole("button", { name: "Use model" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Holds back what the page asks for by such addresses, until the function that it answers is called. */
export async function holdBack(page, addresses) {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route(addresses, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
