// Data from the model does not replace the text that a user is typing.
import assert from "node:assert/strict";
import { bindTo, testInPage } from "./surface-page.mjs";

const form = [
  { id: "root", component: "Column", children: ["name", "mail"] },
  { id: "name", component: "TextField", label: "Name", value: bindTo("name") },
  { id: "mail", component: "TextField", label: "Mail", value: bindTo("mail") },
];
const show = (page, nodes) => page.evaluate(([form, nodes]) => show(form, nodes), [form, nodes]);
const apply = (page, nodes) => page.evaluate((nodes) => store.apply(nodes).ok, nodes);
const data = (page) => page.evaluate(() => store.get("root"));
const typed = (page) => page.getByLabel("Name").inputValue();

testInPage("the first data does not change a field in which the user types", async (page) => {
  for (const name of [undefined, null, "", "Ann"]) {
    await show(page);
    await page.getByLabel("Name").focus();
    await page.keyboard.type("Bo");
    await apply(page, { root: { ...(name === undefined ? {} : { name }), mail: "a@b.c" } });
    assert.equal(await typed(page), "Bo");
    assert.equal(await page.getByLabel("Mail").inputValue(), "a@b.c");
    await page.keyboard.type("b");
    assert.deepEqual(await data(page), { mail: "a@b.c", name: "Bob" });
    await page.evaluate(() => stop());
  }
});

testInPage("leaving a field writes its displayed value", async (page) => {
  await show(page, { root: { name: "Ann" } });
  await page.getByLabel("Name").fill("Bob");
  // A message from before the user typed.
  await apply(page, { root: { name: "Ann", mail: "a@b.c" } });
  assert.equal(await typed(page), "Bob");
  await page.keyboard.press("Tab");
  assert.equal(await typed(page), "Bob");
  assert.deepEqual(await data(page), { name: "Bob", mail: "a@b.c" });
  // From now on it shows the data.
  await apply(page, { root: { name: "Ann" } });
  assert.equal(await typed(page), "Ann");
});

testInPage("a changed value is displayed also while the user types", async (page) => {
  await show(page, { root: { name: "Ann" } });
  await page.getByLabel("Name").fill("Bob");
  await apply(page, { root: { name: "BOB" } });
  assert.equal(await typed(page), "BOB");
});

testInPage("a field that is cleared on Enter, as in a chat, is empty", async (page) => {
  for (const nodes of [{}, { root: { name: "" } }]) {
    await show(page, nodes);
    await page.evaluate(() =>
      at("root/name").addEventListener("keydown", ({ key }) => {
        if (key === "Enter") store.apply({ root: { name: "" } });
      }),
    );
    await page.getByLabel("Name").focus();
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    assert.equal(await typed(page), "");
    await page.keyboard.type("again");
    assert.deepEqual(await data(page), { name: "again" });
    await page.evaluate(() => stop());
  }
});

const sendForm = [
  { id: "root", component: "Column", children: ["draft", "send"] },
  { id: "draft", component: "TextField", label: "Name", value: bindTo("draft") },
  {
    id: "send",
    component: "Button",
    child: "label",
    action: { event: { name: "send", context: { text: bindTo("draft") } } },
  },
  { id: "label", component: "Text", text: "Send" },
];
/** Types into the focused field, and lets a message with the old value arrive. */
const typeOverOldValue = async (page) => {
  await page.evaluate((form) => {
    show(form, { root: { draft: "" } });
    document.addEventListener("mousedown", (event) => event.preventDefault());
  }, sendForm);
  await page.getByLabel("Name").focus();
  await page.keyboard.type("hello");
  await apply(page, { root: { draft: "" } });
  assert.equal(await typed(page), "hello");
};
const sent = (page) => page.evaluate(() => actions.map(({ context }) => context.text));

testInPage("an action sends the typed text, and the field then follows the data", async (page) => {
  for (const act of [
    () => page.getByRole("button").click(),
    () => page.evaluate(() => void surface.trigger("root/send", "action")),
  ]) {
    await typeOverOldValue(page);
    await act();
    assert.deepEqual(await sent(page), ["hello"]);
    assert.equal(await page.evaluate(() => document.activeElement.localName), "input");
    // The agent clears the field, which still has the focus.
    await apply(page, { root: { draft: "" } });
    assert.equal(await typed(page), "");
    await page.evaluate(() => stop());
  }
});

testInPage("an action sends text that an input method is composing", async (page) => {
  await page.evaluate((form) => show(form, { root: { draft: "" } }), sendForm);
  await page.getByLabel("Name").focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
  assert.deepEqual(await data(page), { draft: "" });
  await page.evaluate(() => void surface.trigger("root/send", "action"));
  assert.deepEqual(await sent(page), ["に"]);
  assert.deepEqual(await data(page), { draft: "に" });
  await apply(page, { root: { draft: "" } });
  assert.equal(await typed(page), "");
});

testInPage("a removed field is not read by an action", async (page) => {
  await typeOverOldValue(page);
  await page.evaluate((root) => describe([root]), { ...sendForm[0], children: ["send"] });
  await page.evaluate(() => void surface.trigger("root/send", "action"));
  assert.deepEqual(await sent(page), [""]);
});
