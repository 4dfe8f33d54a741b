// Runs the ```js page blocks of the documentation unchanged; each must display
// a surface.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import { launchBrowser, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const manifest = JSON.parse(read("package.json"));

const documents = [
  "README.md",
  ...readdirSync(new URL("docs/", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const examples = documents.flatMap((path) =>
  [...read(path).matchAll(/^```js page\n(.*?)^```$/gms)].map(([, code]) => ({ path, code })),
);

const imports = Object.fromEntries(
  Object.entries(manifest.exports)
    .map(([path, target]) => [manifest.name + path.slice(1), target.browser ?? target.default])
    .filter(([, file]) => file?.endsWith(".js"))
    .map(([name, file]) => [name, file.slice(1)]),
);

const said = [
  { createSurface: { surfaceId: "s" } },
  {
    updateComponents: {
      surfaceId: "s",
      components: [{ id: "root", component: "Text", text: { binding: { key: "title" } } }],
    },
  },
  { updateDataModel: { surfaceId: "s", nodes: { root: { title: "from the agent" } } } },
];
const agent = said.map((message) => JSON.stringify(message)).join("\n");
/** The same in plain A2UI. */
const a2uiAgent = agent
  .replace('{"binding":{"key":"title"}}', '{"path":"/title"}')
  .replace('"nodes":{"root":{"title":"from the agent"}}', '"value":{"title":"from the agent"}');

/** Declarations that examples use without defining them. */
const around = {
  surface: "new byname.Surface({ catalog: dom.basicCatalog })",
  mount: "dom.mount",
  send: "() => {}",
  question: '"who?"',
};

/** Returns the page of an example: missing declarations, the example, and code that displays its surface. */
function pageOf(code) {
  const given = Object.entries(around).filter(
    ([name]) => !new RegExp(`const ${name}\\b|import \\{[^}]*\\b${name}\\b`).test(code),
  );
  const scope = given.map(([name, value]) => `const ${name} = ${value};`);
  const received = code.includes("receiveAll")
    ? ""
    : `await receiving(surface, ${JSON.stringify(agent)});`;
  const shown =
    code.includes("surface;") || code.includes("mount(")
      ? ""
      : "dom.mount(surface, document.body);";
  return `<!doctype html><title>example</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<div id="app"></div>
<script type="module">
import * as byname from "byname";
import * as dom from "byname/dom";
import { receiveAll as receiving } from "byname/messages";
await byname.init();
${scope.join("\n")}
${code}
${received}
${shown}
document.title = "done";
</script>`;
}

let browser;
let server;
let a2uiServer;
before(async () => {
  browser = await launchBrowser();
  const pages = Object.fromEntries(examples.map(({ code }, at) => [`/${at}.html`, pageOf(code)]));
  server = await serve({ pages: { ...pages, "/agent": agent } });
  a2uiServer = await serve({ pages: { ...pages, "/agent": a2uiAgent } });
});
after(async () => {
  await browser?.close();
  await server?.close();
  await a2uiServer?.close();
});

test("the documentation has page examples", () =>
  assert.ok(examples.length >= 6, `${examples.length}`));

for (const [at, { path, code }] of examples.entries()) {
  test(`${path}: ${code.split("\n").find((line) => /^(?!import|$)/.test(line))}`, async () => {
    const { url } = code.includes("a2ui: true") ? a2uiServer : server;
    await withPage(browser, `${url}/${at}.html`, {}, async (page) => {
      await page.waitForFunction(() => document.title === "done");
      // The developer tools show the text, too.
      await page.getByText("from the agent").first().waitFor();
    });
  });
}
