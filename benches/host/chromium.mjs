// Runs the workloads in headless Chromium, bundled like a front-end.
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/setup.mjs";
import { serve } from "../../tests/browser/server.mjs";
import { inTabs } from "./tabs.mjs";

const root = join(import.meta.dirname, "../..");
const page = "target/bench-page";

/** The first three flags stop network requests; the last one exposes garbage collection. */
export const args = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--js-flags=--expose-gc",
];

// Isolated pages have a clock resolution of 5 microseconds, others of 100.
const headers = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Measures workloads; `tell` receives each result, `version` is the browser's. */
export async function runInChromium(workloads, { rounds }, tell) {
  await bundle();
  const server = await serve({ headers });
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const url = `${server.url}/${page}/index.html`;
    for (const group of inTabs(workloads)) await runGroup(browser, url, { group, rounds }, tell);
    return { version: browser.version() };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function runGroup(browser, url, { group, rounds }, tell) {
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => console.error(`in the page: ${error}`));
  await tab.goto(url);
  await tab.waitForFunction("window.bench !== undefined");
  for (const { name } of group) {
    tell(await tab.evaluate((what) => window.bench(what), { name, rounds }));
  }
  await tab.close();
}

async function bundle() {
  await build({
    root: join(root, "benches/page"),
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: { outDir: join(root, page), emptyOutDir: true, target: "es2022", minify: false },
  });
}
