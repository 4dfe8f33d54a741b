// The built playground opens without a complaint, on a desk and on a phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`the playground opens at ${viewport.width} pixels`, async () => {
    await withPage(browser, `${server.url}/www/dist/`, { viewport }, async (page) => {
      await page.waitForLoadState("networkidle");
      assert.match(await page.title(), /byname/);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, "the page scrolls sideways");
    });
  });
}
