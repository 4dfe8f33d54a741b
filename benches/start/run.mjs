// Page load in headless Chromium: time from the navigation to the first bound element, and
// main-thread CPU time until ten thousand bound rows are painted.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/setup.mjs";
import { serve } from "../../tests/browser/server.mjs";
import { args } from "../host/chromium.mjs";
import { measureFirstElements } from "./element-run.mjs";
import { categories, mainThreadWork } from "./trace.mjs";

const root = join(import.meta.dirname, "../..");
const folder = "target/bench-start";

// Files of pkg/ with an import map.
const plain = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,">
<title>byname: the first bound element</title>
<script type="importmap">{"imports":{"byname":"/pkg/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<div id="app"></div><script type="module" src="/benches/start/first.mjs"></script>`;

const pages = { bundled: `/${folder}/first.html`, "as files": "/plain.html" };

/** Layouts: texts per row, and whether the page was idle after `init`. */
const paintings = {
  one: { layout: "one", idle: true },
  four: { layout: "four", idle: true },
  "one at once": { layout: "one", idle: false },
};

/** Returns `{ runtime, date, load, rows, elements }`, medians in milliseconds. */
export async function runStart(rounds) {
  await bundle();
  const server = await serve({
    pages: { "/plain.html": plain },
    headers: { "cache-control": "max-age=3600" },
  });
  try {
    const date = new Date().toISOString().slice(0, 10);
    const load = {};
    for (const [name, path] of Object.entries(pages)) {
      load[name] = await measureLoad(server.url + path, Math.min(rounds, 7));
      console.log(`${name}: ${JSON.stringify(load[name])}`);
    }
    const { runtime, rows } = await measureRows(`${server.url}/${folder}/rows.html`, rounds);
    console.log(`10,000 rows: ${JSON.stringify(rows)}`);
    const elements = await measureFirstElements(Math.min(rounds, 11));
    console.log(`first element: ${JSON.stringify(elements)}`);
    return { runtime, date, load, rows, elements };
  } finally {
    await server.close();
  }
}

// Each round has its own profile: the first load has an empty cache, the last one a full one.
async function measureLoad(url, rounds) {
  const cold = [];
  const warm = [];
  for (let round = 0; round < rounds; round++) {
    const profile = mkdtempSync(join(tmpdir(), "byname-profile-"));
    const options = { executablePath: findBrowser(), args };
    const browser = await chromium.launchPersistentContext(profile, options);
    try {
      cold.push(await loadOnce(browser, url));
      for (let visit = 0; visit < 2; visit++) await loadOnce(browser, url);
      warm.push(await loadOnce(browser, url));
    } finally {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }
  return { cold: medians(cold), warm: medians(warm) };
}

async function loadOnce(browser, url) {
  const tab = await browser.newPage();
  await tab.goto(url);
  const times = await (await tab.waitForFunction("window.times")).jsonValue();
  // Code caches are written after the page has loaded.
  await tab.waitForTimeout(300);
  await tab.close();
  return {
    modules: times.modules,
    fetch: times.fetch.end - times.fetch.begin,
    compile: times.compileStreaming.end - times.compileStreaming.begin,
    instantiate: times.ready - times.compileStreaming.end,
    surface: times.mounted - times.ready,
    painted: times.painted,
  };
}

async function measureRows(url, rounds) {
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const rows = {};
    for (const [name, page] of Object.entries(paintings)) {
      const runs = [];
      for (let round = 0; round < rounds; round++) runs.push(await paintOnce(browser, url, page));
      rows[name] = medians(runs);
    }
    return { runtime: `Chromium ${browser.version()}`, rows };
  } finally {
    await browser.close();
  }
}

async function paintOnce(browser, url, { layout, idle }) {
  const tab = await browser.newPage();
  if (!idle) await tab.addInitScript(() => delete window.requestIdleCallback);
  await tab.goto(url);
  await tab.waitForFunction("window.isReady");
  await browser.startTracing(tab, { categories });
  const standing = await tab.evaluate((name) => window.paint(name), layout);
  const trace = await browser.stopTracing();
  await tab.close();
  if (standing < 5 || standing > 1000) throw new Error(`${standing} rows are in the document`);
  return mainThreadWork(trace.toString());
}

function medians(runs) {
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const names = Object.keys(runs[0]);
  return Object.fromEntries(names.map((name) => [name, middle(runs.map((run) => run[name]))]));
}

async function bundle() {
  const input = ["first", "rows"].map((name) => join(root, `benches/start/${name}.html`));
  await build({
    root: join(root, "benches/start"),
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: join(root, folder),
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input },
    },
  });
}
