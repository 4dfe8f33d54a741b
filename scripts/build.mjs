// Builds pkg/: Rust -> wasm and glue, wasm -> inlined bytes, TypeScript facade -> JavaScript and types.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { writeInstanceModules } from "./instance.mjs";
import { withLock } from "./lock.mjs";
import { nameFunctionsByOrder } from "./order.mjs";
import { main, printStatus, readOutput, root, run } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { listFiles, runIfStale } from "./stamp.mjs";

/** WebAssembly modules: the complete one, and HAM alone for pages that only render. */
const modules = [
  { name: "byname", folder: "pkg", features: [] },
  { name: "byname/ham", folder: "pkg/ham", features: ["--no-default-features"] },
];

/** Files of a WebAssembly module, after `byname_`. */
const wasmProducts = ["bg.wasm", "bg.inline.js", "bg.inline.d.ts", "bg.js", "bg.d.ts"];

// TypeScript modules that import the WebAssembly. `pkg/ham` has its own copies; both builds share all others.
const wasmModules = [
  ...["index.edge", "index.inline", "index.web", "index.workerd"],
  ...["bridge", "core", "store", "stream", "surface", "surfaces", "warm-up", "wasm"],
  "messages",
];

// WebAssembly features that rustc and wasm-bindgen use. With `--all-features` wasm-opt would
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

/** Rebuilds the parts of pkg/ that are out of date. Another build of this folder is waited for. */
export const build = () => withLock("pkg", buildParts);

async function buildParts() {
  const inputs = [
    ...listFiles("src", ".rs"),
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
  const extra = [readOutput("rustc", ["--version"])];
  for (const module of modules) {
    const products = wasmProducts.map((suffix) => `${module.folder}/byname_${suffix}`);
    const stamp = `target/stamps/wasm-${module.folder.replace("/", "-")}`;
    await runIfStale(stamp, { inputs, extra, products }, () => buildWasm(module));
  }
  await runIfStale("target/stamps/facade", facadeFiles(), buildFacade);
}

function facadeFiles() {
  // The entry of the modules of an instance is removed after they are bundled.
  const isProduct = (file) => !file.endsWith(".d.ts") && file !== "src/js/instance-entry.ts";
  const sources = listFiles("src/js", ".ts").filter(isProduct);
  const inputs = [
    "src/js/tsconfig.json",
    "package-lock.json",
    "scripts/build.mjs",
    "scripts/instance.mjs",
    "pkg/byname_bg.d.ts",
    ...listFiles("src/js", ".ts"),
  ];
  const products = sources.map((file) => `pkg/${relative("src/js", file).replace(/ts$/, "js")}`);
  return { inputs, products: [...products, ...wasmModules.map((name) => `pkg/ham/${name}.js`)] };
}

async function buildWasm({ name, folder, features }) {
  printStatus(`compiling Rust to WebAssembly for ${name}`);
  // Files are complete when they are moved to `folder`, which running tests and servers read.
  const output = `target/wasm-pack/${folder}`;
  // The bundler target has no loader, because the facade has its own.
  const options = ["--target", "bundler", "--release", "--mode", "no-install", "--no-opt"];
  // wasm-pack would write a second package.json, and a .gitignore that makes `npm pack` skip the wasm.
  const outputs = ["--no-pack", "--no-gitignore", "--out-dir", output, "--out-name", "byname"];
  // Hides the message that pkg/ is ready to publish, because the facade is still missing.
  const logging = ["--log-level", "warn"];
  await run("wasm-pack", [
    ...logging,
    "build",
    ...options,
    ...outputs,
    "--",
    "--locked",
    ...features,
    ...remapPaths(),
  ]);
  // Only bundlers with WebAssembly support can load the entry byname.js, so it stays there. So does
  // byname_bg.wasm.d.ts, because its types describe an instance, and an import of the .wasm file has none.
  const path = (suffix) => join(root, output, `byname${suffix}`);
  await optimise(path("_bg.wasm"));
  writeFileSync(path("_bg.d.ts"), readFileSync(path(".d.ts"), "utf8") + SET_WASM_TYPES);
  writeFileSync(path("_bg.inline.js"), inlineModule(readFileSync(path("_bg.wasm"))));
  writeFileSync(
    path("_bg.inline.d.ts"),
    "/** The WebAssembly module. */\nexport const bytes: Uint8Array<ArrayBuffer>;\n",
  );
  mkdirSync(join(root, folder), { recursive: true });
  for (const suffix of wasmProducts)
    renameSync(path(`_${suffix}`), join(root, folder, `byname_${suffix}`));
}

// Declaration that wasm-bindgen does not write.
const SET_WASM_TYPES = `
/** Sets the exports that the functions of this module call. */
export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
`;

// Panic messages contain source paths, which must not reveal the home folder of the builder. With the component
// rust-src, those of the standard library are paths of the toolchain.
function remapPaths() {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const sysroot = readOutput("rustc", ["--print", "sysroot"]) ?? "";
  const commit = /commit-hash: (\w+)/.exec(readOutput("rustc", ["-vV"]) ?? "")?.[1] ?? "unknown";
  const flags = [
    `--remap-path-prefix=${cargoHome}=/cargo`,
    `--remap-path-prefix=${join(sysroot, "lib/rustlib/src/rust")}=/rustc/${commit}`,
  ];
  return ["--config", `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`];
}

// Reduces the size of the module by 5 %. The order of functions (order.mjs) reduces its gzip size
// by 5.7 %, from 575 kB to 542 kB, and that of byname/ham by 3 %.
async function optimise(wasm) {
  const features = ["--mvp-features", ...wasmFeatures.map((name) => `--enable-${name}`)];
  // The stack is first in memory, so no static data is in the first kilobyte.
  const passes = ["-Os", "--low-memory-unused", "-Os"];
  // Limited inlining makes the module larger, but its gzip size smaller: short functions resemble
  // one another more than long ones, especially those with similar names.
  const inlining = "--one-caller-inline-max-function-size=20";
  const byName = "--reorder-functions-by-name";
  await run("wasm-opt", [...passes, inlining, byName, ...features, wasm, "-o", wasm]);
  writeFileSync(wasm, nameFunctionsByOrder(readFileSync(wasm)));
  await run("wasm-opt", [byName, ...features, wasm, "-o", wasm]);
}

// Returns a module for Node, Bun, Deno and bundlers without an asset pipeline. It needs no file access and no fetch.
function inlineModule(bytes) {
  return `// The bytes of byname_bg.wasm, for hosts without fetch and file access.
const text = atob("${bytes.toString("base64")}");
export const bytes = new Uint8Array(text.length);
for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
`;
}

async function buildFacade() {
  printStatus("compiling the facade");
  // Removes output of deleted sources, which must not be packed.
  for (const { folder } of modules) {
    for (const name of readdirSync(join(root, folder))) {
      const keep = name.startsWith("byname_bg.") || name === "README.md" || name === "ham";
      if (!keep) rmSync(join(root, folder, name), { recursive: true });
    }
  }
  await run("tsc", ["-p", "src/js"]);
  await writeInstanceModules();
  copyFacadeToHam();
}

// `byname/ham` is the same facade over its own glue. Copies the modules that import the WebAssembly into `pkg/ham`,
// with the API of that build; their other imports point one folder up.
function copyFacadeToHam() {
  const copied = new Set([...wasmModules, "api", "byname_bg", "byname_bg.inline"]);
  for (const name of [...wasmModules, "api"]) {
    for (const suffix of ["js", "d.ts"]) {
      const text = readFileSync(
        join(root, "pkg", `${name === "api" ? "ham" : name}.${suffix}`),
        "utf8",
      );
      const moved = text.replace(/(from ")\.\/([\w./-]+)\.js"/g, (path, start, other) =>
        copied.has(other) ? path : `${start}../${other}.js"`,
      );
      writeFileSync(join(root, "pkg/ham", `${name}.${suffix}`), moved);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await build();
    const size = (statSync(join(root, "pkg/byname_bg.wasm")).size / 1000).toFixed(1);
    printStatus(`built pkg/; byname_bg.wasm has ${size} kB`);
  });
}
