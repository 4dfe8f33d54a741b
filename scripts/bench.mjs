// Measures byname against its opponents, in Node and in Chromium, and writes docs/benchmarks.md.
// `npm run bench NAME…` measures the works whose names begin so; `npm run bench growth` at three sizes.
// `-- --rounds=5 --host=node --shared` are for a quick look, and say that the machine was busy.
import { spawn } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { page } from "../benches/report/page.mjs";
import { picture } from "../benches/report/picture.mjs";
import { addGrowth, addResults, readResults } from "../benches/results.mjs";
import { build } from "./build.mjs";
import { main, root, run, say, Trouble } from "./run.mjs";
import { checkNode, ensureBrowser, ensureNodeModules, ensureRust, ensureTools } from "./setup.mjs";
import { unlessFresh } from "./stamp.mjs";

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "15" },
      host: { type: "string", multiple: true, default: ["node", "chromium"] },
      shared: { type: "boolean", default: false },
    },
  });
  checkNode();
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
  await ensureOpponents();
  await build();
  // They import byname, which is there only now.
  const { works } = await import("../benches/work/all.mjs");
  const rounds = Number(values.rounds);
  const growing = positionals[0] === "growth";
  const chosen = choose(works, growing ? positionals.slice(1) : positionals);
  if (growing) await measureGrowth(chosen, rounds);
  else for (const host of values.host) await measureOn(host, chosen, rounds, values.shared);
  writeReport(works);
});

function choose(works, prefixes) {
  const chosen = works.filter(
    ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  if (chosen.length > 0) return chosen;
  throw new Trouble(`no work begins so; the works are ${works.map(({ name }) => name).join(", ")}`);
}

async function measureOn(host, works, rounds, shared) {
  const names = works.filter(({ hosts = [host] }) => hosts.includes(host)).map(({ name }) => name);
  if (names.length === 0) return;
  console.log(`\n== ${host}`);
  const results = [];
  const tell = (result) => {
    results.push(result);
    print(result);
  };
  const runtime = await runOn(host, { names, rounds }, tell);
  addResults(host, results, { runtime, shared });
}

/** Answers what the works ran in. */
async function runOn(host, asked, tell) {
  if (host === "node") {
    await runInNode(asked, tell);
    return `Node ${process.versions.node}`;
  }
  if (host !== "chromium")
    throw new Trouble(`there is no host "${host}"; there are node and chromium`);
  await ensureBrowser();
  // Playwright and Vite are there only after the set-up.
  const { runInChromium } = await import("../benches/host/chromium.mjs");
  const { version } = await runInChromium(asked, tell);
  return `Chromium ${version}`;
}

async function measureGrowth(works, rounds) {
  const grown = works.filter(({ rounds: fixed }) => fixed !== 1);
  const sizes = Object.fromEntries(
    grown.map(({ name, size }) => [name, [size / 10, size, size * 10]]),
  );
  const results = [];
  await runInNode({ names: grown.map(({ name }) => name), sizes, rounds }, (result) => {
    results.push(result);
    print(result);
  });
  addGrowth(results);
}

// A process of its own, which prints a line of JSON for each result.
function runInNode(asked, tell) {
  const flags = ["--expose-gc", "--max-old-space-size=12000"];
  const program = join(root, "benches/host/run-node.mjs");
  const child = spawn(process.execPath, [...flags, program, JSON.stringify(asked)], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => tell(JSON.parse(line)));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Trouble("the works in Node did not end; what stopped them stands above"));
    });
  });
}

function print({ name, size, sides: { byname, ...others } }) {
  const shown = Object.entries(others).map(
    ([opponent, { median }]) => `${opponent} ${(median / byname.median).toPrecision(2)}×`,
  );
  console.log(`${name} (${size}): ${byname.median.toPrecision(3)}; ${shown.join(", ")}`);
}

function writeReport(works) {
  const results = readResults();
  writeFileSync(join(root, "docs/benchmarks.md"), page(works, results));
  writeFileSync(join(root, "docs/benchmarks.svg"), picture(works, results));
  say("docs/benchmarks.md is written");
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
