// The published package in a browser: modules from files, wasm by streaming.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const importMap = {
  imports: {
    byname: "/pkg/index.web.js",
    "byname/dom": "/pkg/dom.js",
    "byname/ham": "/pkg/ham/index.web.js",
    "byname/inline": "/pkg/index.inline.js",
  },
};
const html = `<!doctype html><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">${JSON.stringify(importMap)}</script>`;

let browser;
let server;
before(async () => {
  server = await serve({ pages: { "/test.html": html } });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("init fetches the wasm next to the module", async () => {
  await withPage(browser, `${server.url}/test.html`, {}, async (page) => {
    const fetched = page.waitForResponse(`${server.url}/pkg/byname_bg.wasm`);
    await page.evaluate(async () => (await import("byname")).init());
    assert.equal((await fetched).headers()["content-type"], "application/wasm");
  });
});

test("the inline entry fetches no wasm", async () => {
  await withPage(browser, `${server.url}/test.html`, {}, async (page) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(request.url()));
    await page.evaluate(async () => (await import("byname/inline")).init());
    assert.deepEqual(
      fetched.filter((url) => url.endsWith(".wasm")),
      [],
    );
  });
});

test("init can be called again after a failure, and concurrently", async () => {
  await withPage(browser, `${server.url}/test.html`, {}, async (page) => {
    const results = await page.evaluate(async () => {
      const { BynameError, HamStore, init } = await import("byname");
      const refused = (use) => {
        try {
          use();
          return "";
        } catch (error) {
          return error instanceof BynameError ? error.code : String(error);
        }
      };
      const early = refused(() => new HamStore());
      const failed = await init(new Uint8Array([1, 2, 3])).then(
        () => "",
        (error) => error.name,
      );
      await Promise.all([init(), init()]);
      await init();
      const store = new HamStore();
      store.apply({ root: { a: "*b" }, b: "here" });
      return { early, failed, value: store.read({ key: "a" }).value };
    });
    assert.deepEqual(results, { early: "not-initialised", failed: "CompileError", value: "here" });
  });
});

test("byname/ham fetches only its wasm, and byname/dom renders its surfaces", async () => {
  await withPage(browser, `${server.url}/test.html`, {}, async (page) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(request.url()));
    const shown = await page.evaluate(async () => {
      const { init, Surface } = await import("byname/ham");
      const { basicCatalog, mount } = await import("byname/dom");
      await init();
      const surface = new Surface({ catalog: basicCatalog });
      mount(surface, document.body);
      surface.receive({
        updateComponents: {
          surfaceId: "s",
          components: [{ id: "root", component: "Text", text: { binding: { key: "name" } } }],
        },
      });
      surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root: { name: "Ada" } } } });
      const first = document.body.textContent;
      surface.store.apply({ root: { name: "Grace" } });
      return [first, document.body.textContent];
    });
    assert.deepEqual(
      shown.map((text) => text.trim()),
      ["Ada", "Grace"],
    );
    const wasm = fetched.filter((url) => url.endsWith(".wasm"));
    assert.deepEqual(wasm, [`${server.url}/pkg/ham/byname_bg.wasm`]);
  });
});
