// The nine operations of js-framework-benchmark in headless Chromium: CPU time of the main thread.
import { join } from "node:path";
import { transformAsync } from "@babel/core";
import solidPreset from "babel-preset-solid";
import { chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/setup.mjs";
import { serve } from "../../tests/browser/server.mjs";
import { args } from "../host/chromium.mjs";

const root = join(import.meta.dirname, "../..");
const folder = "target/bench-list";

/** Categories of a trace: only the marks. */
const categories = ["blink.user_timing"];

/** Keeps compiled code, although each round collects all garbage. */
const keepCode = args.map((arg) => arg.replace(/^--js-flags=/, "--js-flags=--no-flush-bytecode "));

/** Returns `{ runtime, date, rounds, times }`, `times[operation][side]` in milliseconds. */
export async function runList(rounds, { operations, only } = {}) {
  await bundle();
  const server = await serve();
  const options = { executablePath: findBrowser(), args: keepCode };
  const browser = await chromium.launch(options);
  try {
    const times = {};
    const url = `${server.url}/${folder}/index.html`;
    for (const name of operations ?? (await operationNames(browser, url))) {
      times[name] = await measureOperation(browser, url, { name, rounds, only });
      printTimes(name, times[name]);
    }
    const date = new Date().toISOString().slice(0, 10);
    return { runtime: `Chromium ${browser.version()}`, date, rounds, times };
  } finally {
    await browser.close();
    await server.close();
  }
}

async function operationNames(browser, url) {
  const tab = await openTab(browser, url);
  const all = await tab.evaluate("window.operations");
  for (const { name, isLarge } of all) {
    if (!isLarge) await tab.evaluate((one) => window.compare(one), name);
  }
  await tab.close();
  return all.map(({ name }) => name);
}

async function openTab(browser, url) {
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => console.error(`in the page: ${error}`));
  await tab.goto(url);
  await tab.waitForFunction("window.operations !== undefined");
  return tab;
}

// Each operation has its own page.
async function measureOperation(browser, url, { name, rounds, only }) {
  const tab = await openTab(browser, url);
  await browser.startTracing(tab, { categories });
  await tab.evaluate(([one, how]) => window.measure(one, how), [name, { rounds, only }]);
  const trace = await browser.stopTracing();
  await tab.close();
  return medians(JSON.parse(trace.toString()).traceEvents);
}

/** Returns the medians of the thread times between the marks of each side. */
function medians(events) {
  const begins = new Map();
  const runs = new Map();
  for (const { name, tts } of events.filter((event) => event.name.startsWith("list-"))) {
    const [mark, side, round] = name.split(" ");
    if (mark === "list-begin") begins.set(`${side} ${round}`, tts);
    else {
      const time = (tts - begins.get(`${side} ${round}`)) / 1000;
      runs.set(side, [...(runs.get(side) ?? []), time]);
    }
  }
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  return Object.fromEntries([...runs].map(([side, values]) => [side, middle(values)]));
}

function printTimes(name, times) {
  const cells = Object.entries(times).map(([side, time]) => `${side} ${time.toFixed(1)}`);
  console.log(`${name}: ${cells.join(", ")} ms`);
}

async function bundle() {
  await build({
    root: import.meta.dirname,
    base: "./",
    configFile: false,
    logLevel: "warn",
    plugins: [solidPlugin()],
    build: { outDir: join(root, folder), emptyOutDir: true, target: "es2022", minify: false },
  });
}

/** Compiles JSX with the compiler of solid-js. */
function solidPlugin() {
  return {
    name: "solid",
    enforce: "pre",
    async transform(code, id) {
      if (!id.endsWith(".jsx")) return undefined;
      const { code: compiled } = await transformAsync(code, {
        presets: [solidPreset],
        filename: id,
      });
      return { code: compiled, map: null };
    },
  };
}
