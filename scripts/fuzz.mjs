// Fuzzing: `npm run fuzz` runs each target of `fuzz/` for a minute, `npm run fuzz -- reader ham --seconds=600` the named
// ones for ten. The inputs that were found are kept in target/fuzz/corpus. `npm run fuzz -- --minimise` writes a
// small set of them, which reaches the same code, to fuzz/corpus; `npm test` replays that.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  childEnv,
  main,
  parseCommandLine,
  printStatus,
  readOutput,
  root,
  run,
  UserError,
} from "./run.mjs";
import { checkNode, ensureRust } from "./setup.mjs";

const buildFolder = join(root, "target/fuzz");
/** Instrumentation of cargo-fuzz. It needs no nightly compiler, because no sanitizer is used: the core has no `unsafe`. */
const flags = [
  "--cfg=fuzzing",
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
  "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];
/** Maximum size of an input in bytes: long inputs take longer and rarely find more. */
const maxLength = 400;
const maxGeneratedLength = 200;
/** Maximum number of bytes of a committed corpus. */
const maxCorpusBytes = 60_000;
const defaultSeconds = 60;
/** Seconds after which an input counts as a hang. */
const timeout = 10;

const targets = readdirSync(join(root, "fuzz/fuzz_targets")).map((file) => file.replace(".rs", ""));

/** Builds all targets, and returns the folder of the programs. */
async function buildTargets() {
  const host = /host: (\S+)/.exec(readOutput("rustc", ["--version", "--verbose"]) ?? "")?.[1];
  if (!host) throw new UserError("`rustc --version` failed; install Rust");
  // With `--target`, build scripts are not instrumented.
  const options = ["--manifest-path", "fuzz/Cargo.toml", "--locked", "--release", "--bins"];
  const env = { CARGO_TARGET_DIR: buildFolder, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
  await run("cargo", ["build", ...options, "--target", host], { env });
  return join(buildFolder, host, "release");
}

/** Runs a target. Returns the number of its executions, or throws with the path of the input that failed. */
async function fuzz(programs, name, seconds, runs) {
  const found = folderOf("corpus", name);
  const failures = folderOf("artifacts", name);
  const dictionary = join(root, `fuzz/dictionaries/${name}.dict`);
  const isText = existsSync(dictionary);
  const options = [
    `-max_total_time=${seconds}`,
    `-runs=${runs}`,
    `-timeout=${timeout}`,
    "-print_final_stats=1",
    "-reload=0",
    `-artifact_prefix=${failures}/`,
    // Generated input has few features by which to weigh inputs, and weighing costs a third of the time.
    ...(isText
      ? [`-max_len=${maxLength}`, `-dict=${dictionary}`]
      : [`-max_len=${maxGeneratedLength}`, "-entropic=0", "-reduce_inputs=0"]),
  ];
  const committed = join(root, "fuzz/corpus", name);
  const folders = [found, ...(existsSync(committed) ? [committed] : [])];
  const { code, text } = await runProgram(join(programs, name), [...options, ...folders]);
  if (code !== 0) {
    const input = /Test unit written to (\S+)/.exec(text)?.[1] ?? "see above";
    const start = text.search(/panicked at|ERROR: libFuzzer/);
    console.log(text.slice(Math.max(start, 0), start + 4_000));
    throw new UserError(
      `${name} failed; the input is ${input}. Run it again with \`${join(programs, name)} FILE\``,
    );
  }
  return Number(/number_of_executed_units: (\d+)/.exec(text)?.[1] ?? 0);
}

/** Writes the smallest inputs that reach all code to fuzz/corpus. */
async function minimise(programs, name) {
  const merged = join(buildFolder, "merged", name);
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged, { recursive: true });
  const committed = join(root, "fuzz/corpus", name);
  const sources = [folderOf("corpus", name), ...(existsSync(committed) ? [committed] : [])];
  const { code, text } = await runProgram(join(programs, name), [
    "-set_cover_merge=1",
    merged,
    ...sources,
  ]);
  if (code !== 0)
    throw new UserError(`merging the corpus of ${name} failed: ${text.slice(-1_000)}`);
  rmSync(committed, { recursive: true, force: true });
  mkdirSync(committed, { recursive: true });
  const files = readdirSync(merged).map((file) => ({
    file,
    size: statSync(join(merged, file)).size,
  }));
  let bytes = 0;
  const kept = [];
  for (const entry of files.sort((a, b) => a.size - b.size)) {
    bytes += entry.size;
    if (bytes <= maxCorpusBytes) kept.push(entry);
  }
  for (const { file } of kept) copyFileSync(join(merged, file), join(committed, file));
  printStatus(`${name}: ${kept.length} of ${files.length} inputs`);
}

function folderOf(kind, name) {
  const folder = join(buildFolder, kind, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs a program to its end. Returns its exit code and its output. */
function runProgram(program, args) {
  return new Promise((resolve, reject) => {
    const env = childEnv({ RUST_BACKTRACE: "0" });
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (data) => {
      // The last part contains the result.
      text = (text + data).slice(-200_000);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

await main(async () => {
  const { values, positionals } = parseCommandLine({
    allowPositionals: true,
    seconds: { type: "string" },
    runs: { type: "string" },
    minimise: { type: "boolean" },
  });
  const unknown = positionals.find((name) => !targets.includes(name));
  if (unknown)
    throw new UserError(`there is no target "${unknown}"; the targets are ${targets.join(", ")}`);
  checkNode();
  await ensureRust();
  const programs = await buildTargets();
  const seconds = Number(values.seconds ?? (values.runs ? 0 : defaultSeconds));
  for (const name of positionals.length > 0 ? positionals : targets) {
    if (values.minimise) {
      await minimise(programs, name);
      continue;
    }
    const executions = await fuzz(programs, name, seconds, Number(values.runs ?? -1));
    printStatus(`${name}: ${executions.toLocaleString("en")} executions`);
  }
});
