// A model in the page: llama.cpp with a file of the user.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { submitModelDialog, withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, waitForAnswer } from "./story-page.mjs";
import { tinyGguf } from "./tiny-gguf.mjs";

/** Path of a trained model, such as SmolLM2-135M-Instruct. */
const real = process.env.BYNAME_GGUF;
/** Warnings of Chromium on a machine without a graphics card. */
const noCard = /No available adapters|Failed to create WebGPU Context Provider/;
const random = (layers) => ({
  name: "tiny.gguf",
  mimeType: "application/octet-stream",
  buffer: tinyGguf(layers),
});
const [quick, slow] = [random(2), random(8)];

/** Opens the story with a model file, and records the texts of its panel. */
async function withModel(file, body) {
  const opened = async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await page.evaluate(() => {
      window.said = [];
      const note = () => {
        const words = document.querySelector(".working")?.textContent;
        if (words && words !== window.said.at(-1)) window.said.push(words);
      };
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    });
    await page.click("#story-model");
    await page.getByRole("radio", { name: /A local file/ }).check();
    await page.setInputFiles("dialog input[type=file]", file);
    await submitModelDialog(page);
    await page.locator("#story-note").getByText("answers the next questions").waitFor();
    await body(page);
  };
  await withPage(browser, `${server.url}/www/dist/`, desk, opened, noCard);
}

async function asks(page, question) {
  await page.evaluate(() => window.said.splice(0));
  await page.fill("#story-question", question);
  await page.keyboard.press("Enter");
}

const read = (words) =>
  words.flatMap((one) => {
    const [, done, all] = /has read ([\d,]+) of ([\d,]+) tokens/.exec(one) ?? [];
    return done ? [[done, all].map((number) => Number(number.replace(",", "")))] : [];
  });

test("progress is displayed, the read prompt is reused, and nonsense is reported and replaced", async () => {
  await withModel(quick, async (page) => {
    await asks(page, "Who flew most often?");
    await waitForAnswer(page, "Who flew most often?");
    const first = await page.evaluate(() => window.said);
    const steps = read(first);
    assert.ok(steps.length > 5, "the panel displays the progress of reading");
    assert.ok(first.some((words) => /has written [\d,]+ tokens: .*FIND \w+ WHERE/.test(words)));
    const note = await page.textContent("#story-note");
    assert.match(
      note,
      /The sentence is (the page’s own|a script’s), because tiny\.gguf failed: it wrote “/,
    );
    assert.match(note, /mentions none of the rows/);
    assert.match(await page.textContent('[data-id="answer"]'), /\w{3}/);
    assert.equal(await page.locator(".working").count(), 0);

    await asks(page, "Who was up longest?");
    await waitForAnswer(page, "Who was up longest?");
    const [[done, all]] = read(await page.evaluate(() => window.said));
    assert.ok(done > all / 2, `${done} of ${all} tokens were read before`);
  });
});

test("Stop ends the model at once and keeps the content, and the script replies when selected", async () => {
  await withModel(slow, async (page) => {
    await asks(page, "Who flew most often?");
    await page.locator(".working").getByText("has read").waitFor();
    await page.locator(".working").getByRole("button", { name: "Stop" }).click();
    await page.locator("#story-note").getByText("you cancelled it").waitFor();
    assert.equal(await page.locator(".working").count(), 0);
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal(await page.locator('#story-stage [data-id="row"]').count(), 12);
    // The script replies to the next question at once.
    await page.click("#story-model");
    await page.getByRole("radio", { name: /Scripted/ }).check();
    await submitModelDialog(page);
    await asks(page, "Who flew on Apollo 11?");
    await waitForAnswer(page, "Who flew on Apollo 11?");
  });
});

test("a question that the script does not know is reported with the reply of the model", async () => {
  await withModel(quick, async (page) => {
    await asks(page, "Why is the sky blue?");
    await page
      .locator("#story-note")
      .getByText(/(?:The model wrote no plan|The sentence is the page’s own).*: it wrote “/)
      .waitFor({ timeout: 60_000 });
  });
});

const skip = real && existsSync(real) ? false : "BYNAME_GGUF names no GGUF file";
test("a trained model answers", { skip }, async () => {
  await withModel(real, async (page) => {
    page.setDefaultTimeout(400_000);
    await asks(page, "Who flew on Apollo 11?");
    await page.waitForFunction(
      () =>
        document.querySelector('[data-id="question"]').textContent === "Who flew on Apollo 11?" &&
        document.querySelector("#story-play").textContent === "Play again",
    );
    const names = await page.locator('#story-stage [data-id="row_name"]').allTextContents();
    assert.ok(names.includes("Neil Armstrong"), names.join(", "));
    assert.match(await page.textContent("#story-plan-by"), /by .*\.gguf/);
  });
});
