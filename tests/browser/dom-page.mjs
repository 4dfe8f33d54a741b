// Page with a scripted surface, so that each test specifies the changes that the renderer receives.
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

pages["/dom.html"] =
  `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname/dom":"/pkg/dom.js"}}</script>
<div id="host" style="width:600px"></div>
<script type="module">
import { mount } from "byname/dom";
window.mount = mount;
window.make = (id, component, props = {}, children = [], more = {}) => ({ id, component, key: id, props, children, ...more });
window.scripted = (tree) => {
  const listeners = new Set();
  const calls = [];
  return {
    calls,
    tree: () => tree,
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    input: (...call) => calls.push(["input", ...call]),
    trigger: (...call) => calls.push(["trigger", ...call]),
    emit: (...changes) => { for (const listener of listeners) listener(changes); },
  };
};
window.show = (tree, options) => {
  window.surface = scripted(tree);
  window.stop = mount(surface, document.querySelector("#host"), options);
  window.at = (key) => document.querySelector("[data-key='" + key + "']");
};
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
</script>`;

/** Defines a test in that page. */
export function testInPage(name, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/dom.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}
