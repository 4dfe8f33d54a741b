// The playground with a slow network, offline, and in a hidden tab.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, submitModelDialog, withPage } from "./browser.mjs";
import { editor } from "./editor.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
let home;
before(async () => {
  server = await serve();
  home = `${server.url}/www/dist/`;
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const viewport = { width: 1280, height: 800 };

test("on a slow network the text and a skeleton are displayed before the surface", async () => {
  await withPage(browser, "about:blank", { viewport }, async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 300,
      downloadThroughput: 200_000,
      uploadThroughput: 100_000,
    });
    await page.goto(`${home}#surface/team`, { waitUntil: "commit" });
    await page.locator("#stage .waiting").waitFor();
    const box = page.getByLabel("HAM update");
    await page.waitForFunction(() => document.querySelector("textarea.area")?.value !== "");
    assert.match(await box.inputValue(), /updateComponents/);
    assert.equal(await page.locator("#apply").isDisabled(), true, "nothing is promised too early");
    await page.locator("#stage").getByText("Ada").waitFor({ timeout: 60_000 });
  });
});

test("the offline copy is current, even if the browser has cached older files", async () => {
  const pages = {};
  const lasting = await serve({ pages, headers: { "cache-control": "max-age=600" } });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const address = `${lasting.url}/www/dist/`;
    pages["/www/dist/"] = "<p>old";
    await page.goto(address);
    pages["/www/dist/"] = "<p>new";
    const kept = await page.evaluate(async () => {
      await navigator.serviceWorker.register("sw.js");
      await navigator.serviceWorker.ready;
      return (await caches.match("./")).text();
    });
    assert.equal(kept, "<p>new");
  } finally {
    await context.close();
    await lasting.close();
  }
});

test("after the first load, the page works offline with all workbenches", async () => {
  await withPage(browser, home, { viewport, reducedMotion: "reduce" }, async (page) => {
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active.state === "activated") return;
      await new Promise((done) => {
        active.onstatechange = () => active.state === "activated" && done();
      });
    });
    await page.context().setOffline(true);
    await page.reload();
    await page.locator("#story-play:enabled").waitFor();
    await page.getByRole("link", { name: "Surface" }).click();
    await page.locator("#stage").getByText("Ada").waitFor();
    await editor(page, "HAM update").waitFor();
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator("#graph-end:enabled").click();
    await page.locator("#graph-title").getByText("Answer").waitFor();
    await page.goto(`${home}#flow/fetch`);
    await page.locator("#flow-run:enabled").click();
    await page.locator("#flow-note").getByText("go_to: The sea: 14.2 °C").waitFor();
    await page.goto(`${home}docs/gasl.html?from=here`);
    await page.getByRole("heading", { name: "GASL", level: 1 }).waitFor();
    await page.goto(`${home}docs/`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const kept = await page.evaluate(() => caches.keys());
    assert.equal(kept.length, 1);
    assert.match(kept[0], /^byname http.*\/www\/dist\/ [0-9a-f]{16}$/);
  });
});

test("the colour scheme of the page overrides that of the system", async () => {
  for (const [colorScheme, presses, isDark] of [
    ["light", 0, false],
    ["light", 2, true],
    ["dark", 0, true],
    ["dark", 1, false],
  ]) {
    const options = { viewport, colorScheme, reducedMotion: "reduce" };
    await withPage(browser, `${home}#surface/team`, options, async (page) => {
      await page.locator("#stage").getByText("Ada").waitFor();
      const button = page.getByRole("button", { name: /^Colours/ });
      for (let press = 0; press < presses; press += 1) await button.click();
      const shades = await page.evaluate(() => {
        const brightness = (color) => {
          const context = document.createElement("canvas").getContext("2d");
          context.fillStyle = color;
          context.fillRect(0, 0, 1, 1);
          const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
          return (red + green + blue) / 765;
        };
        const inside = document.querySelector("#stage [data-key]");
        return [
          brightness(getComputedStyle(document.body).backgroundColor),
          brightness(getComputedStyle(document.body).color),
          brightness(getComputedStyle(inside).color),
        ].map((shade) => shade < 0.5);
      });
      assert.deepEqual(shades, [isDark, !isDark, !isDark], `${colorScheme}, ${presses}`);
    });
  }
});

test("a tab that was hidden for an hour continues at its step", async () => {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${home}#surface/team`);
  const step = () => page.locator(".step[aria-current]").getAttribute("aria-label");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.getByRole("button", { name: /^3\. / }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.clock.runFor(100);
  assert.match(await step(), /^4\. /);
  const look = (hidden) =>
    page.evaluate((away) => {
      Object.defineProperty(document, "hidden", { value: away, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await look(true);
  await page.clock.runFor(20_000);
  await page.clock.fastForward("01:00:00");
  assert.match(await step(), /^4\. /, "it does not continue while hidden");
  await look(false);
  await page.clock.runFor(1500);
  assert.match(await step(), /^4\. /, "it does not catch up");
  await page.clock.runFor(3000);
  assert.match(await step(), /^5\. /, "it goes on");
  await context.close();
});

test("shortcuts play, step, navigate and focus the editor, and can be turned off", async () => {
  await withPage(
    browser,
    `${home}#surface/team`,
    { viewport, reducedMotion: "reduce" },
    async (page) => {
      const key = (name) => page.keyboard.press(name);
      const step = () =>
        page.locator(".bench:not([hidden]) .step[aria-current]").getAttribute("aria-label");
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await editor(page, "HAM update").waitFor();
      await key("k");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      await page.getByRole("button", { name: /^2\. / }).click();
      await key("l");
      assert.match(await step(), /^3\. /);
      await key("j");
      assert.match(await step(), /^2\. /);
      await key("e");
      await page.keyboard.type("k");
      assert.match(await step(), /^2\. /, "text input is not a shortcut");
      // A pending completion is closed by the first Escape.
      const writing = () => page.evaluate(() => document.activeElement !== document.body);
      for (let tries = 0; tries < 50 && (await writing()); tries++) {
        await key("Escape");
        await page.waitForTimeout(100);
      }
      await key("]");
      assert.equal(await page.evaluate(() => document.activeElement.id), "pane-text");
      await key("]");
      assert.equal(await page.evaluate(() => document.activeElement.id), "pane-surface");
      await key("3");
      await page.locator("#graph-play:enabled").waitFor();
      await page.locator("[data-bench=graph]").waitFor();
      await key("l");
      await page.locator("#graph-steps [aria-current]").waitFor();
      await key("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await sheet.getByText("Next step").waitFor();
      await sheet.getByRole("checkbox").uncheck();
      await sheet.getByRole("button", { name: "Close" }).click();
      await key("2");
      assert.equal(new URL(page.url()).hash, "#graph");
    },
  );
});

test("a click outside of a dialog closes it, unless input would be lost", async () => {
  await withPage(browser, home, { viewport, reducedMotion: "reduce" }, async (page) => {
    const outside = () => page.mouse.click(4, 4);
    await page.locator("#story-model:enabled").waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.waitFor();
    // A selection from the end of a text to a point outside of the dialog.
    await keys.getByRole("heading", { name: "Keyboard shortcuts" }).hover();
    await page.mouse.down();
    await page.mouse.move(4, 4);
    await page.mouse.up();
    await keys.waitFor();
    await outside();
    await keys.waitFor({ state: "detached" });
    const models = page.getByRole("dialog", { name: "Model" });
    await page.locator("#story-model").click();
    await models.waitFor();
    await outside();
    await models.waitFor({ state: "detached" });
    await page.locator("#story-model").click();
    await models.getByRole("radio", { name: /A server/ }).check();
    await models.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await outside();
    await models.waitFor();
    await page.keyboard.press("Escape");
    await models.waitFor({ state: "detached" });
  });
});

test("Back and Forward go through the visited pages, which have distinct titles", async () => {
  await withPage(browser, home, { viewport, reducedMotion: "reduce" }, async (page) => {
    const waitForTitle = (title) =>
      page.waitForFunction((words) => document.title === `${words} · byname playground`, title);
    await waitForTitle("Story");
    for (const name of ["Surface", "Graph"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await waitForTitle(name);
    }
    await page.goBack();
    await waitForTitle("Surface");
    await page.locator("[data-bench=surface]").waitFor();
    await page.goBack();
    await waitForTitle("Story");
    await page.goForward();
    await waitForTitle("Surface");
  });
});

/** Drops a file on the visible pane; returns whether the browser would have navigated to it. */
const drop = (page, name, text) =>
  page.evaluate(
    ([file, words]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([words], file));
      const [pane] = [...document.querySelectorAll(".pane")].filter((one) => one.offsetParent);
      const event = (type) =>
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      const taken = pane.dispatchEvent(event("dragover"));
      return taken || pane.dispatchEvent(event("drop"));
    },
    [name, text],
  );

test("a file dropped outside of its target does not navigate away", async () => {
  await withPage(browser, home, { viewport, reducedMotion: "reduce" }, async (page) => {
    await page.locator("#story-play:enabled").waitFor();
    for (const hash of ["story", "surface", "flow"]) {
      await page.goto(`${home}#${hash}`);
      await page.locator(`[data-bench=${hash}]:not([hidden])`).waitFor();
      assert.equal(await drop(page, "x.csv", "source,target\na,b\n"), false);
      await page.locator(".notice").getByText("To open a graph, drop the file").waitFor();
      await page.getByRole("button", { name: "Close this message" }).last().click();
    }
    assert.equal(await drop(page, "some.gguf", "GGUF"), false);
    const dialog = page.getByRole("dialog", { name: "Model" });
    assert.ok(await dialog.getByRole("radio", { name: /A local file/ }).isChecked());
    await page.keyboard.press("Escape");
    await drop(page, "x.csv", "source,target\na,b\n");
    await page.getByRole("button", { name: "Open Graph" }).click();
    await page.locator("#graph-play:enabled").waitFor();
    assert.equal(await drop(page, "x.csv", "source,target\na,b\n"), false);
    await page.locator("#graph-counts").getByText("x.csv: 2 nodes, 1 edge").waitFor();
    // An empty file does not replace one with content.
    await drop(page, "none.csv", "");
    await page.locator("#graph-import-report").getByText("found an empty text").waitFor();
    assert.match(await page.textContent("#graph-counts"), /^x\.csv/);
  });
});

test("the focus stays during keyboard use", async () => {
  const focused = (page) =>
    page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? "nothing");
  await withPage(
    browser,
    `${home}#surface/users`,
    { viewport, reducedMotion: "reduce" },
    async (page) => {
      await page.locator("#apply:enabled").waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      const second = page.getByRole("button", { name: /^2\. / });
      await second.focus();
      await page.keyboard.press("Enter");
      assert.match(await focused(page), /^2\. /);
      // The counters are rebuilt twice.
      await page.getByRole("tab", { name: "Tokens" }).click();
      const twenty = page.getByRole("button", { name: /^20 rows/ });
      await twenty.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^20 rows/, pressed: true }).waitFor();
      await page.waitForFunction(() => document.activeElement.textContent.startsWith("20 rows"));
      // A disabled button moves the focus to the next control.
      const next = page.locator("#next");
      await next.focus();
      while (await next.isEnabled()) await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.id), "play");
    },
  );
});

test("on a phone, errors are displayed above the visible pane", async () => {
  const phone = { viewport: { width: 360, height: 740 }, reducedMotion: "reduce" };
  await withPage(browser, home, phone, async (page) => {
    await page.locator("#story-play").getByText("Play again").waitFor();
    await page.route("**/v1/chat/completions", (route) =>
      route.fulfill({
        json: { model: "t", choices: [{ message: { content: "Sorry." }, finish_reason: "stop" }] },
      }),
    );
    await page.locator("#story-tabs").getByRole("tab", { name: "Question" }).click();
    await page.click("#story-model");
    await page.getByRole("radio", { name: /A server/ }).check();
    await page.getByLabel("Address").fill(`${server.url}/v1`);
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await submitModelDialog(page);
    await page.fill("#story-question", "Which rockets were there?");
    await page.keyboard.press("Enter");
    const said = page.locator(".notice", { hasText: "The model wrote no plan" });
    await said.waitFor();
    assert.ok(await page.isVisible("#story-stage"));
    await said.getByRole("button", { name: "Choose a model" }).click();
    await page.getByRole("dialog", { name: "Model" }).waitFor();
  });
});

test("the tabs of a workbench and the top bar are not clipped at any size", async () => {
  for (const [width, height] of [
    [360, 740],
    [500, 740],
    [640, 900],
    [768, 1024],
    [820, 1180],
    [1024, 768],
    [1200, 800],
    [1280, 800],
    [1440, 900],
  ]) {
    const size = { viewport: { width, height }, reducedMotion: "reduce" };
    await withPage(browser, home, size, async (page) => {
      for (const [name, ready] of [
        ["surface", "#apply:enabled"],
        ["graph", "#graph-run:enabled"],
        ["flow", "#flow-run:enabled"],
      ]) {
        await page.goto(`${home}#${name}`);
        await page.locator(ready).waitFor({ state: "attached" });
        const cut = await page.evaluate(() => {
          // As after user input.
          document.querySelector("#again").hidden = false;
          const rows = ".bench:not([hidden]) .segments, header button";
          const lists = [...document.querySelectorAll(rows)];
          return [
            ...lists.filter((list) => list.scrollWidth > list.clientWidth).map(({ id }) => id),
            ...(document.documentElement.scrollWidth > window.innerWidth ? ["the page"] : []),
          ];
        });
        assert.deepEqual(cut, [], `${name} at ${width}×${height}`);
      }
    });
  }
});

test("notices of the page are displayed one at a time, next to their close button", async () => {
  const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" };
  await withPage(browser, `${home}#surface`, phone, async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("#apply:enabled").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Code", exact: true }).click();
    const code = page.locator(".notice").getByText("Code copied");
    await code.waitFor();
    const [text, close] = await page.$$eval(".notice > :is(p, .close)", (list) =>
      list.map((one) => one.getBoundingClientRect().toJSON()),
    );
    assert.ok(
      close.left >= text.right && close.top < text.bottom,
      "the close button is next to the text",
    );
    await page.getByRole("button", { name: "Share" }).click();
    const link = page.locator(".notice").getByText("Link copied");
    await link.waitFor();
    assert.ok(await code.isHidden());
  });
});
