// Time from the navigation to the first element of a small page on a slow network, with and without
// a model that streams it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/setup.mjs";
import { args } from "../host/chromium.mjs";
import { serveCompressed } from "./slow-server.mjs";

const root = join(import.meta.dirname, "../..");
const folder = join(root, "target/bench-element");

/** Pages, in turn. */
const pages = ["byname", "lit", "react"];

/** 10 Mbit/s in bytes per second, and milliseconds of latency. */
const network = {
  offline: false,
  downloadThroughput: 1_250_000,
  uploadThroughput: 1_250_000,
  latency: 40,
};

/** Returns medians in milliseconds: `{ agent: { byname, … }, page: { … } }`, and the kilobytes of each page. */
export async function measureFirstElements(rounds) {
  for (const page of pages) await bundle(page);
  const server = await serveCompressed(folder);
  const times = { agent: {}, page: {} };
  const bytes = {};
  try {
    for (let round = 0; round < rounds; round++) {
      for (const page of rotated(pages, round)) {
        for (const source of Object.keys(times)) {
          const query = source === "agent" ? "?agent" : "";
          const visit = await visitOnce(`${server.url}/${page}/element-${page}.html${query}`);
          times[source][page] = [...(times[source][page] ?? []), visit.title];
          bytes[page] = visit.bytes;
        }
      }
    }
  } finally {
    await server.close();
  }
  const middle = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const medians = (runs) =>
    Object.fromEntries(Object.entries(runs).map(([page, values]) => [page, middle(values)]));
  return { agent: medians(times.agent), page: medians(times.page), bytes };
}

// Each visit has its own profile, so that nothing is cached.
async function visitOnce(url) {
  const profile = mkdtempSync(join(tmpdir(), "byname-profile-"));
  const options = { executablePath: findBrowser(), args };
  const browser = await chromium.launchPersistentContext(profile, options);
  try {
    const tab = await browser.newPage();
    tab.on("pageerror", (error) => console.error(`in the page: ${error}`));
    const client = await browser.newCDPSession(tab);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", network);
    await tab.goto(url, { waitUntil: "commit" });
    const title = await (await tab.waitForFunction("window.titleTime")).jsonValue();
    const bytes = await tab.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter(({ name }) => /\.(js|wasm)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    return { title, bytes };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// A bundle per page, as a project has it.
async function bundle(page) {
  await build({
    root: import.meta.dirname,
    base: "./",
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: join(folder, page),
      emptyOutDir: true,
      target: "es2022",
      rolldownOptions: { input: join(import.meta.dirname, `element-${page}.html`) },
    },
  });
}

function rotated(list, round) {
  const by = round % list.length;
  return [...list.slice(by), ...list.slice(0, by)];
}
