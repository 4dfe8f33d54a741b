// Forced colours, such as high contrast, remove backgrounds and shadows. Selected, highlighted,
// finished and invalid elements must still differ from others, and all drawings from the
// background.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser } from "./fixture.mjs";
import { home, options, setHash, waitForWorkbench } from "./work-page.mjs";

/** Returns the visible styles of an element or of its pseudo-element. */
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

async function expectDistinct(page, one, other, pseudo) {
  assert.notDeepEqual(
    await looks(page, one, pseudo),
    await looks(page, other, pseudo),
    `${one} differs from ${other}`,
  );
}

/** Opens an example with forced colours. */
const opened = (colorScheme, address, body) =>
  test(`states differ in forced colours, ${colorScheme}`, () =>
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
    await expectDistinct(page, ".benches [aria-current]", ".benches a:not([aria-current])");
    await expectDistinct(
      page,
      "#why [role=tab][aria-selected=true]",
      "#why [role=tab][aria-selected=false]",
    );
    await expectDistinct(page, "#next:disabled", "#apply");
    await expectDistinct(page, "#play", "#apply");
    await expectDistinct(page, "#steps .now", "#steps .done", "::before");
    await page.getByRole("button", { name: /^3\. / }).click();
    await expectDistinct(page, "#steps .done", "#steps .later", "::before");
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
    await expectDistinct(page, "#graph-steps .step.warning", "#graph-steps .step.good", "::before");
    await expectDistinct(page, ".crumb[aria-pressed=true]", ".crumb[aria-pressed=false]");

    await setHash(page, "#flow/branches");
    await waitForWorkbench(page, "flow");
    await page.locator(".side-before .box-id").nth(1).click();
    await expectDistinct(page, ".box.picked", ".box:not(.picked):not(.end)");
    await expectDistinct(page, ".port.clash", ".port:not(.clash)");
  });
