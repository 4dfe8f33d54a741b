// Tests of saved work: opens the playground and operates its workbenches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog, withPage } from "./browser.mjs";
import { editor } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";

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

/** Waits until the editor of a workbench accepts input. */
export async function waitForWorkbench(page, bench) {
  await page.locator(`${ready[bench]}:enabled`).waitFor();
  await editor(page, labels[bench]).waitFor();
}

/** Opens a text as the file of a log in the surface workbench, as soon as it accepts one. */
export async function openLog(page, name, text) {
  // On a phone the button is in a hidden tab.
  await page.locator("#open-log:enabled").waitFor({ state: "attached" });
  const buffer = Buffer.from(text);
  await page.locator("#log-file").setInputFiles({ name, mimeType: "text/plain", buffer });
}

/** Opens the page in a new tab of the same context. */
export async function openTab(page, address) {
  const next = await page.context().newPage();
  await next.goto(`${home}${address}`);
  return next;
}

/** Navigates within the page. */
export async function setHash(page, address) {
  await page.evaluate((to) => {
    location.hash = to;
  }, address);
}

/** Presses Share and returns the copied link. */
export async function shareLink(page) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.getByRole("button", { name: "Share" }).click();
  await page.locator(".notice").getByText("Link copied").last().waitFor();
  // The notice may be that of an earlier link.
  let link = "";
  while (link === "") link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v1\.[\w-]+\.[\w-]+$/);
  return link;
}

/** Opens a link in a new context, without the stored data of this page. */
export async function openAsOtherUser(link, body) {
  await withPage(browser, link, options, body);
}

export const testPage = (name, address, body) =>
  test(name, () => withPage(browser, `${home}${address}`, options, body));

/** Returns the selected entry of the menu of examples. */
export const selectedExample = (page) =>
  page.$eval("#examples", ({ selectedOptions }) => selectedOptions[0]?.textContent);

/** Opens a file with a graph. */
export async function openGraphFile(page, name, table = "source,target\nanna,bert\nbert,carl\n") {
  await page.locator("#graph-file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(table),
  });
}

/** Selects a model server; `respond` handles its requests. */
export async function chooseServerModel(page, respond) {
  await page.route("**/v1/chat/completions", respond);
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await submitModelDialog(page);
}
