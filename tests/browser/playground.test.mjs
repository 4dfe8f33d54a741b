// Uses each part of the built playground at four sizes: it works, nothing scrolls horizontally, and no control is
// covered or clipped. Screenshots are stored in target/visits for review.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launchBrowser, withPage } from "./browser.mjs";
import { editor } from "./editor.mjs";
import { serve } from "./server.mjs";

const pictures = fileURLToPath(new URL("../../target/visits", import.meta.url));

let browser;
let server;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  server = await serve();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Actions in each part, by the name of its link. */
const parts = {
  Story: async (page) => {
    await page.locator("#story-play").getByText("Play again").waitFor();
    await page.locator("#story-stage").getByRole("button", { name: /^Why/ }).first().click();
    await page.locator("#story-stage").locator('[data-id="source"]').first().waitFor();
  },
  Surface: async (page) => {
    await page.locator("#play").getByText("Play again").waitFor();
    await editor(page, "HAM update").waitFor({ state: "attached" });
  },
  Graph: async (page) => {
    await page.locator("#graph-end:enabled").click();
    await page.locator("#graph-title").getByText("Answer").waitFor({ state: "attached" });
    await editor(page, "GASL plan").waitFor({ state: "attached" });
  },
  Flow: async (page) => {
    // With reduced motion, nothing runs by itself.
    await page.locator("#flow-run:enabled").click();
    await page.locator("#flow-title").getByText("Completed").waitFor({ state: "attached" });
    await editor(page, "Workflow (JSON)").waitFor({ state: "attached" });
  },
};

/** Returns the visible controls whose centre is covered. */
function covered() {
  const controls = [...document.querySelectorAll("button, a, input, select, summary")];
  return controls.flatMap((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    // Controls outside of their scroll container or below the page are not visible.
    const box = scrolling(control);
    const out = x < box.left || x > box.right || y < box.top || y > box.bottom;
    if (right <= left || bottom <= top || out || !control.checkVisibility()) return [];
    const hit = document.elementFromPoint(x, y);
    const same = hit && (control.contains(hit) || hit.closest("label")?.contains(control));
    const by = hit ? `${hit.tagName} ${hit.id} ${hit.className}` : "nothing";
    return same ? [] : [`${control.outerHTML.slice(0, 120)}: ${by}`];
  });

  function scrolling(control) {
    const box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let up = control.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflow === "visible") continue;
      const { left, right, top, bottom } = up.getBoundingClientRect();
      box.left = Math.max(box.left, left);
      box.top = Math.max(box.top, top);
      box.right = Math.min(box.right, right);
      box.bottom = Math.min(box.bottom, bottom);
    }
    return box;
  }
}

/** Returns the partly visible numbers of the bar. */
function cut() {
  const bar = [...document.querySelectorAll(".numbers")].find((one) => one.checkVisibility());
  const box = bar.getBoundingClientRect();
  return [...bar.children]
    .filter((number) => {
      const { right, top } = number.getBoundingClientRect();
      return top < box.bottom - 1 && right > box.right + 1;
    })
    .map(({ textContent }) => textContent);
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]) {
  test(`all parts of the playground work, ${viewport.width} pixels wide`, async () => {
    const options = { viewport, reducedMotion: "reduce" };
    await withPage(browser, `${server.url}/www/dist/`, options, async (page) => {
      for (const [name, visit] of Object.entries(parts)) {
        await page.getByRole("link", { name, exact: true }).click();
        await visit(page);
        const place = `${name} at ${viewport.width} pixels`;
        assert.deepEqual(await page.evaluate(covered), [], place);
        assert.deepEqual(await page.evaluate(cut), [], place);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(sideways, viewport.width, `${place} scrolls sideways`);
        const path = join(pictures, `${name.toLowerCase()}-${viewport.width}.png`);
        await page.screenshot({ path });
      }
    });
  });
}
