// Builds and serves the packed package with Next.js: client component, server component and edge route.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "../browser/browser.mjs";
import { look } from "./look.mjs";
import { expected, fetchFrom, freePort, hosts, project, run, start } from "./project.mjs";

const next = join(hosts, "node_modules/next/dist/bin/next");

let browser;
let server;
let url;
before(async () => {
  const folder = project("next");
  await run(folder, process.execPath, next, "build");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = await start(folder, process.execPath, next, "start", "-p", String(port));
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a client component shows a surface, and a server component its result", async () => {
  await fetchFrom(server, url);
  await look(browser, url, expected, {
    also: async (page) => {
      assert.deepEqual(JSON.parse(await page.locator("pre").textContent()), expected);
    },
  });
});

test("a component of byname/react is rendered by the server and hydrated in the page", async () => {
  const sent = await (await fetchFrom(server, `${url}/react`)).text();
  assert.match(sent, /class="[^"]*bn-text[^>]*>Hello from a surface</, server.said());
  assert.match(sent, /<p id="named">function<\/p>/);
  await withPage(browser, `${url}/react`, {}, async (page) => {
    await page.addInitScript(() => {
      new MutationObserver(() => {
        window.first ??= document.querySelector(".bn-text");
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    // The renderer removes this attribute on hydration.
    await page.locator(".bn-text:not([data-bn])").waitFor();
    assert.ok(await page.evaluate(() => window.first === document.querySelector(".bn-text")));
  });
});

test("a route sends a surface as HTML", async () => {
  const html = await (await fetchFrom(server, `${url}/html`)).text();
  assert.match(html, /Hello from a surface/, server.said());
});

test("an edge route responds", async () => {
  const response = await fetchFrom(server, `${url}/edge`);
  assert.deepEqual(await response.json(), expected, server.said());
});
