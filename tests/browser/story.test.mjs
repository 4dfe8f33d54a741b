// The first page, as a visitor meets it: a question by itself, an answer that stands, a button that asks on.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, server } from "./served.mjs";

const desk = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const open = (options, body, hash = "") =>
  withPage(browser, `${server.url}/www/dist/${hash}`, options, body);

/** The answer to a question stands, and nothing is under way. */
async function answered(page, question) {
  await page.waitForFunction(
    (words) =>
      document.querySelector('#story-stage [data-id="question"]')?.textContent === words &&
      document.querySelector("#story-play")?.textContent === "Play again",
    question,
    { timeout: 60_000 },
  );
}

const rows = (page) =>
  page.$$eval('#story-stage [data-id="row"]', (list) =>
    list.map((row) => ({
      name: row.querySelector('[data-id="row_name"]').textContent,
      detail: row.querySelector('[data-id="row_detail"]').textContent,
      figure: row.querySelector('[data-id="row_figure"]').textContent,
    })),
  );

/** The graph that the page hands to its own workbench, worked out again without GASL. */
async function links(page) {
  return page.$$eval("#story-picture .edge title", (titles) =>
    titles.map(({ textContent }) => {
      const [, source, type, target] = /^(.+) –(\w+)→ (.+)$/.exec(textContent);
      return { source, type, target };
    }),
  );
}

test("a question is asked by itself, and what its answer says is true of the graph", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const found = await rows(page);
    await page.waitForSelector("#story-picture .spot.hit");
    const walks = (await links(page)).filter(({ type }) => type === "WALKED_AT");
    assert.deepEqual(
      found.map(({ name }) => name).sort(),
      walks.map(({ source }) => source).sort(),
    );
    for (const { name, detail } of found) {
      assert.ok(detail.endsWith(walks.find(({ source }) => source === name).target), detail);
    }
    const figures = found.map(({ figure }) => Number.parseFloat(figure));
    assert.deepEqual(
      figures,
      figures.toSorted((a, b) => b - a),
    );
    assert.match(await page.textContent('[data-id="answer"]'), /^Twelve people walked on the Moon/);
    assert.equal(await page.getAttribute("#story-picture .drawing", "data-lit"), "18");
    // The plan tells what each command left, and the workflow which names it renamed.
    assert.deepEqual(await page.locator(".plan-left").allTextContents(), [
      "done",
      "12 rows",
      "12 rows",
      "12 rows",
      "12 rows",
    ]);
    assert.match(await page.textContent('[data-node="plan"]'), /response plan_response/);
    assert.equal(await page.locator('.flow-nodes [data-state="finished"]').count(), 7);
    assert.match(await page.textContent("#story-model"), /Model: scripted/);
    // The end of the last update, cut before a word: it fits as it is.
    const ham = page.locator("#story-ham");
    assert.match(await ham.textContent(), /^… .*"How much Moon rock\?"\]\}$/);
    assert.ok(await ham.evaluate((line) => line.scrollWidth <= line.clientWidth));
    const numbers = await page.locator("#story-tabs .tab-nth").allTextContents();
    assert.deepEqual(numbers, ["1", "2", "3", "4"]);
  });
});

test("a button asks on: rows that stay are the same elements, with what was opened in them", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const young = page.locator('#story-stage [data-key="root/rows/row:f_john_young"]');
    await young.getByRole("button", { name: "Why?" }).click();
    await page.waitForSelector('[data-id="source_id"]');
    assert.match(await young.textContent(), /outside for 20\.2 hours at Descartes Highlands/);
    await young.evaluate((element) => {
      window.kept = element;
    });
    await page.locator('[data-id="next_one"]', { hasText: "Moon twice" }).click();
    await answered(page, "Who went to the Moon twice?");
    assert.deepEqual(
      (await rows(page)).map(({ name, detail, figure }) => [name, detail, figure]),
      [
        ["Jim Lovell", "Apollo 8 · Apollo 13", "2 voyages"],
        ["John Young", "Apollo 10 · Apollo 16", "2 voyages"],
        ["Gene Cernan", "Apollo 10 · Apollo 17", "2 voyages"],
      ],
    );
    assert.ok(await young.evaluate((element) => element === window.kept && element.isConnected));
    // The sources that were open are those of the new answer.
    assert.equal(await young.locator('[data-id="source"]').count(), 2);
    assert.match(
      await page.textContent("#story-surface-told"),
      /^[\d,]+ of [\d,]+ bytes rewritten$/,
    );

    await young.getByRole("button", { name: "Crewmates" }).click();
    await answered(page, "Who flew with John Young?");
    const crews = (await links(page)).filter(({ type }) => type === "FLEW_ON");
    const his = crews.filter(({ source }) => source === "John Young").map(({ target }) => target);
    const mates = crews.filter(
      ({ source, target }) => source !== "John Young" && his.includes(target),
    );
    assert.deepEqual(
      (await rows(page)).map(({ name }) => name).sort(),
      [...new Set(mates.map(({ source }) => source))].sort(),
    );
  });
});

test("every step can be gone back to, and played on from", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "Who flew most often?" }).click();
    await answered(page, "Who flew most often?");
    const last = await rows(page);
    assert.deepEqual(
      last.map(({ figure }) => Number.parseInt(figure, 10)),
      [4, 4, 4, 4, 3, 3, 3],
    );
    const steps = page.locator("#story-steps .step");
    const count = await steps.count();
    // The first question's answer, as it stood.
    const first = await page.$$eval("#story-steps .step", (list) =>
      list.findIndex(({ title }) => title.includes("The answer streams")),
    );
    await steps.nth(first).click();
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal((await rows(page)).length, 12);
    assert.equal(await page.locator(".plan-left").count(), 5);
    await steps.nth(0).click();
    assert.equal((await rows(page)).length, 0);
    // No update has come yet.
    assert.equal(await page.textContent("#story-ham"), "");
    // Arrows go from step to step; the strip is one stop of the Tab key.
    await steps.nth(0).focus();
    await page.keyboard.press("End");
    assert.deepEqual(await rows(page), last);
    await page.click("#story-back");
    assert.equal(
      await page
        .getAttribute("#story-steps [aria-current]", "title")
        .then((one) => one.startsWith(`${count - 1}.`)),
      true,
    );
    await page.click("#story-play");
    await answered(page, "Who flew most often?");
    assert.deepEqual(await rows(page), last);
  });
});

test("with motion the answer comes in pieces, and pausing holds it between two steps", async () => {
  const moving = { viewport: { width: 1280, height: 800 } };
  await open(moving, async (page) => {
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    assert.equal((await rows(page)).length, 0);
    await page.click("#story-play");
    const held = await page.locator("#story-steps .step").count();
    await page.waitForTimeout(1200);
    assert.equal(await page.locator("#story-steps .step").count(), held);
    await page.click("#story-next");
    await page.waitForFunction(
      (before) => document.querySelectorAll("#story-steps .step").length === before + 1,
      held,
    );
    await page.click("#story-play");
    await page.waitForFunction(() => {
      const some = document.querySelectorAll('#story-stage [data-id="row"]').length;
      return some > 0 && some < 12;
    });
    await answered(page, "Who walked on the Moon?");
    assert.equal((await rows(page)).length, 12);
  });
});

test("a question that the script does not know is told, and what stands stays", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.fill("#story-question", "Why is the sky blue?");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#story-note:not([hidden])");
    assert.match(await page.textContent("#story-note"), /A script plays the model/);
    await page.locator("#story-note button").click();
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    assert.equal((await rows(page)).length, 12);
    // However it is written, a known one is known.
    await page.fill("#story-question", "who flew on apollo 11");
    await page.keyboard.press("Enter");
    await answered(page, "who flew on apollo 11");
    assert.deepEqual(
      (await rows(page)).map(({ name }) => name),
      ["Neil Armstrong", "Michael Collins", "Buzz Aldrin"],
    );
  });
});

test("what is written while the story plays stays, and is asked", async () => {
  await open({ viewport: { width: 1280, height: 800 } }, async (page) => {
    const written = () => page.inputValue("#story-question");
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    await page.fill("#story-question", "Who is the tallest astronaut?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForSelector("#story-note:not([hidden])");
    await answered(page, "Who walked on the Moon?");
    assert.equal(await written(), "Who is the tallest astronaut?");
    assert.match(await page.textContent("#story-note"), /A script plays the model/);
    await page.fill("#story-question", "Who flew on Apollo 11?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.waitForFunction(
      () => document.querySelector('[data-id="question"]').textContent === "Who flew on Apollo 11?",
    );
    // One that is written and not asked stays as well.
    await page.fill("#story-question", "Who is");
    await page.locator("#story-question").blur();
    await answered(page, "Who flew on Apollo 11?");
    assert.equal(await written(), "Who is");
    await page.locator(".chip", { hasText: "rock" }).click();
    await answered(page, "How much Moon rock?");
    assert.equal(await written(), "How much Moon rock?");
    await page.locator("#story-steps .step").first().click();
    assert.equal(await written(), "Who walked on the Moon?");
  });
});

test("each stage opens in its workbench with what it holds", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.click("#story-open-graph");
    await page.waitForFunction(() =>
      /From Mercury/.test(document.querySelector("#graph-counts").textContent),
    );
    assert.equal(new URL(page.url()).hash, "#graph/story");
    await page.click("#graph-end");
    await page.waitForFunction(() =>
      /12 findings|12 rows/.test(
        document.querySelector("#graph-pane-why").textContent +
          document.querySelector("#graph-numbers").textContent,
      ),
    );

    await page.goto(`${server.url}/www/dist/#story`);
    await page.click("#story-open-flow");
    await page.waitForSelector("#flow-run:not([disabled])");
    await page.click("#flow-run");
    await page.waitForFunction(
      () => document.querySelector("#flow-title").textContent === "Completed",
    );
    assert.equal(await page.locator('#flow-stage [data-id="row"]').count(), 12);

    await page.goto(`${server.url}/www/dist/#story`);
    await page.click("#story-open-surface");
    await page.waitForFunction(
      () => document.querySelectorAll('#stage [data-id="row"]').length === 12,
      null,
      { timeout: 60_000 },
    );

    await page.goto(`${server.url}/www/dist/#story`);
    await page.locator(".chip", { hasText: "rock" }).click();
    await answered(page, "How much Moon rock?");
    const stands = await page.innerText("#story-stage");
    /** How the words of the rows stand to one another, and the lines of their figures. */
    const laid = (stage) =>
      page.locator(`${stage} [data-id="row"]`).evaluateAll((rows) => {
        const box = (row, id) => row.querySelector(`[data-id="${id}"]`).getBoundingClientRect();
        const all = rows.map((row) => {
          const beside = box(row, "row_detail").left > box(row, "row_name").right;
          return `${beside} ${Math.floor(box(row, "row_figure").height / 20)}`;
        });
        return [...new Set(all)];
      });
    assert.equal((await laid("#story-stage")).length, 1);
    await page.click("#story-open-surface");
    // It stands as the story left it, at its last step.
    await page.waitForFunction(
      (text) => document.querySelector("#stage").innerText === text,
      stands,
    );
    assert.equal(await page.textContent("#step-title"), "The answer streams into the surface");
    // And as it was dressed there: rows of one kind, and no figure over two lines.
    assert.match((await laid("#stage")).join(), /^(true|false) 1$/);
    assert.ok(await page.locator("#steps li:last-child [aria-current]").isVisible());
  });
});

test("the menu names the question that is shown, and says so where it is no example", async () => {
  await open(desk, async (page) => {
    const menu = () => page.$eval("#examples", (select) => select.selectedOptions[0]?.textContent);
    await answered(page, "Who walked on the Moon?");
    assert.equal(await menu(), "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "rock" }).click();
    await answered(page, "How much Moon rock?");
    assert.equal(await menu(), "How much Moon rock?");
    await page.fill("#story-question", "Who flew with John Young?");
    await page.press("#story-question", "Enter");
    await answered(page, "Who flew with John Young?");
    assert.equal(await menu(), "Another question");
    await page.click('.benches a[href="#surface"]');
    await page.waitForSelector('#stage [data-id="root"]');
    await page.click('.benches a[href="#story"]');
    await page.waitForFunction(() => document.querySelector("#examples").value === "");
    await page.locator("#story-steps .step").first().click();
    assert.equal(await menu(), "Who walked on the Moon?");
    await page.selectOption("#examples", { label: "How much Moon rock?" });
    await answered(page, "How much Moon rock?");
  });
});

test("a phone shows a stage at a time, the surface first, and nothing scrolls sideways", async () => {
  const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" };
  await open(phone, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const sideways = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
    assert.equal(await sideways(), 0);
    assert.ok(await page.isVisible("#story-stage"));
    for (const [tab, pane] of [
      ["Question", "question"],
      ["Plan", "plan"],
      ["Workflow", "flow"],
      ["Graph", "graph"],
    ]) {
      await page.locator("#story-tabs").getByRole("tab", { name: tab }).click();
      assert.ok(await page.isVisible(`#story-pane-${pane}`), tab);
      assert.ok(await page.isHidden("#story-stage"));
      assert.equal(await sideways(), 0);
    }
    await page.locator("#story-tabs").getByRole("tab", { name: "Question" }).click();
    await page.locator(".chip", { hasText: "rock" }).click();
    await answered(page, "How much Moon rock?");
    assert.ok(await page.isVisible("#story-stage"));
    assert.equal((await rows(page)).length, 6);
  });
});

test("a keyboard is enough", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.focus("#story-question");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Who was up longest?");
    await page.keyboard.press("Enter");
    await answered(page, "Who was up longest?");
    assert.equal((await rows(page))[0].figure, "2,017.3 hours");
    // On through the page to the first button of the surface; what it asks keeps the focus in the page.
    await page.focus("#story-open-surface");
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => document.activeElement.textContent);
    assert.equal(label, "Crewmates");
    await page.keyboard.press("Enter");
    await answered(page, "Who flew with Gerald Carr?");
    assert.deepEqual((await rows(page)).map(({ name }) => name).sort(), [
      "Bill Pogue",
      "Ed Gibson",
    ]);
  });
});

/** Chooses a server for a model, which answers as `replies` say: a text, or a status. */
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
  await page.getByRole("button", { name: "Use it" }).click();
  return prompts;
}

const asks = async (page, question) => {
  await page.fill("#story-question", question);
  await page.keyboard.press("Enter");
};

const told = (page, words) =>
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

test("a real model answers any question, and a plan that cannot run goes back to it once", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const said = '{"answer": "Five rockets.", "next": ["Which one was largest?"]}';
    const prompts = await withServer(page, [plan("FIND nodez AS answer"), all, said]);
    await asks(page, "Which rockets were there?");
    await answered(page, "Which rockets were there?");
    assert.match(prompts[0], /MISSION/);
    assert.match(prompts[1], /Your last plan could not run/);
    assert.match(prompts[2], /Saturn V/);
    assert.equal((await rows(page)).length, 5);
    assert.equal(await page.textContent('[data-id="answer"]'), "Five rockets.");
    assert.equal(await page.textContent("#story-plan-by"), "by tiny");
    assert.equal(await page.textContent('[data-id="next_one"]'), "Which one was largest?");
  });
});

test("a model that writes nonsense, or stops half-way, is told, and what was found stays", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await withServer(page, ["I cannot do that.", "Sorry.", all, "no JSON", null]);
    await asks(page, "Which rockets were there?");
    await told(page, "The model wrote no plan");
    // The page is what it was before the question.
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal((await rows(page)).length, 12);
    await page.getByRole("button", { name: "Ask again" }).click();
    await told(page, "The model wrote no answer");
    assert.equal((await rows(page)).length, 5);
    assert.match(await page.textContent("#story-note"), /What was found so far stays/);
    await page.getByRole("button", { name: "Ask again" }).click();
    await told(page, "The model wrote no plan");
    assert.equal((await rows(page)).length, 5);
  });
});

test("a question that fails does not leave the words of one that it stopped", async () => {
  await open({ viewport: { width: 1280, height: 800 } }, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const answer = await page.textContent('[data-id="answer"]');
    await page.locator(".chip", { hasText: "rock" }).click();
    // The words that wait stand there, and the one that asked for them is stopped.
    await page.waitForFunction(
      () => document.querySelector('[data-id="answer"]').textContent === "Looking in the graph…",
    );
    // Held, it cannot end meanwhile.
    await page.click("#story-play");
    await withServer(page, ["I cannot do that."]);
    await asks(page, "Which rockets were there?");
    await told(page, "The model wrote no plan");
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal(await page.textContent('[data-id="answer"]'), answer);
    assert.equal((await rows(page)).length, 12);
  });
});

test("the last step is whole where there are more than fit, and each is large enough to be pressed", async () => {
  for (const width of [1440, 1024, 390]) {
    const viewport = { width, height: width === 390 ? 844 : 768 };
    await open({ viewport, reducedMotion: "reduce" }, async (page) => {
      await answered(page, "Who walked on the Moon?");
      for (const question of [
        "Who flew most often?",
        "Who was up longest?",
        "How much Moon rock?",
      ]) {
        await page.evaluate((words) => {
          for (const chip of document.querySelectorAll(".chip"))
            if (chip.textContent === words) chip.click();
        }, question);
        await answered(page, question);
      }
      const [dot, strip] = await page.$eval("#story-steps", (list) =>
        [list.querySelector("[aria-current]"), list].map(
          (one) => one.getBoundingClientRect().right,
        ),
      );
      assert.ok(dot <= strip, `${width}: the dot ends at ${dot}, the strip at ${strip}`);
      const small = await page.$$eval("#story-steps .step", (dots) =>
        dots
          .map((one) => one.getBoundingClientRect())
          .filter(({ width, height }) => Math.min(width, height) < 24),
      );
      assert.deepEqual(small, []);
    });
  }
});

test("an address that nobody knows opens the story, and says so", async () => {
  for (const hash of ["#nonsense", "#story=AAAA"]) {
    await open(
      desk,
      async (page) => {
        await page.locator(".notice").getByText(`There is nothing at “${hash}”`).waitFor();
        await answered(page, "Who walked on the Moon?");
        assert.equal(new URL(page.url()).hash, "#story");
      },
      hash,
    );
  }
});

test("a link asks the question of the story again", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  await open({ ...desk, permissions }, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "rock" }).click();
    await answered(page, "How much Moon rock?");
    await page.click("#share");
    await page.locator(".notice").getByText("The link is copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await withPage(browser, link, desk, async (other) => {
      await answered(other, "How much Moon rock?");
      assert.equal((await rows(other)).length, 6);
    });
  });
});

test("axe finds nothing where sources are open", async () => {
  await open(desk, async (page) => {
    await answered(page, "Who walked on the Moon?");
    await page.waitForSelector("#story-picture .spot.hit");
    await page.locator('[data-id="row_button"]').first().click();
    await page.waitForSelector('[data-id="source_id"]');
    // What has just changed is lit for a moment, and a colour that fades is no colour to judge.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run());
    assert.deepEqual(
      found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      [],
    );
  });
});

test("another question stops the one that is under way, and each row keeps its own sources", async () => {
  const moving = { viewport: { width: 1280, height: 800 } };
  await open(moving, async (page) => {
    await page.waitForFunction(
      () => document.querySelectorAll('#story-stage [data-id="row"]').length > 2,
    );
    // In the middle of a stream.
    await page.locator(".chip", { hasText: "rock" }).click();
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    await page.locator(".chip", { hasText: "longest" }).click();
    await page.locator(".chip", { hasText: "crews" }).click();
    await answered(page, "Which ship met most crews?");
    const last = await rows(page);
    assert.deepEqual(last[0], {
      name: "USS Wasp",
      detail: "Gemini 4 · Gemini 7 · Gemini 6A · Gemini 9A · Gemini 12",
      figure: "5 crews",
    });
    // A row of the first question still knows where it came from.
    const first = await page.$$eval("#story-steps .step", (list) =>
      list.findIndex(({ title }) => title.includes("The findings stream")),
    );
    await page.locator("#story-steps .step").nth(first).click();
    await page.locator('[data-id="row_button"]').first().click();
    assert.match(await page.textContent('[data-id="source_text"]'), /Gene Cernan was outside/);
    await page.locator("#story-steps .step").last().click();
    assert.deepEqual(await rows(page), last);
    assert.equal(await page.locator('[data-id="source"]').count(), 0);
  });
});

test("what is opened early has the sources of the question at hand, and none before they are there", async () => {
  await open({ viewport: desk.viewport }, async (page) => {
    await answered(page, "Who walked on the Moon?");
    const young = page.locator('#story-stage [data-key="root/rows/row:f_john_young"]');
    const why = young.getByRole("button", { name: "Why?" });
    await page.locator(".chip", { hasText: "most often" }).click();
    await page.waitForFunction(
      () =>
        document.querySelector('#story-stage [data-id="question"]').textContent ===
        "Who flew most often?",
    );
    // Held, so that the plan has not run.
    await page.click("#story-play");
    await why.click();
    assert.match(await young.textContent(), /Still looking/);
    await page.click("#story-play");
    const first = await page.waitForFunction(() => {
      const row = document.querySelector('[data-key="root/rows/row:f_john_young"]');
      if (!row?.querySelector('[data-id="row_detail"]').textContent.includes("Gemini 3"))
        return null;
      return [document.querySelector('[data-id="answer"]').textContent, row.textContent];
    });
    const [answer, text] = await first.jsonValue();
    // The rows stand, and the answer does not.
    assert.equal(answer, "Looking in the graph…");
    assert.doesNotMatch(text, /Descartes|Still looking/);
    await why.click();
    await page.waitForFunction(() => !document.querySelector('[data-id="source"]'));
    await why.click();
    await answered(page, "Who flew most often?");
    assert.equal(await young.locator('[data-id="source"]').count(), 4);
    assert.doesNotMatch(await young.textContent(), /Descartes|Still looking|no source/);
  });
});

test("every size shows the whole story: what does not fit beside the rest has a tab", async () => {
  const panes = ["question", "plan", "flow", "surface", "graph"];
  for (const [width, height] of [
    [360, 740],
    [768, 1024],
    [1024, 768],
    [1440, 900],
  ]) {
    await open({ viewport: { width, height }, reducedMotion: "reduce" }, async (page) => {
      await answered(page, "Who walked on the Moon?");
      for (const pane of panes) {
        const tab = page.locator(`#story-tab-${pane}`);
        if (await tab.isVisible()) await tab.click();
        const where = await page.locator(`#story-pane-${pane}`).boundingBox();
        const size = `${pane} at ${width}×${height}: ${JSON.stringify(where)}`;
        assert.ok(where && where.width >= 200 && where.height >= 100, size);
        assert.ok(where.x >= 0 && where.x + where.width <= width, size);
        assert.ok(where.y >= 0 && where.y + where.height <= height, size);
      }
      assert.equal(await page.locator("#story-tabs").isVisible(), width < 640);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(sideways, width);
    });
  }
});
