// Functions of a surface in the page. They are called again when their data changes, and an unknown
// component is a labelled box with its children.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname":"/pkg/index.web.js","byname/dom":"/pkg/dom.js","byname/a2ui":"/pkg/a2ui.js"}}</script>
<div id="host"></div>
<script type="module">
import { init, Surface } from "byname";
import { FromA2ui } from "byname/a2ui";
import { basicCatalog, mount } from "byname/dom";
await init();
const surface = new Surface({ catalog: basicCatalog });
const from = new FromA2ui({ store: surface.store });
window.receive = (message) => {
  for (const one of from.translate({ version: "v0.9", ...message }).messages) surface.receive(one);
};
window.texts = () => [...document.querySelectorAll("#host .bn-text")].map((one) => one.textContent);
mount(surface, document.querySelector("#host"), { locale: "en-US" });
window.ready = true;
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({ pages: { "/functions.html": html } });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function inPage(name, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/functions.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}

inPage("functions are called, also in list rows, and again when the data changes", async (page) => {
  const seen = await page.evaluate(() => {
    const call = (name, args) => ({ call: name, args });
    receive({
      updateComponents: {
        surfaceId: "s",
        components: [
          { id: "root", component: "Column", children: ["sum", "rows", "tabs"] },
          {
            id: "sum",
            component: "Text",
            text: call("formatCurrency", { value: { path: "/sum" }, currency: "USD" }),
          },
          { id: "rows", component: "List", children: { path: "/rows", componentId: "row" } },
          {
            id: "row",
            component: "Text",
            text: call("formatString", {
              value: "${name}: ${formatDate(value: ${on}, format: 'MMM d')}",
            }),
          },
          {
            id: "tabs",
            component: "Tabs",
            tabs: [
              {
                title: call("pluralize", {
                  value: { path: "/count" },
                  one: "item",
                  other: "items",
                }),
                child: "t",
              },
            ],
          },
          { id: "t", component: "Text", text: "in the tab" },
        ],
      },
    });
    receive({
      updateDataModel: {
        surfaceId: "s",
        value: { sum: 1234.5, count: 1, rows: [{ name: "Ann", on: "2026-03-04T12:00:00" }] },
      },
    });
    const tab = () => document.querySelector("[role=tab]").textContent;
    const first = [texts(), tab()];
    receive({ updateDataModel: { surfaceId: "s", path: "/sum", value: 2 } });
    receive({ updateDataModel: { surfaceId: "s", path: "/count", value: 2 } });
    receive({ updateDataModel: { surfaceId: "s", path: "/rows/0/name", value: "Anna" } });
    return [first, [texts(), tab()]];
  });
  assert.deepEqual(seen, [
    [["$1,234.50", "Ann: Mar 4", "in the tab"], "item"],
    [["$2.00", "Anna: Mar 4", "in the tab"], "items"],
  ]);
});

inPage("an unknown component is a labelled box with its children", async (page) => {
  await page.evaluate(() =>
    receive({
      updateComponents: {
        surfaceId: "s",
        components: [
          { id: "root", component: "Sparkline", points: [1, 2], children: ["t"] },
          { id: "t", component: "Text", text: "below it" },
        ],
      },
    }),
  );
  const box = page.getByRole("group", { name: "Unknown component Sparkline" });
  assert.equal(await box.getByText("below it").count(), 1);
});
