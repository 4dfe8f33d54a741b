// Functions of an agent in a page: as a value, as a check and as an action of a mounted surface.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<div id="app"></div><script type="module">
import { init, Surface } from "/pkg/ham/index.inline.js";
import { a2uiTarget } from "/pkg/a2ui.js";
import { basicCatalog, mount } from "/pkg/dom.js";
await init();
const any = { args: { value: "any" } };
const catalog = basicCatalog.extend({
  functions: { greet: any, isFree: any, order: { args: {} } },
});
const toAgent = [];
const surface = new Surface({ catalog, onAction: (action) => target.sendAction(action) });
const target = a2uiTarget(surface, {
  catalogs: { shop: catalog },
  onMessage: (message) => toAgent.push(message),
});
const value = { "@path": "/name" };
const checks = [{ condition: { "@call": "isFree", args: { value } }, message: "Taken" }];
const components = [
  { id: "root", component: "Column", children: ["field", "text", "go"] },
  { id: "field", component: "TextField", label: "Name", value, checks },
  { id: "text", component: "Text", text: { "@call": "greet", args: { value } } },
  { id: "go", component: "Button", child: "label", action: { functionCall: { "@call": "order" } } },
  { id: "label", component: "Text", text: "Go" },
];
const create = { surfaceId: "s", catalogId: "shop", components, dataModel: { name: "Ann" } };
target.receive({ version: "v1.0", createSurface: create });
mount(surface, document.querySelector("#app"), { functions: target.functions });
/** Returns the calls since the last time, as name and value. */
window.calls = () => toAgent.splice(0).map(({ callAgentFunction: { functionCallId, callFunction } }) => {
  window.ids[callFunction.call] = functionCallId;
  return [callFunction.call, callFunction.args.value ?? null];
});
window.ids = {};
window.respond = (call, response) => target.receive({
  version: "v1.0",
  agentFunctionResponse: { functionCallId: window.ids[call], ...response },
});
window.ready = true;
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

test("a page shows the results of an agent, and follows the input of the user", () =>
  withPage(browser, `${server.url}/page.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const respond = (...args) => page.evaluate((all) => window.respond(...all), args);
    const text = page.locator("[data-id=text]");
    assert.deepEqual(await page.evaluate(() => window.calls()), [["greet", "Ann"]]);
    await respond("greet", { value: "Hello Ann" });
    await page.waitForFunction(() => document.body.textContent.includes("Hello Ann"));

    await page.locator("input").fill("Bob");
    await page.locator("input").blur();
    const calls = await page.evaluate(() => window.calls());
    assert.deepEqual(calls.filter(([, value]) => value === "Bob").sort(), [
      ["greet", "Bob"],
      ["isFree", "Bob"],
    ]);
    assert.equal(await text.textContent(), "");
    await respond("greet", { value: "Hello Bob" });
    await respond("isFree", { value: false });
    await page.waitForFunction(() => document.body.textContent.includes("Taken"));
    assert.equal(await text.textContent(), "Hello Bob");

    await page.locator("button").click();
    const clicked = await page.evaluate(() => window.calls());
    assert.deepEqual(clicked, [["order", null]]);
  }));
