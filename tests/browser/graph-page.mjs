// Tests of the graph workbench: opens an example and provides its controls.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";

export const desk = { width: 1280, height: 800 };
export const gasl = "GASL plan";

/** Defines a test with an open example at its first step. With reduced motion nothing is delayed. */
export function testExample(name, example, body, options = {}) {
  test(name, async () => {
    const how = { viewport: desk, reducedMotion: "reduce", ...options };
    await withPage(
      browser,
      `${server.url}/www/dist/index.html#graph/${example}`,
      how,
      async (page) => {
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
      },
    );
  });
}

/** Returns a file for a file input. */
export const textFile = (name, text) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});
