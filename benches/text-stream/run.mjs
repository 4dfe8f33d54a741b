// Runs the text stream in headless Chromium.
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/setup.mjs";
import { serve } from "../../tests/browser/server.mjs";
import { args } from "../host/chromium.mjs";

const root = join(import.meta.dirname, "../..");
const folder = "target/bench-text-stream";

// Isolated pages have a clock resolution of 5 microseconds, others of 100.
const headers = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Returns `{ runtime, date, times }`, `times[side][length]` medians in microseconds per token. */
export async function runTextStream(rounds) {
  await bundle();
  const server = await serve({ headers });
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const runs = [];
    for (let round = 0; round < rounds; round++) {
      const tab = await browser.newPage();
      tab.on("pageerror", (error) => console.error(`in the page: ${error}`));
      await tab.goto(`${server.url}/${folder}/index.html`);
      await tab.waitForFunction("window.measure !== undefined");
      runs.push(await tab.evaluate("window.measure()"));
      await tab.close();
    }
    const times = medians(runs);
    console.log(JSON.stringify(times));
    const date = new Date().toISOString().slice(0, 10);
    return { runtime: `Chromium ${browser.version()}`, date, times };
  } finally {
    await browser.close();
    await server.close();
  }
}

function medians(runs) {
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const sides = Object.entries(runs[0]).map(([side, lengths]) => [
    side,
    Object.fromEntries(
      Object.keys(lengths).map((length) => [length, middle(runs.map((run) => run[side][length]))]),
    ),
  ]);
  return Object.fromEntries(sides);
}

async function bundle() {
  await build({
    root: import.meta.dirname,
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: { outDir: join(root, folder), emptyOutDir: true, target: "es2022", minify: false },
  });
}
