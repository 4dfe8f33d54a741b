// Forced colours, such as those of high contrast, take washes and shadows away: what is chosen, lit, done or wrong is
// told apart from what is not all the same, and everything that is drawn stands out from the ground.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser } from "./fixture.mjs";
import { home, options, setHash, waitForWorkbench } from "./work-page.mjs";

/** What one sees of an element, or of what stands before it. */
const looks = (page, selector, pseudo) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, before) => {
      const { color, backgroundColor, outline, borderRadius, borderColor } = getComputedStyle(
        element,
        before,
      );
      return { color, backgroundColor, outline, borderRadius, borderColor };
    }, pseudo);

async function apart(page, one, other, pseudo) {
  assert.notDeepEqual(
    await looks(page, one, pseudo),
    await looks(page, other, pseudo),
    `${one} is told apart from ${other}`,
  );
}

/** Opens an example as whoever has a scheme of forced colours. */
const opened = (colorScheme, address, body) =>
  test(`forced colours, ${colorScheme}`, () =>
    withPage(
      browser,
      `${home}${address}`,
      { ...options, forcedColors: "active", colorScheme },
      body,
    ));

for (const colorScheme of ["light", "dark"])
  opened(colorScheme, "#surface/trouble", async (page) => {
    await waitForWorkbench(page, "surface");
    await page.waitForFunction(() => {
      const { backgroundColor } = getComputedStyle(
        document.querySelector(".benches [aria-current]"),
      );
      return backgroundColor !== getComputedStyle(document.body).backgroundColor;
    });
    await page.locator("#play").getByText("Play again").waitFor();
    await apart(page, ".benches [aria-current]", ".benches a:not([aria-current])");
    await apart(page, "#why-tabs [aria-selected=true]", "#why-tabs [aria-selected=false]");
    await apart(page, "#next:disabled", "#apply");
    await apart(page, "#play", "#apply");
    await apart(page, "#steps .now", "#steps .done", "::before");
    await page.getByRole("button", { name: /^3\. / }).click();
    await apart(page, "#steps .done", "#steps .later", "::before");
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dot = await looks(page, "#diagnostics .dot");
    assert.notEqual(dot.backgroundColor, ground, "the dot of a problem is seen");

    await setHash(page, "#graph/paths");
    await waitForWorkbench(page, "graph");
    await page.locator("#graph-end").click();
    await page.locator(".graph-node.hit").first().waitFor();
    const drawn = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { fill, stroke } = getComputedStyle(element);
          return { fill, stroke };
        });
    const hit = await drawn(".graph-node.hit path");
    const plain = await drawn(".graph-node:not(.hit) path");
    assert.notEqual(hit.fill, plain.fill);
    assert.equal(plain.fill, ground);
    assert.notEqual(plain.stroke, ground);
    await apart(page, "#graph-steps .step.warning", "#graph-steps .step.good", "::before");
    await apart(page, ".crumb[aria-pressed=true]", ".crumb[aria-pressed=false]");

    await setHash(page, "#flow/branches");
    await waitForWorkbench(page, "flow");
    await page.locator(".side-before .box-id").nth(1).click();
    await apart(page, ".box.picked", ".box:not(.picked):not(.end)");
    await apart(page, ".port.clash", ".port:not(.clash)");
  });
