// What a first visit costs, in what does not depend on the machine: bytes before the page is usable,
// and how far things jump while it opens.

import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { gzipSync } from "node:zlib";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

/** Gzipped kilobytes of scripts and styles that the page asks for by itself until it has loaded. */
const mostKilobytes = 100;
/** Core Web Vitals call up to 0.1 good. */
const mostShift = 0.1;

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await serve();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test(`scripts and styles of the first page are below ${mostKilobytes} kB`, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const bodies = [];
  page.on("response", (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) bodies.push(response.body());
  });
  await page.goto(`${server.url}/www/dist/index.html`, { waitUntil: "load" });
  const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length / 1000);
  await context.close();
  assert.ok(sizes.length >= 2, "the page asks for scripts and styles");
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum < mostKilobytes, `${sum.toFixed(1)} kB`);
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`nothing jumps while the story opens, ${viewport.width} pixels wide`, async () => {
    await withPage(browser, `${server.url}/www/dist/index.html`, { viewport }, async (page) => {
      await page.evaluate(() => {
        window.shift = 0;
        const add = (list) => {
          for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.shift += entry.value;
        };
        new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      });
      await page.getByText("Neil Armstrong").first().waitFor();
      const shift = await page.evaluate(() => window.shift);
      assert.ok(shift <= mostShift, `the shift is ${shift.toFixed(3)}`);
    });
  });
}
