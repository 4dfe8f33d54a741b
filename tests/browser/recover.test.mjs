// Failed requests are retried without a reload of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";

const desk = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };
const lost = /ERR_CONNECTION_FAILED|ERR_INTERNET_DISCONNECTED|\.(?:wasm|js|html) failed$/;

/** Opens the page and blocks matching requests until `unblock` is called. */
async function withBlocked(pattern, hash, body) {
  const steps = async (page) => {
    let blocked = true;
    await page.route(pattern, (route) =>
      blocked ? route.abort("connectionfailed") : route.continue(),
    );
    await page.goto(`${server.url}/www/dist/index.html${hash}`);
    const bench = page.locator(".bench:not([hidden])");
    await bench.getByText(/Could not load/).waitFor();
    await body(page, bench, () => {
      blocked = false;
    });
  };
  await withPage(browser, "about:blank", desk, steps, lost);
}

/** Status of each workbench after the core has loaded. */
const here = {
  story: (page) => page.locator('#story-stage [data-id="row"]').first(),
  surface: (page) => page.locator("#stage .bn-surface"),
  // "To the end" is enabled only until the example, which plays by itself, has ended.
  graph: (page) => page.locator("#graph-play:enabled"),
  flow: (page) => page.locator("#flow-run:enabled"),
};

for (const name of Object.keys(here)) {
  test(`the core is fetched again after a failure: ${name}`, async () => {
    await withBlocked("**/*.wasm", `#${name}`, async (page, bench, unblock) => {
      const again = bench.getByRole("button", { name: "Try again" });
      await again.click();
      await bench.getByText(/Could not load/).waitFor();
      unblock();
      await again.click();
      await here[name](page).waitFor();
      assert.equal(await bench.getByText(/Could not load/).count(), 0);
    });
  });

  test(`selecting an example retries too: ${name}`, async () => {
    await withBlocked("**/*.wasm", `#${name}`, async (page, bench, unblock) => {
      unblock();
      const ids = await page.$$eval("#examples option", (list) => list.map(({ value }) => value));
      await page.selectOption("#examples", ids[1]);
      await here[name](page).waitFor();
      assert.equal(await page.inputValue("#examples"), ids[1]);
      assert.equal(await bench.getByText(/Could not load/).count(), 0);
    });
  });
}

test("the graph drawing of the story is fetched again", async () => {
  await withBlocked("**/graph-drawing*.js", "", async (page, bench, unblock) => {
    await here.story(page).waitFor();
    unblock();
    await bench.getByRole("button", { name: "Try again" }).click();
    await page.locator("#story-picture .graph-node").first().waitFor();
  });
});

test("a script that fails twice is loaded with a reload of the page", async () => {
  await withBlocked("**/graph-drawing*.js", "", async (page, bench, unblock) => {
    await here.story(page).waitFor();
    // As in Firefox, where a failed module import stays failed until a reload.
    page.once("framenavigated", unblock);
    await bench.getByRole("button", { name: "Try again" }).click();
    await page.locator("#story-picture .graph-node").first().waitFor();
  });
});

test("without a network, the page is not reloaded", async () => {
  await withBlocked("**/graph-drawing*.js", "", async (page, bench) => {
    await here.story(page).waitFor();
    await page.evaluate(() => {
      window.stays = true;
    });
    await page.context().setOffline(true);
    await bench.getByRole("button", { name: "Try again" }).click();
    await bench.getByText(/Could not load .*: there is no network/).waitFor();
    assert.ok(await page.evaluate(() => window.stays));
  });
});
