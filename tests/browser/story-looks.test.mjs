// The first page at every size, with the keyboard, and with screen readers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { desk, openStory, readRows, waitForAnswer } from "./story-page.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("a phone shows one stage at a time, the surface first, and nothing scrolls horizontally", async () => {
  const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" };
  await openStory(phone, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const sideways = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    assert.equal(await sideways(), 0);
    assert.ok(await page.isVisible("#story-stage"));
    for (const [tab, pane] of [
      ["Question", "question"],
      ["Plan", "plan"],
      ["Workflow", "flow"],
      ["Graph", "graph"],
    ]) {
      await page.locator("#story-tabs").getByRole("tab", { name: tab }).click();
      assert.ok(await page.isVisible(`#story-pane-${pane}`), tab);
      assert.ok(await page.isHidden("#story-stage"));
      assert.equal(await sideways(), 0);
    }
    await page.locator("#story-tabs").getByRole("tab", { name: "Question" }).click();
    await page.locator(".chip", { hasText: "rock" }).click();
    await waitForAnswer(page, "How much Moon rock?");
    assert.ok(await page.isVisible("#story-stage"));
    assert.equal((await readRows(page)).length, 6);
  });
});

test("the page can be used with the keyboard only", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await page.focus("#story-question");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Who was up longest?");
    await page.keyboard.press("Enter");
    await waitForAnswer(page, "Who was up longest?");
    assert.equal((await readRows(page))[0].figure, "2,017.3 hours");
    // Tab to the first button of the surface; its question keeps the focus in the page.
    await page.focus("#story-open-surface");
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => document.activeElement.textContent);
    assert.equal(label, "Crewmates");
    await page.keyboard.press("Enter");
    await waitForAnswer(page, "Who flew with Gerald Carr?");
    assert.deepEqual((await readRows(page)).map(({ name }) => name).sort(), [
      "Bill Pogue",
      "Ed Gibson",
    ]);
  });
});

test("the last step is completely visible if not all fit, and each is large enough for touch", async () => {
  for (const width of [1440, 1024, 390]) {
    const viewport = { width, height: width === 390 ? 844 : 768 };
    await openStory({ viewport, reducedMotion: "reduce" }, async (page) => {
      await waitForAnswer(page, "Who walked on the Moon?");
      for (const question of [
        "Who flew most often?",
        "Who was up longest?",
        "How much Moon rock?",
      ]) {
        await page.evaluate((words) => {
          for (const chip of document.querySelectorAll(".chip"))
            if (chip.textContent === words) chip.click();
        }, question);
        await waitForAnswer(page, question);
      }
      const [dot, strip] = await page.$eval("#story-steps", (list) =>
        [list.querySelector("[aria-current]"), list].map(
          (one) => one.getBoundingClientRect().right,
        ),
      );
      assert.ok(dot <= strip, `${width}: the dot ends at ${dot}, the strip at ${strip}`);
      const small = await page.$$eval("#story-steps .step", (dots) =>
        dots
          .map((one) => one.getBoundingClientRect())
          .filter(({ width, height }) => Math.min(width, height) < 24),
      );
      assert.deepEqual(small, []);
    });
  }
});

test("axe reports no violation with open sources", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.waitForSelector("#story-picture .graph-node.hit");
    await page.locator('[data-id="row_button"]').first().click();
    await page.waitForSelector('[data-id="source_id"]');
    // Changed elements are highlighted briefly, and a fading colour cannot be checked.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run());
    assert.deepEqual(
      found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
  });
});

test("every size shows the complete story: stages that do not fit have a tab", async () => {
  const panes = ["question", "plan", "flow", "surface", "graph"];
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1024, 768],
    [1440, 900],
  ]) {
    await openStory({ viewport: { width, height }, reducedMotion: "reduce" }, async (page) => {
      await waitForAnswer(page, "Who walked on the Moon?");
      for (const pane of panes) {
        const tab = page.locator(`#story-tab-${pane}`);
        if (await tab.isVisible()) await tab.click();
        const where = await page.locator(`#story-pane-${pane}`).boundingBox();
        const size = `${pane} at ${width}×${height}: ${JSON.stringify(where)}`;
        assert.ok(where && where.width >= 200 && where.height >= 100, size);
        assert.ok(where.x >= 0 && where.x + where.width <= width, size);
        assert.ok(where.y >= 0 && where.y + where.height <= height, size);
      }
      assert.equal(await page.locator("#story-tabs").isVisible(), width < 640);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(sideways, width);
    });
  }
});

test("times have no fractions if the clock has only milliseconds", async () => {
  await openStory(desk, async (page) => {
    // As that of Firefox.
    await page.addInitScript(() => {
      const now = performance.now.bind(performance);
      performance.now = () => Math.floor(now());
    });
    await page.reload();
    await waitForAnswer(page, "Who walked on the Moon?");
    const times = (await page.locator("#story-flow").innerText()).match(/\S[^\n]* ms$/gm);
    assert.equal(times.length, 7);
    for (const time of times) assert.match(time, /^(?:< 1|\d+) ms$/);
  });
});
