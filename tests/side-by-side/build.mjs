// Bundles the page with the built package, and @a2ui/lit from the lock file in this folder.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the code of the page. */
export async function bundle() {
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    resolve: {
      alias: {
        "byname/a2ui": `${root}pkg/a2ui.js`,
        "byname/dom": `${root}pkg/dom.js`,
        byname: `${root}pkg/index.inline.js`,
      },
    },
    build: {
      write: false,
      target: "es2022",
      minify: false,
      rolldownOptions: { input: `${folder}page.mjs`, preserveEntrySignatures: "strict" },
    },
  });
  return result.output.find(({ type }) => type === "chunk").code;
}
