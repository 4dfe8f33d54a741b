// Runs workloads of fixed size natively (benches/counts) and compares their counts with the
// committed ones. It counts allocations and their bytes, the result, and instructions if valgrind
// is installed. Counts do not depend on other processes. `npm run counts -- --bless` rewrites the
// committed counts; review the diff.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  main,
  mapConcurrently,
  parseCommandLine,
  printStatus,
  readOutput,
  readOutputAsync,
  root,
  run,
  UserError,
  which,
} from "./run.mjs";
import { checkNode, ensureRust } from "./setup.mjs";

const baselineFile = join(root, "benches/counts/baseline.json");
const program = join(root, "target/counts/byname-counts");

/** Permitted increase as a fraction of the count, on the compiler of the baseline and on others. */
const tolerance = {
  allocations: { same: 0.01, other: 0.1 },
  bytes: { same: 0.02, other: 0.1 },
  instructions: { same: 0.04, other: 0.25 },
};

/** Throws when a count has increased by more than the tolerance. Prints the counts that have decreased. */
export async function checkCounts() {
  const baseline = JSON.parse(readFileSync(baselineFile, "utf8"));
  const current = await countWorkloads();
  if (!hasInstructions(current))
    console.log("valgrind is not installed: instructions are not counted");
  const compiler = baseline.compiler === current.compiler ? "same" : "other";
  if (compiler === "other")
    console.log(
      `the counts are of ${baseline.compiler}: the tolerance is larger with this compiler`,
    );
  const { worse, better } = compareCounts(baseline.works, current.works, compiler);
  for (const line of better) console.log(line);
  if (better.length > 0) console.log("`npm run counts -- --bless` saves the lower counts");
  if (worse.length > 0) {
    throw new UserError(
      `${worse.join("; ")}: reduce the cost, or save the counts with \`npm run counts -- --bless\` and give the reason in the commit`,
    );
  }
}

/** Writes the current counts to the baseline. */
async function blessCounts() {
  const current = await countWorkloads();
  if (!hasInstructions(current))
    throw new UserError(
      "valgrind is missing, and the baseline contains instructions; install it, then run this again",
    );
  writeFileSync(baselineFile, `${JSON.stringify(current, null, 2)}\n`);
  printStatus("wrote benches/counts/baseline.json; review the diff with `git diff`");
}

/** Returns `{ compiler, works: { [name]: { allocations, bytes, result, instructions? } } }`. */
async function countWorkloads() {
  await run("cargo", ["build", "--locked", "--package", "byname-counts", "--profile", "counts"]);
  const text = readOutput(program, []);
  if (text === undefined) throw new UserError(`\`${program}\` failed; run it to see why`);
  const works = {};
  const valgrind = which("valgrind") !== undefined;
  await mapConcurrently(text.split("\n"), availableParallelism(), async (line) => {
    const { name, ...counts } = JSON.parse(line);
    // Added before the wait, so that the order is that of the program.
    works[name] = counts;
    if (valgrind) counts.instructions = await countInstructions(name);
  });
  return { compiler: readOutput("rustc", ["--version"]).split(" ")[1], works };
}

// Counts the instructions of the function `measured` and its callees.
async function countInstructions(name) {
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"];
  const filter = "--toggle-collect=*measured*";
  const log = await readOutputAsync("valgrind", [...options, filter, program, name]);
  const collected = /Collected : (\d+)/.exec(log ?? "");
  if (!collected) throw new UserError(`valgrind failed on \`${name}\``);
  return Number(collected[1]);
}

function hasInstructions({ works }) {
  return Object.values(works).every(({ instructions }) => instructions !== undefined);
}

function compareCounts(before, now, compiler) {
  const worse = [];
  const better = [];
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const name of names) {
    if (!before[name] || !now[name])
      worse.push(`"${name}" must be in both the baseline and the workloads`);
    else if (before[name].result !== now[name].result)
      worse.push(`"${name}" returns ${now[name].result}, expected ${before[name].result}`);
    for (const [metric, { [compiler]: limit }] of Object.entries(tolerance)) {
      const [old, current] = [before[name]?.[metric], now[name]?.[metric]];
      if (old === undefined || current === undefined) continue;
      const line = `"${name}": ${current} ${metric}, before ${old} (${percent(current / old)})`;
      if (current > old * (1 + limit)) worse.push(line);
      else if (current < old * (1 - limit)) better.push(line);
    }
  }
  return { worse, better };
}

function percent(ratio) {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? "+" : ""}${change.toFixed(1)} %`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { values } = parseCommandLine({ bless: { type: "boolean" } });
    checkNode();
    await ensureRust();
    if (values.bless) await blessCounts();
    else {
      await checkCounts();
      printStatus("no count has increased");
    }
  });
}
