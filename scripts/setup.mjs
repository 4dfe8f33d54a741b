// Checks and installs the requirements of the other scripts. Installed requirements cost no time.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { printStatus, readOutput, root, run, UserError, which } from "./run.mjs";
import { listFiles, runIfStale } from "./stamp.mjs";

const again = "then run this again";

/** Throws unless this Node is the version of `engines` or newer. */
export function checkNode() {
  const required = /"node": ">=([\d.]+)"/.exec(read("package.json"))[1];
  if (isOlder(process.versions.node, required)) {
    throw new UserError(
      `this is Node ${process.versions.node}; install Node ${required} or newer from https://nodejs.org, ${again}`,
    );
  }
}

/** Installs all requirements of a build. */
export async function ensureForBuild() {
  checkNode();
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
}

/** Checks Rust and adds the wasm target. */
export async function ensureRust() {
  const version = readOutput("rustc", ["--version"])?.split(" ")[1];
  if (!version || !which("cargo")) {
    throw new UserError(`Rust is missing; install it from https://rustup.rs, ${again}`);
  }
  const required = /rust-version = "([\d.]+)"/.exec(read("Cargo.toml"))[1];
  if (isOlder(version, required)) {
    throw new UserError(
      `this is Rust ${version}, ${required} is needed; run \`rustup update\`, ${again}`,
    );
  }
  const target = "wasm32-unknown-unknown";
  const library = readOutput("rustc", ["--print", "target-libdir", "--target", target]);
  if (library && existsSync(library)) return;
  if (!which("rustup")) {
    throw new UserError(
      `the Rust target ${target} is missing and there is no rustup to add it; install Rust from https://rustup.rs, ${again}`,
    );
  }
  printStatus(`adding the Rust target ${target}`);
  await runRustup(["target", "add", target]);
}

/** Adds rustfmt and clippy, which a minimal Rust lacks. */
export async function ensureRustComponents() {
  await ensureRust();
  const missing = ["fmt", "clippy"].filter((name) => !readOutput("cargo", [name, "--version"]));
  if (missing.length === 0) return;
  const names = missing.map((name) => (name === "fmt" ? "rustfmt" : name));
  printStatus(`adding ${names.join(" and ")}`);
  await runRustup(["component", "add", ...names]);
}

/** Changes the installed Rust. One call at a time, because rustup has no lock. */
async function runRustup(args) {
  const advice = `\`rustup ${args.join(" ")}\` failed; check the network, ${again}`;
  await withLock("rustup", () => run("rustup", args, { advice }));
}

/** Builds the pinned wasm-pack and wasm-bindgen from source, once. */
export async function ensureTools() {
  await ensureRust();
  const step = async () => {
    printStatus("building wasm-pack and wasm-bindgen (once, about two minutes)");
    const args = ["build", "--locked", "--manifest-path", "tools/Cargo.toml"];
    await run("cargo", [...args, "--target-dir", "target/tools"], {
      advice: `the build tools did not compile (cargo says why above); they need crates.io and a C linker once: check the network and \`cc\`, ${again}`,
    });
  };
  const sources = listFiles("tools/src");
  const products = sources.map((file) => `target/tools/debug/${/(\S+)\/(.+)\.rs$/.exec(file)[2]}`);
  const inputs = ["tools/Cargo.toml", "tools/Cargo.lock", ...sources];
  await runIfStale("target/stamps/tools", { inputs, products }, step);
}

/** Installs the JavaScript development tools as locked. */
export async function ensureNodeModules() {
  const step = async () => {
    printStatus("installing node_modules");
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
      advice: `\`npm ci\` failed (npm says why above); check the network, ${again}`,
    });
  };
  const inputs = ["package-lock.json"];
  await runIfStale("node_modules/.cache/byname-lock", { inputs, products: ["node_modules"] }, step);
}

/** Installs the compilers for the recipes of docs/frameworks.md. */
export const ensureFrameworks = () =>
  ensureLocked("tests/frameworks", "the compilers of frameworks");

/** Installs the SDKs for the recipes of docs/recipes.md. */
export const ensureRecipes = () => ensureLocked("tests/recipes", "the SDKs of agents");

/**
 * Installs the packages of the example with several processes and, as root on Debian, its servers. Tests
 * without their server are skipped.
 */
export async function ensureDurable() {
  await ensureLocked("examples/durable-flow", "the packages of an example", ["--ignore-scripts"]);
  const servers = [
    ["redis-server", () => which("redis-server")],
    ["postgresql", () => existsSync("/usr/lib/postgresql")],
  ];
  const missing = servers.filter(([, isInstalled]) => !isInstalled()).map(([name]) => name);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !which("apt-get")) {
    printStatus(`${missing.join(" and ")} not found: the tests that need it are skipped`);
    return;
  }
  printStatus(`installing ${missing.join(" and ")} for an example`);
  try {
    // The tests start the servers; the packages must not.
    await installPackages(missing, { env: { RUNLEVEL: "1" } });
  } catch (error) {
    printStatus(`${error.message}: the tests that need ${missing.join(" and ")} are skipped`);
  }
}

/** Installs the clients of databases. */
export const ensureDatabases = () =>
  // `npm ci` rejects every lock file of @grafeo-db/js, because some of its optional packages were not published.
  ensureLocked(
    "tests/databases",
    "the clients of databases",
    ["--ignore-scripts"],
    ["install", "--no-save"],
  );

/** Links byname into the examples, which have no other dependency. */
export function ensureExamples() {
  for (const name of ["chat", "graph-explorer", "workflow-runner"]) {
    const folder = join(root, "examples", name, "node_modules");
    mkdirSync(folder, { recursive: true });
    const link = join(folder, "byname");
    if (!existsSync(link)) symlinkSync("../../..", link, "dir");
  }
}

/** Installs the packages of a folder with a lock file, and links byname into its node_modules. */
async function ensureLocked(folder, packages, more = [], command = ["ci"]) {
  const step = async () => {
    printStatus(`installing ${packages}`);
    const options = ["--prefix", folder, "--include=dev", "--no-audit", "--no-fund"];
    await run("npm", [...command, ...options, ...more], {
      advice: `\`npm ${command[0]}\` in ${folder} failed (npm says why above); check the network, ${again}`,
    });
  };
  const stamp = `${folder}/node_modules/.cache/byname-lock`;
  const products = [`${folder}/node_modules`];
  await runIfStale(stamp, { inputs: [`${folder}/package-lock.json`], products }, step);
  const link = join(root, folder, "node_modules/byname");
  if (!existsSync(link)) symlinkSync("../../..", link, "dir");
}

/**
 * Returns the path of the browser for tests. As root on Debian, Chromium and its headless shell are installed where they
 * are missing. Elsewhere an installed Chromium or Chrome is required.
 */
export async function ensureBrowser() {
  const canInstall = process.getuid?.() === 0 && which("apt-get");
  if (canInstall && !findBrowser()) await installBrowser("chromium");
  if (canInstall && !process.env.CHROME_PATH && !findHeadlessShell()) {
    // Tried once, because older releases of Debian lack the package.
    const tried = { inputs: [], products: [] };
    await runIfStale("target/stamps/headless-shell", tried, installHeadlessShell);
  }
  const found = findTestBrowser();
  if (found) return found;
  throw new UserError(
    `no browser for the tests; install Chromium or set CHROME_PATH to a Chrome or Chromium, ${again}`,
  );
}

async function installHeadlessShell() {
  try {
    await installBrowser("chromium-headless-shell");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    printStatus("chromium-headless-shell is missing: the browser tests take longer");
  }
}

async function installBrowser(name) {
  printStatus(`installing ${name} for the browser tests`);
  const advice = `${name} could not be installed; check the network or set CHROME_PATH to a Chrome or Chromium, ${again}`;
  await installPackages([name], { advice });
}

/** Installs packages of Debian. One call at a time, because apt-get fails while another one runs. */
async function installPackages(names, { advice, env }) {
  const options = { advice, env: { DEBIAN_FRONTEND: "noninteractive", ...env } };
  await withLock("apt-get", async () => {
    await run("apt-get", ["update"], options);
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...names], options);
  });
}

/**
 * Returns the path of the browser for tests, or undefined. Prefers the headless shell, which is Chromium without its
 * user interface: it opens a page in half of the processor time.
 */
export function findTestBrowser() {
  return process.env.CHROME_PATH ? findBrowser() : (findHeadlessShell() ?? findBrowser());
}

const findHeadlessShell = () => which("chromium-headless-shell", "chrome-headless-shell");

/** Returns the path of an installed Chromium or Chrome, or undefined. */
export function findBrowser() {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    if (existsSync(CHROME_PATH)) return CHROME_PATH;
    throw new UserError(
      `CHROME_PATH is ${CHROME_PATH}, which does not exist; correct it, ${again}`,
    );
  }
  const onPath = which("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  if (onPath) return onPath;
  const applications = ["Google Chrome", "Chromium"].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  );
  return applications.find((path) => existsSync(path));
}

function read(path) {
  return readFileSync(join(root, path), "utf8");
}

function isOlder(version, required) {
  const [a, b] = [version, required].map((text) =>
    text.split(".").map((part) => parseInt(part, 10)),
  );
  const first = b.findIndex((part, index) => (a[index] ?? 0) !== part);
  return first >= 0 && (a[first] ?? 0) < b[first];
}
