// Measures byname and its baselines in Node and in Chromium, and writes docs/benchmarks.md.
// - `npm run bench PREFIX…`: the workloads with these prefixes
// - `npm run bench growth`: the workloads at three sizes
// - `npm run bench databases`: commands over ArcadeDB
// - `npm run bench list`: the lists in the page
// - `npm run bench text`: a text that streams
// - `npm run bench start`: the page load
// `-- --look --rounds=5 --host=node` prints the results and writes nothing.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grownSides, growthSizes } from "../benches/growth.mjs";
import { runInNode } from "../benches/host/node-process.mjs";
import { growthPicture } from "../benches/report/growth-picture.mjs";
import { page } from "../benches/report/page.mjs";
import { picture } from "../benches/report/picture.mjs";
import { amount, times } from "../benches/report/rows.mjs";
import {
  addDatabases,
  addGrowth,
  addList,
  addResults,
  addStart,
  addText,
  readResults,
} from "../benches/results.mjs";
import { build } from "./build.mjs";
import { ensureDatabaseServers } from "./databases.mjs";
import { main, parseCommandLine, printStatus, root, run, UserError } from "./run.mjs";
import {
  checkNode,
  ensureBrowser,
  ensureDatabases,
  ensureNodeModules,
  ensureRust,
  ensureTools,
} from "./setup.mjs";
import { runIfStale } from "./stamp.mjs";

await main(async () => {
  const { values, positionals } = parseCommandLine({
    allowPositionals: true,
    rounds: { type: "string" },
    host: { type: "string", multiple: true, default: ["node", "chromium"] },
    look: { type: "boolean", default: false },
  });
  checkNode();
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
  await ensureBaselines();
  await build();
  // The workloads import byname, so they can be loaded only after the build.
  const { workloads } = await import("../benches/workloads/all.mjs");
  const [first, ...rest] = positionals;
  const rounds = values.rounds && Number(values.rounds);
  const begin = performance.now();
  const save = (write) => {
    if (!values.look) write();
  };
  if (first === "growth") save(await measureGrowth(selectWorkloads(workloads, rest), rounds));
  else if (first === "list") save(await measureList(rounds));
  else if (first === "text") save(await measureText(rounds));
  else if (first === "start") save(await measureStart(rounds));
  else if (first === "databases") save(await measureDatabases(rounds));
  else {
    const selected = selectWorkloads(workloads, positionals);
    const hosts = values.host.map(checkHost);
    for (const host of hosts) save(await measureOn(host, selected, rounds));
    if (!first && hosts.includes("chromium")) {
      save(await measureList(rounds));
      save(await measureText(rounds));
      save(await measureStart(rounds));
    }
  }
  save(() => writeReport(workloads));
  const report = values.look ? "nothing" : "docs/benchmarks.md";
  printStatus(`wrote ${report} after ${Math.round((performance.now() - begin) / 1000)} s`);
});

function selectWorkloads(workloads, prefixes) {
  const selected = workloads.filter(
    ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  if (selected.length > 0) return selected;
  const names = workloads.map(({ name }) => name).join(", ");
  throw new UserError(`no workload has this prefix; the workloads are ${names}`);
}

function checkHost(name) {
  if (["node", "chromium"].includes(name)) return name;
  throw new UserError(`unknown host "${name}"; the hosts are node and chromium`);
}

// Each of the three measure functions returns a function that saves its results.
async function measureOn(host, workloads, rounds = 15) {
  const supported = workloads.filter(({ hosts = [host] }) => hosts.includes(host));
  console.log(`\n== ${host}`);
  const results = [];
  const onResult = (result) => {
    results.push(result);
    printResult(workloads, result);
  };
  const runtime = supported.length > 0 && (await runOn(host, supported, rounds, onResult));
  return () => runtime && addResults(host, results, runtime);
}

/** Returns the name and version of the runtime. */
async function runOn(host, workloads, rounds, onResult) {
  if (host === "node") {
    await runInNode(workloads, { rounds }, onResult);
    return `Node ${process.versions.node}`;
  }
  await ensureBrowser();
  // Playwright and Vite can be loaded only after the set-up.
  const { runInChromium } = await import("../benches/host/chromium.mjs");
  const { version } = await runInChromium(workloads, { rounds }, onResult);
  return `Chromium ${version}`;
}

async function measureGrowth(workloads, rounds = 5) {
  const sizes = growthSizes(workloads);
  const growing = workloads.filter(({ name }) => sizes[name]);
  const results = [];
  await runInNode(growing, { sizes, rounds, only: grownSides }, (result) => {
    results.push(result);
    printResult(workloads, result);
  });
  return () => addGrowth(results);
}

async function measureList(rounds = 7) {
  console.log("\n== lists in the page");
  await ensureBrowser();
  const { runList } = await import("../benches/list/run.mjs");
  const list = await runList(rounds);
  return () => addList(list);
}

async function measureText(rounds = 7) {
  console.log("\n== a text that streams");
  await ensureBrowser();
  const { runTextStream } = await import("../benches/text-stream/run.mjs");
  const text = await runTextStream(rounds);
  return () => addText(text);
}

async function measureStart(rounds = 15) {
  console.log("\n== start-up and first paint");
  await ensureBrowser();
  const { runStart } = await import("../benches/start/run.mjs");
  const start = await runStart(rounds);
  return () => addStart(start);
}

async function measureDatabases(rounds = 7) {
  console.log("\n== commands over a database");
  await ensureDatabases();
  await ensureDatabaseServers();
  const { runDatabases } = await import("../benches/databases/run.mjs");
  const databases = await runDatabases(rounds);
  return () => databases && addDatabases(databases);
}

// Prints the median and quartiles of byname, and the ratio of each baseline to it.
function printResult(workloads, { name, size, sides: { byname, ...baselines } }) {
  const { unit } = workloads.find((workload) => workload.name === name);
  const [ours, low, high] = ["median", "low", "high"].map((of) => amount(byname[of], unit));
  const ratios = Object.entries(baselines).map(
    ([baseline, { median }]) => `${baseline} ${times(median / byname.median)}`,
  );
  console.log(`${name} (${size}): ${ours} (${low} to ${high}); ${ratios.join(", ")}`);
}

function writeReport(workloads) {
  const results = readResults();
  writeFileSync(join(root, "docs/benchmarks.md"), page(workloads, results));
  writeFileSync(join(root, "docs/benchmarks.svg"), picture(workloads, results));
  if (results.growth) {
    writeFileSync(
      join(root, "docs/benchmarks-growth.svg"),
      growthPicture(workloads, results.growth),
    );
  }
}

// Installs the baselines as locked, and links byname into their node_modules.
async function ensureBaselines() {
  const step = async () => {
    printStatus("installing the baselines");
    const options = ["--prefix", "benches", "--include=dev", "--no-audit", "--no-fund"];
    await run("npm", ["ci", ...options], {
      advice:
        "`npm ci` in benches/ failed (npm says why above); check the network, then run this again",
    });
  };
  const stamp = "benches/node_modules/.cache/byname-lock";
  const products = ["benches/node_modules"];
  await runIfStale(stamp, { inputs: ["benches/package-lock.json"], products }, step);
  const link = join(root, "benches/node_modules/byname");
  if (!existsSync(link)) symlinkSync("../..", link, "dir");
}
