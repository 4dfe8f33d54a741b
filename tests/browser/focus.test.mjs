// Keyboard focus when the focused element is removed.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const button = (id, words, more = {}) => [
  { id, component: "Button", child: `${id}-words`, action: { event: { name: id } }, ...more },
  { id: `${id}-words`, component: "Text", text: words },
];
const list = [
  { id: "root", component: "Column", children: ["before", "rows", "after"] },
  ...button("before", "Before"),
  { id: "rows", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Row", children: ["name", "gone"] },
  { id: "name", component: "TextField", label: "Name", value: bindTo("name") },
  ...button("gone", "Remove"),
  ...button("after", "After"),
];
const rows = (...ids) => ({ root: { rows: ids.map((id) => `*${id}`) } });
const nodes = { ...rows("a", "b", "c"), a: { name: "a" }, b: { name: "b" }, c: { name: "c" } };
const shown = (page, components, nodes) =>
  page.evaluate(([components, nodes]) => show(components, nodes), [components, nodes]);
const apply = (page, nodes) => page.evaluate((nodes) => void store.apply(nodes), nodes);
const describe = (page, ...components) => page.evaluate((all) => void describe(all), components);
/** Returns the instance with the focus, and the text of the element. */
const focus = (page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const key = activeElement.closest("[data-key]")?.dataset.key ?? null;
    return [key, activeElement.textContent];
  });

testInPage(
  "the focus of a removed row moves to the same element of its neighbour",
  async (page) => {
    await shown(page, list, nodes);
    await page.getByRole("button", { name: "Remove" }).nth(1).focus();
    await apply(page, { "!b": null });
    assert.deepEqual(await focus(page), ["root/rows/row:c/gone", "Remove"]);
    await apply(page, { "!c": null });
    assert.deepEqual(await focus(page), ["root/rows/row:a/gone", "Remove"]);
    // Without rows, the focus moves to the list.
    await apply(page, { "!a": null });
    assert.deepEqual(await focus(page), ["root/rows", ""]);
    await page.keyboard.press("Tab");
    assert.deepEqual(await focus(page), ["root/after", "After"]);
  },
);

testInPage("a replaced element keeps the focus", async (page) => {
  await shown(page, [
    { id: "root", component: "Column", children: ["one", "two"] },
    ...button("one", "One"),
    ...button("two", "Two", { variant: "primary" }),
  ]);
  await page.getByRole("button", { name: "Two" }).focus();
  await describe(page, button("two", "Two")[0]);
  assert.deepEqual(await focus(page), ["root/two", "Two"]);
  await describe(page, { id: "root", component: "Card", child: "two" });
  assert.deepEqual(await focus(page), ["root/two", "Two"]);
});

testInPage("a focus outside of the removed element stays", async (page) => {
  await shown(page, list, nodes);
  await page.evaluate(() => {
    const field = document.createElement("input");
    document.body.append(field);
    at("root/rows/row:b/gone").addEventListener("click", () => {
      store.apply({ "!b": null });
      field.focus();
    });
  });
  await page.getByRole("button", { name: "Remove" }).nth(1).press("Enter");
  assert.deepEqual(await focus(page), [null, ""]);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "input");
});

testInPage("the focus of a removed tab moves to the open one", async (page) => {
  const tabs = (...ids) => ({
    id: "root",
    component: "Tabs",
    tabs: ids.map((id) => ({ title: id.toUpperCase(), child: id })),
  });
  await shown(page, [
    tabs("a", "b", "c"),
    ...["a", "b", "c"].map((id) => ({ id, component: "Text", text: id })),
  ]);
  await page.getByRole("tab", { name: "B" }).click();
  await describe(page, tabs("a", "c"));
  assert.deepEqual(await focus(page), ["root", "A"]);
  assert.equal(await page.getByRole("tabpanel").innerText(), "a");
});

const dialog = [
  { id: "root", component: "Column", children: ["first", "modal", "last"] },
  ...button("first", "First"),
  { id: "modal", component: "Modal", trigger: "open", content: "inside" },
  ...button("open", "Open"),
  ...button("inside", "Inside"),
  ...button("last", "Last"),
];

testInPage("the focus stays in a dialog whose content is removed", async (page) => {
  await shown(page, dialog);
  await page.getByRole("button", { name: "Open" }).press("Enter");
  await page.getByRole("button", { name: "Inside" }).focus();
  await describe(page, { id: "inside", component: "Text", text: "Done" });
  assert.deepEqual(await focus(page), ["root/modal", "Done"]);
  await page.keyboard.press("Escape");
  assert.deepEqual(await focus(page), ["root/modal/trigger=open", "Open"]);
});

testInPage("the focus of a closing dialog moves to its current trigger", async (page) => {
  await shown(page, dialog);
  await page.getByRole("button", { name: "Open" }).press("Enter");
  await describe(page, button("open", "Open", { variant: "primary" })[0]);
  await describe(page, button("open", "Open")[0]);
  await page.keyboard.press("Escape");
  await page.evaluate(() => settled());
  assert.deepEqual(await focus(page), ["root/modal/trigger=open", "Open"]);
});

testInPage("the focus of a removed dialog moves to the next element", async (page) => {
  await shown(page, dialog);
  await page.getByRole("button", { name: "Open" }).press("Enter");
  await describe(page, { id: "root", component: "Column", children: ["first", "last"] });
  assert.deepEqual(await focus(page), ["root/last", "Last"]);
});
