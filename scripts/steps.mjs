// Steps of `npm test`. `node scripts/steps.mjs browser` runs one step, whose requirements must be installed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { checkCounts } from "./counts.mjs";
import { ensureDatabaseServers } from "./databases.mjs";
import { runDocExamples } from "./doc-examples.mjs";
import { checkDocTypes } from "./doc-types.mjs";
import { ensureHosts, installPacked } from "./hosts.mjs";
import { checkReproducible } from "./reproducible.mjs";
import { main, printStatus, run } from "./run.mjs";
import {
  ensureBrowser,
  ensureDatabases,
  ensureDurable,
  ensureExamples,
  ensureFrameworks,
  ensureNodeModules,
  ensureRecipes,
  ensureRust,
  ensureRustComponents,
  ensureTools,
} from "./setup.mjs";
import { buildPlayground } from "./site.mjs";
import { checkSize } from "./size.mjs";
import { listFiles } from "./stamp.mjs";

const rust = [ensureRust, ensureRustComponents];
const javascript = [ensureNodeModules];
const built = [ensureRust, ensureNodeModules, ensureTools];
const browser = [...built, ensureBrowser];

/**
 * Each step has what it `needs` to be installed, and its `check`. Steps of one lane run one after the other, in this
 * order; the lanes run in parallel. Cargo has a lane, because it locks its target folder. The other two have about the
 * same length. A step with `after` starts when that step has ended. Steps without a lane run last and alone, because
 * they measure time. Steps with `needsBuild` build `pkg/` first. Steps with `isOptional` run only if they are named.
 */
export const steps = {
  fmt: { lane: "cargo", needs: rust, check: () => run("cargo", ["fmt", "--all", "--check"]) },
  clippy: { lane: "cargo", needs: rust, check: checkClippy },
  rust: { lane: "cargo", needs: rust, check: testRust },
  build: { lane: "package", needs: built, needsBuild: true, check: () => {} },
  lint: { lane: "package", needs: javascript, check: checkLint },
  types: { lane: "package", needs: built, needsBuild: true, check: checkTypes },
  docs: { lane: "package", needs: built, needsBuild: true, check: checkDocs },
  size: { lane: "package", needs: built, needsBuild: true, check: checkSize },
  node: { lane: "package", needs: built, needsBuild: true, check: testInNode },
  durable: {
    lane: "package",
    needs: [...built, ensureDurable],
    needsBuild: true,
    check: testDurable,
  },
  databases: {
    lane: "package",
    needs: [...browser, ensureDatabases, ensureDatabaseServers],
    needsBuild: true,
    check: testDatabases,
  },
  browser: {
    lane: "pages",
    after: "build",
    needs: browser,
    needsBuild: true,
    check: testInBrowser,
  },
  frameworks: {
    lane: "pages",
    after: "build",
    needs: [...browser, ensureFrameworks],
    needsBuild: true,
    check: testFrameworks,
  },
  recipes: {
    lane: "pages",
    after: "build",
    needs: [...browser, ensureRecipes],
    needsBuild: true,
    check: testRecipes,
  },
  examples: {
    lane: "pages",
    after: "build",
    needs: [...browser, ensureExamples],
    needsBuild: true,
    check: testExamples,
  },
  hosts: {
    lane: "pages",
    after: "build",
    needs: [...browser, ensureHosts],
    needsBuild: true,
    check: testHosts,
  },
  counts: { lane: "cargo", needs: [ensureRust], check: checkCounts },
  budget: { needs: browser, needsBuild: true, check: testBudget },
  // Compiles everything again, so it runs only when it is named, and for a release.
  reproducible: { lane: "package", needs: built, isOptional: true, check: checkReproducible },
};

/** Steps of `npm test -- quick`. Its `node` step leaves `slowNodeTests` out. */
export const quickSteps = ["fmt", "rust", "build", "lint", "types", "node"];

/**
 * Tests that the `node` step of `npm test -- quick` skips. They need two thirds of its time: random or exhaustive
 * inputs, whose usual cases other tests cover, and growth with very large inputs.
 */
const slowNodeTests = [
  ...[
    "a2ui-places",
    "a2ui-target",
    "a2ui-to",
    "catalog-check",
    "flow-random",
    "flow-interrupted",
    "instance-keys",
  ],
  ...["random", "random-surface", "flow-hostile", "flow-large", "gasl-growth", "gasl-large-states"],
  ...["graph-hostile", "hostile-size", "init", "long-list-edits", "long-lists"],
  ...["llm-package", "package", "storage-growth", "worker-cases"],
].map((name) => `tests/js/${name}.test.mjs`);

/** Longest time of a test file in milliseconds. A file that waits forever fails, and the others go on. */
const fileLimit = 15 * 60_000;

/** Largest number of failed test files that run again. More of them have one cause, which is not the load. */
const maxRetried = 5;

/** Tests that measure time. */
const timedTests = ["budget", "graph-canvas", "graph-large", "worker-large"].map(
  (name) => `tests/browser/${name}.test.mjs`,
);

/** Runs one step in this process. */
export async function runStep(name) {
  const { needsBuild, check } = steps[name];
  if (needsBuild) await build();
  await check();
}

async function checkClippy() {
  const deny = ["--", "-D", "warnings"];
  const wasm = ["--target", "wasm32-unknown-unknown", "--lib"];
  await run("cargo", ["clippy", "--locked", "--workspace", "--all-targets", ...deny]);
  await run("cargo", ["clippy", "--locked", ...wasm, ...deny]);
  // Only the libraries, because the tests run with the default features.
  const small = ["--no-default-features"];
  await run("cargo", ["clippy", "--locked", ...small, "--workspace", "--lib", ...deny]);
  await run("cargo", ["clippy", "--locked", ...small, ...wasm, ...deny]);
}

async function testRust() {
  await run("cargo", ["test", "--locked", "--workspace"]);
}

async function checkLint() {
  await run("biome", ["check", "--error-on-warnings", "."]);
}

// The build compiles the facade; this checks the code that imports it.
async function checkTypes() {
  await run("tsc", ["-p", "www"]);
  await run("tsc", ["-p", "tests"]);
  await run("tsc", ["-p", "tests/types/plain"]);
}

async function checkDocs() {
  await checkDocTypes();
  await runDocExamples();
}

async function testInNode() {
  const skipped = process.env.BYNAME_QUICK ? slowNodeTests : [];
  await runNodeTests(testFiles("tests/js").filter((file) => !skipped.includes(file)));
}

async function testInBrowser() {
  await buildPlayground();
  const files = testFiles("tests/browser").filter((file) => !timedTests.includes(file));
  await runWithRetry(files, await browserEnv());
}

async function testBudget() {
  await buildPlayground();
  // A task that another process of the machine delays fails once.
  await runWithRetry(timedTests, await browserEnv(), 1);
}

async function testFrameworks() {
  await runNodeTests(testFiles("tests/frameworks/frameworks.test.mjs"), await browserEnv());
}

async function testRecipes() {
  const files = ["recipes", "tools"].flatMap((name) => testFiles(`tests/recipes/${name}.test.mjs`));
  await runNodeTests(files, await browserEnv());
}

async function testDurable() {
  // One after the other, because each has several processes.
  await runNodeTests(testFiles("tests/durable"), {}, 1);
}

async function testDatabases() {
  await buildPlayground();
  const files = testFiles("tests/databases").filter((file) => !file.includes("node_modules"));
  await runNodeTests(files, await browserEnv());
}

async function testExamples() {
  await runNodeTests(testFiles("tests/examples"), await browserEnv());
}

async function testHosts() {
  await installPacked();
  await runNodeTests(testFiles("tests/hosts"), await browserEnv());
}

async function browserEnv() {
  return { CHROME_PATH: await ensureBrowser() };
}

const testFiles = (path) => listFiles(path, ".test.mjs");

// Node 20 accepts no patterns here, so the files are listed. By default it runs one file fewer at a time than there are
// cores. One more than the cores keeps them busy while a test waits for a page or a timer.
async function runNodeTests(files, env, limit = availableParallelism() + 1) {
  const reporter = "--test-reporter=./scripts/reporter.mjs";
  const limits = [`--test-concurrency=${limit}`, `--test-timeout=${fileLimit}`];
  const advice = "tests failed (see above)";
  await run("node", ["--test", ...limits, reporter, ...files], { advice, env });
}

/**
 * Runs test files, and each file that fails a second time, alone. A page that two other processes delay can miss a
 * state that a test waits for. A fault of the product fails twice. Both failures are printed.
 */
async function runWithRetry(files, env, concurrency) {
  const folder = mkdtempSync(join(tmpdir(), "byname-"));
  const record = join(folder, "failed");
  try {
    await runNodeTests(files, { ...env, BYNAME_FAILED_TESTS: record }, concurrency);
  } catch (error) {
    const failed = existsSync(record) ? readFileSync(record, "utf8").trim().split("\n") : [];
    const again = files.filter((file) => failed.includes(file));
    if (again.length === 0 || again.length > maxRetried) throw error;
    printStatus(`flaky or failed, runs again: ${again.join(", ")}`);
    await runNodeTests(again, env, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(() => runStep(process.argv[2]));
}
