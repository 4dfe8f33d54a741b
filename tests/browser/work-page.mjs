// What the tests of a visitor's work have in common: the page, its workbenches, and how they are gone through.
import assert from "node:assert/strict";
import { test } from "node:test";
import { uses, withPage } from "./browser.mjs";
import { editor } from "./editor.mjs";
import { browser, server } from "./served.mjs";

export const home = `${server.url}/www/dist/index.html`;

export const labels = {
  surface: "HAM update",
  graph: "GASL plan",
  flow: "Workflow (JSON)",
};
export const ready = { surface: "#apply", graph: "#graph-run", flow: "#flow-run" };
export const options = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
  permissions: ["clipboard-read", "clipboard-write"],
};

/** Waits until a workbench can be written in. */
export async function stands(page, bench) {
  await page.locator(`${ready[bench]}:enabled`).waitFor();
  await editor(page, labels[bench]).waitFor();
}

/** Opens the page in a new tab of the same visitor. */
export async function tab(page, address) {
  const next = await page.context().newPage();
  await next.goto(`${home}${address}`);
  return next;
}

/** Follows an address within the page. */
export async function goTo(page, address) {
  await page.evaluate((to) => {
    location.hash = to;
  }, address);
}

/** Presses Share, and answers what was copied. */
export async function share(page) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.getByRole("button", { name: "Share" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  await page.locator(".notice").getByText("Link copied").last().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v1\.[\w-]+\.[\w-]+$/);
  return link;
}

/** Opens a link as somebody else does, who has nothing of this page. */
export async function elsewhere(link, body) {
  await withPage(browser, link, options, body);
}

export const on = (name, address, body) =>
  test(name, () => withPage(browser, `${home}${address}`, options, body));

/** What the menu says of the workbench in sight. */
export const named = (page) =>
  page.$eval("#examples", ({ selectedOptions }) => selectedOptions[0]?.textContent);

/** Opens a graph of one's own. */
export async function opens(page, name, table = "source,target\nanna,bert\nbert,carl\n") {
  await page.locator("#graph-file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(table),
  });
}

/** Chooses a model behind an address, which answers so. */
export async function chooses(page, answer) {
  await page.route("**/v1/chat/completions", answer);
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await uses(page);
}
