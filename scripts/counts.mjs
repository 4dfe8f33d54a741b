// Does works of fixed size natively (benches/counts) and compares what they took with the committed counts:
// allocations and their bytes, the result, and instructions where valgrind is installed. Counts do not mind
// what else the machine does. `npm run counts -- --bless` writes them anew; review the diff.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { given, main, output, root, run, say, Trouble, which } from "./run.mjs";
import { checkNode, ensureRust } from "./setup.mjs";

const file = join(root, "benches/counts/baseline.json");
const program = join(root, "target/counts/byname-counts");

/** How much more is let pass, as a part of the count, on the compiler that the counts are of and on others. */
const slack = {
  allocations: { same: 0.01, other: 0.1 },
  bytes: { same: 0.02, other: 0.1 },
  instructions: { same: 0.04, other: 0.25 },
};

/** Throws when a work takes more than it did; tells of what takes less. */
export async function checkCounts() {
  const baseline = JSON.parse(readFileSync(file, "utf8"));
  const counted = await countWorks();
  if (!hasInstructions(counted))
    console.log("valgrind is not installed: instructions are not counted");
  const compiler = baseline.compiler === counted.compiler ? "same" : "other";
  if (compiler === "other")
    console.log(`the counts are of ${baseline.compiler}: more is let pass with this one`);
  const { worse, better } = compare(baseline.works, counted.works, compiler);
  for (const line of better) console.log(line);
  if (better.length > 0) console.log("`npm run counts -- --bless` keeps it so");
  if (worse.length > 0) {
    throw new Trouble(
      `${worse.join("; ")}: make it cheaper, or renew the counts with \`npm run counts -- --bless\` and say why`,
    );
  }
}

/** Writes the counts as they are now. */
async function blessCounts() {
  const counted = await countWorks();
  if (!hasInstructions(counted))
    throw new Trouble(
      "valgrind is missing, and the counts want its instructions; install it, then run this again",
    );
  writeFileSync(file, `${JSON.stringify(counted, null, 2)}\n`);
  say("benches/counts/baseline.json is written; review the diff with `git diff`");
}

/** `{ compiler, works: { [name]: { allocations, bytes, result, instructions? } } }`. */
async function countWorks() {
  await run("cargo", ["build", "--locked", "--package", "byname-counts", "--profile", "counts"]);
  const lines = output(program, []);
  if (lines === undefined) throw new Trouble(`\`${program}\` failed; run it to see why`);
  const works = {};
  for (const line of lines.split("\n")) {
    const { name, ...counts } = JSON.parse(line);
    works[name] = which("valgrind") ? { ...counts, instructions: instructionsOf(name) } : counts;
  }
  return { compiler: output("rustc", ["--version"]).split(" ")[1], works };
}

// Of the function `measured` and all that it calls.
function instructionsOf(name) {
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"];
  const told = output("valgrind", [...options, "--toggle-collect=*measured*", program, name]);
  const collected = /Collected : (\d+)/.exec(told ?? "");
  if (!collected) throw new Trouble(`valgrind failed on \`${name}\``);
  return Number(collected[1]);
}

function hasInstructions({ works }) {
  return Object.values(works).every(({ instructions }) => instructions !== undefined);
}

function compare(before, now, compiler) {
  const worse = [];
  const better = [];
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const name of names) {
    if (!before[name] || !now[name])
      worse.push(`"${name}" is not in both the counts and the works`);
    else if (before[name].result !== now[name].result)
      worse.push(`"${name}" returns ${now[name].result}, and returned ${before[name].result}`);
    for (const [what, { [compiler]: most }] of Object.entries(slack)) {
      const [old, fresh] = [before[name]?.[what], now[name]?.[what]];
      if (old === undefined || fresh === undefined) continue;
      const line = `"${name}" takes ${fresh} ${what}, and took ${old} (${percent(fresh / old)})`;
      if (fresh > old * (1 + most)) worse.push(line);
      else if (fresh < old * (1 - most)) better.push(line);
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
    const { values } = given({ bless: { type: "boolean" } });
    checkNode();
    await ensureRust();
    if (values.bless) await blessCounts();
    else {
      await checkCounts();
      say("nothing takes more than it did");
    }
  });
}
