// Builds the site of the documentation: `npm run site`.
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { main, root, say } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { files, unlessFresh } from "./stamp.mjs";

const documents = [
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "package.json",
];

/** The site, unless nothing that it is made of has changed. */
export async function site() {
  await unlessFresh(
    "target/stamps/site",
    {
      inputs: [...documents, ...files("docs"), ...files("pkg", ".d.ts")],
      products: ["www/public/docs/index.html"],
    },
    async () => {
      // Its libraries are there only after the set-up.
      const { buildSite, target } = await import("../docs/site/build.mjs");
      const pages = await buildSite(root);
      say(`${pages.length} pages of documentation are in ${target}`);
    },
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await build();
    await site();
  });
}
