// History of the playground: each address restores its content.
import assert from "node:assert/strict";
import { editor, getEditorText, setEditorText } from "./editor.mjs";
import { labels, setHash, testPage, waitForWorkbench } from "./work-page.mjs";

/** Waits until the menu displays an example; returns the address. */
async function shows(page, id) {
  await page.waitForFunction((one) => document.querySelector("#examples").value === one, id);
  return new URL(page.url()).hash;
}

for (const [bench, first, other] of [
  ["surface", "team", "form"],
  ["graph", "coauthors", "paths"],
  ["flow", "weather", "loop"],
])
  testPage(
    `the short address of a workbench opens its last content: ${bench}`,
    `#${bench}`,
    async (page) => {
      await waitForWorkbench(page, bench);
      assert.equal(await shows(page, first), `#${bench}`);
      await page.locator("#examples").selectOption(other);
      assert.equal(await shows(page, other), `#${bench}/${other}`);
      await page.goBack();
      assert.equal(await shows(page, first), `#${bench}`);
      await page.goForward();
      assert.equal(await shows(page, other), `#${bench}/${other}`);
      // The link to a workbench opens its last content.
      await page.getByRole("link", { name: "Story" }).click();
      await page.locator("[data-bench=story]").waitFor();
      await page.locator(`.benches a[href="#${bench}"]`).click();
      assert.equal(await shows(page, other), `#${bench}`);
      await page.goBack();
      await page.goBack();
      await page.goBack();
      assert.equal(await shows(page, first), `#${bench}`);
      await page.reload();
      assert.equal(await shows(page, first), `#${bench}`);
    },
  );

testPage("going back restores the text of the user", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await setHash(page, "#story");
  await page.locator("[data-bench=story]").waitFor();
  await page.goBack();
  await page.locator("[data-bench=graph]").waitFor();
  assert.equal(await getEditorText(page, labels.graph), "FIND nodes LIMIT 2 AS two");
  // Selecting the same example again restarts it.
  await page.locator("#examples").evaluate((menu) => menu.dispatchEvent(new Event("change")));
  await editor(page, labels.graph).getByText("How is Dana Weiss linked").waitFor();
  assert.doesNotMatch(await getEditorText(page, labels.graph), /LIMIT 2 AS two/);
});
