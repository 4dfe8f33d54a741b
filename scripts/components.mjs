// Writes docs/components.md and its pictures: `npm run components`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import { componentsPage, messagesOf, pictureOf, pressOf } from "../docs/site/components.mjs";
import { build } from "./build.mjs";
import { main, printStatus, root } from "./run.mjs";
import { ensureBrowser, ensureForBuild } from "./setup.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

const PAGE = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; font: 16px/1.4 system-ui, sans-serif; color-scheme: light; background: white }
#app { width: 320px; padding: 12px }
</style><div id="app"></div>`;

/** Serves the package and an empty page. */
function serve() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (!path.startsWith("/pkg/")) return response.setHeader("content-type", "text/html").end(PAGE);
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream");
    response.end(readFileSync(join(root, path)));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function takePicture(page, name) {
  const show = async (messages) => {
    const { init, Surface } = await import("/pkg/index.web.js");
    const { basicCatalog, mount } = await import("/pkg/dom.js");
    await init();
    const surface = new Surface({ catalog: basicCatalog });
    for (const message of messages) surface.receive(message);
    mount(surface, document.querySelector("#app"));
  };
  await page.evaluate(show, messagesOf(name));
  const press = pressOf(name);
  if (press) await page.getByText(press).click();
  await page.evaluate(() => document.fonts.ready);
  const path = join(root, "docs", pictureOf(name));
  if (press) await page.screenshot({ path, animations: "disabled" });
  else await page.locator("#app").screenshot({ path, animations: "disabled" });
}

await main(async () => {
  await ensureForBuild();
  await build();
  const { basicCatalog } = await import("../pkg/dom.js");
  const names = Object.keys(basicCatalog.components);
  writeFileSync(join(root, "docs/components.md"), componentsPage(basicCatalog));
  mkdirSync(join(root, "docs/components"), { recursive: true });
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args });
  const server = await serve();
  try {
    const viewport = { width: 344, height: 200 };
    for (const name of names) {
      const page = await browser.newPage({ viewport, deviceScaleFactor: 2 });
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await takePicture(page, name);
      await page.close();
    }
  } finally {
    await browser.close();
    server.close();
  }
  printStatus(`docs/components.md and ${names.length} pictures are written`);
});
