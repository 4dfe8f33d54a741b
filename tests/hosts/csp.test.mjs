// Runs the bundled package under the Content Security Policy of docs/security.md, with Trusted Types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../browser/browser.mjs";
import { serve } from "../browser/server.mjs";
import { look } from "./look.mjs";
import { expected, hostModule, page, project } from "./project.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const policy = /^script-src .*$/m.exec(readFileSync(join(root, "docs/security.md"), "utf8"))[0];

let browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser?.close());

for (const [entry, wasm] of [
  ["byname", 1],
  ["byname/inline", 0],
]) {
  test(`a page of ${entry} runs under the documented policy, and reports what is blocked under a stricter one`, async () => {
    const code = `import { init } from "${entry}";
      import { show } from "./app.js";
      await init();
      await show(document.querySelector("#app"));`;
    const html = page('<script type="module" src="./main.js"></script>');
    const as = `csp-${entry.replace("/", "-")}`;
    const folder = project("csp", { as, extra: { "main.js": code, "index.html": html } });
    const { build } = await hostModule("vite");
    await build({ root: folder, base: "./", configFile: false, logLevel: "error" });
    await under(policy, folder, (url) => look(browser, url, expected, { wasm }));
    await under(policy.replace(" 'wasm-unsafe-eval'", ""), folder, async (url) => {
      const tab = await browser.newPage();
      const failed = tab.waitForEvent("pageerror");
      await tab.goto(url);
      assert.match((await failed).message, /Content Security Policy lacks 'wasm-unsafe-eval'/);
      await tab.close();
    });
  });
}

/** Serves the build of a project under a policy. */
async function under(policy, folder, use) {
  const server = await serve({ headers: { "content-security-policy": policy } });
  try {
    await use(`${server.url}/${relative(root, folder)}/dist/`);
  } finally {
    await server.close();
  }
}
