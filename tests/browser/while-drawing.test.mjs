// Changes during rendering or hydration are displayed, and fields have their current names.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { Surface } from "byname/ham/inline";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const bound = (key) => ({ binding: { key } });
const messages = [
  {
    createSurface: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["name", "echo", "agree", "again"] },
        { id: "name", component: "TextField", label: "Name", value: bound("name") },
        { id: "echo", component: "Text", text: bound("name") },
        { id: "agree", component: "CheckBox", label: "Agree", value: bound("agree") },
        { id: "again", component: "CheckBox", label: "Agree again", value: bound("agree") },
      ],
    },
  },
  { updateDataModel: { surfaceId: "s", nodes: { root: { name: "Ann", agree: false } } } },
];

function surfaceOf(all) {
  const surface = new Surface({ catalog: basicCatalog });
  for (const message of all) assert.ok(surface.receive(message).ok);
  return surface;
}

const page = (inside) => `<!doctype html><html lang="en"><link rel="icon" href="data:,">
<title>test</title><div id="app">${inside}</div><script type="module">
import { init, Surface } from "/pkg/ham/index.inline.js";
import { basicCatalog, mount } from "/pkg/dom.js";
await init();
const app = document.querySelector("#app");
const surfaceOf = (messages, options) => {
  const surface = new Surface({ catalog: basicCatalog, ...options });
  for (const message of messages) surface.receive(message);
  return surface;
};
Object.assign(window, { app, mount, surfaceOf, ready: true });
window.at = (key, inside = "") => app.querySelector("[data-key='" + key + "'] " + inside);
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({
    pages: { "/empty.html": page(""), "/drawn.html": page(renderToString(surfaceOf(messages))) },
  });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function testInPage(name, at, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}${at}`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}

testInPage(
  "input from before hydration is displayed at all its bindings",
  "/drawn.html",
  async (page) => {
    await page.fill("[data-key='root/name'] input", "Annie");
    await page.check("[data-key='root/agree'] input");
    const seen = await page.evaluate((messages) => {
      const surface = surfaceOf(messages);
      mount(surface, app, { hydrate: true });
      return {
        data: surface.store.get("root"),
        name: at("root/name", "input").value,
        echo: at("root/echo").textContent,
        checked: ["root/agree", "root/again"].map((key) => at(key, "input").checked),
      };
    }, messages);
    const data = { name: "Annie", agree: true };
    assert.deepEqual(seen, { data, name: "Annie", echo: "Annie", checked: [true, true] });
  },
);

testInPage("a write during creation updates earlier components", "/empty.html", async (page) => {
  const seen = await page.evaluate(() => {
    const bound = (key) => ({ binding: { key } });
    const surface = surfaceOf([
      {
        createSurface: {
          surfaceId: "s",
          components: [
            { id: "root", component: "Column", children: ["before", "own", "list"] },
            { id: "before", component: "Text", text: bound("x") },
            { id: "own", component: "Own", value: bound("x") },
            {
              id: "list",
              component: "List",
              children: { binding: { node: "rows" }, template: "row" },
            },
            { id: "row", component: "Text", text: bound("t") },
          ],
        },
      },
      { updateDataModel: { surfaceId: "s", nodes: { root: { x: "old" } } } },
    ]);
    const Own = (node, context) => {
      context.input(node, "new");
      surface.store.apply({ rows: ["*r"], r: { t: "row" } });
      return { element: document.createElement("p"), set: () => {} };
    };
    mount(surface, app, { components: { Own } });
    return [at("root/before").textContent, app.textContent, surface.tree().children.length];
  });
  assert.deepEqual(seen, ["new", "newrow", 3]);
});

testInPage(
  "a field without a label has the name of its current placeholder",
  "/empty.html",
  async (page) => {
    const names = await page.evaluate(() => {
      const surface = surfaceOf([
        {
          createSurface: {
            surfaceId: "s",
            components: [
              {
                id: "root",
                component: "TextField",
                placeholder: { binding: { key: "hint" } },
                variant: { binding: { key: "variant" } },
                checks: [
                  {
                    condition: { call: "required", args: { value: { binding: { key: "v" } } } },
                    message: "needed",
                  },
                ],
                value: { binding: { key: "v" } },
              },
            ],
          },
        },
      ]);
      mount(surface, app);
      const name = () => app.querySelector("input, textarea").getAttribute("aria-label");
      const names = [name()];
      for (const hint of ["Your e-mail", ""]) {
        surface.store.apply({ root: { hint, v: "", variant: "shortText" } });
        names.push(name());
      }
      surface.store.apply({ root: { hint: "Long", v: "", variant: "longText" } });
      surface.store.apply({ root: { hint: "Longer", v: "", variant: "longText" } });
      const control = app.querySelector("textarea");
      control.dispatchEvent(new Event("blur"));
      return [...names, name(), control.getAttribute("aria-invalid")];
    });
    assert.deepEqual(names, ["root", "Your e-mail", "root", "Longer", "true"]);
  },
);

testInPage("a write during an update updates later components", "/empty.html", async (page) => {
  const seen = await page.evaluate(() => {
    const value = { binding: { key: "a" } };
    const components = [
      { id: "root", component: "Column", children: ["own", "text"] },
      { id: "own", component: "Clamp", value },
      { id: "text", component: "Text", text: value },
    ];
    const surface = surfaceOf([{ createSurface: { surfaceId: "s", components } }]);
    surface.store.apply({ root: { a: 1 } });
    const Clamp = (node, context) => ({
      element: document.createElement("i"),
      set: (_, given) => {
        if (given > 100) context.input(node, 100);
      },
    });
    mount(surface, app, { components: { Clamp } });
    surface.store.apply({ root: { a: 200 } });
    return [surface.store.get("root").a, at("root/text").textContent];
  });
  assert.deepEqual(seen, [100, "100"]);
});

testInPage(
  "a bound URL, and one returned by a function, is opened",
  "/empty.html",
  async (page) => {
    const seen = await page.evaluate(() => {
      const opened = [];
      const actions = [];
      window.open = (url) => void opened.push(url);
      const format = { call: "formatString", args: { value: "https://example.org/made" } };
      const urls = [
        "https://example.org/plain",
        { binding: { key: "url" } },
        format,
        "javascript:x",
      ];
      const buttons = urls.map((url, index) => ({
        id: `b${index}`,
        component: "Button",
        child: "t",
        action: { functionCall: { call: "openUrl", args: { url } } },
      }));
      const components = [
        { id: "root", component: "Column", children: buttons.map(({ id }) => id) },
        ...buttons,
        { id: "t", component: "Text", text: "go" },
      ];
      const surface = surfaceOf([{ createSurface: { surfaceId: "s", components } }], {
        onAction: ({ context }) => actions.push(context.url),
      });
      surface.store.apply({ root: { url: "https://example.org/bound" } });
      mount(surface, app);
      for (const button of app.querySelectorAll("button")) button.click();
      // An action that is triggered by code is reported.
      surface.trigger("root/b1", "action");
      return { opened, actions };
    });
    const [plain, bound, made] = ["plain", "bound", "made"].map(
      (end) => `https://example.org/${end}`,
    );
    assert.deepEqual(seen, { opened: [plain, bound, made], actions: ["javascript:x", bound] });
  },
);

testInPage(
  "what has no label in `accessibility` keeps the name that it has without",
  "/empty.html",
  async (page) => {
    const names = await page.evaluate(() => {
      const accessibility = { description: "more" };
      const components = [
        { id: "root", component: "Column", children: ["f", "i", "j"] },
        { id: "f", component: "TextField", value: { binding: { key: "q" } }, accessibility },
        { id: "i", component: "Icon", name: "star", accessibility },
        { id: "j", component: "Icon", accessibility, name: "star" },
      ];
      mount(surfaceOf([{ createSurface: { surfaceId: "s", components } }]), app);
      const named = [at("root/f", "input"), at("root/i"), at("root/j")];
      return named.map((one) => one.getAttribute("aria-label"));
    });
    assert.deepEqual(names, ["f", "star", "star"]);
  },
);

testInPage("numbers are converted to text also on hydration", "/drawn.html", async (page) => {
  const seen = await page.evaluate((messages) => {
    const Own = (_, context) => {
      const element = context.document.createElement("p");
      element.replaceChildren("CHF ", 3);
      return { element, set: () => {} };
    };
    mount(surfaceOf(messages), app, { hydrate: true, components: { Text: Own } });
    return at("root/echo").textContent;
  }, messages);
  assert.equal(seen, "CHF 3");
});

testInPage("a custom component can write and trigger any value", "/empty.html", async (page) => {
  const seen = await page.evaluate(() => {
    const catalog = { components: { Book: { input: ["pages"], actions: ["onOpen"] } } };
    const actions = [];
    const surface = surfaceOf(
      [
        {
          createSurface: {
            surfaceId: "s",
            components: [
              {
                id: "root",
                component: "Book",
                pages: { binding: { key: "pages" } },
                onOpen: { event: { name: "opened" } },
              },
            ],
          },
        },
      ],
      { catalog, onAction: ({ name }) => actions.push(name) },
    );
    const Book = (node, context) => {
      const element = document.createElement("button");
      element.addEventListener("click", () => {
        context.input(node, 7, "pages");
        context.trigger(node, "onOpen");
      });
      return { element, set: () => {} };
    };
    mount(surface, app, { components: { Book } });
    app.querySelector("button").click();
    return [surface.store.get("root"), actions];
  });
  assert.deepEqual(seen, [{ pages: 7 }, ["opened"]]);
});
