// What the tests of the flow workbench have in common: how it is opened, and what is pressed and read in it.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, write } from "./editor.mjs";
import { browser, server } from "./served.mjs";

export const desk = { width: 1280, height: 800 };
export const json = "Workflow (JSON)";

/** Opens an example of the workbench. Without motion nothing begins by itself, and nothing is held back. */
export function opened(name, example, body, options = {}) {
  test(name, async () => {
    const how = { viewport: desk, reducedMotion: "reduce", ...options };
    const url = `${server.url}/www/dist/index.html#flow/${example}`;
    await withPage(browser, url, how, async (page) => {
      await page.locator("#flow-run:enabled").waitFor();
      await editor(page, json).waitFor({ state: "attached" });
      const title = page.locator("#flow-title");
      await body(page, {
        title,
        press: (label) => page.getByRole("button", { name: label, exact: true }).click(),
        tab: (part) => page.locator(`#flow-why-${part}`).click(),
        why: () => page.locator("#flow-why").textContent(),
        note: () => page.locator("#flow-note").textContent(),
        write: (text) => write(page, json, text),
        /** Runs to the end, and expects how it ended. */
        run: async (status = "Completed") => {
          await page.locator("#flow-run").click();
          await title.getByText(status, { exact: true }).waitFor();
        },
        box: (id, side = "after") => page.locator(`.side-${side}[data-node="${id}"]`),
      });
    });
  });
}
