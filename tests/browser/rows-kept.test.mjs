// Rows outside of the document keep user input, and printing includes all rows.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const count = 300;
const ids = Array.from({ length: count }, (_, at) => `r${at}`);
const list = {
  id: "root",
  component: "List",
  children: { binding: { key: "rows" }, template: "row" },
};
const show = (page, ...components) =>
  page.evaluate(
    ([components, ids]) =>
      show(components, {
        root: { rows: ids.map((id) => `*${id}`) },
        ...Object.fromEntries(ids.map((id) => [id, { value: id }])),
      }),
    [[list, ...components], ids],
  );
/** Scrolls until the first row is removed, and back. */
const awayAndBack = async (page) => {
  for (const top of [9_000, 0]) {
    await page.evaluate(async (top) => {
      window.scrollTo(0, top);
      await settled();
      await settled();
    }, top);
    assert.equal(await page.evaluate(() => at("root/row:r0") !== null), top === 0);
  }
};

testInPage("a picker keeps its filter", async (page) => {
  const options = [
    { label: "Alpha", value: "a" },
    { label: "Beta", value: "b" },
  ];
  await show(page, { id: "row", component: "ChoicePicker", filterable: true, options });
  const first = page.getByRole("listitem").first();
  await first.getByRole("searchbox").fill("be");
  await first.getByRole("searchbox").blur();
  await awayAndBack(page);
  assert.equal(await first.getByRole("searchbox").inputValue(), "be");
  assert.equal(await first.innerText(), "Beta");
});

testInPage("a failed check is still reported", async (page) => {
  const condition = { call: "length", args: { value: bindTo("value"), min: 5 } };
  const checks = [{ condition, message: "too short" }];
  await show(page, {
    id: "row",
    component: "TextField",
    label: "Name",
    value: bindTo("value"),
    checks,
  });
  await page.getByLabel("Name").first().fill("a");
  await page.getByLabel("Name").first().blur();
  assert.equal(await page.getByRole("alert").innerText(), "too short");
  await awayAndBack(page);
  assert.equal(await page.getByRole("alert").innerText(), "too short");
});

testInPage("printing includes every row, and the scroll offset is restored", async (page) => {
  await show(page, { id: "row", component: "Text", text: bindTo("value") });
  await page.evaluate(async () => {
    window.scrollTo(0, 3_000);
    await settled();
    await settled();
    addEventListener("beforeprint", () => {
      window.printed = document.querySelector("#host").innerText.split("\n");
    });
  });
  const sight = () =>
    page.evaluate(() => [scrollY, document.querySelectorAll("[role=listitem]").length]);
  const before = await sight();
  await page.pdf();
  assert.deepEqual(await page.evaluate(() => printed), ids);
  await page.evaluate(() => settled());
  assert.deepEqual(await sight(), before);
});

testInPage("printing omits rows after 5,000 without empty pages", async (page) => {
  await show(page, { id: "row", component: "Text", text: bindTo("value") });
  const seen = await page.evaluate(async () => {
    const many = Array.from({ length: 6_000 }, (_, at) => `m${at}`);
    store.apply(Object.fromEntries(many.map((id) => [id, { value: id }])));
    store.apply({ root: { rows: many.map((id) => `*${id}`) } });
    dispatchEvent(new Event("beforeprint"));
    return document.querySelectorAll("[role=listitem]").length;
  });
  assert.equal(seen, 5_000);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.evaluate(() => document.querySelector(".bn-spacer").offsetHeight < 40));
});
