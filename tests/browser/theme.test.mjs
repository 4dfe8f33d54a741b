// Theme of an agent: its primary colour becomes the accent colour of the surface.
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
/** Shows a primary button on a surface with a theme. Returns its colours. */
window.colors = (theme) => {
  app.replaceChildren();
  const surface = new Surface({ catalog: basicCatalog });
  mount(surface, app);
  const components = [
    { id: "root", component: "Button", variant: "primary", child: "t", action: { event: { name: "a" } } },
    { id: "t", component: "Text", text: "Go" },
  ];
  surface.receive({ createSurface: { surfaceId: "s", theme, components } });
  const { backgroundColor, color } = getComputedStyle(app.querySelector("button"));
  return [backgroundColor, color];
};
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

test("the primary colour of a theme is the accent, with readable text", () =>
  withPage(browser, `${server.url}/page.html`, {}, async (page) => {
    await page.waitForFunction(() => window.ready);
    const colors = (theme) => page.evaluate((one) => window.colors(one), theme);
    const black = "rgb(0, 0, 0)";
    const white = "rgb(255, 255, 255)";
    const usual = await colors({});
    assert.deepEqual(await colors({ primaryColor: "#003300" }), ["rgb(0, 51, 0)", white]);
    assert.deepEqual(await colors({ primaryColor: "#FFEE00" }), ["rgb(255, 238, 0)", black]);
    // Other values could contain any style.
    for (const primaryColor of ["red", "#fff", "url(x)", 5, null])
      assert.deepEqual(await colors({ primaryColor }), usual);
  }));
