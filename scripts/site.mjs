// Builds the complete site, playground and documentation, as static files: `npm run site`.
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { main, printStatus, root, run } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { listFiles, runIfStale } from "./stamp.mjs";

const documents = [
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "package.json",
];

/** Builds the pages of the documentation if one of their sources has changed. */
export async function buildDocs() {
  await runIfStale(
    "target/stamps/site",
    {
      inputs: [...documents, ...listFiles("docs"), ...listFiles("pkg", ".d.ts")],
      products: ["www/public/docs/index.html"],
    },
    async () => {
      // Its libraries can be loaded only after the set-up.
      const { buildSite, target } = await import("../docs/site/build.mjs");
      const pages = await buildSite(root);
      printStatus(`${pages.length} pages of documentation built in ${target}`);
    },
  );
}

/** Builds the documentation and then the playground, which includes it, if one of their sources has changed. */
export async function buildPlayground() {
  await buildDocs();
  const inputs = [
    "package-lock.json",
    "scripts/site.mjs",
    ...listFiles("www").filter((file) => !file.startsWith("www/dist/")),
    ...listFiles("pkg"),
  ];
  await runIfStale("target/stamps/playground", { inputs, products: ["www/dist/index.html"] }, () =>
    run("vite", ["build", "www", "--logLevel", "warn"]),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await build();
    await buildPlayground();
    printStatus("the site is in www/dist: files for any server, under any address");
  });
}
