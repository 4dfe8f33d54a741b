// The built playground with the real core: the first example does what its notes say, and a bad text is marked at its place.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens an example, paused before its first step. Without motion nothing is typed slowly. */
function opened(name, example, body) {
  test(name, async () => {
    const options = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" };
    await withPage(
      browser,
      `${server.url}/www/dist/index.html#${example}`,
      options,
      async (page) => {
        await page.getByRole("button", { name: "Pause" }).click();
        await body(page, (number) =>
          page.getByRole("button", { name: new RegExp(`^${number}\\. `) }).click(),
        );
      },
    );
  });
}

const sum = (page) => page.locator(".sum .soft").textContent();

opened("one node changes, and one property is told", "team", async (page, goTo) => {
  await goTo(2);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.getByText("on call").first().waitFor();
  assert.match(await sum(page), /^1 change · 1 callback · /);
});

opened("a row that moves keeps its tab and what was typed", "team", async (page, goTo) => {
  await goTo(2);
  const last = page.locator("#stage [role=listitem]").last();
  await last.getByRole("tab", { name: "Note" }).click();
  await last.getByRole("textbox", { name: "Note" }).fill("typed here");
  const step = page.getByRole("button", { name: "Step", exact: true });
  await step.click();
  await step.click();
  const first = page.locator("#stage [role=listitem]").first();
  await first.getByText("Cy").waitFor();
  assert.equal(await first.getByRole("textbox", { name: "Note" }).inputValue(), "typed here");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator("#stage [role=listitem]").first().getByText("Ada").waitFor();
});

opened("a button tells its action with its context", "form", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Book" }).click();
  const action = JSON.parse(await page.locator("#why pre").first().textContent());
  assert.equal(action.name, "book");
  assert.deepEqual(action.context, { who: "Ada", seats: 2 });
});

opened("a click shows what is bound, and a typed update applies", "users", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByText("Alice").click();
  await page.locator("#why").getByText("Its context is the node u1.").waitFor();
  await page.getByLabel("Update, in HAM").fill('{ "u1": { "name": "Alicia" } }');
  await page.keyboard.press("Control+Enter");
  await page.locator("#stage").getByText("Alicia").waitFor();
});

opened(
  "bad text is marked where it is wrong and changes nothing",
  "trouble",
  async (page, goTo) => {
    await goTo(4);
    await page.locator(".paper .mark").first().waitFor({ state: "attached" });
    assert.ok((await page.locator("#diagnostics .problem").count()) > 0);
    assert.equal(await page.locator("#stage [role=listitem]").count(), 2);
  },
);

opened("ten thousand rows, one insertion, one mount", "rows", async (page, goTo) => {
  await goTo(3);
  await page.locator("#stage").getByText("Fresh").waitFor();
  assert.match(await sum(page), /^1 change · 1 callback · /);
  assert.ok((await page.locator("#stage [role=listitem]").count()) < 150);
});

/** Opens the first example as a visitor sees it, with motion, and begins its streaming step. */
function streaming(name, body) {
  test(name, async () => {
    const options = { viewport: { width: 1280, height: 800 } };
    await withPage(browser, `${server.url}/www/dist/index.html#team`, options, async (page) => {
      const dot = (number) => page.getByRole("button", { name: new RegExp(`^${number}\\. `) });
      const press = (label) => page.getByRole("button", { name: label, exact: true }).click();
      await dot(1).click();
      await press("Step");
      await page.waitForTimeout(400);
      const current = () => page.locator(".step[aria-current]").getAttribute("aria-label");
      const text = () => page.locator("textarea").inputValue();
      assert.match(await current(), /^2\. /);
      await body(page, { dot, press, current, text });
    });
  });
}

streaming("a streaming step that is left for another does not come back", async (page, the) => {
  await the.dot(5).click();
  const text = await the.text();
  await page.waitForTimeout(600);
  assert.match(await the.current(), /^5\. /);
  assert.equal(await the.text(), text);
  await the.press("Step");
  assert.match(await the.current(), /^6\. /);
});

streaming("Step ends a streaming step, and then takes the next", async (page, the) => {
  await the.press("Step");
  assert.match(await the.current(), /^2\. /);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await the.press("Step");
  assert.match(await the.current(), /^3\. /);
  await page.getByText("on call").first().waitFor();
});

streaming("Play takes a streaming step once, and Apply takes it whole", async (page, the) => {
  await the.press("Play");
  await the.press("Pause");
  assert.match(await the.current(), /^3\. /);
  await page.getByText("on call").first().waitFor();
  await the.dot(1).click();
  await the.press("Step");
  await page.waitForTimeout(200);
  await the.press("Apply");
  assert.equal(await page.locator("#diagnostics .problem").count(), 0);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
});

streaming("what is typed while a step streams stays", async (page, the) => {
  const typed = '{"ada": {"name": "Mine"}}';
  await page.locator("textarea").fill(typed);
  await page.waitForTimeout(600);
  assert.equal(await the.text(), typed);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await the.press("Apply");
  await page.locator("#stage").getByText("Mine").waitFor();
});

opened("the first of ten thousand rows says what it is bound to", "rows", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByText("Row 3", { exact: true }).click();
  await page.locator("#why").getByText("r3").first().waitFor();
});

opened("a long text that is pasted is read, and its fault is told", "team", async (page) => {
  const rows = Array.from({ length: 30_000 }, (_, at) => `"n${at}":{"name":"N${at}"}`);
  await page.locator("textarea").fill(`{${rows.join(",")},}`);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("#diagnostics").getByText("JSON001").waitFor();
});
