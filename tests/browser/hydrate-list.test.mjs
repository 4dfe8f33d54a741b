// User input in a list before hydration is kept, also in rows that are not visible then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToString } from "byname/dom/server";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";
import { createSurface, icon, script } from "./hydrate-page.mjs";

const ids = Array.from({ length: 150 }, (_, at) => `r${at}`);
const components = [
  { id: "root", component: "Column", children: ["above", "list", "below"] },
  { id: "above", component: "Text", text: ids.map((id) => `above ${id}`).join("\n\n") },
  { id: "list", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Card", child: "fields" },
  { id: "fields", component: "Column", children: ["word", "done"] },
  { id: "word", component: "TextField", label: "Word", value: { binding: { key: "word" } } },
  { id: "done", component: "CheckBox", label: "Done", value: { binding: { key: "done" } } },
  { id: "below", component: "Text", text: ids.map((id) => `below ${id}`).join("\n\n") },
];
const nodes = { root: { rows: ids.map((id) => `*${id}`) } };
for (const id of ids) nodes[id] = { word: id, done: false };
const received = [
  { createSurface: { surfaceId: "s", components } },
  { updateDataModel: { surfaceId: "s", nodes } },
];
pages["/typed.html"] =
  `${icon}<body><div id="app">${renderToString(createSurface(received))}</div>${script}`;

for (const [place, y] of [
  ["above", 0],
  ["below", 1e6],
])
  test(`user input ${place} the visible rows is written to the data`, async () => {
    await withPage(browser, `${server.url}/typed.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      const [word, done] = ["word", "done"].map((name) =>
        page.locator(`[data-key*='row:r3'][data-id=${name}] input`),
      );
      await word.fill("typed");
      await done.check();
      await word.focus();
      await page.evaluate((y) => window.scrollTo(0, y), y);
      const seen = await page.evaluate((received) => {
        const surface = new Surface({ catalog: basicCatalog });
        for (const message of received) surface.receive(message);
        mount(surface, document.querySelector("#app"), { hydrate: true });
        return { node: surface.store.get("r3"), focus: document.activeElement.value };
      }, received);
      assert.deepEqual(seen, { node: { word: "typed", done: true }, focus: "typed" });
      // After blur, a row out of sight is removed; its input is restored with it.
      await page.evaluate(() => document.activeElement.blur());
      await page.locator("[data-key='root/list']").evaluate((list) => {
        window.scrollTo(0, list.getBoundingClientRect().bottom + window.scrollY);
      });
      await word.waitFor({ state: "detached" });
      await page.locator("[data-key='root/list']").evaluate((list) => list.scrollIntoView());
      await word.waitFor();
      assert.equal(await word.inputValue(), "typed");
      assert.ok(await done.isChecked());
    });
  });
