// Compares the gzipped download sizes with the committed budget and with the table in docs/install.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { main, parseCommandLine, root, UserError } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";

/** Prints the sizes. Throws when one is over its budget or the documentation is wrong. */
export async function checkSize() {
  const budget = JSON.parse(readFileSync(join(root, "size-budget.json"), "utf8"));
  const over = [];
  for (const [file, limit] of Object.entries(budget)) {
    const bytes = file.endsWith(".js") ? await bundle(file) : readFileSync(join(root, file));
    const kilobytes = gzippedKilobytes(bytes);
    console.log(`${file}: ${kilobytes.toFixed(1)} kB gzipped, budget ${limit} kB`);
    if (kilobytes > limit) over.push(file);
  }
  if (over.length > 0) {
    throw new UserError(
      `${over.join(" and ")} over budget; make it smaller or raise size-budget.json`,
    );
  }
  checkDocs();
}

/** Returns the gzipped size in kilobytes of 1000 bytes. */
function gzippedKilobytes(bytes) {
  return gzipSync(bytes, { level: 9 }).length / 1000;
}

/** Files that the table of sizes must list. */
const listedFiles = ["pkg", "pkg/ham"].flatMap((folder) =>
  ["byname_bg.wasm", "byname_bg.inline.js"].map((name) => `${folder}/${name}`),
);

// Throws when a size in the table is off by more than 2 %.
function checkDocs() {
  const page = "docs/install.md";
  const lines = readFileSync(join(root, page), "utf8").matchAll(
    /^\| `(pkg\S+)` \| (\d+) \| (\d+) /gm,
  );
  const found = new Set();
  for (const [, file, ...documented] of lines) {
    found.add(file);
    const bytes = readFileSync(join(root, file));
    const sizes = [bytes.length / 1000, gzippedKilobytes(bytes)];
    if (sizes.some((size, at) => Math.abs(size - documented[at]) > size / 50)) {
      const actual = sizes.map(Math.round).join(" and ");
      throw new UserError(
        `${page} gives ${documented.join(" and ")} kB for ${file}; write ${actual}`,
      );
    }
  }
  for (const file of listedFiles) {
    if (!found.has(file)) throw new UserError(`${page} does not list ${file}; add it to the table`);
  }
}

// Bundles a module with its imports as the bundler of an application does, without the wasm.
async function bundle(file) {
  const { build: bundleWithVite } = await import("vite");
  const result = await bundleWithVite({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, file),
        preserveEntrySignatures: "strict",
        // An application that imports `byname/react` has React already.
        external: ["react", "react-dom"],
      },
    },
  });
  return result.output
    .filter(({ type }) => type === "chunk")
    .map(({ code }) => code)
    .join("");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    parseCommandLine();
    await ensureForBuild();
    await build();
    await checkSize();
  });
}
