// Starts programs for every script, and ends a script that fails with one line that explains how to fix it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const root = fileURLToPath(new URL("..", import.meta.url));

const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");

// The pinned tools come first. Cargo's own folder comes last, for a shell
// that was open before Rust was installed.
const searchPath = [
  join(root, "target/tools/debug"),
  join(root, "node_modules/.bin"),
  ...(process.env.PATH ?? "").split(delimiter),
  join(cargoHome, "bin"),
];

/** Failure that the user can fix; printed without a stack trace. */
export class UserError extends Error {}

/** Runs a program with inherited output. Throws a `UserError` with `advice` when it fails. */
export function run(program, args, { advice, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, spawnOptions(env, "inherit"));
    const fail = (reason) =>
      reject(new UserError(advice ?? `\`${[program, ...args].join(" ")}\` ${reason}`));
    child.on("error", (error) => fail(`did not start: ${error.message}`));
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `was ended by ${signal}` : `failed with exit code ${code}`);
    });
  });
}

/** Maximum size of the output of a program in bytes. */
const maxOutput = 64 << 20;

/** Returns the trimmed output of a program, or undefined when it is missing or fails. */
export function readOutput(program, args) {
  const options = { ...spawnOptions({}, "pipe"), encoding: "utf8", maxBuffer: maxOutput };
  const result = spawnSync(program, args, options);
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Like `readOutput`, but other programs can run meanwhile. */
export function readOutputAsync(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, spawnOptions({}, "pipe"));
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (data) => {
      text += data;
    });
    child.stderr.resume();
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  });
}

/** Returns the full path of the first of these programs that is installed, or undefined. */
export function which(...programs) {
  for (const program of programs) {
    for (const folder of searchPath) {
      const file = join(folder, program);
      if (existsSync(file)) return file;
    }
  }
}

/** Calls `task` for each item, at most `limit` at a time. Returns the results in order. */
export async function mapConcurrently(items, limit, task) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await task(items[index]);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}

/** Runs the main function of a script. A `UserError` ends it with one line and its `exitCode`, or 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`\nbyname: ${error.message}`);
    process.exit(error.exitCode ?? 1);
  }
}

/**
 * Returns the options and, with `allowPositionals`, the positional arguments of the command line. An unknown
 * option throws a `UserError` that ends with `hint`, or lists the known options.
 */
export function parseCommandLine({ allowPositionals = false, hint, ...options } = {}) {
  try {
    return parseArgs({ allowPositionals, options });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    const known = names.length > 0 ? `the options are ${names.join(", ")}` : "there are no options";
    throw new UserError(`${error.message.split(". ")[0]}; ${hint ?? known}`);
  }
}

/** Prints a status line, for example before a slow operation. */
export function printStatus(line) {
  console.log(`byname: ${line}`);
}

/** Environment of the programs that scripts start. */
export function childEnv(env) {
  return { ...process.env, PATH: searchPath.join(delimiter), ...env };
}

function spawnOptions(env, stdio) {
  // Standard input is closed, so that no program waits for input.
  const streams = stdio === "inherit" ? ["ignore", "inherit", "inherit"] : stdio;
  return { cwd: root, stdio: streams, env: childEnv(env) };
}
