// Builds pkg/: Rust -> wasm and glue, wasm -> inlined bytes, TypeScript facade -> JavaScript and types.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { named } from "./order.mjs";
import { main, output, root, run, say } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { files, unlessFresh } from "./stamp.mjs";

/** The two modules: all of it, and HAM alone for pages that only render. */
const modules = [
  { name: "byname", folder: "pkg", features: [] },
  { name: "byname/ham", folder: "pkg/ham", features: ["--no-default-features"] },
];

// The TypeScript modules that reach the WebAssembly; everything else is there once for both.
const bound = [
  ...["index.edge", "index.inline", "index.web", "index.workerd"],
  ...["bridge", "core", "store", "stream", "surface", "warm", "wasm"],
];

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
      "src/base/Cargo.toml",
      "src/ham/Cargo.toml",
      "Cargo.lock",
      ".cargo/config.toml",
      "tools/Cargo.lock",
    ],
    ...["package-lock.json", "scripts/build.mjs", "scripts/order.mjs"],
  ];
  const words = [output("rustc", ["--version"])];
  for (const module of modules) {
    const made = ["bg.wasm", "bg.inline.js", "bg.js", "bg.d.ts"];
    const products = made.map((end) => `${module.folder}/byname_${end}`);
    const stamp = `target/stamps/wasm-${module.folder.replace("/", "-")}`;
    await unlessFresh(stamp, { inputs, words, products }, () => buildWasm(module));
  }
  await unlessFresh("target/stamps/facade", facade(), buildFacade);
}

function facade() {
  const sources = files("src/js", ".ts").filter((file) => !file.endsWith(".d.ts"));
  const inputs = [
    "src/js/tsconfig.json",
    "package-lock.json",
    "scripts/build.mjs",
    "pkg/byname_bg.d.ts",
    ...files("src/js", ".ts"),
  ];
  const products = sources.map((file) => `pkg/${relative("src/js", file).replace(/ts$/, "js")}`);
  return { inputs, products: [...products, ...bound.map((name) => `pkg/ham/${name}.js`)] };
}

async function buildWasm({ name, folder, features }) {
  say(`compiling Rust to WebAssembly for ${name}`);
  mkdirSync(join(root, folder), { recursive: true });
  // The glue for bundlers has no loader of its own: the facade has one, and imports no WebAssembly.
  const options = ["--target", "bundler", "--release", "--mode", "no-install", "--no-opt"];
  // wasm-pack's package.json is not ours, and its .gitignore would make `npm pack` leave out the wasm.
  const product = ["--no-pack", "--no-gitignore", "--out-dir", folder, "--out-name", "byname"];
  // It would say that pkg/ is ready to publish, which it is not before the facade is in it.
  const quietly = ["--log-level", "warn"];
  await run("wasm-pack", [
    ...quietly,
    "build",
    ...options,
    ...product,
    "--",
    "--locked",
    ...features,
    ...withoutHome(),
  ]);
  const path = (end) => join(root, folder, `byname${end}`);
  // What imports the wasm is for bundlers that know how.
  rmSync(path(".js"));
  writeFileSync(path("_bg.d.ts"), readFileSync(path(".d.ts"), "utf8") + ADOPTING);
  rmSync(path(".d.ts"));
  // These types are of an instance, and whoever imports the .wasm file gets none.
  rmSync(path("_bg.wasm.d.ts"));
  await optimise(path("_bg.wasm"));
  writeFileSync(path("_bg.inline.js"), inlined(readFileSync(path("_bg.wasm"))));
  writeFileSync(
    path("_bg.inline.d.ts"),
    "/** The WebAssembly module. */\nexport const bytes: Uint8Array<ArrayBuffer>;\n",
  );
}

// What wasm-bindgen does not tell of its glue.
const ADOPTING = `
/** Makes these exports those that everything here calls. */
export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
`;

// Panic messages hold the paths of the sources; the builder's home is nobody's business.
function withoutHome() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const flag = `--remap-path-prefix=${cargoHome}=/cargo`;
  return ["--config", `target.wasm32-unknown-unknown.rustflags=["${flag}"]`];
}

// Makes the module a twentieth smaller. The order of functions (order.mjs) saves 5.7 % of its gzip size: 542 kB
// instead of 575 kB, and 3 % of byname/ham.
async function optimise(wasm) {
  const features = ["--mvp-features", ...wasmFeatures.map((name) => `--enable-${name}`)];
  // The stack comes first in memory, so nothing of ours lies in the first kilobyte.
  const passes = ["-Os", "--low-memory-unused", "-Os"];
  // What is unzipped gets larger by this, and what is zipped smaller: long functions have their
  // own way of saying everything, short ones resemble one another, most of all those whose names
  // do.
  const inlining = "--one-caller-inline-max-function-size=20";
  const byName = "--reorder-functions-by-name";
  await run("wasm-opt", [...passes, inlining, byName, ...features, wasm, "-o", wasm]);
  writeFileSync(wasm, named(readFileSync(wasm)));
  await run("wasm-opt", [byName, ...features, wasm, "-o", wasm]);
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
  for (const { folder } of modules) {
    for (const name of readdirSync(join(root, folder))) {
      const stays = name.startsWith("byname_bg.") || name === "README.md" || name === "ham";
      if (!stays) rmSync(join(root, folder, name), { recursive: true });
    }
  }
  await run("tsc", ["-p", "src/js"]);
  bind();
}

// `byname/ham` is the same facade over a glue of its own: what reaches the WebAssembly is copied
// beside that glue, with its API less what is not there, and finds the rest one folder up.
function bind() {
  const beside = new Set([...bound, "api", "byname_bg", "byname_bg.inline"]);
  for (const name of [...bound, "api"]) {
    for (const end of ["js", "d.ts"]) {
      const text = readFileSync(
        join(root, "pkg", `${name === "api" ? "ham" : name}.${end}`),
        "utf8",
      );
      const moved = text.replace(/(from ")\.\/([\w.]+)\.js"/g, (path, start, other) =>
        beside.has(other) ? path : `${start}../${other}.js"`,
      );
      writeFileSync(join(root, "pkg/ham", `${name}.${end}`), moved);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await build();
    const size = (statSync(join(root, "pkg/byname_bg.wasm")).size / 1000).toFixed(1);
    say(`pkg/ is built; byname_bg.wasm has ${size} kB`);
  });
}
