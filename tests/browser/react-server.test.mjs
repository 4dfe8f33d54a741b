// React on a server and in the page: a surface with React components hydrates without warnings and new elements.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { basicCatalog } from "byname/dom";
import { Surface } from "byname/ham/inline";
import * as bindings from "byname/react";
import * as React from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { launchBrowser, withPage } from "./browser.mjs";
import { bundleReact } from "./react-page.mjs";
import { makeApp, makeGreeting } from "./react-server-app.mjs";
import { serve } from "./server.mjs";

const { App } = makeApp({ ...React, ...bindings, basicCatalog }, Surface);
const wrapped = React.createElement(React.StrictMode, null, React.createElement(App));
const html = renderToString(wrapped);

const greeting = makeGreeting({ ...React, ...bindings, basicCatalog }, Surface);
const greetingHtml = renderToString(React.createElement(greeting));

let browser;
let server;
let bundle;
before(async () => {
  bundle = await bundleReact();
  const page = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title><body>
<div id="app">${html}</div><script type="module">
import "${bundle.script}";
import { makeApp } from "/tests/browser/react-server-app.mjs";
window.made = makeApp(window, Surface);
window.at = (key) => document.querySelector("[data-key='" + key + "']");
window.hydrate = async (strict) => {
  const app = h(made.App);
  flushSync(() => (window.root = hydrateRoot(document.querySelector("#app"), strict ? h(StrictMode, null, app) : app, {
    onRecoverableError: (error) => console.error(String(error)),
  })));
  // React hydrates the content of a Suspense later, and the renderer removes these attributes.
  for (let frames = 0; frames < 200; frames += 1) {
    await settled();
    if (!document.querySelector("#inner [data-bn]")) return;
  }
};
window.set = true;
</script>`;
  const greetingPage = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title><body>
<div id="app">${greetingHtml}</div><script type="module">
import "${bundle.script}";
import { makeGreeting } from "/tests/browser/react-server-app.mjs";
window.first = document.querySelector(".bn-text");
hydrateRoot(document.querySelector("#app"), h(makeGreeting(window, Surface)), {
  onRecoverableError: (error) => console.error(String(error)),
});
</script>`;
  server = await serve({ pages: { "/page.html": page, "/greeting.html": greetingPage } });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
  bundle?.remove();
});

test("the server renders the complete surface, with React components in their positions and contexts", async () => {
  assert.match(html, /<h1|role="heading"/);
  assert.match(html, /heading &amp; &lt;b&gt;/);
  assert.match(html, /<button type="button">inside red 0<\/button>/);
  assert.match(html, /<button type="button">A none 0<\/button>/);
  assert.match(html, /<p id="bound">Title<\/p>/);
  assert.doesNotMatch(html, /class="[^"]*bn-waiting/);
  const streamed = await new Promise((resolve, reject) => {
    const chunks = [];
    const { pipe } = renderToPipeableStream(wrapped, {
      onError: reject,
      onAllReady: () =>
        pipe({
          write: (chunk) => chunks.push(chunk),
          end: () => resolve(Buffer.concat(chunks.map(Buffer.from)).toString()),
          on: () => {},
          once: () => {},
          emit: () => {},
        }),
    });
  });
  assert.match(streamed, /inside red 0/);
});

for (const strict of [false, true]) {
  test(`hydration replaces no elements${strict ? ", also in StrictMode" : ""}`, async () => {
    await withPage(browser, `${server.url}/page.html`, {}, async (page) => {
      await page.waitForFunction(() => window.set);
      await page.getByLabel("Name").press("End");
      await page.getByLabel("Name").pressSequentially("!");
      await page.getByLabel("B", { exact: true }).fill("typed");
      const seen = await page.evaluate(async (strict) => {
        const before = [...document.querySelectorAll("#app *:not(style)")];
        await hydrate(strict);
        const after = [...document.querySelectorAll("#app *:not(style)")];
        const surface = made.surface();
        const first = {
          same: before.filter((one) => !after.includes(one)).map((one) => one.className),
          fresh: after.filter((one) => !before.includes(one)).map((one) => one.className),
          focus: document.activeElement.getAttribute("aria-label"),
          typed: at("root/rows/row:b").querySelector("input").value,
          written: surface.store.get("root").title,
          bound: document.querySelector("#bound").textContent,
        };
        const row = at("root/rows/row:a").querySelector("section");
        row.querySelector("button").click();
        const leaf = document.querySelector("article section button");
        leaf.click();
        await settled();
        made.renders.length = 0;
        surface.store.apply({
          a: { label: "A2" },
          root: { title: "Now", rows: ["*b", "*c", "*a"] },
          c: { label: "C" },
        });
        await settled();
        const second = {
          rows: [...at("root/rows").querySelectorAll("section button")].map(
            (one) => one.textContent,
          ),
          moved: row === at("root/rows/row:a").querySelector("section"),
          leaf: leaf.textContent,
          rendered: [...new Set(made.renders)].sort(),
          title: at("root/title").textContent,
        };
        flushSync(() => document.querySelector("#panel").click());
        await settled();
        const closed = document.querySelectorAll("article section").length;
        flushSync(() => document.querySelector("#panel").click());
        await settled();
        const open = [...document.querySelectorAll("article section button")].map(
          (one) => one.textContent,
        );
        flushSync(() => root.unmount());
        await settled();
        return { first, second, closed, open, left: document.querySelector("#app").innerHTML };
      }, strict);
      assert.deepEqual(seen, {
        first: {
          same: ["bn-status", "bn-status"],
          fresh: ["bn-status", "bn-status"],
          focus: "B",
          typed: "typed",
          written: "Title!",
          bound: "Title!",
        },
        second: {
          rows: ["B none 0", "C none 0", "A2 none 1"],
          moved: true,
          leaf: "inside red 1",
          rendered: ["A2", "C"],
          title: "Now",
        },
        closed: 0,
        open: ["inside red 0"],
        left: "",
      });
    });
  });
}

test("an owner inside of a Suspense may change its surface in its first effect", async () => {
  assert.match(greetingHtml, /from the server/);
  await withPage(browser, `${server.url}/greeting.html`, {}, async (page) => {
    await page.getByText("from the page").waitFor();
    assert.ok(await page.evaluate(() => first === document.querySelector(".bn-text")));
  });
});
