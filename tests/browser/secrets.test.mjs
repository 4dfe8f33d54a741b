// Secrets of the user on the pages: an API key and the inputs of a workflow that are marked `secret`.
// They are searched for in links, storage, copied code and the console.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog, withPage } from "./browser.mjs";
import { getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { copiedCode, decodedLink, storedData } from "./stored-data.mjs";
import { home, labels, options, setHash, shareLink, waitForWorkbench } from "./work-page.mjs";

const KEY = "sk-9Zq73-zqx-key";
const INPUT = "in-5Kx21-zqx-input";
const DEFAULT = "de-8Wm46-zqx-default";
const inputsLabel = "Inputs of the run (JSON)";

const workflow = (more = "") =>
  `{"inputs": {"token": {"secret": true, "default": "${DEFAULT}"}, "language": {"default": "de"}},
  "nodes": [{"id": "a", "type": "text", "params": {"template": "Bearer $token in $language"}}]}${more}`;

/** Fails if a text contains a marker; shows the text around it. */
function assertFree(texts) {
  const found = texts.flatMap((text) => text.match(/.{0,200}zqx-.{0,40}/s) ?? []);
  assert.deepEqual(found, []);
}

/** Opens an address; the console may have the messages of failed requests, which are collected. */
async function openPage(address, body) {
  const printed = [];
  const anything = /.*/s;
  await withPage(
    browser,
    `${home}${address}`,
    options,
    async (page) => {
      page.on("console", (message) => printed.push(message.text()));
      page.on("pageerror", (error) => printed.push(String(error.stack)));
      await body(page, printed);
    },
    anything,
  );
}

test("secret inputs of a workflow are not in links, drafts, storage, code and the console", async () => {
  await openPage("#flow/branches", async (page, printed) => {
    await waitForWorkbench(page, "flow");
    await setEditorText(page, labels.flow, workflow());
    await page.locator("#flow-text-inputs").click();
    await setEditorText(page, inputsLabel, `{"token": "${INPUT}", "language": "nn"}`);
    await page.locator("#flow-run").click();
    await page.locator("#flow-title").getByText("Completed", { exact: true }).waitFor();
    const link = await shareLink(page);
    await page.locator(".notice").getByText("no value of a secret input").waitFor();
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("nn"));
    const code = await copiedCode(page);
    const shared = decodedLink(link);
    assert.match(shared, /language/);
    assertFree([await storedData(page), shared, code, printed.join("\n")]);
    // The editor still has the value.
    assert.match(await getEditorText(page, inputsLabel), /zqx-input/);
    // A text that is half edited is stored without the value too.
    await setEditorText(page, inputsLabel, `{"language": "half", "token": "${INPUT}`);
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("half"));
    assertFree([await storedData(page)]);
    await page.reload();
    await page.locator(".notice").getByText("were restored").waitFor();
    assertFree([await storedData(page)]);
  });
});

test("an API key is not in links, storage, code, the console and the messages of the page", async () => {
  await openPage("#graph/paths", async (page, printed) => {
    await waitForWorkbench(page, "graph");
    await page.route("**/v1/chat/completions*", (route) =>
      route.fulfill({ status: 401, json: { error: { message: `bad key ${KEY}`, KEY } } }),
    );
    await page.locator("#graph-model").click();
    await page.getByRole("radio", { name: /A server/ }).check();
    await page.getByLabel("Address").fill(`${server.url}/v1?key=${KEY}`);
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await page.getByLabel("API key (optional)").fill(KEY);
    await submitModelDialog(page);
    await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
    await page.getByLabel("Question for the model").fill("How many?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-note").getByText("401").waitFor();
    const texts = [decodedLink(await shareLink(page)), await copiedCode(page)];
    for (const bench of ["surface", "flow", "story"]) {
      await setHash(page, `#${bench}`);
      await page.locator(`[data-bench=${bench}]`).waitFor();
    }
    const visible = await page.evaluate(() => document.documentElement.outerHTML);
    assertFree([...texts, await storedData(page), visible, printed.join("\n")]);
  });
});
