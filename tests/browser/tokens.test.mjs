// The token counter of the surface workbench counts in the page, and loads the tokenizer only when it is opened.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`tokens are counted at ${viewport.width} pixels`, async () => {
    await withPage(browser, `${server.url}/www/dist/#surface`, { viewport }, async (page) => {
      const loaded = [];
      page.on("request", (request) => loaded.push(request.url()));
      const tab = page.locator("[role=tab]", { hasText: "Tokens" });
      await tab.waitFor({ state: "attached" });
      assert.ok(!loaded.some((url) => /o200k/.test(url)), "the tokenizer is in the first load");
      // On a phone, the pane has a separate tab.
      if (!(await tab.isVisible())) await page.locator("#tab-why").click();
      await tab.click();
      const number = (edit, format) =>
        page.getByRole("button", { name: new RegExp(`^${edit}, ${format}: `) });
      const tokens = async (edit, format) =>
        Number((await number(edit, format).textContent()).replace(",", ""));
      await number("first load", "A2UI").waitFor();
      assert.ok(loaded.some((url) => /o200k/.test(url)));
      assert.ok((await tokens("first load", "HAM")) > (await tokens("first load", "A2UI")));
      const before = await tokens("delete a row in the middle", "A2UI");
      await page.getByRole("button", { name: "100 rows" }).click();
      await page.waitForFunction(
        (old) =>
          document.querySelector(".token-table tr:last-child button").textContent !== String(old),
        before,
      );
      assert.ok((await tokens("delete a row in the middle", "A2UI")) > before);
      await number("delete a row in the middle", "HAM").click();
      await page
        .getByText('{"updateDataModel":{"surfaceId":"team","nodes":{"!u51":null}}}')
        .waitFor();
      // The buttons are rebuilt, and the focus stays.
      await page.waitForFunction(() =>
        document.activeElement
          ?.getAttribute("aria-label")
          ?.startsWith("delete a row in the middle, HAM:"),
      );
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, "the page scrolls horizontally");
      if (process.env.SHOT)
        await page.screenshot({ path: `${process.env.SHOT}-${viewport.width}.png` });
    });
  });
}

test("the tokenizer is fetched again after a failure", async () => {
  const url = `${server.url}/www/dist/#surface`;
  const expected = /o200k|Failed to load resource/;
  await withPage(
    browser,
    url,
    {},
    async (page) => {
      let there = false;
      await page.route("**/o200k*", (route) => (there ? route.continue() : route.abort()));
      await page.locator("[role=tab]", { hasText: "Tokens" }).click();
      await page.getByText("Could not load the tokenizer.").waitFor();
      there = true;
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".token-table").waitFor();
    },
    expected,
  );
});
