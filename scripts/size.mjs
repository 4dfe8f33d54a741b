// Compares what a page downloads, gzipped, with the committed budget, and with what the docs say.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "./build.mjs";
import { given, main, root, Trouble } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";

/** Prints the sizes and throws when one is over its budget. */
export async function checkSize() {
  const budget = JSON.parse(readFileSync(join(root, "size-budget.json"), "utf8"));
  const over = [];
  for (const [file, limit] of Object.entries(budget)) {
    const bytes = file.endsWith(".js") ? await bundle(file) : readFileSync(join(root, file));
    const kilobytes = zipped(bytes);
    console.log(`${file}: ${kilobytes.toFixed(1)} kB gzipped, budget ${limit} kB`);
    if (kilobytes > limit) over.push(file);
  }
  if (over.length > 0) {
    throw new Trouble(
      `${over.join(" and ")} over budget; make it smaller or raise size-budget.json`,
    );
  }
  checkDocs();
}

/** How many thousands of bytes there are when they are zipped. */
function zipped(bytes) {
  return gzipSync(bytes, { level: 9 }).length / 1000;
}

/** What the table of what ships tells of. */
const modules = ["pkg", "pkg/ham"].flatMap((folder) =>
  ["byname_bg.wasm", "byname_bg.inline.js"].map((name) => `${folder}/${name}`),
);

// The table is right to a fiftieth.
function checkDocs() {
  const page = "docs/install.md";
  const lines = readFileSync(join(root, page), "utf8").matchAll(
    /^\| `(pkg\S+)` \| (\d+) \| (\d+) /gm,
  );
  const found = new Set();
  for (const [, file, ...said] of lines) {
    found.add(file);
    const bytes = readFileSync(join(root, file));
    const sizes = [bytes.length / 1000, zipped(bytes)];
    if (sizes.some((size, at) => Math.abs(size - said[at]) > size / 50)) {
      const right = sizes.map(Math.round).join(" and ");
      throw new Trouble(`${page} says ${said.join(" and ")} kB of ${file}; write ${right}`);
    }
  }
  for (const file of modules) {
    if (!found.has(file)) throw new Trouble(`${page} says nothing of ${file}; add it to the table`);
  }
}

// A module with all that it imports, as a front-end's bundler would ship it; the wasm stays apart.
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
        // Whoever imports `byname/react` has React already.
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
    given();
    await ensureForBuild();
    await build();
    await checkSize();
  });
}
