// Fuzzing: `npm run fuzz` runs each target of `fuzz/` for a minute, `npm run fuzz -- reader ham --seconds=600` the named
// ones for ten. `--length=40` limits the inputs to 40 bytes, which takes less time. The inputs that were found are kept in
// target/fuzz/corpus. `npm run fuzz -- --minimise` writes a small set of them, which reaches the same code, to
// fuzz/corpus; `npm test` replays that.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { build } from "./build.mjs";
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
import { checkNode, ensureForBuild, ensureRust } from "./setup.mjs";

const buildFolder = join(root, "target/fuzz");
/** Instrumentation of cargo-fuzz. It needs no nightly compiler, because no sanitizer is used: the core has no `unsafe`. */
const flags = [
  "--cfg=fuzzing",
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];
/**
 * Instrumentation of targets that read texts: comparisons show which words to insert. It halves the
 * speed, so targets of generated inputs omit it: their inputs do not contain the compared values.
 */
const compareFlag = "-Cllvm-args=-sanitizer-coverage-trace-compares";
/** Default of the maximum size of an input in bytes: long inputs take longer and rarely find more. */
const maxLength = 400;
const maxGeneratedLength = 200;
const maxScriptLength = 120;
/** Maximum number of bytes of a committed corpus. */
const maxCorpusBytes = 60_000;
const defaultSeconds = 60;
/** Seconds after which an input counts as a hang. */
const timeout = 10;

const nativeTargets = readdirSync(join(root, "fuzz/fuzz_targets")).map((file) =>
  file.replace(".rs", ""),
);
/** Targets in JavaScript, run by fuzz/javascript/run.mjs. */
const scriptTargets = ["a2ui"];
const targets = [...nativeTargets, ...scriptTargets];

/** Builds the named targets, and returns the path of the program of each. */
async function buildTargets(names) {
  const texts = names.filter(readsText);
  const generated = names.filter((name) => !readsText(name));
  return new Map([
    ...(await buildWith([...flags, compareFlag], buildFolder, texts)),
    ...(await buildWith(flags, join(buildFolder, "generated"), generated)),
  ]);
}

function readsText(name) {
  return existsSync(join(root, `fuzz/dictionaries/${name}.dict`));
}

async function buildWith(flags, folder, names) {
  if (names.length === 0) return [];
  const host = /host: (\S+)/.exec(readOutput("rustc", ["--version", "--verbose"]) ?? "")?.[1];
  if (!host) throw new UserError("`rustc --version` failed; install Rust");
  // With `--target`, build scripts are not instrumented.
  const options = ["--manifest-path", "fuzz/Cargo.toml", "--locked", "--release"];
  const bins = names.flatMap((name) => ["--bin", name]);
  const env = { CARGO_TARGET_DIR: folder, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
  await run("cargo", ["build", ...options, ...bins, "--target", host], { env });
  return names.map((name) => [name, join(folder, host, "release", name)]);
}

/** Runs a target. Returns the number of its executions, or throws with the path of the input that failed. */
async function fuzz(programs, name, { seconds, runs, length }) {
  const { code, text } = scriptTargets.includes(name)
    ? await runScript(name, { seconds, runs, length })
    : await runNative(programs, name, { seconds, runs, length });
  if (code !== 0) {
    const input = /Test unit written to (\S+)/.exec(text)?.[1] ?? "printed above";
    const start = Math.max(text.search(/panicked at|ERROR: libFuzzer/), 0);
    console.log(text.slice(start, start + 4_000));
    throw new UserError(`${name} failed; the input is ${input}`);
  }
  return Number(/number_of_executed_units: (\d+)/.exec(text)?.[1] ?? 0);
}

function runNative(programs, name, { seconds, runs, length }) {
  const dictionary = join(root, `fuzz/dictionaries/${name}.dict`);
  const options = [
    `-max_total_time=${seconds}`,
    `-runs=${runs}`,
    `-timeout=${timeout}`,
    "-print_final_stats=1",
    "-reload=0",
    `-artifact_prefix=${folderOf("artifacts", name)}/`,
    // Generated input has few features by which to weigh inputs, and weighing costs a third of the time.
    `-max_len=${length ?? (readsText(name) ? maxLength : maxGeneratedLength)}`,
    ...(readsText(name) ? [`-dict=${dictionary}`] : ["-entropic=0", "-reduce_inputs=0"]),
  ];
  return runProgram(programs.get(name), [...options, ...corpusFolders(name)]);
}

function runScript(name, { seconds, runs, length = maxScriptLength }) {
  const limits = [seconds || Number.MAX_SAFE_INTEGER, runs, length].map(String);
  const script = join(root, "fuzz/javascript/run.mjs");
  return runProgram(process.execPath, [script, name, folderOf("corpus", name), ...limits]);
}

/** Folders of the inputs that were found and of the committed ones. */
function corpusFolders(name) {
  const committed = join(root, "fuzz/corpus", name);
  return [folderOf("corpus", name), ...(existsSync(committed) ? [committed] : [])];
}

/** Writes few small inputs that reach all code to fuzz/corpus. */
async function minimise(programs, name) {
  const chosen = scriptTargets.includes(name)
    ? await chooseByBehaviour(name)
    : await chooseByCoverage(programs, name);
  const kept = [];
  let bytes = 0;
  for (const { path, size } of chosen) {
    bytes += size;
    if (bytes > maxCorpusBytes) break;
    kept.push({ name: basename(path), content: readFileSync(path) });
  }
  // Removed after it is read, because chosen inputs can be from it.
  const committed = join(root, "fuzz/corpus", name);
  rmSync(committed, { recursive: true, force: true });
  mkdirSync(committed, { recursive: true });
  for (const input of kept) writeFileSync(join(committed, input.name), input.content);
  printStatus(`${name}: ${kept.length} of ${chosen.length} inputs`);
}

/** Returns the inputs that together reach all code, smallest first. */
async function chooseByCoverage(programs, name) {
  const merged = join(buildFolder, "merged", name);
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged, { recursive: true });
  // Without counters and comparisons, an input for each branch is enough.
  const options = ["-set_cover_merge=1", "-use_counters=0", "-use_cmp=0"];
  const args = [...options, merged, ...corpusFolders(name)];
  const { code, text } = await runProgram(programs.get(name), args);
  if (code !== 0)
    throw new UserError(`merging the corpus of ${name} failed: ${text.slice(-1_000)}`);
  return inputsOf([merged]);
}

/** Returns the smallest input of each behaviour. */
async function chooseByBehaviour(name) {
  const { check } = await import(`../fuzz/javascript/${name}.mjs`);
  const seen = new Set();
  return inputsOf(corpusFolders(name)).filter(({ path }) => {
    const behaviour = check(readFileSync(path));
    const isNew = !seen.has(behaviour);
    seen.add(behaviour);
    return isNew;
  });
}

/** Returns the files of folders, smallest first. */
function inputsOf(folders) {
  const paths = folders.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  const inputs = paths.map((path) => ({ path, size: statSync(path).size }));
  return inputs.sort((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1));
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
    length: { type: "string" },
    minimise: { type: "boolean" },
  });
  const unknown = positionals.find((name) => !targets.includes(name));
  if (unknown)
    throw new UserError(`there is no target "${unknown}"; the targets are ${targets.join(", ")}`);
  checkNode();
  await ensureRust();
  const names = positionals.length > 0 ? positionals : targets;
  const programs = await buildTargets(names.filter((name) => nativeTargets.includes(name)));
  if (names.some((name) => scriptTargets.includes(name))) {
    await ensureForBuild();
    await build();
  }
  const seconds = Number(values.seconds ?? (values.runs ? 0 : defaultSeconds));
  for (const name of names) {
    if (values.minimise) {
      await minimise(programs, name);
      continue;
    }
    const runs = Number(values.runs ?? -1);
    const executions = await fuzz(programs, name, { seconds, runs, length: values.length });
    printStatus(`${name}: ${executions.toLocaleString("en")} executions`);
  }
});
