// Runs each recipe of docs/recipes.md: its server in Node, and its page in Chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { launchBrowser, withPage } from "../browser/browser.mjs";
import { files, folder, removeApps, servePage, startAgent, writeApps } from "./apps.mjs";

let browser;
before(async () => {
  writeApps();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  removeApps();
});

/** Fills the form that the agent has streamed, and waits for its second answer. */
async function book(page) {
  await page.getByRole("heading", { name: "Book a table" }).waitFor();
  assert.equal(await page.getByRole("slider", { name: "Guests" }).inputValue(), "2");
  await page.getByRole("textbox", { name: "Name" }).fill("Ann");
  await page.getByRole("slider", { name: "Guests" }).fill("4");
  await page.getByRole("button", { name: "Book" }).click();
  await page.getByRole("heading", { name: "A table for 4 is booked, Ann" }).waitFor();
  await page.getByRole("textbox", { name: "Name" }).waitFor({ state: "detached" });
}

for (const name of ["a2ui", "ham", "ag-ui", "a2a"]) {
  test(`${name}: the page shows the form, and the answer to its action`, async () => {
    const agent = await startAgent(name);
    const html = files.get("client/index.html");
    const server = await servePage(html, files.get(`${name}/page.js`), agent.port);
    try {
      // The pages print each diagnostic as a warning, which fails.
      await withPage(browser, server.url, {}, async (page) => {
        await book(page);
        assert.equal(await page.locator("#error").textContent(), "");
        const texts = name === "ag-ui" ? "One moment. One moment. " : "";
        assert.equal(await page.locator("#text").textContent(), texts);
      });
    } finally {
      await server.close();
      await agent.stop();
    }
  });
}

test("a page shows an error if its agent fails", async () => {
  const script = files.get("a2ui/page.js").replace('"/agent"', '"/missing"');
  const server = await servePage(files.get("client/index.html"), script, 0);
  try {
    const allowed = /404/;
    const check = (page) => page.locator("#error").getByText("404").waitFor();
    await withPage(browser, server.url, {}, check, allowed);
  } finally {
    await server.close();
  }
});

test("mcp-apps: a host shows the view, and passes its action to the server", async () => {
  const appFolder = join(folder, "mcp-apps");
  await build({
    root: appFolder,
    configFile: join(appFolder, "vite.config.js"),
    logLevel: "error",
  });
  const agent = await startAgent("mcp-apps");
  const host = fileURLToPath(new URL("host.js", import.meta.url));
  await build({
    root: appFolder,
    configFile: false,
    logLevel: "error",
    build: {
      lib: { entry: host, formats: ["es"], fileName: "host" },
      outDir: "host",
      copyPublicDir: false,
    },
  });
  const script = readFileSync(join(appFolder, "host/host.js"), "utf8");
  const server = await servePage(files.get("client/index.html"), script, agent.port);
  try {
    await withPage(browser, server.url, {}, (page) => book(page.frameLocator("iframe")));
  } finally {
    await server.close();
    await agent.stop();
  }
});
