// A page with a surface of the built package, for tests of what a person does with one.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./served.mjs";

pages["/used.html"] =
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname/ham":"/pkg/ham/index.web.js","byname/dom":"/pkg/dom.js"}}</script>
<style>body { margin: 8px }</style>
<main id="host"></main>
<script type="module">
import { init, Surface } from "byname/ham";
import { basicCatalog, mount } from "byname/dom";
await init();
/** Shows components over nodes; root comes first. */
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

/** A property that is bound. */
export const bound = (key) => ({ binding: { key } });

/** A test of that page. */
export function inPage(name, body, options = {}) {
  test(name, async () => {
    await withPage(browser, `${server.url}/used.html`, options, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}
