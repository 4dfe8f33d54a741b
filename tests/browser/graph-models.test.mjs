// Models of the graph workbench of the built playground: the script, or a selected one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog, withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, gasl, testExample, textFile } from "./graph-page.mjs";

testExample("the scripted model reports unknown questions", "coauthors", async (page, the) => {
  await page.getByLabel("Question for the model").fill("Who likes herring?");
  await the.press("Ask");
  assert.match(await the.note(), /only knows the example's question/);
  await the.press("Choose a model");
  await page.getByRole("radio", { name: /A server/ }).check();
  assert.equal(await page.getByLabel("API key (optional)").getAttribute("type"), "password");
  await the.press("Cancel");
});

test("a selected server replies, and its key is not stored", async () => {
  const url = `${server.url}/www/dist/index.html#graph`;
  await withPage(browser, url, { viewport: desk, reducedMotion: "reduce" }, async (page) => {
    let asked = 0;
    await page.route("**/v1/chat/completions", async (route) => {
      assert.equal(route.request().headers().authorization, "Bearer secret");
      asked += 1;
      const plan = { plan_id: "p", why: "look", commands: ["FIND nodes LIMIT 3 AS three"] };
      const content = asked === 1 ? JSON.stringify(plan) : "COMPLETE: there are three";
      const choices = [
        { index: 0, message: { role: "assistant", content }, finish_reason: "stop" },
      ];
      await route.fulfill({ json: { model: "tiny-1", choices } });
    });
    await page.locator("#graph-steps [aria-current]").waitFor();
    await page.locator("#graph-model").click();
    await page.getByRole("radio", { name: /A server/ }).check();
    await page.getByLabel("Address").fill(`${server.url}/v1`);
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await page.getByLabel("API key (optional)").fill("secret");
    await submitModelDialog(page);
    await page.getByLabel("Question for the model").fill("How many?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-title").getByText("Answer").waitFor();
    assert.equal(await page.locator("#graph-note").textContent(), "there are three");
    await page.locator("#graph-why-Model").click();
    assert.match(await page.locator("#graph-why").textContent(), /tiny-1/);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    assert.doesNotMatch(kept, /secret/);
    // An example calls a selected model only after Play is pressed.
    const before = asked;
    await page.locator("#examples").selectOption("process");
    await page.locator("#graph-note").getByText("Press Play to ask tiny.").waitFor();
    assert.equal(asked, before);
  });
});

test("an invalid reply of a server is reported, and the plan is kept", async () => {
  const answers = {
    gone: (route) => route.abort("connectionrefused"),
    stranger: (route) =>
      route.fulfill({ status: 401, json: { error: { message: "bad key secret-key" } } }),
    page: (route) => route.fulfill({ contentType: "text/html", body: "<h1>It works!</h1>" }),
  };
  const said = {
    gone: /no response from http.*check the address and that the server runs.*CORS/,
    stranger: /401.*key/,
    page: /not JSON.*text\/html.*check .?baseUrl/,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.route("**/v1/chat/completions", answer);
    await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
    await page.locator("#graph-steps [aria-current]").waitFor();
    await editor(page, gasl).waitFor();
    await setEditorText(page, gasl, "FIND nodes LIMIT 3 AS mine");
    await chooseServer(page, { url: `${server.url}/v1`, key: "secret-key" });
    await page.getByLabel("Question for the model").fill("How many?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-note").getByText(said[name]).waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /secret-key/);
    await context.close();
  }
});

test("a slow server is reported until it replies", async () => {
  const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.clock.install();
  const routes = [];
  await page.route("**/v1/chat/completions", (route) => routes.push(route));
  await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
  await page.locator("#graph-steps [aria-current]").waitFor();
  await editor(page, gasl).waitFor();
  await chooseServer(page, { url: `${server.url}/v1` });
  await page.getByLabel("Question for the model").fill("How many?");
  await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    page.getByRole("button", { name: "Ask", exact: true }).click(),
  ]);
  const notice = page.locator(".notice").getByText("has not responded for 20 seconds");
  await page.clock.runFor(10_000);
  assert.equal(await notice.count(), 0);
  await page.clock.runFor(15_000);
  await notice.waitFor();
  for (const route of routes) await route.abort("connectionrefused");
  await page.locator("#graph-note").getByText("no response from http").waitFor();
  await notice.waitFor({ state: "detached" });
  await context.close();
});

testExample(
  "what cannot be a model is refused in the dialog, and the one before stays",
  "paths",
  async (page) => {
    const alert = page.locator("dialog [role=alert]");
    await fillServer(page, { url: "http://me:word@127.0.0.1/v1" });
    await page.getByRole("button", { name: "Use model" }).click();
    await alert.getByText("without a user name").waitFor();
    await page.getByRole("radio", { name: /A local file/ }).check();
    await page.getByLabel("GGUF file").setInputFiles(textFile("model.gguf", "not a model"));
    await page.getByRole("button", { name: "Use model" }).click();
    await alert.getByText("model.gguf is not a GGUF file").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.locator("#graph-model").textContent(), "Model: scripted");
  },
);

test("a missing or unusable model of the browser is reported", async () => {
  for (const has of [false, true]) {
    const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
    await context.addInitScript((there) => {
      const availability = async () => "unavailable";
      if (there) Object.assign(globalThis, { LanguageModel: { availability } });
      else delete globalThis.LanguageModel;
    }, has);
    const page = await context.newPage();
    await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
    await page.locator("#graph-model:enabled").click();
    const own = page.getByRole("radio", { name: /Chrome built-in/ });
    if (has) {
      await own.check();
      await page.getByRole("button", { name: "Use model" }).click();
      await page.locator("dialog [role=alert]").getByText("not available on this device").waitFor();
    } else {
      assert.equal(await own.isDisabled(), true);
      await page.getByText("Not available in this browser.").waitFor();
    }
    await context.close();
  }
});

test("a selected model applies to all workbenches", async () => {
  const url = `${server.url}/www/dist/index.html#graph`;
  await withPage(browser, url, { viewport: desk, reducedMotion: "reduce" }, async (page) => {
    await page.locator("#graph-steps [aria-current]").waitFor();
    await chooseServer(page, { url: `${server.url}/v1` });
    await page.getByRole("link", { name: "Flow" }).click();
    await page.locator("#flow-model").getByText("Model: tiny").waitFor({ state: "attached" });
  });
});

/** Selects a valid model server. */
async function chooseServer(page, said) {
  await fillServer(page, said);
  await submitModelDialog(page);
}

async function fillServer(page, { url, key = "" }) {
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(url);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabel("API key (optional)").fill(key);
}
