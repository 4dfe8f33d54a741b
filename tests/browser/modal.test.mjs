// Closing a modal: by its own buttons, by the user and by the agent; and `open` in the data.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const close = { functionCall: { call: "closeModal" } };
const text = (id, text) => ({ id, component: "Text", text });
const button = (id, action) => ({ id, component: "Button", child: `${id}_text`, action });
const components = [
  { id: "root", component: "Column", children: ["modal", "outside"] },
  { id: "modal", component: "Modal", trigger: "show", content: "body", open: bindTo("open") },
  text("show", "Show"),
  { id: "body", component: "Column", children: ["inner", "done"] },
  { id: "inner", component: "Modal", trigger: "more", content: "less" },
  button("more", close),
  text("more_text", "More"),
  button("less", close),
  text("less_text", "Less"),
  button("done", close),
  text("done_text", "Done"),
  button("outside", close),
  text("outside_text", "Outside"),
];
const start = (page, nodes = { root: { open: false } }) =>
  page.evaluate(([components, nodes]) => show(components, nodes), [components, nodes]);
const state = (page) =>
  page.evaluate(async () => {
    await settled();
    const dialogs = [...document.querySelectorAll("dialog")];
    return [...dialogs.map((one) => one.open), store.get("root").open ?? null];
  });
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

testInPage("a button in a dialog closes it, and the focus returns", async (page) => {
  await start(page);
  await press(page, "Show");
  assert.deepEqual(await state(page), [true, false, true]);
  await press(page, "Done");
  assert.deepEqual(await state(page), [false, false, false]);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Show");
  assert.deepEqual(await page.evaluate(() => actions), []);
});

testInPage("`closeModal` closes the innermost dialog around the button", async (page) => {
  await start(page);
  await press(page, "Show");
  await page.evaluate(() => document.querySelectorAll("dialog")[1].showModal());
  await press(page, "Less");
  assert.deepEqual(await state(page), [true, false, true]);
  // The trigger of the inner dialog is in the outer one.
  await press(page, "More");
  assert.equal((await state(page))[0], false);
});

testInPage("`closeModal` outside of a dialog is an action of the surface", async (page) => {
  await start(page);
  await press(page, "Outside");
  assert.deepEqual(await page.evaluate(() => actions.map(({ name }) => name)), ["closeModal"]);
});

testInPage("Escape closes the dialog and writes `open`", async (page) => {
  await start(page);
  await press(page, "Show");
  await page.keyboard.press("Escape");
  assert.deepEqual(await state(page), [false, false, false]);
});

testInPage("the agent opens and closes the dialog through `open`", async (page) => {
  await start(page, { root: { open: true } });
  assert.deepEqual(await state(page), [true, false, true]);
  for (const open of [false, true, false]) {
    await page.evaluate((open) => store.apply({ root: { open } }), open);
    assert.deepEqual(await state(page), [open, false, open]);
  }
});

testInPage("the agent closes the dialog by removing it", async (page) => {
  await start(page);
  await press(page, "Show");
  await page.evaluate((root) => describe([root]), { ...components[0], children: ["outside"] });
  assert.equal(await page.locator("dialog").count(), 0);
  await press(page, "Outside");
});

testInPage("a dialog without `open` writes nothing", async (page) => {
  await page.evaluate(
    (components) => show(components),
    [
      { id: "root", component: "Modal", trigger: "show", content: "done" },
      text("show", "Show"),
      button("done", close),
      text("done_text", "Done"),
    ],
  );
  await press(page, "Show");
  await press(page, "Done");
  const found = await page.evaluate(async () => {
    await settled();
    return [store.toJSON(), surface.diagnostics(), document.querySelector("dialog").open];
  });
  assert.deepEqual(found, [null, [], false]);
});
