import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses, so that the built page runs from any folder.
  base: "./",
  // The page imports "byname" as any front-end would; the wasm lies beside the package's modules.
  server: { fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] } },
  // The largest chunk is a tokenizer, which comes when somebody asks for counts.
  build: { target: "es2022", chunkSizeWarningLimit: 2100 },
});
