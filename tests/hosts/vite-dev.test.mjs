// Serves the packed package with the dev server of Vite, also to a worker, and replaces changed modules.

import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "../browser/browser.mjs";
import { look } from "./look.mjs";
import { expected, expectedOfHam, hostModule, page, project } from "./project.mjs";

let browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

const html = page('<script type="module" src="/main.js"></script>');

/** Serves a project with `vite`. */
async function dev(folder, use, more = {}) {
  const { createServer } = await hostModule("vite");
  const options = { root: folder, configFile: false, logLevel: "warn" };
  const server = await createServer({
    ...options,
    server: { host: "127.0.0.1", port: 0, ...more },
  });
  try {
    await server.listen();
    await use(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}

for (const [of, answer] of [
  ["byname", expected],
  ["byname/ham", expectedOfHam],
]) {
  test(`the dev server serves a page of ${of}`, async () => {
    const folder = project("vite", { of, as: "vite-dev", extra: { "index.html": html } });
    await dev(folder, (url) => look(browser, url, answer));
  });

  test(`the dev server serves a worker of ${of}`, async () => {
    const folder = project("vite-worker", {
      of,
      as: "vite-worker-dev",
      extra: { "index.html": html },
    });
    await dev(folder, (url) => look(browser, url, answer, { wasm: 0 }));
  });
}

test("the dev server serves a linked package if it may read its folder", async () => {
  const folder = project("vite", { as: "vite-linked", extra: { "index.html": html } });
  const elsewhere = join(folder, "../checkout");
  rmSync(elsewhere, { recursive: true, force: true });
  renameSync(join(folder, "node_modules/byname"), elsewhere);
  symlinkSync(elsewhere, join(folder, "node_modules/byname"), "dir");
  const fs = { allow: [".", "../checkout"] };
  await dev(folder, (url) => look(browser, url, expected), { fs });
});

test("a replaced module continues with the existing store", async () => {
  const extra = {
    "index.html": page('<script type="module" src="/hot.js"></script>'),
    "hot.js": `import { HamStore, init } from "byname";
      import { label } from "./label.js";
      await init();
      const { data } = import.meta.hot;
      data.store ??= new HamStore();
      data.store.apply({ [label]: { there: true } });
      document.querySelector("#app").textContent = Object.keys(data.store.export());
      import.meta.hot.accept();
      import.meta.hot.accept("./label.js");
    `,
    "label.js": 'export const label = "first";',
  };
  const folder = project("vite", { as: "vite-hot", extra });
  await dev(folder, (url) =>
    withPage(browser, url, {}, async (page) => {
      await page.waitForFunction(() => document.querySelector("#app").textContent === "first");
      const path = join(folder, "hot.js");
      writeFileSync(path, readFileSync(path, "utf8").replace("[label]", "second"));
      await page.waitForFunction(
        () => document.querySelector("#app").textContent === "first,second",
      );
      assert.equal(await page.evaluate(() => performance.getEntriesByType("navigation").length), 1);
    }),
  );
});
