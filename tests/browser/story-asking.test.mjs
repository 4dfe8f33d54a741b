// User questions to the script and to a model, also overlapping ones.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog } from "./browser.mjs";
import { server } from "./fixture.mjs";
import { desk, openStory, readRows, waitForAnswer } from "./story-page.mjs";

/** Selects a model server with these replies: a text, or a status. */
async function withServer(page, replies) {
  const prompts = [];
  await page.route("**/v1/chat/completions", async (route) => {
    const { messages } = route.request().postDataJSON();
    prompts.push(messages.at(-1).content);
    const reply = replies[Math.min(prompts.length, replies.length) - 1];
    if (reply === null) return route.fulfill({ json: { choices: [] } });
    const message = { role: "assistant", content: reply };
    await route.fulfill({
      json: { model: "tiny-1", choices: [{ index: 0, message, finish_reason: "stop" }] },
    });
  });
  await page.click("#story-model");
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await submitModelDialog(page);
  return prompts;
}

const asks = async (page, question) => {
  await page.fill("#story-question", question);
  await page.keyboard.press("Enter");
};

const waitForNotice = (page, words) =>
  page.waitForFunction(
    (part) => document.querySelector("#story-note").textContent.includes(part),
    words,
  );

const plan = (...commands) => JSON.stringify({ plan_id: "p", why: "look", commands });
const all = plan(
  "DECLARE findings AS LIST",
  'FIND nodes WHERE kind = "ROCKET" AS answer',
  "UPDATE findings WITH answer REPLACE",
);

test("a question that the script does not know is reported, and the content stays", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await page.fill("#story-question", "Why is the sky blue?");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#story-note:not([hidden])");
    assert.match(await page.textContent("#story-note"), /The scripted model only knows/);
    await page.locator("#story-note button").click();
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    assert.equal((await readRows(page)).length, 12);
    // A known question is recognised in any spelling.
    await page.fill("#story-question", "who flew on apollo 11");
    await page.keyboard.press("Enter");
    await waitForAnswer(page, "who flew on apollo 11");
    assert.deepEqual(
      (await readRows(page)).map(({ name }) => name),
      ["Neil Armstrong", "Michael Collins", "Buzz Aldrin"],
    );
  });
});

test("a question that is entered while the story plays stays, and can be asked", async () => {
  await openStory({ viewport: { width: 1280, height: 800 } }, async (page) => {
    const written = () => page.inputValue("#story-question");
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    await page.fill("#story-question", "Who is the tallest astronaut?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForSelector("#story-note:not([hidden])");
    await waitForAnswer(page, "Who walked on the Moon?");
    assert.equal(await written(), "Who is the tallest astronaut?");
    assert.match(await page.textContent("#story-note"), /The scripted model only knows/);
    await page.fill("#story-question", "Who flew on Apollo 11?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForFunction(
      () => document.querySelector('[data-id="question"]').textContent === "Who flew on Apollo 11?",
    );
    // A question that is not asked stays too.
    await page.fill("#story-question", "Who is");
    await page.locator("#story-question").blur();
    await waitForAnswer(page, "Who flew on Apollo 11?");
    assert.equal(await written(), "Who is");
    await page.locator(".chip", { hasText: "rock" }).click();
    await waitForAnswer(page, "How much Moon rock?");
    assert.equal(await written(), "How much Moon rock?");
    await page.locator("#story-steps .step").first().click();
    assert.equal(await written(), "Who walked on the Moon?");
  });
});

test("a model answers any question, and an invalid plan is returned to it once", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const said = '{"answer": "Five rockets.", "next": ["Which one was largest?"]}';
    const prompts = await withServer(page, [plan("FIND nodez AS answer"), all, said]);
    await asks(page, "Which rockets were there?");
    await waitForAnswer(page, "Which rockets were there?");
    assert.match(prompts[0], /MISSION/);
    assert.match(prompts[1], /Your last plan has errors/);
    assert.match(prompts[2], /Saturn V/);
    assert.equal((await readRows(page)).length, 5);
    assert.equal(await page.textContent('[data-id="answer"]'), "Five rockets.");
    assert.equal(await page.textContent("#story-plan-by"), "by tiny");
    assert.equal(await page.textContent('[data-id="next_one"]'), "Which one was largest?");
  });
});

test("an invalid or incomplete reply is reported, and previous results stay", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await withServer(page, ["I cannot do that.", "Sorry.", all, "no JSON", null]);
    await asks(page, "Which rockets were there?");
    await waitForNotice(page, "The model wrote no plan");
    // The page is the same as before the question.
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal((await readRows(page)).length, 12);
    await page.getByRole("button", { name: "Ask again" }).click();
    await waitForNotice(page, "The model wrote no answer");
    assert.equal((await readRows(page)).length, 5);
    assert.match(await page.textContent("#story-note"), /Results so far are kept/);
    await page.getByRole("button", { name: "Ask again" }).click();
    await waitForNotice(page, "The model wrote no plan");
    assert.equal((await readRows(page)).length, 5);
  });
});

test("a failed question does not leave the status of one that it stopped", async () => {
  await openStory({ viewport: { width: 1280, height: 800 } }, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const answer = await page.textContent('[data-id="answer"]');
    await page.locator(".chip", { hasText: "rock" }).click();
    // The waiting status is displayed, and its question is stopped.
    await page.waitForFunction(
      () => document.querySelector('[data-id="answer"]').textContent === "Searching the graph…",
    );
    // The request is delayed, so it cannot end before.
    await page.click("#story-play");
    await withServer(page, ["I cannot do that."]);
    await asks(page, "Which rockets were there?");
    await waitForNotice(page, "The model wrote no plan");
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal(await page.textContent('[data-id="answer"]'), answer);
    assert.equal((await readRows(page)).length, 12);
  });
});

test("another question stops the running one, and each row keeps its sources", async () => {
  const moving = { viewport: { width: 1280, height: 800 } };
  await openStory(moving, async (page) => {
    await page.waitForFunction(
      () => document.querySelectorAll('#story-stage [data-id="row"]').length > 2,
    );
    // In the middle of a stream.
    await page.locator(".chip", { hasText: "rock" }).click();
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    await page.locator(".chip", { hasText: "longest" }).click();
    await page.locator(".chip", { hasText: "crews" }).click();
    await waitForAnswer(page, "Which ship met most crews?");
    const last = await readRows(page);
    assert.deepEqual(last[0], {
      name: "USS Wasp",
      detail: "Gemini 4 · Gemini 7 · Gemini 6A · Gemini 9A · Gemini 12",
      figure: "5 crews",
    });
    // A row of the first question still has its sources.
    const first = await page.$$eval("#story-steps .step", (list) =>
      list.findIndex(({ title }) => title.includes("The findings stream")),
    );
    await page.locator("#story-steps .step").nth(first).click();
    await page.locator('[data-id="row_button"]').first().click();
    assert.match(await page.textContent('[data-id="source_text"]'), /Gene Cernan was outside/);
    await page.locator("#story-steps .step").last().click();
    assert.deepEqual(await readRows(page), last);
    assert.equal(await page.locator('[data-id="source"]').count(), 0);
  });
});

test("rows that are opened early show only the sources of the current question", async () => {
  await openStory({ viewport: desk.viewport }, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const young = page.locator('#story-stage [data-key="root/rows/row:f_john_young"]');
    const why = young.getByRole("button", { name: "Why?" });
    await page.locator(".chip", { hasText: "most often" }).click();
    await page.waitForFunction(
      () =>
        document.querySelector('#story-stage [data-id="question"]').textContent ===
        "Who flew most often?",
    );
    // Delayed, so that the plan has not run.
    await page.click("#story-play");
    await why.click();
    assert.match(await young.textContent(), /Still searching/);
    await page.click("#story-play");
    const first = await page.waitForFunction(() => {
      const row = document.querySelector('[data-key="root/rows/row:f_john_young"]');
      if (!row?.querySelector('[data-id="row_detail"]').textContent.includes("Gemini 3"))
        return null;
      return [document.querySelector('[data-id="answer"]').textContent, row.textContent];
    });
    const [answer, text] = await first.jsonValue();
    // The rows are displayed, but not the answer.
    assert.equal(answer, "Searching the graph…");
    assert.doesNotMatch(text, /Descartes|Still searching/);
    await why.click();
    await page.waitForFunction(() => !document.querySelector('[data-id="source"]'));
    await why.click();
    await waitForAnswer(page, "Who flew most often?");
    assert.equal(await young.locator('[data-id="source"]').count(), 4);
    assert.doesNotMatch(await young.textContent(), /Descartes|Still searching|No source/);
  });
});

test("questions in Markdown lists are parsed, and years are not list numbers", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const born = plan(
      "DECLARE findings AS LIST",
      'FIND nodes WHERE kind = "PERSON" LIMIT 2 AS answer',
      "UPDATE findings WITH answer REPLACE",
    );
    const said = { answer: "Two of them.", next: ["*answer", "* Who is it?", "- And who?"] };
    await withServer(page, [born, JSON.stringify(said)]);
    await asks(page, "Who is the youngest?");
    await waitForAnswer(page, "Who is the youngest?");
    const next = page.locator('#story-stage [data-id="next"] button');
    assert.deepEqual(await next.allTextContents(), ["answer", "Who is it?", "And who?"]);
    const figures = (await readRows(page)).map(({ figure }) => figure);
    assert.ok(figures.length > 0);
    for (const figure of figures) assert.match(figure, /^\d{4} born$/);
  });
});
