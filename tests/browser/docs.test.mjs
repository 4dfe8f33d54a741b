// The built documentation site: links are valid, the search works, and all of it
// works as files, without a server.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";

const folder = fileURLToPath(new URL("../../www/dist/docs/", import.meta.url));
const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
const address = (name) => pathToFileURL(folder + name).href;

test("the targets of all links and images exist", () => {
  const html = new Map(pages.map((name) => [name, readFileSync(folder + name, "utf8")]));
  const ids = new Map(
    [...html].map(([name, text]) => [
      name,
      new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  let checked = 0;
  for (const [name, text] of html) {
    for (const [, link] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (/^(https?|mailto|data):/.test(link)) continue;
      const [file, anchor] = link.split("#");
      assert.ok(existsSync(folder + (file || name)), `${name}: ${link}`);
      if (anchor === undefined) continue;
      assert.ok(ids.get(file || name).has(decodeURIComponent(anchor)), `${name}: ${link}`);
      checked += 1;
    }
  }
  assert.ok(checked > 500, `only ${checked} links with an anchor`);
});

test("the reference has every export of the package, with its declaration", async () => {
  const exported = await import("byname");
  const page = readFileSync(`${folder}api-byname.html`, "utf8");
  for (const name of Object.keys(exported)) assert.ok(page.includes(`<h2 id="${name}">`), name);
  const { exports } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  for (const [path, target] of Object.entries(exports)) {
    if (!target.types || /inline|web|ham/.test(path)) continue;
    assert.ok(existsSync(`${folder}api-byname${path.slice(1).replaceAll("/", "-")}.html`), path);
  }
});

test("the search finds a diagnostic code with the keyboard, opened as a file", async () => {
  await withPage(browser, address("index.html"), {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("HAM027");
    await page.locator("#found li").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/diagnostic-codes.html#ham027");
    await page.locator("#ham027").waitFor();
  });
});

test("the search finds initials, frameworks, and other forms of a word", async () => {
  await withPage(browser, address("index.html"), {}, async (page) => {
    const finds = async (words, link) => {
      await page.fill("#search", words);
      await page.locator(`#found a[href="${link}"]`).waitFor();
    };
    for (const words of ["CSP", "csp", "content security"]) {
      await finds(words, "security.html#content-security-policy");
    }
    await finds("Angular", "frameworks.html#angular-and-others");
    await finds("SSE", "surface.html#messages-that-arrive-in-chunks");
    await finds("SSR", "surface.html#on-a-server");
    for (const words of ["hydration", "hydrated", "hydrating", "hydrate"]) {
      await finds(words, "frameworks.html#on-a-server");
    }
    for (const words of ["cache", "cached", "caching"]) await finds(words, "install.html#caching");
  });
});

test("the search reports when there are no results, and accepts any text", async () => {
  await withPage(browser, address("gasl.html"), {}, async (page) => {
    for (const words of ["zzzzzz", '"<zzscriptzz>', "((("]) {
      await page.fill("#search", words);
      await page.getByText(`Nothing has “${words}” in it.`).waitFor();
    }
    await page.keyboard.press("Escape");
    await page.locator("#found").waitFor({ state: "hidden" });
    await page.fill("#search", "provenance");
    await page.locator("#found a").first().waitFor();
  });
});

test("no page is wider than a phone or reports errors", async () => {
  const phone = { viewport: { width: 390, height: 844 } };
  await withPage(browser, address(pages[0]), phone, async (page) => {
    for (const name of pages) {
      await page.goto(address(name));
      const [inner, wide] = await page.evaluate(() => [
        document.documentElement.clientWidth,
        document.documentElement.scrollWidth,
      ]);
      assert.ok(wide <= inner, `${name} is ${wide} px wide`);
    }
  });
});

test("a block with a file name is shown with it", async () => {
  await withPage(browser, address("recipes.html"), {}, async (page) => {
    const file = page.locator("main p.file", { hasText: /^a2ui\/server\.mjs$/ });
    assert.match(await file.locator("+ *").innerText(), /^import \{ once \} from "node:events";/);
    assert.equal(await page.locator("main p.file").count(), 14);
  });
});

test("the playground and the site link to each other", async () => {
  await withPage(browser, `${server.url}/www/dist/index.html`, {}, async (page) => {
    await page.getByRole("link", { name: "Docs" }).click();
    await page.waitForURL("**/docs/index.html");
    await page.getByRole("link", { name: "Playground" }).click();
    await page.waitForURL("**/www/dist/index.html*");
  });
});

test("a page is readable without scripts", async () => {
  await withPage(browser, address("ham.html"), { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator("h1").innerText(), "HAM: Hybrid Adjacency Map");
    assert.ok((await page.locator("nav.menu summary, nav.menu details").count()) > 0);
  });
});
