import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Large files that few visitors need: tokenizer, llama.cpp and driver of databases. They are cached on first use. */
const CACHED_LATER = /^assets\/(?:o200k_base|wllama|database-graph)/;

/** Generates the service worker with the list of files to cache. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      // After Vite, which removes scripts that only load styles.
      order: "post",
      handler(_, bundle) {
        const made = Object.values(bundle).map((one) => ({
          name: one.fileName,
          content: one.type === "chunk" ? one.code : one.source,
        }));
        const other = readdirSync(here("public"), { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile())
          .map((one) => `${one.parentPath}/${one.name}`)
          .map((path) => ({
            name: path.slice(here("public").length + 1),
            content: readFileSync(path),
          }));
        const all = [...made, ...other].filter(({ name }) => !CACHED_LATER.test(name));
        const sum = createHash("sha256");
        for (const { name, content } of all) sum.update(name).update(content);
        const files = all.map(({ name }) => name).filter((name) => name !== "index.html");
        const source = [
          `const version = ${JSON.stringify(sum.digest("hex").slice(0, 16))};`,
          `const files = ${JSON.stringify(files)};`,
          readFileSync(here("service-worker.js"), "utf8"),
        ].join("\n");
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the page can be served from any folder.
  base: "./",
  plugins: [serviceWorker()],
  // The wasm file is next to the package's modules.
  server: { fs: { allow: [here("..")] } },
  build: {
    target: "es2022",
    // Browsers with `light-dark()`; the fallback would ignore the page's own switch.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The largest chunk is a tokenizer, loaded on demand.
    chunkSizeWarningLimit: 2100,
  },
});
