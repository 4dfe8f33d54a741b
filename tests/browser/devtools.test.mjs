// Panel of byname/devtools under the Content Security Policy of docs/security.md: log, tree, changes, keyboard, pause, dark mode, files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser } from "./fixture.mjs";
import { serve } from "./server.mjs";

const security = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
const policy = /^script-src .*$/m.exec(security)[0];
const axe = readFileSync(
  new URL("../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<h1>Page</h1><main id="host"></main><script type="module" src="/script.js"></script>`;

const script = `
import { init, Surface } from "/pkg/index.web.js";
import { attach, Recorder } from "/pkg/devtools.js";
import { basicCatalog, mount } from "/pkg/dom.js";
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(event.effectiveDirective + " " + event.blockedURI));
await init();
const bound = (node, key) => ({ binding: { node, key } });
window.surface = new Surface({ catalog: basicCatalog });
mount(surface, document.querySelector("#host"));
window.start = (options) => { window.detach = attach({ surfaces: surface }, options); };
start({ playground: "https://playground.test/" });
window.panel = document.querySelector("byname-devtools");
window.created = { createSurface: { surfaceId: "s", components: [
  { id: "root", component: "Column", children: ["name", "pin", "send"] },
  { id: "name", component: "TextField", label: "Name", value: bound("form", "name") },
  { id: "pin", component: "TextField", label: "PIN", variant: "obscured", value: bound("form", "pin") },
  { id: "send", component: "Button", child: "label",
    action: { event: { name: "send", context: { who: bound("form", "name"), pin: bound("form", "pin") } } } },
  { id: "label", component: "Text", text: "Send" },
] } };
window.data = (form) => ({ updateDataModel: { surfaceId: "s", nodes: { form } } });
window.ready = true;`;

const server = await serve({
  pages: { "/devtools.html": html },
  headers: { "content-security-policy": policy },
});
after(() => server.close());

/** Defines a test in a page with an attached surface; no policy may be violated. */
function testInPage(name, body, options = {}) {
  test(name, async () => {
    await withPage(browser, "about:blank", { acceptDownloads: true, ...options }, async (page) => {
      await page.route("**/script.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: script }),
      );
      await page.goto(`${server.url}/devtools.html`);
      await page.waitForFunction(() => window.ready);
      await body(page);
      assert.deepEqual(await page.evaluate(() => window.violations), []);
    });
  });
}

const panelOf = (page) => page.locator("byname-devtools");
const tab = (page, name) => panelOf(page).getByRole("tab", { name });
const option = (page, name) => panelOf(page).getByRole("option", { name });

testInPage("lists messages, changes and actions as they happen", async (page) => {
  await page.evaluate(() => {
    surface.receive(created);
    surface.receive(data({ name: "Ada", pin: "" }));
  });
  await option(page, /message.*createSurface s/).waitFor();
  await option(page, /changes.*1 change/)
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "PIN" }).fill("4711-secret");
  await page.getByRole("button", { name: "Send" }).click();
  await tab(page, "Actions").click();
  await option(page, /action.*send.*Ada/).waitFor();
  await option(page, /input.*pin.*\[secret\]/)
    .first()
    .waitFor();
  const text = await page.evaluate(() => panel.exportLog() + panel.shadowRoot.textContent);
  assert.ok(!text.includes("4711-secret"));
  await tab(page, "Changes").click();
  await option(page, /set.*root\/name.*Ada/).click();
  const animated = await page.evaluate(
    () => document.querySelector('[data-key="root/name"]').getAnimations().length,
  );
  assert.ok(animated >= 1);
});

testInPage("shows a diagnostic at its place in the message", async (page) => {
  await page.evaluate(() => surface.receive('{"updateDataModel": {"nodes": 1}}'));
  await tab(page, "Diagnostics").click();
  await option(page, /entry 1/).click();
  const lines = panelOf(page).locator(".json li");
  const marked = await lines.evaluateAll((all) =>
    all
      .filter((one) => one.matches(".place"))
      .map((one) => [one.textContent, one.nextSibling.className]),
  );
  assert.deepEqual(marked, [['    "nodes": 1', "note"]]);
});

testInPage("the tree shows where a value comes from, by keyboard", async (page) => {
  await page.evaluate(() => {
    surface.receive(created);
    surface.receive(data({ name: "Ada" }));
  });
  await tab(page, "Log").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await tab(page, "Tree").getAttribute("aria-selected"), "true");
  // The field to find rows is between the tabs and the list.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const tree = panelOf(page).getByRole("tree", { name: "Tree" });
  const row = tree.getByRole("treeitem", { name: /TextField name/ });
  assert.equal(await row.getAttribute("aria-selected"), "true");
  assert.equal(await tree.getAttribute("aria-activedescendant"), await row.getAttribute("id"));
  const cells = panelOf(page).getByRole("row", { name: /^value/ });
  assert.match(await cells.textContent(), /value"Ada"form\.name/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await tree.getByRole("treeitem", { name: /TextField name/ }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await tree.getByRole("treeitem", { name: /TextField name/ }).waitFor();
});

testInPage("the tree marks unknown components and bindings without a value", async (page) => {
  await page.evaluate(() => {
    const text = { binding: { key: "name" } };
    const children = { binding: { key: "rows" }, template: "row" };
    const components = [
      { id: "root", component: "Column", children: ["list", "map", "form"] },
      { id: "list", component: "List", children },
      { id: "row", component: "Text", text },
      { id: "map", component: "Map" },
      {
        id: "form",
        component: "TextField",
        label: "F",
        value: { binding: { node: "f", key: "x" } },
      },
    ];
    surface.receive({ createSurface: { surfaceId: "s", components } });
    const nodes = { root: { rows: ["*ann", "*bob"] }, ann: { name: "Ann" }, bob: {} };
    surface.receive({ updateDataModel: { surfaceId: "s", nodes } });
  });
  await option(page, /createSurface s: root, list, row and 2 more/).waitFor();
  await option(page, /updateDataModel s: root, ann, bob/).waitFor();
  await tab(page, "Tree").click();
  const items = panelOf(page).getByRole("treeitem");
  const texts = await items.allTextContents();
  assert.deepEqual(
    texts.map((text) => text.replace(/^\W+/, "")),
    [
      "Columnroot",
      "Listlist",
      'Textrowitem ann"Ann"',
      "Textrowitem bobno value for text",
      "Mapmapnot in the catalog",
      'TextFieldform"F"',
    ],
  );
  const log = await page.evaluate(() => panel.exportLog());
  await page.evaluate((text) => panel.importLog(text), log);
  await panelOf(page).getByText("An imported log has no tree.").waitFor();
});

testInPage("nodes list their readers, lead to the tree, and rows are found", async (page) => {
  await page.evaluate(() => {
    surface.receive(created);
    surface.receive({ updateDataModel: { nodes: { form: { name: "Ada" }, unused: 1 } } });
    window.selected = [];
    panel.addEventListener("byname-select", ({ detail }) => selected.push(detail));
  });
  await tab(page, "Nodes").click();
  await option(page, /^unused/).click();
  await panelOf(page).getByText("No component reads it").waitFor();
  await panelOf(page).getByLabel("Find rows").fill("FORM");
  assert.equal(await panelOf(page).locator(".list > li").count(), 1);
  await option(page, /^form/).click();
  await panelOf(page).getByRole("button", { name: "root/name" }).click();
  assert.equal(await tab(page, "Tree").getAttribute("aria-selected"), "true");
  assert.equal(await panelOf(page).getByLabel("Find rows").inputValue(), "");
  const row = panelOf(page).getByRole("treeitem", { name: /TextField name/ });
  assert.equal(await row.getAttribute("aria-selected"), "true");
  await row.click();
  await panelOf(page).getByRole("button", { name: "form.name" }).click();
  assert.equal(await tab(page, "Nodes").getAttribute("aria-selected"), "true");
  assert.deepEqual(await page.evaluate(() => selected), [
    { source: "surface", node: "unused" },
    { source: "surface", node: "form" },
    { source: "surface", key: "root/name", component: "name" },
  ]);
});

testInPage("a broken surface is explained: wrong ids, keys and properties", async (page) => {
  await page.evaluate(() => {
    const bound = (node, key) => ({ binding: { ...(node && { node }), key } });
    const filler = Array.from({ length: 40 }, (_, at) => ({
      id: `more${at}`,
      component: "Divider",
    }));
    surface.receive({
      createSurface: {
        surfaceId: "s",
        components: [
          { id: "root", component: "Column", children: ["title", "lst", "list", "send"] },
          ...filler,
          { id: "title", component: "Text", txt: "Shop" },
          {
            id: "list",
            component: "List",
            children: { ...bound("shop", "items"), template: "row" },
          },
          { id: "row", component: "Text", text: bound(undefined, "nam") },
          { id: "send", component: "Button", child: "label", action: { event: { name: "send" } } },
          { id: "label", component: "Text", text: bound("shopp", "label") },
        ],
      },
    });
    const nodes = { shop: { label: "Send", items: ["*a"] }, a: { name: "Apple" } };
    surface.receive({ updateDataModel: { surfaceId: "s", nodes } });
  });
  const detail = panelOf(page).getByRole("region", { name: "Details" });
  await tab(page, "Diagnostics").click();
  await option(page, /missing component `lst`/).click();
  await detail.getByText("did you mean `list`?").waitFor();
  await option(page, /unknown property `txt`/).click();
  const note = detail.getByText("did you mean `text`?");
  const [box, pane] = [await note.boundingBox(), await detail.boundingBox()];
  assert.ok(box.y > pane.y && box.y < pane.y + pane.height, "the place is scrolled into view");
  await tab(page, "Tree").click();
  const row = (name) => panelOf(page).getByRole("treeitem", { name }).click();
  await row(/not defined lst/);
  await detail.getByText("missing component `lst`").waitFor();
  await row(/Text label/);
  await detail.getByText("(no node `shopp`)").waitFor();
  await row(/Text row/);
  assert.match(
    await detail.getByRole("row", { name: /^text/ }).textContent(),
    /a\.nam \(missing\)/,
  );
});

testInPage("a page chooses and adds tabs, and adds entries", async (page) => {
  const refused = await page.evaluate(() => {
    window.opened = [];
    panel.addEventListener("byname-tab", ({ detail }) => opened.push(detail.name));
    panel.views = ["Actions", "Log"];
    const own = document.createElement("p");
    own.textContent = "content of the page";
    window.removeTab = panel.addTab("Own", own);
    panel.recorder.note("surface", "sent to the agent", { name: "send" });
    try {
      panel.views = ["Logs"];
    } catch (error) {
      return error.message;
    }
  });
  assert.match(refused, /^unknown view `Logs`; available: `Log`/);
  const names = () => panelOf(page).getByRole("tab").allTextContents();
  assert.deepEqual(await names(), ["Actions", "Log", "Own"]);
  // The newest entry is displayed while none is selected.
  await panelOf(page).locator(".detail").getByText('"title": "sent to the agent"').waitFor();
  await tab(page, "Actions").press("ArrowLeft");
  await page.getByText("content of the page").waitFor();
  await panelOf(page).getByLabel("Find rows").waitFor({ state: "hidden" });
  await page.evaluate(() => removeTab());
  assert.deepEqual(await names(), ["Actions", "Log"]);
  assert.equal(await tab(page, "Actions").getAttribute("aria-selected"), "true");
  assert.deepEqual(await page.evaluate(() => opened), ["Actions", "Own", "Actions"]);
});

testInPage("messages wait while paused, and one runs per step", async (page) => {
  await panelOf(page).getByRole("button", { name: "Pause" }).click();
  await page.evaluate(() => {
    surface.receive(created);
    surface.receive(data({ name: "Ada" }));
  });
  await panelOf(page).getByText("2 waiting, next: createSurface s").waitFor();
  assert.equal(await page.locator("#host input").count(), 0);
  await panelOf(page).getByRole("button", { name: "Step" }).click();
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "");
  await panelOf(page).getByRole("button", { name: "Resume" }).click();
  await page.waitForFunction(() => document.querySelector("#host input").value === "Ada");
});

testInPage("exports a log, imports it, and opens it in a playground", async (page) => {
  await page.evaluate(() => surface.receive(created));
  await option(page, /createSurface s/).waitFor();
  const downloaded = page.waitForEvent("download");
  await panelOf(page).getByRole("button", { name: "Export" }).click();
  const path = await (await downloaded).path();
  const text = readFileSync(path, "utf8");
  assert.equal(JSON.parse(text).messages.length, 1);
  await panelOf(page).getByRole("button", { name: "Clear" }).click();
  await panelOf(page).getByText("No entries yet").waitFor();
  const choose = (content) =>
    panelOf(page)
      .locator("input[type=file]")
      .setInputFiles({
        name: "log.json",
        mimeType: "application/json",
        buffer: Buffer.from(content),
      });
  await choose(text);
  await panelOf(page).getByText("Imported log: 2 entries, 1 message").waitFor();
  await option(page, /createSurface s/).waitFor();
  await choose(JSON.stringify({ ...JSON.parse(text), version: 9 }));
  await panelOf(page).getByText("expected a log of version 1, found 9").waitFor();
  await panelOf(page).getByRole("button", { name: "Back to the page" }).click();
  await panelOf(page).getByText("No entries yet").waitFor();
  await page.evaluate(() => {
    window.open = (link) => {
      window.opened = link;
    };
  });
  await panelOf(page).getByRole("button", { name: "Open in playground" }).click();
  await page.waitForFunction(() => window.opened);
  assert.match(await page.evaluate(() => opened), /^https:\/\/playground\.test\/#v1\.\w+\.[\w-]+$/);
});

testInPage("a panel that the page has not placed yet is not docked", async (page) => {
  const isPlaced = await page.evaluate(() => {
    detach();
    const own = document.createElement("byname-devtools");
    start({ panel: own });
    return own.isConnected;
  });
  assert.equal(isPlaced, false);
});

testInPage("detaching removes the panel and restores the surface", async (page) => {
  const seen = await page.evaluate(() => {
    detach();
    surface.receive(created);
    return {
      panels: document.querySelectorAll("byname-devtools").length,
      own: Object.keys(surface).includes("receive"),
      entries: panel.recorder.entries.length,
    };
  });
  assert.deepEqual(seen, { panels: 0, own: false, entries: 0 });
});

for (const colorScheme of ["light", "dark"]) {
  testInPage(
    `axe reports no violation, ${colorScheme}`,
    async (page) => {
      await page.evaluate(() => {
        surface.receive(created);
        surface.receive(data({ name: "Ada" }));
        surface.receive('{"updateDataModel": {"nodes": 1}}');
      });
      const background = await page.evaluate(() => getComputedStyle(panel).backgroundColor);
      assert.equal(background, colorScheme === "dark" ? "rgb(28, 28, 32)" : "rgb(255, 255, 255)");
      for (const name of ["Log", "Diagnostics", "Tree", "Nodes", "Changes", "Actions", "Runs"]) {
        await tab(page, name).click();
        const rows = panelOf(page).locator(".list > li");
        if ((await rows.count()) > 0) await rows.last().click();
        await page.evaluate(axe);
        const found = await page.evaluate(async () => {
          const { violations } = await globalThis.axe.run(panel);
          return violations.flatMap(({ id, nodes }) =>
            nodes.map(
              ({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`,
            ),
          );
        });
        assert.deepEqual(found, [], name);
      }
    },
    { colorScheme, reducedMotion: "reduce" },
  );
}
