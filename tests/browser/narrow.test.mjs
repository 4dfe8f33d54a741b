// Narrow screens, such as a phone or 400 % zoom: nothing is clipped, and words that fit in a line do not break.
import assert from "node:assert/strict";
import { testInPage } from "./surface-page.mjs";

const options = { viewport: { width: 320, height: 640 } };
const shown = (page, components) => page.evaluate((components) => show(components), components);
const row = (...children) => ({ id: "root", component: "Row", children });
/** Returns the width and the line of each element. */
const boxes = (page, selector) =>
  page.locator(selector).evaluateAll((all) => {
    const tops = [...new Set(all.map((one) => one.getBoundingClientRect().top))];
    return all.map((one) => {
      const { width, top, right } = one.getBoundingClientRect();
      return { width, line: tops.indexOf(top), out: right > innerWidth };
    });
  });

testInPage(
  "fields of a row are wide enough for their content",
  async (page) => {
    const date = { component: "DateTimeInput", enableDate: true, value: "2026-12-24" };
    await shown(page, [
      row("from", "to", "name"),
      { id: "from", ...date, label: "From" },
      { id: "to", ...date, label: "To", weight: 1 },
      { id: "name", component: "TextField", label: "Name", value: "Ann", weight: 2 },
    ]);
    const fields = await boxes(page, "input[type=date]");
    // The natural width of a date input with its calendar button.
    assert.ok(
      fields.every(({ width, out }) => width >= 150 && !out),
      JSON.stringify(fields),
    );
  },
  options,
);

testInPage(
  "cards of a row do not break words, and share a line while they fit",
  async (page) => {
    const ids = ["a", "b", "c", "d"];
    await shown(page, [
      row(...ids),
      ...ids.flatMap((id) => [
        { id, component: "Card", child: `${id}-text`, weight: 1 },
        { id: `${id}-text`, component: "Text", text: "1,234,567 EUR" },
      ]),
    ]);
    const lines = (await boxes(page, ".bn-card")).map(({ line }) => line);
    assert.deepEqual(lines, [0, 0, 1, 1]);
    const heights = await page
      .locator(".bn-card .bn-text")
      .evaluateAll((all) => all.map((one) => one.offsetHeight));
    assert.ok(Math.max(...heights) < 60, String(heights));
  },
  options,
);

testInPage(
  "images that do not fit wrap to the next line",
  async (page) => {
    const ids = Array.from({ length: 12 }, (_, at) => `i${at}`);
    await shown(page, [
      row(...ids),
      ...ids.map((id) => ({ id, component: "Image", url: "", variant: "avatar" })),
    ]);
    assert.ok((await boxes(page, "img")).every(({ out }) => !out));
  },
  options,
);

testInPage(
  "code starts at its beginning and scrolls with keys, in either text direction",
  async (page) => {
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    const text = `\`\`\`\n${"call(argument); ".repeat(10)}\n\`\`\``;
    await shown(page, [{ id: "root", component: "Text", text }]);
    const begins = () =>
      page.locator("pre").evaluate((pre) => {
        const range = document.createRange();
        range.setStart(pre.firstChild, 0);
        range.setEnd(pre.firstChild, 1);
        return range.getBoundingClientRect().left - pre.getBoundingClientRect().left;
      });
    const before = await begins();
    assert.ok(before > 0 && before < 20, String(before));
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("pre").scrollLeft > 0);
  },
  options,
);

testInPage(
  "a horizontal list scrolls with keys",
  async (page) => {
    const ids = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await shown(page, [
      { id: "root", component: "List", direction: "horizontal", children: ids },
      ...ids.map((id) => ({ id, component: "Text", text: `text ${id}` })),
    ]);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "root");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => at("root").scrollLeft > 0);
    // Not every browser focuses scroll containers; a list that does not scroll cannot be focused.
    const stops = () => page.evaluate(() => at("root").tabIndex === 0);
    assert.ok(await stops());
    await page.evaluate(() =>
      describe([{ id: "root", component: "List", direction: "vertical", children: ["t0"] }]),
    );
    assert.ok(!(await stops()));
  },
  options,
);
