// Custom functions in a page: as values, as checks and as actions.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<div id="app"></div><script type="module">
import { init, Surface } from "/pkg/ham/index.inline.js";
import { basicCatalog, mount } from "/pkg/dom.js";
await init();
const app = document.querySelector("#app");
const actions = [];
const errors = [];
window.reportError = (error) => errors.push(error.message);
/** Renders a column of components over a root node, with the functions of the page. */
window.show = (components, root, functions) => {
  const catalog = basicCatalog.extend({
    functions: Object.fromEntries(Object.keys(functions).map((name) => [name, {}])),
  });
  window.surface = new Surface({ catalog, onAction: ({ name }) => actions.push(name) });
  const children = components.map(({ id }) => id).filter((id) => id !== "go");
  const all = [{ id: "root", component: "Column", children }, ...components];
  surface.receive({ createSurface: { surfaceId: "s", components: all } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root } } });
  mount(surface, app, { functions });
};
window.at = (key, inside = "") => app.querySelector("[data-key='root/" + key + "'] " + inside);
Object.assign(window, { app, actions, errors, ready: true });
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({ pages: { "/page.html": html } });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function inPage(name, body, expected) {
  test(name, async () => {
    await withPage(browser, `${server.url}/page.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      assert.deepEqual(await page.evaluate(body), expected);
    });
  });
}

inPage("a mounted surface does not call a function that data names", async () => {
  const calls = [];
  const wipe = (args) => calls.push(args);
  const named = { call: "wipe", args: {} };
  const bound = { binding: { key: "named" } };
  const text = { call: "formatString", args: { value: bound } };
  const checks = [{ condition: bound }, { condition: { call: "not", args: { value: bound } } }];
  const components = [
    { id: "text", component: "Text", text: bound },
    { id: "filled", component: "Text", text },
    { id: "field", component: "TextField", label: "l", value: { binding: { key: "x" } }, checks },
    {
      id: "button",
      component: "Button",
      child: "go",
      action: { event: { name: "n", context: { bound } }, functionCall: bound },
    },
    { id: "go", component: "Text", text: "Go" },
  ];
  show(components, { named: "none" }, { wipe });
  surface.store.apply({ root: { named, x: "" } });
  surface.validity();
  at("button").click();
  const shown = [at("text").textContent, at("filled").textContent];
  surface.store.apply({ root: { named: "${wipe()}", x: "" } });
  return [calls, actions, ...shown, at("filled").textContent];
}, [[], ["n"], ...Array(2).fill(JSON.stringify({ call: "wipe", args: {} })), "${wipe()}"]);

inPage("the function of a property is called again when its data changes", () => {
  const text = { call: "shout", args: { value: { binding: { key: "name" } } } };
  const shout = ({ value }) => `${value}!`;
  show([{ id: "text", component: "Text", text }], { name: "Ada" }, { shout });
  const texts = [at("text").textContent];
  surface.store.apply({ root: { name: "Grace" } });
  return [...texts, at("text").textContent];
}, ["Ada!", "Grace!"]);

inPage("a check receives the field's value and bound values, also in `and` and `not`", () => {
  const bound = (key) => ({ binding: { key } });
  const same = { call: "same", args: { value: bound("again"), other: bound("password") } };
  const field = (id, condition) => ({
    ...{ id, component: "TextField", label: id, value: bound("again") },
    checks: [{ condition, message: "Not the same" }],
  });
  const nested = { call: "and", args: { values: [true, same] } };
  const negated = { call: "not", args: { value: same } };
  show(
    [field("plain", same), field("nested", nested), field("negated", negated)],
    { password: "abc", again: "" },
    { same: ({ value, other }) => value === other },
  );
  const type = (id, value) => {
    const input = at(id, "input");
    input.value = value;
    for (const event of ["input", "change", "blur"]) input.dispatchEvent(new Event(event));
  };
  const seen = () => ["plain", "nested", "negated"].map((id) => !at(id, ".bn-message").hidden);
  for (const id of ["plain", "nested", "negated"]) type(id, "ab");
  const wrong = seen();
  type("plain", "abc");
  return [wrong, seen(), errors];
}, [[true, true, false], [false, false, true], []]);

inPage(
  "an action runs with its arguments, without an event, and its errors are reported",
  () => {
    const args = {
      text: { binding: { key: "name" } },
      twice: { call: "shout", args: { value: "a" } },
    };
    const go = (id, call) => ({
      ...{ id, component: "Button", child: "go" },
      action: { functionCall: { call, args } },
    });
    const ran = [];
    show(
      [
        go("copy", "copy"),
        go("fails", "fails"),
        go("other", "other"),
        { id: "go", component: "Text", text: "Go" },
      ],
      { name: "Ada" },
      {
        copy: async (given) => void ran.push(given),
        shout: ({ value }) => `${value}!`,
        fails: () => {
          throw new Error("no luck");
        },
      },
    );
    for (const button of app.querySelectorAll("button")) button.click();
    return { ran, actions, errors };
  },
  { ran: [{ text: "Ada", twice: "a!" }], actions: ["other"], errors: ["no luck"] },
);
