// Makes sure of everything that the other scripts need. What is there already costs no time.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { output, root, run, say, Trouble, which } from "./run.mjs";
import { files, unlessFresh } from "./stamp.mjs";

const again = "then run this again";

/** The Node that `engines` asks for. */
export function checkNode() {
  const wanted = /"node": ">=([\d.]+)"/.exec(read("package.json"))[1];
  if (isOlder(process.versions.node, wanted)) {
    throw new Trouble(
      `this is Node ${process.versions.node}; install Node ${wanted} or newer from https://nodejs.org, ${again}`,
    );
  }
}

/** Everything that a build needs. */
export async function ensureForBuild() {
  checkNode();
  await ensureRust();
  await ensureNodeModules();
  await ensureTools();
}

/** Rust with the wasm target. */
export async function ensureRust() {
  const version = output("rustc", ["--version"])?.split(" ")[1];
  if (!version || !which("cargo")) {
    throw new Trouble(`Rust is missing; install it from https://rustup.rs, ${again}`);
  }
  const wanted = /rust-version = "([\d.]+)"/.exec(read("Cargo.toml"))[1];
  if (isOlder(version, wanted)) {
    throw new Trouble(
      `this is Rust ${version}, ${wanted} is needed; run \`rustup update\`, ${again}`,
    );
  }
  const target = "wasm32-unknown-unknown";
  const library = output("rustc", ["--print", "target-libdir", "--target", target]);
  if (library && existsSync(library)) return;
  if (!which("rustup")) {
    throw new Trouble(
      `the Rust target ${target} is missing and there is no rustup to add it; install Rust from https://rustup.rs, ${again}`,
    );
  }
  say(`adding the Rust target ${target}`);
  await run("rustup", ["target", "add", target], {
    advice: `\`rustup target add ${target}\` failed; check the network, ${again}`,
  });
}

/** rustfmt and clippy, which a minimal Rust lacks. */
export async function ensureRustComponents() {
  const missing = ["fmt", "clippy"].filter((name) => !output("cargo", [name, "--version"]));
  if (missing.length === 0) return;
  const names = missing.map((name) => (name === "fmt" ? "rustfmt" : name));
  say(`adding ${names.join(" and ")}`);
  await run("rustup", ["component", "add", ...names], {
    advice: `${names.join(" and ")} could not be added; run \`rustup component add ${names.join(" ")}\`, ${again}`,
  });
}

/** The pinned wasm-pack and wasm-bindgen, built from source once. */
export async function ensureTools() {
  const step = async () => {
    say("building wasm-pack and wasm-bindgen (once, about two minutes)");
    const args = ["build", "--locked", "--manifest-path", "tools/Cargo.toml"];
    await run("cargo", [...args, "--target-dir", "target/tools"], {
      advice: `the build tools did not compile (cargo says why above); they need crates.io and a C linker once: check the network and \`cc\`, ${again}`,
    });
  };
  const sources = files("tools/src");
  const products = sources.map((file) => `target/tools/debug/${/(\S+)\/(.+)\.rs$/.exec(file)[2]}`);
  const inputs = ["tools/Cargo.toml", "tools/Cargo.lock", ...sources];
  await unlessFresh("target/stamps/tools", { inputs, products }, step);
}

/** The JavaScript development tools, exactly as locked. */
export async function ensureNodeModules() {
  const step = async () => {
    say("installing node_modules");
    await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
      advice: `\`npm ci\` failed (npm says why above); check the network, ${again}`,
    });
  };
  const inputs = ["package-lock.json"];
  await unlessFresh(
    "node_modules/.cache/byname-lock",
    { inputs, products: ["node_modules"] },
    step,
  );
}

/** The compilers of frameworks, which only the recipes of docs/frameworks.md need, and the package among them. */
export async function ensureFrameworks() {
  const step = async () => {
    say("installing the compilers of frameworks");
    const options = ["--prefix", "tests/frameworks", "--include=dev", "--no-audit", "--no-fund"];
    await run("npm", ["ci", ...options], {
      advice: `\`npm ci\` in tests/frameworks failed (npm says why above); check the network, ${again}`,
    });
  };
  const stamp = "tests/frameworks/node_modules/.cache/byname-lock";
  const products = ["tests/frameworks/node_modules"];
  await unlessFresh(stamp, { inputs: ["tests/frameworks/package-lock.json"], products }, step);
  const link = join(root, "tests/frameworks/node_modules/byname");
  if (!existsSync(link)) symlinkSync("../../..", link, "dir");
}

/** The path of a Chromium for the browser tests; as root on Debian it is installed when missing. */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  const root = process.getuid?.() === 0;
  if (root && which("apt-get")) {
    say("installing chromium for the browser tests");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const advice = `chromium could not be installed; check the network or set CHROME_PATH to a Chrome or Chromium, ${again}`;
    await run("apt-get", ["update"], { env, advice });
    await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env, advice });
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Trouble(
    `no browser for the tests; install Chromium or set CHROME_PATH to a Chrome or Chromium, ${again}`,
  );
}

/** A Chromium or Chrome that is on this machine, or undefined. */
export function findBrowser() {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    if (existsSync(CHROME_PATH)) return CHROME_PATH;
    throw new Trouble(`CHROME_PATH names ${CHROME_PATH}, which is not there; correct it, ${again}`);
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

function isOlder(version, wanted) {
  const [a, b] = [version, wanted].map((text) => text.split(".").map((part) => parseInt(part, 10)));
  const at = b.findIndex((part, index) => (a[index] ?? 0) !== part);
  return at >= 0 && (a[at] ?? 0) < b[at];
}
