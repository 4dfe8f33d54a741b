// The page before the core has loaded, and on screens with little height.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRequests, withPage } from "./browser.mjs";
import { getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { labels, options, ready, waitForWorkbench } from "./work-page.mjs";

for (const [name, label] of Object.entries(labels)) {
  test(`a text is editable only after its draft can be stored: ${name}`, async () => {
    const options = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" };
    await withPage(browser, "about:blank", options, async (page) => {
      const arrive = await blockRequests(page, "**/*.wasm");
      await page.goto(`${server.url}/www/dist/index.html#${name}`);
      const plain = page.locator(`textarea.area[aria-label="${label}"]`);
      await plain.focus();
      const before = await plain.inputValue();
      await page.keyboard.type("mine");
      await page.keyboard.press("ControlOrMeta+Enter");
      assert.equal(await plain.inputValue(), before);
      assert.equal(await plain.getAttribute("readonly"), "");
      arrive();
      await setEditorText(page, label, "mine");
      assert.equal(await getEditorText(page, label), "mine");
    });
  });
}

test("Share and Code report that there is nothing to copy yet", async () => {
  await withPage(browser, "about:blank", options, async (page) => {
    const arrive = await blockRequests(page, "**/*.wasm");
    await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
    for (const [name, words] of [
      ["Code", "No code to copy yet"],
      ["Share", "Nothing to share yet"],
    ]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator(".notice").getByText(words).waitFor();
    }
    arrive();
    await waitForWorkbench(page, "graph");
    await page.getByRole("button", { name: "Code", exact: true }).click();
    await page.locator(".notice").getByText("Code copied").waitFor();
  });
});

test("a loading workbench offers nothing of the previous one", async () => {
  await withPage(browser, "about:blank", options, async (page) => {
    await page.goto(`${server.url}/www/dist/index.html#surface/form`);
    await waitForWorkbench(page, "surface");
    const arrive = await blockRequests(page, "**/assets/workbench-*.js");
    await page.getByRole("link", { name: "Flow" }).click();
    await page.locator("[data-bench=flow]").waitFor();
    for (const id of ["examples", "share", "code"])
      assert.equal(await page.locator(`#${id}`).isDisabled(), true, id);
    assert.equal(await page.inputValue("#examples"), "");
    arrive();
    await waitForWorkbench(page, "flow");
    await page.locator("#share:enabled").waitFor();
    assert.equal(await page.inputValue("#examples"), "weather");
  });
});

// 1280 by 800 at 200 % zoom, a phone in landscape orientation, and a small phone.
for (const [width, height] of [
  [640, 400],
  [844, 390],
  [320, 256],
]) {
  test(`panes keep a readable height in ${width} by ${height}`, async () => {
    const options = { viewport: { width, height }, reducedMotion: "reduce" };
    await withPage(browser, `${server.url}/www/dist/index.html`, options, async (page) => {
      for (const name of ["story", "surface", "graph", "flow"]) {
        await page.goto(`${server.url}/www/dist/index.html#${name}`);
        const bench = page.locator(`[data-bench="${name}"]`);
        await bench.waitFor();
        // The styles of a workbench load with its code.
        if (name in ready)
          await page.locator(`${ready[name]}:enabled`).waitFor({ state: "attached" });
        const heights = await bench.locator(".pane").evaluateAll((panes) => {
          // The note of an unselected pane is one line.
          const read = panes.filter((pane) => getComputedStyle(pane).display === "flex");
          return read.map((pane) => pane.getBoundingClientRect().height);
        });
        assert.ok(heights.length > 0);
        for (const one of heights) assert.ok(one >= 120, `${name}: a pane of ${one} pixels`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(wide, width, "it scrolls in one direction");
        if (name !== "graph") continue;
        await page.locator("#graph-end:enabled").click();
        const row = page.locator("#graph-rows tbody tr").first();
        await row.waitFor();
        const { y, height: high } = await row.boundingBox();
        const pane = await page.locator("#graph-pane-graph").boundingBox();
        assert.ok(y + high <= pane.y + pane.height, "the first row is in sight");
      }
    });
  });
}
