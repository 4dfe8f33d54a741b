import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A larger file is kept when somebody has fetched it: a tokenizer, llama.cpp. */
const most = 1_500_000;

/** Writes the service worker, with the names of all files that the page may want without a network. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle: {
      // Behind Vite, which takes away scripts that only load styles.
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
        const all = [...made, ...other].filter(({ content }) => content.length < most);
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
  // Relative addresses, so that the built page runs from any folder.
  base: "./",
  plugins: [serviceWorker()],
  // The page imports "byname" as any front-end would; the wasm lies beside the package's modules.
  server: { fs: { allow: [here("..")] } },
  build: {
    target: "es2022",
    // What knows `light-dark()`: written in other words it follows the system, and not the page's switch.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The largest chunk is a tokenizer, which comes when somebody asks for counts.
    chunkSizeWarningLimit: 2100,
  },
});
