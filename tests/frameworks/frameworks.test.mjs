// Builds each recipe of docs/frameworks.md and operates it; all must behave the same.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "../browser/browser.mjs";
import { serve } from "../browser/server.mjs";
import { buildApp, names, reacts, readmeExample, recipes, removeApps } from "./apps.mjs";

const apps = recipes();
let browser;
let server;
before(async () => {
  server = await serve();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
  removeApps();
});

for (const [name, react] of [...names.map((one) => [one]), ["React", reacts.oldest]]) {
  test(react ? `${name}, the oldest` : name, async () => {
    const files = apps.get(name);
    assert.ok(files.size >= 3, "docs/frameworks.md has the files of the recipe");
    const { path, complaints } = await buildApp(name, files, react);
    assert.deepEqual(complaints, []);
    await withPage(browser, server.url + path, {}, async (page) => {
      const rating = (dish) => page.getByLabel(dish);
      // The surface is streamed: first a title and one row, then another one.
      await page.getByRole("heading", { name: "How was it?" }).waitFor();
      await rating("Cake").waitFor();
      assert.equal(await rating("Soup").inputValue(), "2");
      assert.equal(await rating("Cake").inputValue(), "5");
      const text = (id, wanted) =>
        page.waitForFunction(
          ([id, wanted]) => {
            const all = (root) =>
              [...root.querySelectorAll("*")].flatMap((one) =>
                one.shadowRoot ? [one, ...all(one.shadowRoot)] : [one],
              );
            return all(document).find((one) => one.id === id)?.textContent === wanted;
          },
          [id, wanted],
        );
      await text("bound", "Soup: 2");

      const field = await rating("Soup").elementHandle();
      await rating("Soup").fill("4");
      await text("bound", "Soup: 4");
      assert.ok(await field.evaluate((one) => one.isConnected), "the field is the same element");

      await page.getByRole("button", { name: "Send" }).click();
      await text("sent", "send cake");

      // Remove it and show it again while it streams; the removed one must not report errors.
      const toggle = page.locator("#toggle");
      await toggle.click();
      await page.locator(".bn-surface").waitFor({ state: "detached" });
      await toggle.click();
      await toggle.click();
      await toggle.click();
      await rating("Cake").waitFor();
      assert.equal(await rating("Soup").inputValue(), "2");
      assert.equal(await page.locator(".bn-surface").count(), 1);
    });
  });
}

test("the example of the README works", async () => {
  const { path, complaints } = await buildApp("React", readmeExample());
  assert.deepEqual(complaints, []);
  const components = [
    { id: "root", component: "Column", children: ["stars", "send"] },
    { id: "stars", component: "Rating", stars: { binding: { key: "stars" } } },
    {
      id: "send",
      component: "Button",
      child: "word",
      action: { event: { name: "rate", context: { stars: { binding: { key: "stars" } } } } },
    },
    { id: "word", component: "Text", text: "Send" },
  ];
  const messages = [
    { createSurface: { surfaceId: "s", components } },
    { updateDataModel: { nodes: { root: { stars: 2 } } } },
  ];
  const body = messages.map((message) => JSON.stringify(message)).join("\n");
  // Not `withPage`, which reports an aborted request as failed.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const reported = [];
    page.on("console", (message) => reported.push(message.text()));
    page.on("pageerror", (error) => reported.push(String(error)));
    await page.route("**/agent", (route) => route.fulfill({ body }));
    await page.goto(server.url + path);
    await page.getByRole("slider").fill("4");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("rate 4").waitFor();
    const toggle = page.getByRole("button", { name: "Show or hide" });
    for (let n = 0; n < 3; n += 1) await toggle.click();
    await page.locator(".bn-surface").waitFor({ state: "detached" });
    await toggle.click();
    await page.locator("[type=range][value='2']").waitFor();
    assert.deepEqual(reported, []);
  } finally {
    await context.close();
  }
});
