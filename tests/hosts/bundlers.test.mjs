// Bundles the packed package with Vite, webpack, esbuild and rolldown in their default settings, and runs a page without a build.
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launchBrowser } from "../browser/browser.mjs";
import { serve } from "../browser/server.mjs";
import { look, shippedOnce } from "./look.mjs";
import { expected, expectedOfHam, hostModule, page, project } from "./project.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

const kinds = [
  ["byname", expected],
  ["byname/ham", expectedOfHam],
];

let browser;
let server;
before(async () => {
  browser = await launchBrowser();
  server = await serve();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const addressOf = (folder) => `${server.url}/${relative(root, folder)}/`;

const moduleScript = '<script type="module" src="./main.js"></script>';

for (const [of, answer] of kinds) {
  test(`Vite builds a page of ${of}`, async () => {
    const folder = project("vite", { of, extra: { "index.html": page(moduleScript) } });
    await viteBuild(folder);
    shippedOnce(join(folder, "dist"));
    await look(browser, addressOf(join(folder, "dist")), answer);
  });

  test(`Vite builds a worker of ${of}`, async () => {
    const folder = project("vite-worker", { of, extra: { "index.html": page(moduleScript) } });
    await viteBuild(folder);
    shippedOnce(join(folder, "dist"));
    await look(browser, addressOf(join(folder, "dist")), answer, { wasm: 0 });
  });

  test(`webpack builds a page of ${of}`, async () => {
    const folder = project("webpack", { of });
    const { default: webpack } = await hostModule("webpack");
    const { default: options } = await import(join(folder, "webpack.config.js"));
    const stats = await promisify(webpack)({
      ...options,
      context: folder,
      output: { path: join(folder, "dist") },
    });
    const { errors, warnings } = stats.toJson();
    // webpack warns of every bundle above 244 kB.
    const others = warnings.filter(({ message }) => !/size limit|performance/.test(message));
    assert.deepEqual([...errors, ...others], []);
    writeFileSync(join(folder, "dist/index.html"), page('<script defer src="main.js"></script>'));
    shippedOnce(join(folder, "dist"));
    await look(browser, addressOf(join(folder, "dist")), answer);
  });

  for (const [name, bundle] of [
    ["esbuild", esbuild],
    ["rolldown", rolldown],
  ]) {
    test(`${name} bundles a page of ${of} with an explicit URL of the wasm`, async () => {
      const folder = project("esbuild", { of, as: name });
      await bundle(folder);
      writeFileSync(join(folder, "dist/index.html"), page(moduleScript));
      const wasm = join("node_modules", of.replace("byname", "byname/pkg"), "byname_bg.wasm");
      cpSync(join(folder, wasm), join(folder, "dist/byname_bg.wasm"));
      shippedOnce(join(folder, "dist"));
      await look(browser, addressOf(join(folder, "dist")), answer);
    });

    test(`${name} bundles a page of ${of}/inline`, async () => {
      const folder = project("esbuild-inline", { of, as: `${name}-inline` });
      await bundle(folder);
      writeFileSync(join(folder, "dist/index.html"), page(moduleScript));
      shippedOnce(join(folder, "dist"));
      await look(browser, addressOf(join(folder, "dist")), answer, { wasm: 0 });
    });
  }
}

test("a page without a build imports the package with an import map", async () => {
  const folder = project("page");
  cpSync(join(folder, "node_modules/byname/pkg"), join(folder, "byname"), { recursive: true });
  await look(browser, addressOf(folder), expected);
});

test("a caching service worker serves the page offline", async () => {
  const folder = project("page", { as: "page-offline" });
  cpSync(join(folder, "node_modules/byname/pkg"), join(folder, "byname"), { recursive: true });
  const own = await serve();
  const url = `${own.url}/${relative(root, folder)}/`;
  let open = true;
  try {
    await look(browser, url, expected, {
      also: async (page) => {
        await page.evaluate(async () => {
          const { serviceWorker } = navigator;
          const taken = new Promise((resolve) => {
            serviceWorker.oncontrollerchange = resolve;
          });
          await serviceWorker.register("sw.js");
          await taken;
        });
        // The worker handles requests from here on.
        await page.reload();
        await page.waitForSelector("#app[data-result]");
        await own.close();
        open = false;
        await page.reload();
        await page.waitForSelector("#app[data-result]");
        const result = await page.evaluate(() => document.querySelector("#app").dataset.result);
        assert.deepEqual(JSON.parse(result), expected);
      },
    });
  } finally {
    if (open) await own.close();
  }
});

async function viteBuild(folder) {
  const { build } = await hostModule("vite");
  await build({ root: folder, base: "./", configFile: false, logLevel: "warn" });
}

async function esbuild(folder) {
  const { build } = await hostModule("esbuild");
  const { warnings } = await build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    outdir: "dist",
    logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
}

async function rolldown(folder) {
  const { build } = await hostModule("rolldown");
  await build({
    cwd: folder,
    input: "main.js",
    platform: "browser",
    output: { dir: "dist" },
    onLog: (level, { message }) => assert.notEqual(level, "warn", message),
  });
}
