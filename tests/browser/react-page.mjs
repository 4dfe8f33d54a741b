// Bundles React in development mode, whose warnings fail a test, with the globals that tests use.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));

const entry = `
import * as React from "react";
import { flushSync } from "react-dom";
import { createRoot, hydrateRoot } from "react-dom/client";
import * as byname from "byname/ham/inline";
import * as dom from "byname/dom";
import * as bindings from "byname/react";
Object.assign(window, React, byname, dom, bindings, { React, createRoot, flushSync, hydrateRoot, h: React.createElement });
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
`;

/** Bundles the script of the page. Returns its path on the server and a function that deletes it. */
export async function bundleReact() {
  const folder = join(root, "target", `react-page-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "entry.js"), entry);
  await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    build: {
      outDir: "out",
      minify: false,
      chunkSizeWarningLimit: 5000,
      rolldownOptions: { input: join(folder, "entry.js"), output: { entryFileNames: "react.js" } },
    },
  });
  return {
    script: `/target/react-page-${process.pid}/out/react.js`,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
