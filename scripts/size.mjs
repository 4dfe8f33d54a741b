// Compares what a page downloads, gzipped, with the committed budget.
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
    const kilobytes = gzipSync(bytes, { level: 9 }).length / 1000;
    console.log(`${file}: ${kilobytes.toFixed(1)} kB gzipped, budget ${limit} kB`);
    if (kilobytes > limit) over.push(file);
  }
  if (over.length > 0) {
    throw new Trouble(
      `${over.join(" and ")} over budget; make it smaller or raise size-budget.json`,
    );
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
