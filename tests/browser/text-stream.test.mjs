// A text that a model writes: each token appends to the text node, and nothing else changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

const NOTES = 1000;
const TOKENS = 500;

pages["/text-stream.html"] =
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname":"/pkg/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<div id="host"></div>
<script type="module">
import { init, Surface } from "byname";
import { basicCatalog, mount } from "byname/dom";
await init();
window.surface = new Surface({ catalog: basicCatalog });
surface.receive({ createSurface: { surfaceId: "s", components: [
  { id: "root", component: "List", children: { binding: { key: "notes" }, template: "note" } },
  { id: "note", component: "Text", text: { binding: { key: "text" } } },
] } });
const ids = Array.from({ length: ${NOTES} }, (_, at) => "note" + at);
const notes = Object.fromEntries(ids.map((id) => [id, { text: "of " + id }]));
surface.store.apply({ root: { notes: ids.map((id) => "*" + id) }, ...notes });
mount(surface, document.querySelector("#host"), { windowAbove: Number.POSITIVE_INFINITY });
window.ready = true;
</script>`;

test("each token of a text is one appended text in the page", async () => {
  await withPage(browser, `${server.url}/text-stream.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const seen = await page.evaluate((tokens) => {
      const element = document.querySelector('[data-key="root/note:note500"]');
      const observer = new MutationObserver(() => {});
      const everything = { subtree: true, childList: true, characterData: true, attributes: true };
      observer.observe(document.querySelector(".bn-list"), {
        ...everything,
        characterDataOldValue: true,
      });
      const lengths = new Set();
      const others = [];
      let text = "of note500";
      for (let nth = 0; nth < tokens; nth++) {
        const before = text;
        text += ` word${nth}`;
        surface.store.apply({ note500: { text } });
        const records = observer.takeRecords();
        lengths.add(records.length);
        for (const { type, target, oldValue } of records) {
          const isAppend =
            target === element.firstChild && oldValue === before && target.data === text;
          if (type !== "characterData" || !isAppend) others.push({ type, oldValue });
        }
      }
      const { childNodes } = element;
      return {
        lengths: [...lengths],
        others,
        isText: element.textContent === text,
        nodes: childNodes.length,
      };
    }, TOKENS);
    assert.deepEqual(seen, { lengths: [1], others: [], isText: true, nodes: 1 });
  });
});

test("a selection in a text stays while it grows", async () => {
  await withPage(browser, `${server.url}/text-stream.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const selected = await page.evaluate(() => {
      const { firstChild } = document.querySelector('[data-key="root/note:note500"]');
      getSelection().setBaseAndExtent(firstChild, 3, firstChild, 7);
      for (const text of ["of note500 and", "of note500 and more"])
        surface.store.apply({ note500: { text } });
      return String(getSelection());
    });
    assert.equal(selected, "note");
  });
});
