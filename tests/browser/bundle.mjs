// Bundles the package for the pages of the tests: a page with 80 modules takes half a second of processor time more
// than one with a few. `package.test.mjs`, `csp.test.mjs` and others load the modules as they are published.
import { join } from "node:path";
import { build } from "vite";
import { root } from "../../scripts/run.mjs";
import { listFiles, runIfStale } from "../../scripts/stamp.mjs";

const folder = "target/test-pages";
/** Modules that pages import, by their path without `.js`. Modules that they share are in common files. */
const entries = [
  ...["index.web", "index.inline", "ham/index.web", "ham/index.inline", "messages", "ham/messages"],
  ...["dom", "a2ui", "storage", "tools", "devtools", "devtools/share-link"],
];

/** Returns the folder of the bundled package, which is built if the package has changed. */
export async function bundlePackage() {
  const inputs = ["tests/browser/bundle.mjs", "package-lock.json", ...listFiles("pkg", ".js")];
  const products = entries.map((name) => `${folder}/pkg/${name}.js`);
  await runIfStale("target/stamps/test-pages", { inputs, products }, async () => {
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: "warn",
      plugins: [moduleUrls],
      build: {
        outDir: join(root, folder),
        emptyOutDir: true,
        target: "esnext",
        minify: false,
        modulePreload: false,
        chunkSizeWarningLimit: 5000,
        rolldownOptions: {
          input: Object.fromEntries(entries.map((name) => [name, join(root, `pkg/${name}.js`)])),
          preserveEntrySignatures: "strict",
          output: { entryFileNames: "pkg/[name].js", chunkFileNames: "pkg/shared-[hash].js" },
        },
      },
    });
  });
  return folder;
}

/** Keeps the URL of each module of the package, because WebAssembly and workers are next to it. */
const moduleUrls = {
  name: "module-urls",
  enforce: "pre",
  transform(code, id) {
    const path = id.startsWith(root) && id.slice(root.length);
    if (!path || !code.includes("import.meta.url")) return;
    return code.replaceAll("import.meta.url", `new URL("/${path}", location.href).href`);
  },
};
