// Pages with server-rendered HTML of an order form with a field of each type.
import assert from "node:assert/strict";
import { test } from "node:test";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { Surface } from "byname/ham/inline";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

export const icon =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>';
export const script = `<script type="module">
import { init, Surface } from "/pkg/ham/index.inline.js";
import { basicCatalog, mount } from "/pkg/dom.js";
Object.assign(window, { Surface, basicCatalog, mount });
window.scripted = (tree) => ({ tree: () => tree, subscribe: () => () => {}, input: () => {}, trigger: () => {} });
/** Returns an element and its descendants as JSON; generated ids are numbered in document order. */
window.shown = (top) => {
  const ids = new Map();
  const known = (text) => text.replace(/bn-s?\\d+/g, (id) => ids.set(id, ids.get(id) ?? "id" + ids.size).get(id));
  const walk = (one) => one.nodeType === 3 ? one.data : {
    tag: one.localName,
    attributes: [...one.attributes]
      .filter(({ name }) => !["value", "checked", "style", "class", "data-bn"].includes(name))
      .map(({ name, value }) => name + "=" + known(value)).sort(),
    classes: [...one.classList].sort(), style: one.style.cssText, value: one.value ?? "", checked: one.checked ?? "",
    children: one.localName === "textarea" ? [] : [...one.childNodes].map(walk),
  };
  return JSON.stringify(walk(top));
};
/** Returns the classes of the elements that are added or removed while the task runs. */
window.moved = (inside, task) => {
  const observer = new MutationObserver(() => {});
  observer.observe(inside, { subtree: true, childList: true });
  task();
  return observer.takeRecords().flatMap(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes])
    .filter((one) => one.nodeType === 1 && !one.matches(".bn-style, .bn-status")).map((one) => one.className);
};
window.ready = true;
</script>`;
export const order = [
  {
    id: "root",
    component: "Column",
    children: ["title", "name", "long", "agree", "size", "amount", "tabs", "list", "send"],
  },
  { id: "title", component: "Text", variant: "h2", text: "A **bold** title" },
  { id: "name", component: "TextField", label: "Name", value: { binding: { key: "name" } } },
  {
    id: "long",
    component: "TextField",
    label: "Note",
    variant: "longText",
    value: { binding: { key: "note" } },
  },
  { id: "agree", component: "CheckBox", label: "Agree", value: { binding: { key: "agree" } } },
  {
    id: "size",
    component: "ChoicePicker",
    label: "Size",
    variant: "mutuallyExclusive",
    options: [
      { label: "S", value: "s" },
      { label: "L", value: "l" },
    ],
    value: { binding: { key: "size" } },
  },
  {
    id: "amount",
    component: "Slider",
    label: "Amount",
    min: 0,
    max: 7,
    value: { binding: { key: "amount" } },
  },
  {
    id: "tabs",
    component: "Tabs",
    tabs: [
      { title: "One", child: "a" },
      { title: "Two", child: "b" },
    ],
  },
  { id: "a", component: "Text", text: "first" },
  { id: "b", component: "Text", text: "second" },
  { id: "list", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Card", child: "word" },
  { id: "word", component: "Text", text: { binding: { key: "word" } } },
  {
    id: "send",
    component: "Button",
    child: "label",
    action: { event: { name: "send", context: { name: { binding: { key: "name" } } } } },
  },
  { id: "label", component: "Text", text: "Send" },
];
export const data = {
  root: {
    name: "Ann",
    note: '\n<b>"two" & three</b>',
    agree: false,
    size: "s",
    amount: 2.5,
    rows: ["*r1", "*r2"],
  },
  r1: { word: "one" },
  r2: { word: "two" },
};

export const messages = [
  { createSurface: { surfaceId: "s", components: order } },
  { updateDataModel: { surfaceId: "s", nodes: data } },
];

/** Returns a surface that has received the messages. */
export function createSurface(received) {
  const surface = new Surface({ catalog: basicCatalog });
  for (const message of received) assert.ok(surface.receive(message).ok);
  return surface;
}

/** Page as a server sends it; the test starts the hydration. */
const page = `${icon}<body><div id="app">${renderToString(createSurface(messages))}</div><p id="after">after</p>${script}
<script type="module">
window.filled = (changed = []) => {
  const surface = new Surface({ catalog: basicCatalog, onAction: ({ context }) => (window.sent = context) });
  for (const message of [...${JSON.stringify(messages).replaceAll("<", "\\u003c")}, ...changed]) surface.receive(message);
  return surface;
};
window.app = document.querySelector("#app");
window.at = (key) => app.querySelector("[data-key='" + key + "']");
</script>`;

pages["/empty.html"] = `${icon}<div id="app"></div>${script}`;
pages["/order.html"] = page;

/** Defines a test in one of these pages. */
export function testInPage(name, address, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/${address}`, {}, async (page) => {
      await page.waitForFunction(() => window.ready && document.readyState === "complete");
      await body(page);
    });
  });
}
