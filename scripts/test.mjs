// Installs what is missing, then runs every check up to the first failure. `npm test -- node browser` runs the named
// steps only, and `npm test -- quick` those that find most errors in little time.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { childEnv, main, printStatus, root, UserError } from "./run.mjs";
import { checkNode } from "./setup.mjs";
import { quickSteps, steps } from "./steps.mjs";

/** File to which the reporter of `node --test` appends durations. */
const durationsFile = join(root, "target/durations.jsonl");
/** Number of tests in the list of slow tests. */
const slowTestCount = 20;
/** Longest time of a step in minutes. It ends a step that would wait forever. */
const stepLimit = 45;

/** Running steps: child processes, each the leader of a process group. */
const running = new Set();
/** Seconds of each finished step. */
const stepSeconds = [];
/** Seconds of each test program in Rust, for which Cargo prints no durations of single tests. */
const rustSeconds = [];

await main(async () => {
  checkNode();
  const { names, quick } = selectSteps(process.argv.slice(2));
  // Requirements of all steps come first, so that a missing one is reported before any work.
  await ensureAll(new Set(names.flatMap((name) => steps[name].needs)));
  const start = performance.now();
  mkdirSync(join(root, "target"), { recursive: true });
  rmSync(durationsFile, { force: true });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopAll(signal));
  const env = { BYNAME_DURATIONS: durationsFile, ...(quick && { BYNAME_QUICK: "1" }) };
  await runLanes(names, env);
  printSlowest();
  printStatus(`all checks passed in ${secondsSince(start).toFixed(1)} s`);
});

function selectSteps(args) {
  const known = Object.keys(steps);
  const quick = args.includes("quick");
  const named = quick ? [...quickSteps, ...args.filter((name) => name !== "quick")] : args;
  const unknown = named.find((name) => !known.includes(name));
  if (unknown)
    throw new UserError(
      `there is no step "${unknown}"; the steps are ${known.join(", ")}, and quick for the quick ones`,
    );
  const isSelected = (name) => (named.length > 0 ? named.includes(name) : !steps[name].isOptional);
  const names = known.filter(isSelected);
  return { names, quick };
}

/** Installs requirements in parallel, because most of them wait for the network. Throws the first failure. */
async function ensureAll(requirements) {
  const results = await Promise.allSettled([...requirements].map((ensure) => ensure()));
  const failure = results.find(({ status }) => status === "rejected");
  if (failure) throw failure.reason;
}

/** Runs the lanes in parallel, then the steps without a lane. Throws the first failure. */
async function runLanes(names, env) {
  const inLanes = names.filter((name) => steps[name].lane);
  // The output of steps that run in parallel is printed when each ends, because lines of two would mix.
  const buffered = new Set(inLanes.map((name) => steps[name].lane)).size > 1;
  let failure;
  const runNext = async (name) => {
    if (failure) return;
    try {
      await runStep(name, env, buffered);
    } catch (error) {
      if (failure) return;
      failure = error;
      stopAll("SIGTERM");
    }
  };
  /** Promises that resolve when a step, or the last step of a lane, has ended. */
  const stepEnds = {};
  const laneEnds = {};
  for (const name of inLanes) {
    const { lane, after } = steps[name];
    const end = Promise.all([laneEnds[lane], stepEnds[after]]).then(() => runNext(name));
    stepEnds[name] = end;
    laneEnds[lane] = end;
  }
  await Promise.all(Object.values(laneEnds));
  if (failure) throw failure;
  for (const name of names.filter((name) => !steps[name].lane)) await runStep(name, env, false);
}

/** Runs a step in a process of its own, so that its output can be buffered. */
function runStep(name, env, buffered) {
  const start = performance.now();
  console.log(buffered ? `== ${name}: started` : `\n== ${name}`);
  // Output goes through a pipe, so colours are requested explicitly.
  const colours = process.stdout.isTTY ? { CARGO_TERM_COLOR: "always", FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, ["scripts/steps.mjs", name], {
    cwd: root,
    env: childEnv({ ...env, ...colours }),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (data) => {
      text += data;
      if (!buffered) process.stdout.write(data);
    });
  }
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      signalGroup(child, "SIGTERM");
    }, stepLimit * 60_000);
    // A program that a step left running would keep the output open, so that "close" would never come.
    child.on("exit", () => signalGroup(child, "SIGKILL"));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      const seconds = secondsSince(start);
      stepSeconds.push({ name, seconds });
      readRustDurations(text);
      const stopped = signal !== null && !timedOut;
      if (buffered && !stopped) process.stdout.write(`\n== ${name}\n${text}`);
      if (timedOut)
        return reject(new UserError(`step ${name} did not end in ${stepLimit} minutes`));
      if (code === 0) {
        console.log(`== ${name}: ok, ${seconds.toFixed(1)} s`);
        resolve();
      } else {
        reject(new UserError(`step ${name} ${stopped ? "was stopped" : "failed (see above)"}`));
      }
    });
  });
}

/** Sends a signal to all that the running steps have started. */
function stopAll(signal) {
  for (const child of running) signalGroup(child, signal);
}

/** Sends a signal to a step and to all that it has started. */
function signalGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function readRustDurations(text) {
  const pattern = /(?:Running|Doc-tests) (\S.*)|finished in ([\d.]+)s/g;
  let program = "";
  for (const [, started, seconds] of text.matchAll(pattern)) {
    if (started) program = started.replace(/ \(.*/, "");
    else rustSeconds.push({ name: `cargo test: ${program}`, seconds: Number(seconds) });
  }
}

function printSlowest() {
  const lines = existsSync(durationsFile) ? readFileSync(durationsFile, "utf8").split("\n") : [];
  const tests = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  printDurations("slowest tests", [...tests, ...rustSeconds], slowTestCount);
  if (stepSeconds.length > 1) printDurations("steps", stepSeconds, stepSeconds.length);
}

function printDurations(title, entries, count) {
  if (entries.length === 0) return;
  console.log(`\n== ${title}`);
  for (const { name, seconds } of entries.sort((a, b) => b.seconds - a.seconds).slice(0, count))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

function secondsSince(start) {
  return (performance.now() - start) / 1000;
}
