// Sets up what is missing, then runs every check, the quick ones first, up to the first failure.
// `npm test -- node browser` runs the named steps only.
import { build } from "./build.mjs";
import { checkCounts } from "./counts.mjs";
import { runDocExamples } from "./doc-examples.mjs";
import { checkDocTypes } from "./doc-types.mjs";
import { ensureHosts, installPacked } from "./hosts.mjs";
import { main, run, say, Trouble } from "./run.mjs";
import {
  checkNode,
  ensureBrowser,
  ensureFrameworks,
  ensureNodeModules,
  ensureRust,
  ensureRustComponents,
  ensureTools,
} from "./setup.mjs";
import { playground } from "./site.mjs";
import { checkSize } from "./size.mjs";
import { files } from "./stamp.mjs";

const rust = [ensureRust, ensureRustComponents];
const built = [ensureRust, ensureNodeModules, ensureTools, build];

/** The steps in order: what each makes sure of first, and what it checks. */
const steps = {
  fmt: { needs: rust, check: () => run("cargo", ["fmt", "--all", "--check"]) },
  clippy: { needs: rust, check: clippy },
  rust: { needs: rust, check: () => run("cargo", ["test", "--locked", "--workspace"]) },
  build: { needs: built, check: () => {} },
  lint: {
    needs: [ensureNodeModules],
    check: () => run("biome", ["check", "--error-on-warnings", "."]),
  },
  types: { needs: built, check: types },
  node: { needs: built, check: () => nodeTests("tests/js") },
  browser: { needs: built, check: browser },
  hosts: { needs: [...built, ensureHosts], check: hosts },
  frameworks: { needs: [...built, ensureFrameworks], check: frameworks },
  docs: { needs: built, check: docs },
  size: { needs: built, check: checkSize },
  counts: { needs: [ensureRust], check: checkCounts },
};

await main(async () => {
  checkNode();
  const names = chosen(process.argv.slice(2));
  // The set-up of all steps comes first, so that what is missing is told before any work.
  const needs = new Set(names.flatMap((name) => steps[name].needs));
  needs.delete(build);
  for (const need of needs) await need();
  const withBrowser = ["browser", "hosts", "frameworks"];
  if (withBrowser.some((name) => names.includes(name))) await ensureBrowser();
  const start = performance.now();
  for (const name of names) await timed(name, steps[name]);
  say(`all checks passed in ${seconds(start)}`);
});

function chosen(names) {
  const known = Object.keys(steps);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown)
    throw new Trouble(`there is no step "${unknown}"; the steps are ${known.join(", ")}`);
  return names.length > 0 ? known.filter((name) => names.includes(name)) : known;
}

async function timed(name, { needs, check }) {
  const start = performance.now();
  console.log(`\n== ${name}`);
  if (needs.includes(build)) await build();
  await check();
  console.log(`== ${name}: ok, ${seconds(start)}`);
}

async function clippy() {
  const deny = ["--", "-D", "warnings"];
  const wasm = ["--target", "wasm32-unknown-unknown", "--lib"];
  for (const features of [[], ["--no-default-features"]]) {
    await run("cargo", [
      "clippy",
      "--locked",
      "--workspace",
      ...features,
      "--all-targets",
      ...deny,
    ]);
    await run("cargo", ["clippy", "--locked", ...features, ...wasm, ...deny]);
  }
}

// The facade is compiled by the build; these check those who import it.
async function types() {
  await run("tsc", ["-p", "www"]);
  await run("tsc", ["-p", "tests"]);
  await run("tsc", ["-p", "tests/types/plain"]);
}

async function browser() {
  await playground();
  await nodeTests("tests/browser", { CHROME_PATH: await ensureBrowser() });
}

async function docs() {
  await checkDocTypes();
  await runDocExamples();
}

async function hosts() {
  await installPacked();
  await nodeTests("tests/hosts", { CHROME_PATH: await ensureBrowser() });
}

async function frameworks() {
  await nodeTests("tests/frameworks/frameworks.test.mjs", { CHROME_PATH: await ensureBrowser() });
}

async function nodeTests(folder, env) {
  // Node 20 takes no patterns here, so the files are named.
  const reporter = "--test-reporter=./scripts/reporter.mjs";
  await run("node", ["--test", reporter, ...files(folder, ".test.mjs")], { env });
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
