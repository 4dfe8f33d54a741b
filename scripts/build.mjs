// Builds pkg/: Rust -> wasm and glue, wasm -> inlined bytes, TypeScript facade -> JavaScript and types.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { main, output, root, run, say } from "./run.mjs";
import { checkNode, ensureNodeModules, ensureRust, ensureTools } from "./setup.mjs";
import { files, unlessFresh } from "./stamp.mjs";

const wasm = "pkg/byname_bg.wasm";
const inline = "pkg/byname_bg.inline.js";
const glue = ["pkg/byname.js", "pkg/byname.d.ts"];

// What rustc and wasm-bindgen emit, listed: `--all-features` would let wasm-opt
// write a module that no current engine loads.
const wasmFeatures = [
  "bulk-memory",
  "bulk-memory-opt",
  "call-indirect-overlong",
  "extended-const",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
  "simd",
];

/** Builds what is out of date; everything else in pkg/ stays. */
export async function build() {
  const inputs = [
    ...files("src", ".rs"),
    ...[
      "Cargo.toml",
      "src/core/Cargo.toml",
      "Cargo.lock",
      ".cargo/config.toml",
      "tools/Cargo.lock",
    ],
    ...["package-lock.json", "scripts/build.mjs"],
  ];
  const words = [output("rustc", ["--version"])];
  const products = [wasm, inline, ...glue];
  await unlessFresh("target/stamps/wasm", { inputs, words, products }, buildWasm);
  await unlessFresh("target/stamps/facade", facade(), buildFacade);
}

function facade() {
  const sources = files("src/js", ".ts").filter((file) => !file.endsWith(".d.ts"));
  const inputs = [
    "src/js/tsconfig.json",
    "package-lock.json",
    "pkg/byname.d.ts",
    ...files("src/js", ".ts"),
  ];
  const products = sources.map((file) => `pkg/${relative("src/js", file).replace(/ts$/, "js")}`);
  return { inputs, products };
}

async function buildWasm() {
  say("compiling Rust to WebAssembly");
  mkdirSync(join(root, "pkg"), { recursive: true });
  const options = ["--target", "web", "--release", "--mode", "no-install", "--no-opt"];
  // wasm-pack's package.json is not ours, and its .gitignore would make `npm pack` leave out the wasm.
  const product = ["--no-pack", "--no-gitignore", "--out-dir", "pkg", "--out-name", "byname"];
  // It would say that pkg/ is ready to publish, which it is not before the facade is in it.
  const quietly = ["--log-level", "warn"];
  await run("wasm-pack", [
    ...quietly,
    "build",
    ...options,
    ...product,
    "--",
    "--locked",
    ...withoutHome(),
  ]);
  await optimise();
  const bytes = readFileSync(join(root, wasm));
  writeFileSync(join(root, inline), inlined(bytes));
  writeFileSync(
    join(root, inline.replace(/\.js$/, ".d.ts")),
    "/** The WebAssembly module. */\nexport const bytes: Uint8Array<ArrayBuffer>;\n",
  );
}

// Panic messages hold the paths of the sources; the builder's home is nobody's business.
function withoutHome() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const flag = `--remap-path-prefix=${cargoHome}=/cargo`;
  return ["--config", `target.wasm32-unknown-unknown.rustflags=["${flag}"]`];
}

// Takes a twentieth off the module, zipped or not.
async function optimise() {
  const features = wasmFeatures.map((name) => `--enable-${name}`);
  // The stack comes first in memory, so nothing of ours lies in the first kilobyte.
  const passes = ["-Os", "--low-memory-unused", "-Os"];
  // What is unzipped gets larger by this, and what is zipped smaller by a tenth: long functions
  // have their own way of saying everything, short ones resemble one another, most of all those
  // whose names do.
  const resembling = ["--one-caller-inline-max-function-size=20", "--reorder-functions-by-name"];
  const options = [...passes, ...resembling, "--mvp-features", ...features];
  await run("wasm-opt", [...options, wasm, "-o", wasm]);
}

// Node, Bun, Deno and bundlers without an asset pipeline load this: no file access, no fetch.
function inlined(bytes) {
  return `// The bytes of byname_bg.wasm, for hosts that neither fetch nor read files.
const text = atob("${bytes.toString("base64")}");
export const bytes = new Uint8Array(text.length);
for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
`;
}

async function buildFacade() {
  say("compiling the facade");
  // What tsc wrote for a source that is gone must not be packed.
  for (const name of readdirSync(join(root, "pkg"))) {
    const made = /^byname(_bg)?\./.test(name) || name === "README.md";
    if (!made) rmSync(join(root, "pkg", name), { recursive: true });
  }
  await run("tsc", ["-p", "src/js"]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    checkNode();
    await ensureRust();
    await ensureNodeModules();
    await ensureTools();
    await build();
    const size = (statSync(join(root, wasm)).size / 1000).toFixed(1);
    say(`pkg/ is built; byname_bg.wasm has ${size} kB`);
  });
}
