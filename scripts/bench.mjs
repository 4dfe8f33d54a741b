// Measures byname against its opponents, in Node and in Chromium, and writes docs/benchmarks.md.
// `npm run bench NAME…` measures the works whose names begin so, `npm run bench growth` at three sizes,
// `npm run bench start` how soon a page is there. `-- --look --rounds=5 --host=node` prints and writes nothing.
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grownSides, growthSizes } from "../benches/growth.mjs";
import { runInNode } from "../benches/host/node-process.mjs";
import { growthPicture } from "../benches/report/growth-picture.mjs";
import { page } from "../benches/report/page.mjs";
import { picture } from "../benches/report/picture.mjs";
import { amount, times } from "../benches/report/rows.mjs";
import { addGrowth, addResults, addStart, readResults } from "../benches/results.mjs";
import { build } from "./build.mjs";
import { given, main, root, run, say, Trouble } from "./run.mjs";
import { checkNode, ensureBrowser, ensureNodeModules, ensureRust, ensureTools } from "./setup.mjs";
import { unlessFresh } from "./stamp.mjs";

await main(async () => {
  const { values, positionals } = given({
    words: true,
    rounds: { type: "string" },
    host: { type: "string", multiple: true, default: ["node", "chromium"] },
    look: { type: "boolean", default: false },
  });
  checkNode();
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
  await ensureOpponents();
  await build();
  // They import byname, which is there only now.
  const { works } = await import("../benches/work/all.mjs");
  const [first, ...rest] = positionals;
  const rounds = values.rounds && Number(values.rounds);
  const begin = performance.now();
  const keep = (write) => {
    if (!values.look) write();
  };
  if (first === "growth") keep(await measureGrowth(choose(works, rest), rounds));
  else if (first === "start") keep(await measureStart(rounds));
  else {
    const chosen = choose(works, positionals);
    const wanted = values.host.map(hostOf);
    for (const host of wanted) keep(await measureOn(host, chosen, rounds));
    if (!first && wanted.includes("chromium")) keep(await measureStart(rounds));
  }
  keep(() => writeReport(works));
  const written = values.look ? "nothing" : "docs/benchmarks.md";
  say(`${written} is written, after ${Math.round((performance.now() - begin) / 1000)} s`);
});

function choose(works, prefixes) {
  const chosen = works.filter(
    ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  if (chosen.length > 0) return chosen;
  throw new Trouble(`no work begins so; the works are ${works.map(({ name }) => name).join(", ")}`);
}

function hostOf(name) {
  if (["node", "chromium"].includes(name)) return name;
  throw new Trouble(`there is no host "${name}"; there are node and chromium`);
}

// This and the other two answer what writes down what they found.
async function measureOn(host, works, rounds = 15) {
  const there = works.filter(({ hosts = [host] }) => hosts.includes(host));
  console.log(`\n== ${host}`);
  const results = [];
  const tell = (result) => {
    results.push(result);
    print(works, result);
  };
  const runtime = there.length > 0 && (await runOn(host, there, rounds, tell));
  return () => runtime && addResults(host, results, runtime);
}

/** Answers what the works ran in. */
async function runOn(host, works, rounds, tell) {
  if (host === "node") {
    await runInNode(works, { rounds }, tell);
    return `Node ${process.versions.node}`;
  }
  await ensureBrowser();
  // Playwright and Vite are there only after the set-up.
  const { runInChromium } = await import("../benches/host/chromium.mjs");
  const { version } = await runInChromium(works, { rounds }, tell);
  return `Chromium ${version}`;
}

async function measureGrowth(works, rounds = 5) {
  const sizes = growthSizes(works);
  const growing = works.filter(({ name }) => sizes[name]);
  const results = [];
  await runInNode(growing, { sizes, rounds, only: grownSides }, (result) => {
    results.push(result);
    print(works, result);
  });
  return () => addGrowth(results);
}

async function measureStart(rounds = 15) {
  console.log("\n== start-up and first paint");
  await ensureBrowser();
  const { runStart } = await import("../benches/start/run.mjs");
  const start = await runStart(rounds);
  return () => addStart(start);
}

// How long we take, from the first to the third quarter of the runs, and how many times as long the others do.
function print(works, { name, size, sides: { byname, ...others } }) {
  const { unit } = works.find((work) => work.name === name);
  const [ours, low, high] = ["median", "low", "high"].map((of) => amount(byname[of], unit));
  const ratios = Object.entries(others).map(
    ([opponent, { median }]) => `${opponent} ${times(median / byname.median)}`,
  );
  console.log(`${name} (${size}): ${ours} (${low} to ${high}); ${ratios.join(", ")}`);
}

function writeReport(works) {
  const results = readResults();
  writeFileSync(join(root, "docs/benchmarks.md"), page(works, results));
  writeFileSync(join(root, "docs/benchmarks.svg"), picture(works, results));
  if (results.growth) {
    writeFileSync(join(root, "docs/benchmarks-growth.svg"), growthPicture(works, results.growth));
  }
}

// The opponents, exactly as locked, and byname itself as a package beside them.
async function ensureOpponents() {
  const step = async () => {
    say("installing the opponents");
    const options = ["--prefix", "benches", "--include=dev", "--no-audit", "--no-fund"];
    await run("npm", ["ci", ...options], {
      advice:
        "`npm ci` in benches/ failed (npm says why above); check the network, then run this again",
    });
  };
  const stamp = "benches/node_modules/.cache/byname-lock";
  const products = ["benches/node_modules"];
  await unlessFresh(stamp, { inputs: ["benches/package-lock.json"], products }, step);
  const link = join(root, "benches/node_modules/byname");
  if (!existsSync(link)) symlinkSync("../..", link, "dir");
}
