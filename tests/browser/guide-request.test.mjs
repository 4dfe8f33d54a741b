// The page of docs/guide.md that only renders. Its request does not wait for the WebAssembly, and
// the preload link of docs/install.md does not fetch the WebAssembly twice.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const blocks = [...read("docs/guide.md").matchAll(/^```js page\n(.*?)^```$/gms)];
const program = blocks.map(([, code]) => code).find((code) => code.includes("byname/ham"));
const [preload] = read("docs/install.md").match(/<link rel="preload"[^>]*>/);

const imports = {
  "byname/dom": "/pkg/dom.js",
  "byname/ham": "/pkg/ham/index.web.js",
  "byname/ham/messages": "/pkg/ham/messages.js",
};
const head = `<!doctype html><title>guide</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
${preload.replace("./node_modules/byname/", "/")}
<div id="app"></div>`;
const pages = {
  "/empty.html": "<!doctype html><link rel='icon' href='data:,'>",
  "/guide.html": `${head}<script type="module">${program}</script>`,
  "/imports.html": head,
};
const answer = [
  { createSurface: { surfaceId: "s", catalogId: "basic" } },
  {
    updateComponents: {
      surfaceId: "s",
      components: [{ id: "root", component: "Text", text: { path: "/title" } }],
    },
  },
  { updateDataModel: { surfaceId: "s", path: "/title", value: "from the agent" } },
]
  .map((message) => JSON.stringify(message))
  .join("\n");

let browser;
let server;
before(async () => {
  browser = await launchBrowser();
  server = await serve({ pages });
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("the request begins before the WebAssembly is loaded, which is fetched once", async () => {
  await withPage(browser, `${server.url}/empty.html`, {}, async (page) => {
    let hasAsked;
    const asked = new Promise((resolve) => {
      hasAsked = resolve;
    });
    let wasmRequests = 0;
    await page.route("**/*.wasm", async (route) => {
      wasmRequests += 1;
      await asked;
      await route.continue();
    });
    await page.route("**/agent", async (route) => {
      hasAsked();
      await route.fulfill({ contentType: "text/plain", body: answer });
    });
    await page.goto(`${server.url}/guide.html`);
    await page.getByText("from the agent").waitFor();
    assert.equal(wasmRequests, 1);
  });
});

test("`receiveAll` rejects if `init` fails, and nothing else reports it", async () => {
  const allowed = /^(?:http.*: 404$|Failed to load resource)/;
  const task = async (page) => {
    await page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${server.url}/imports.html`);
    const found = await page.evaluate(async () => {
      const { init } = await import("byname/ham");
      const { receiveAll, Surfaces } = await import("byname/ham/messages");
      init();
      return await receiveAll(new Surfaces(), "").catch((error) => error.message);
    });
    assert.match(found, /failed to fetch .*byname_bg\.wasm: 404/);
  };
  await withPage(browser, `${server.url}/empty.html`, {}, task, allowed);
});
