// Page with a surface of the built package, for tests of user input.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

pages["/used.html"] =
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname/ham":"/pkg/ham/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<style>body { margin: 8px }</style>
<main id="host"></main>
<script type="module">
import { init, Surface } from "byname/ham";
import { basicCatalog, mount } from "byname/dom";
await init();
/** Mounts components over nodes. */
window.show = (components, nodes = {}, options = {}) => {
  window.actions = [];
  window.surface = new Surface({ catalog: basicCatalog, onAction: (action) => actions.push(action) });
  window.store = surface.store;
  describe(components);
  store.apply(nodes);
  window.stop = mount(surface, document.querySelector("#host"), options);
};
window.describe = (components) => surface.receive({ updateComponents: { surfaceId: "s", components } });
window.at = (key) => document.querySelector("[data-key='" + key + "']");
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
</script></html>`;

/** Returns a property that is bound to a key. */
export const bindTo = (key) => ({ binding: { key } });

/** Defines a test in that page. */
export function testInPage(name, body, options = {}) {
  test(name, async () => {
    await withPage(browser, `${server.url}/used.html`, options, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}
