// Checks of a form: disabled buttons, buttons that wait for the form, and errors from a renderer.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const needed = (key) => ({
  condition: { call: "required", args: { value: bindTo(key) } },
  message: `${key} is missing`,
});
const field = (key) => ({
  id: key,
  component: "TextField",
  label: key,
  value: bindTo(key),
  checks: [needed(key)],
});
const button = (id, more) => ({
  id,
  component: "Button",
  child: `${id}_text`,
  action: { event: { name: id } },
  ...more,
});
const text = (id, text) => ({ id, component: "Text", text });
const names = (page) => page.evaluate(() => actions.map(({ name }) => name));

testInPage("a button with failing checks is disabled until they pass", async (page) => {
  await page.evaluate(
    (components) => show(components, { root: { a: "" } }),
    [
      { id: "root", component: "Column", children: ["a", "go"] },
      field("a"),
      button("go", { checks: [needed("a")] }),
      text("go_text", "Go"),
    ],
  );
  const go = page.getByRole("button", { name: "Go" });
  await go.click({ force: true });
  assert.deepEqual([await go.getAttribute("aria-disabled"), await names(page)], ["true", []]);
  await page.getByLabel("a").fill("x");
  await go.click();
  assert.deepEqual([await go.getAttribute("aria-disabled"), await names(page)], ["false", ["go"]]);
});

testInPage("a submit button waits for the inputs of its form, and shows them", async (page) => {
  await page.evaluate(
    (components) => show(components, { root: { a: "x", b: "", c: "" } }),
    [
      { id: "root", component: "Column", children: ["form", "c", "all"] },
      { id: "form", component: "Card", child: "fields" },
      { id: "fields", component: "Column", children: ["a", "b", "line"] },
      { id: "line", component: "Row", children: ["cancel", "send"] },
      ...["a", "b", "c"].map(field),
      button("cancel"),
      text("cancel_text", "Cancel"),
      button("send", { submit: true }),
      text("send_text", "Send"),
      button("all", { submit: true }),
      text("all_text", "All"),
    ],
  );
  const press = (name) => page.getByRole("button", { name }).click();
  const messages = () => page.locator(".bn-message:visible").allInnerTexts();
  await press("Send");
  assert.deepEqual([await names(page), await messages()], [[], ["b is missing"]]);
  assert.equal(await page.getByLabel("b").evaluate((one) => one === document.activeElement), true);
  await press("Cancel");
  assert.deepEqual(await names(page), ["cancel"]);
  await page.getByLabel("b").fill("y");
  // `c` is outside of the card.
  await press("Send");
  assert.deepEqual([await names(page), await messages()], [["cancel", "send"], []]);
  await press("All");
  assert.deepEqual([(await names(page)).length, await messages()], [2, ["c is missing"]]);
  await page.getByLabel("c").fill("z");
  await press("All");
  assert.deepEqual(await names(page), ["cancel", "send", "all"]);
});

testInPage("a row of a list is a form of its own", async (page) => {
  await page.evaluate(
    (components) => {
      show(components, { root: { rows: ["*p", "*q"] }, p: { a: "" }, q: { a: "x" } });
    },
    [
      { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
      { id: "row", component: "Row", children: ["a", "send"] },
      field("a"),
      button("send", { submit: true }),
      text("send_text", "Send"),
    ],
  );
  const send = page.getByRole("button", { name: "Send" });
  await send.nth(0).click();
  await send.nth(1).click();
  assert.deepEqual(await page.evaluate(() => actions.map(({ item }) => item)), ["q"]);
});

testInPage(
  "`validity` has the functions of the page and the browser's own checks",
  async (page) => {
    const { errors, valid } = await page.evaluate(
      ([even, date]) => {
        const components = [
          { id: "root", component: "Column", children: ["n", "d"] },
          {
            id: "n",
            component: "Slider",
            label: "N",
            max: 9,
            value: even.value,
            checks: [even.check],
          },
          date,
        ];
        const functions = { even: ({ value }) => value % 2 === 0 };
        show(
          components,
          { root: { n: 3, d: "2026-02-01" } },
          { functions, words: { invalid: "odd" } },
        );
        const { errors } = surface.validity();
        surface.input("root/n", "value", 4);
        surface.input("root/d", "value", "2026-01-02");
        return { errors, valid: surface.validity().valid };
      },
      [
        {
          value: bindTo("n"),
          check: { condition: { call: "even", args: { value: bindTo("n") } } },
        },
        {
          id: "d",
          component: "DateTimeInput",
          label: "D",
          enableDate: true,
          max: "2026-01-31",
          value: bindTo("d"),
        },
      ],
    );
    assert.deepEqual(errors[0], { key: "root/n", prop: "value", message: "odd" });
    assert.equal(errors[1].key, "root/d");
    assert.match(errors[1].message, /2026/);
    assert.equal(valid, true);
  },
);

testInPage("a custom component reads its failed check", async (page) => {
  const shown = await page.evaluate(
    (component) => {
      const Stars = (node, context) => {
        const element = context.document.createElement("p");
        const set = () => {
          element.textContent = context.errorOf(node)?.message ?? "fine";
        };
        return { element, set };
      };
      show([component], { root: { a: "" } }, { components: { Stars } });
      const before = at("root").textContent;
      store.apply({ root: { a: "x" } });
      return [before, at("root").textContent];
    },
    { ...field("a"), id: "root", component: "Stars" },
  );
  assert.deepEqual(shown, ["a is missing", "fine"]);
});
