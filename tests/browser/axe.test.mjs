// Accessibility of the playground: axe reports no violation, in light and dark, on a desktop and on a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { openLog } from "./work-page.mjs";

const axe = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Number of attempts at a page whose process crashes, which Chromium does while axe examines it. */
const crashLimit = 4;

/** Returns the violations that axe reports in light and in dark, each with its scheme, rule and elements. */
async function violations(page) {
  await page.evaluate(axe);
  // The rule for target sizes (WCAG 2.2, 2.5.8) is off by default.
  const light = await runAxe(page, "light", { rules: { "target-size": { enabled: true } } });
  // The schemes differ in colours alone, which these rules examine.
  const runOnly = ["color-contrast", "link-in-text-block"];
  const dark = await runAxe(page, "dark", { runOnly });
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark];
}

async function runAxe(page, colorScheme, options) {
  await page.emulateMedia({ colorScheme });
  return await page.evaluate(
    async ([scheme, given]) => {
      const found = await globalThis.axe.run(document, given);
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) =>
            `${scheme}: ${id}: ${target.join(" ")}: ${failureSummary}`,
        ),
      );
    },
    [colorScheme, options],
  );
}

/** Each workbench with the text that shows that it is complete. */
const places = {
  story: async (page) => {
    await page.locator("#story-play:enabled").waitFor();
    // Chromium 156 crashes when axe examines the page during its first two seconds.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await page.waitForTimeout(2000);
  },
  "surface/trouble": async (page) => {
    await page.getByRole("button", { name: /^4\. / }).click();
    await editor(page, "HAM update").waitFor({ state: "attached" });
  },
  "surface/users": async (page) => {
    const surface = (surfaceId) => ({
      createSurface: { surfaceId, components: [{ id: "root", component: "Text", txt: "hi" }] },
    });
    await openLog(page, "log.json", JSON.stringify([surface("one"), surface("two")]));
    await page.locator("#note").getByText("Recognised A2UI").waitFor({ state: "attached" });
    await editor(page, "HAM update").waitFor({ state: "attached" });
  },
  "graph/coauthors": async (page) => {
    await page.locator("#graph-end").click();
    await page.locator("#graph-title").getByText("Answer").waitFor({ state: "attached" });
    await editor(page, "GASL plan").waitFor({ state: "attached" });
  },
  "flow/weather": async (page) => {
    await page.locator("#flow-run").click();
    await page.locator("#flow-title").getByText("Completed").waitFor({ state: "attached" });
    await editor(page, "Workflow (JSON)").waitFor({ state: "attached" });
  },
};

for (const [place, arrive] of Object.entries(places)) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    test(`axe reports no violation in ${place}, ${viewport.width} pixels`, async () => {
      const options = { viewport, colorScheme: "light", reducedMotion: "reduce" };
      const url = `${server.url}/www/dist/index.html#${place}`;
      const examine = async (page) => {
        await arrive(page);
        assert.deepEqual(await violations(page), []);
        const tabs = page.locator(".bench:not([hidden]) .switch [role=tab]:visible");
        for (let index = 0; index < (await tabs.count()); index++) {
          await tabs.nth(index).click();
          assert.deepEqual(await violations(page), []);
        }
      };
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await withPage(browser, url, options, examine);
        } catch (error) {
          if (attempt === crashLimit || !/Target crashed/.test(String(error))) throw error;
        }
      }
    });
  }
}

test("axe reports no violation in the dialog of models", async () => {
  const viewport = { width: 1280, height: 800 };
  const options = { viewport, colorScheme: "light", reducedMotion: "reduce" };
  const url = `${server.url}/www/dist/index.html#graph/paths`;
  await withPage(browser, url, options, async (page) => {
    await page.locator("#graph-model:enabled").click();
    for (const kind of [/A server/, /A local file/]) {
      await page.getByRole("radio", { name: kind }).check();
      assert.deepEqual(await violations(page), []);
    }
  });
});
