// The Content Security Policy of docs/security.md must be sufficient, and its exceptions necessary.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
const policy = /^script-src .*$/m.exec(page)[0];

const html = `<!doctype html><link rel="icon" href="data:,"><title>test</title>
<div id="host"></div><script type="module" src="/script.html"></script>`;

const components = [
  { id: "root", component: "Column", children: ["text", "image"], justify: "center" },
  { id: "text", component: "Text", text: "**Hello**", weight: 2 },
  { id: "image", component: "Image", url: "data:image/png;base64,AAAA" },
];

let browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

/** Renders a surface under a policy; returns the text of the page and the violations. */
async function draw(policy, entry) {
  const server = await serve({
    pages: { "/page.html": html },
    headers: { "content-security-policy": policy },
  });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const script = `
      import { init, Surface } from "/pkg/index.${entry}.js";
      import { basicCatalog, mount } from "/pkg/dom.js";
      window.stopped = [];
      document.addEventListener("securitypolicyviolation", (event) =>
        window.stopped.push(event.effectiveDirective));
      await init();
      const surface = new Surface({ catalog: basicCatalog });
      mount(surface, document.querySelector("#host"));
      surface.receive(${JSON.stringify({ createSurface: { surfaceId: "s", components } })});
      window.drawn = true;`;
    await page.route("**/script.html", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        headers: { "content-security-policy": policy },
        body: script,
      }),
    );
    const failed = new Promise((resolve) =>
      page.on("pageerror", (error) => resolve(error.message)),
    );
    await page.goto(`${server.url}/page.html`);
    const drawn = page.waitForFunction(() => window.drawn).then(() => "drawn");
    drawn.catch(() => {});
    if ((await Promise.race([drawn, failed])) !== "drawn") return await failed;
    return await page.evaluate(() => ({
      words: document.querySelector("#host strong")?.textContent,
      styled: getComputedStyle(document.querySelector(".bn-column")).justifyContent,
      shown: getComputedStyle(document.querySelector(".bn-column")).display,
      stopped: window.stopped,
    }));
  } finally {
    await context.close();
    await server.close();
  }
}

for (const entry of ["web", "inline"]) {
  test(`the documented policy is sufficient for byname/${entry}`, async () => {
    assert.deepEqual(await draw(policy, entry), {
      words: "Hello",
      styled: "center",
      shown: "flex",
      stopped: [],
    });
  });

  test(`byname/${entry} does not start without wasm-unsafe-eval`, async () => {
    const message = await draw(policy.replace(" 'wasm-unsafe-eval'", ""), entry);
    assert.equal(message, "the Content Security Policy lacks 'wasm-unsafe-eval'");
  });
}

test("byname/inline needs no connect-src", async () => {
  const seen = await draw(policy.replace("connect-src 'self'", "connect-src 'none'"), "inline");
  assert.deepEqual(seen.stopped, []);
});

test("byname/web needs a connect-src that allows its wasm", async () => {
  const message = await draw(policy.replace("connect-src 'self'", "connect-src 'none'"), "web");
  assert.match(message, /fetch/i);
});
