// How every script starts a program, and how it gives up: with one line that says what to do.
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

/** A failure that the user can do something about; it is printed without a stack. */
export class Trouble extends Error {}

/** Runs a program with its output in sight. Throws `Trouble` with the advice when it fails. */
export function run(program, args, { advice, env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options(env, "inherit"));
    const fail = (what) =>
      reject(new Trouble(advice ?? `\`${[program, ...args].join(" ")}\` ${what}`));
    child.on("error", (error) => fail(`did not start: ${error.message}`));
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `was ended by ${signal}` : `failed with exit code ${code}`);
    });
  });
}

/** What a program prints, or undefined when it is missing or fails. */
export function output(program, args) {
  const result = spawnSync(program, args, { ...options({}, "pipe"), encoding: "utf8" });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** The full path of the first of these programs that is there. */
export function which(...programs) {
  for (const program of programs) {
    for (const folder of searchPath) {
      const file = join(folder, program);
      if (existsSync(file)) return file;
    }
  }
}

/** Runs a script's main function; trouble ends it with one line and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    console.error(`\nbyname: ${error.message}`);
    process.exit(1);
  }
}

/**
 * The options of the command line, and its words where it takes any. What it does not know is refused with
 * the options that there are, or with what is said `instead`.
 */
export function given({ words = false, instead, ...options } = {}) {
  try {
    return parseArgs({ allowPositionals: words, options });
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    const there = names.length > 0 ? `the options are ${names.join(", ")}` : "there are no options";
    throw new Trouble(`${error.message.split(". ")[0]}; ${instead ?? there}`);
  }
}

/** Tells the user what is about to take a while. */
export function say(line) {
  console.log(`byname: ${line}`);
}

function options(env, stdio) {
  // Input is closed, so that no program waits for an answer.
  const stdin = stdio === "inherit" ? ["ignore", "inherit", "inherit"] : stdio;
  return {
    cwd: root,
    stdio: stdin,
    env: { ...process.env, PATH: searchPath.join(delimiter), ...env },
  };
}
