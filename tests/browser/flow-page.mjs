// Tests of the flow workbench: opens an example and provides its controls.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";

export const desk = { width: 1280, height: 800 };
export const json = "Workflow (JSON)";

/** Defines a test with an open example. With reduced motion no run starts by itself, and nothing is delayed. */
export function testExample(name, example, body, options = {}) {
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
        write: (text) => setEditorText(page, json, text),
        writeInto: (label, text) => setEditorText(page, label, text),
        /** Runs the workflow and waits for its final status. */
        run: async (status = "Completed") => {
          await page.locator("#flow-run").click();
          await title.getByText(status, { exact: true }).waitFor();
        },
        box: (id, side = "after") => page.locator(`.side-${side}[data-node="${id}"]`),
      });
    });
  });
}
