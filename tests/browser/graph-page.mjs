// What the tests of the graph workbench have in common: how it is opened, and what is pressed and read in it.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, write } from "./editor.mjs";
import { browser, server } from "./served.mjs";

export const desk = { width: 1280, height: 800 };
export const gasl = "GASL plan";

/** Opens an example of the workbench, at its first step. Without motion nothing is waited for. */
export function opened(name, example, body, options = {}) {
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
          write: (text) => write(page, gasl, text),
        });
      },
    );
  });
}

/** A file that somebody opens. */
export const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
