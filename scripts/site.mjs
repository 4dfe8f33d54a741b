// Builds the whole site, playground and documentation, to be put on any server: `npm run site`.
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { main, root, run, say } from "./run.mjs";
import { ensureForBuild } from "./setup.mjs";
import { files, unlessFresh } from "./stamp.mjs";

const documents = [
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "package.json",
];

/** The pages of the documentation, unless nothing that it is made of has changed. */
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

/** The playground, with the documentation beside it. */
export async function playground() {
  await site();
  await run("vite", ["build", "www", "--logLevel", "warn"]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await ensureForBuild();
    await build();
    await playground();
    say("the site is in www/dist: files for any server, under any address");
  });
}
