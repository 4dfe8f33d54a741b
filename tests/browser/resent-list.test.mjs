// A list that an agent sends again keeps the elements, focus, selection, scroll positions and typed text of its items.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";
import { bundleReact } from "./react-page.mjs";
import { resentChanges, resentScript } from "./resent-page.mjs";

const bundle = await bundleReact();
after(() => bundle.remove());

const head = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<div id="box" style="height:400px;overflow:auto"><div id="app"></div></div>`;

pages["/resent-dom.html"] = `${head}
<script type="importmap">{"imports":{"byname/ham":"/pkg/ham/index.web.js","byname/dom":"/pkg/dom.js","byname/a2ui":"/pkg/a2ui.js"}}</script>
<script type="module">
import { init, Surface } from "byname/ham";
import { basicCatalog, mount } from "byname/dom";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
await init();
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const showSurface = (surface, options) => void mount(surface, document.querySelector("#app"), options);
${resentScript}
window.isReady = true;
</script>`;

pages["/resent-react.html"] = `${head}
<script type="module">
import "${bundle.script}";
import { a2uiTarget, FromA2ui } from "/pkg/a2ui.js";
const showSurface = async (surface, options) => {
  const root = createRoot(document.querySelector("#app"));
  flushSync(() => root.render(h(StrictMode, null, h(SurfaceView, { surface, ...options }))));
  await settled();
};
${resentScript}
window.isReady = true;
</script>`;

const withIds = ["A2UI with ids", { agent: "target", hasIds: true }];
const withoutIds = ["A2UI without ids", { agent: "target", hasIds: false }];
const ham = ["HAM", { agent: "ham", hasIds: true }];
const translator = ["FromA2ui without ids", { agent: "translator", hasIds: false }];
const dom = "/resent-dom.html";
const react = "/resent-react.html";
const setups = [
  ["dom, with a window of rows", dom, {}, withIds],
  ["dom, with a window of rows", dom, {}, withoutIds],
  ["dom, with a window of rows", dom, {}, ham],
  ["dom, with all rows", dom, { windowAbove: 1000 }, withoutIds],
  ["dom, with all rows", dom, { windowAbove: 1000 }, translator],
  ["dom, with all rows", dom, { windowAbove: 1000 }, ham],
  ["React, with a window of rows", react, {}, withoutIds],
  ["React, with all rows", react, { windowAbove: 1000 }, ham],
];

/** Defines a test for each view and each form of the messages. */
function testInAll(name, body, pages = [dom, react]) {
  for (const [view, path, options, [agent, setup]] of setups) {
    if (!pages.includes(path)) continue;
    test(`${name}: ${view}, ${agent}`, async () => {
      await withPage(browser, server.url + path, {}, async (page) => {
        await page.waitForFunction(() => window.isReady);
        await page.evaluate((given) => start(given), { ...setup, options });
        await body(page, options);
      });
    });
  }
}

/** Sends the list again. Surviving rows must be the same elements, in the new order. */
async function resend(page, change, minKept = 1) {
  const seen = await page.evaluate((given) => resend(...given), [change, minKept]);
  const expected = {
    compared: true,
    replaced: [],
    mounts: 0,
    unmounts: 0,
    isOrdered: true,
    counts: true,
  };
  assert.deepEqual(seen, expected, change);
}

/** Scrolls an item to the middle of the box and waits until it is rendered. */
async function scrollTo(page, n) {
  await page.evaluate(async (n) => {
    const place = items.findIndex(({ label }) => label === `item ${n}`);
    for (let round = 0; round < 2; round += 1) {
      box().scrollTop = (box().scrollHeight * place) / items.length - 100;
      await settled();
    }
    row(n).scrollIntoView({ block: "center" });
    await settled();
  }, n);
}

/** Records where the row of an item and the box are. */
const recordOffsets = (page) =>
  page.evaluate(() => {
    window.topOfRow = () => row(100).getBoundingClientRect().top;
    window.topBefore = topOfRow();
  });
/** Returns the pixels by which the row moved, and whether it is visible. */
const offsets = (page) =>
  page.evaluate(() => ({
    moved: Math.abs(topOfRow() - topBefore) > 1,
    isVisible: topOfRow() >= 0 && row(100).getBoundingClientRect().bottom <= box().clientHeight + 8,
  }));

testInAll("surviving rows are the same elements", async (page) => {
  await scrollTo(page, 100);
  for (const change of ["same", "edited", "filtered"]) {
    await recordOffsets(page);
    await resend(page, change, 5);
    assert.deepEqual(await offsets(page), { moved: false, isVisible: true }, change);
  }
  await resend(page, "reordered", 5);
  for (const change of ["shuffled", "shuffled and edited"]) await resend(page, change, 0);
});

testInAll("focus, selection and scroll position stay with their item", async (page, options) => {
  for (const change of resentChanges) {
    await scrollTo(page, 100);
    await page.evaluate(() => {
      memo(100).scrollTop = 150;
      note(100).focus();
      note(100).setSelectionRange(1, 4);
      window.focused = document.activeElement;
    });
    await recordOffsets(page);
    await resend(page, change);
    const seen = await page.evaluate(() => ({
      isSame: focused === document.activeElement,
      ...focusState(),
      memo: memo(100).scrollTop,
    }));
    const expected = { isSame: true, item: "item 100", value: "note 100", selection: [1, 4] };
    assert.deepEqual(seen, { ...expected, memo: 150 }, change);
    const { moved, isVisible } = await offsets(page);
    assert.ok(isVisible, change);
    // Without a window the browser anchors the scroll position, to the focused field itself.
    if (options.windowAbove === undefined) assert.equal(moved, false, change);
    await page.evaluate(() => document.activeElement.blur());
    assert.deepEqual(await page.evaluate(() => written()), []);
  }
});

testInAll("text that is being typed stays with its item", async (page) => {
  await scrollTo(page, 100);
  let typed = "note 100";
  for (const change of resentChanges) {
    await page.evaluate(() => {
      const { length } = note(100).value;
      note(100).focus();
      note(100).setSelectionRange(length, length);
    });
    await page.keyboard.type(" a");
    // The agent does not know the typed text yet.
    await resend(page, change);
    await page.keyboard.type("b");
    typed += " ab";
    const { length } = typed;
    assert.deepEqual(
      await page.evaluate(() => focusState()),
      { item: "item 100", value: typed, selection: [length, length] },
      change,
    );
    assert.deepEqual(await page.evaluate(() => written()), [["item 100", "note", typed]], change);
  }
  // The agent sends again while the user types; the text is written when the field is left.
  await page.keyboard.type("c");
  await resend(page, "shuffled");
  await page.keyboard.press("Tab");
  assert.deepEqual(await page.evaluate(() => written()), [["item 100", "note", `${typed}c`]]);
});

testInAll(
  "text that an input method composes stays with its item",
  async (page) => {
    const session = await page.context().newCDPSession(page);
    const compose = (text) =>
      session.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    for (const change of ["same", "edited", "filtered", "reordered", "shuffled"]) {
      await scrollTo(page, 100);
      await page.evaluate(() => {
        note(100).focus();
        note(100).select();
      });
      await compose("に");
      await resend(page, change);
      await compose("にほ");
      await session.send("Input.insertText", { text: "日本" });
      assert.deepEqual(
        await page.evaluate(() => focusState()),
        { item: "item 100", value: "日本", selection: [2, 2] },
        change,
      );
      assert.deepEqual(
        await page.evaluate(() => written()),
        [["item 100", "note", "日本"]],
        change,
      );
      await page.evaluate(() => document.activeElement.blur());
    }
  },
  [dom],
);
