// Tests of the graph workbench: opens an example and provides its controls.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";

export const desk = { width: 1280, height: 800 };
export const gasl = "GASL plan";

/** Opens an example at its first step in a page of its own. With reduced motion nothing is delayed. */
export async function withExample(example, body, options = {}) {
  const how = { viewport: desk, reducedMotion: "reduce", ...options };
  const address = `${server.url}/www/dist/index.html#graph/${example}`;
  await withPage(browser, address, how, async (page) => {
    await page.locator("#graph-steps [aria-current]").waitFor();
    await editor(page, gasl).waitFor({ state: "attached" });
    await body(page, {
      press: (label) => page.getByRole("button", { name: label, exact: true }).click(),
      dot: (number) => page.getByRole("button", { name: new RegExp(`^${number}\\. `) }).click(),
      end: () => page.locator("#graph-end").click(),
      note: () => page.locator("#graph-note").textContent(),
      lit: async () => Number(await page.locator(".drawing").getAttribute("data-highlighted")),
      write: (text) => setEditorText(page, gasl, text),
    });
  });
}

/** Defines a test with an open example. */
export function testExample(name, example, body, options) {
  test(name, () => withExample(example, body, options));
}

/** Returns a file for a file input. */
export const textFile = (name, text) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});
