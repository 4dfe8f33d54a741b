// The first page: a question that runs by itself, a static answer, and a button with the next question.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, openStory, readRows, waitForAnswer } from "./story-page.mjs";

/** Computes the graph that the page opens in its workbench without GASL. */
async function links(page) {
  return page.$$eval("#story-picture .edge title", (titles) =>
    titles.map(({ textContent }) => {
      const [, source, type, target] = /^(.+) –(\w+)→ (.+)$/.exec(textContent);
      return { source, type, target };
    }),
  );
}

test("a question is asked by itself, and its answer is correct for the graph", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const found = await readRows(page);
    await page.waitForSelector("#story-picture .graph-node.hit");
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
    assert.equal(await page.getAttribute("#story-picture .drawing", "data-highlighted"), "18");
    // The plan displays the result of each command, and the workflow its renamed outputs.
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
    // The last update is truncated before a word, so that it fits.
    const ham = page.locator("#story-ham");
    assert.match(await ham.textContent(), /^… .*"How much Moon rock\?"\]\}$/);
    assert.ok(await ham.evaluate((line) => line.scrollWidth <= line.clientWidth));
    const numbers = await page.locator("#story-tabs .tab-nth").allTextContents();
    assert.deepEqual(numbers, ["1", "2", "3", "4"]);
  });
});

test("a button asks the next question: rows that stay keep their elements and open details", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    const young = page.locator('#story-stage [data-key="root/rows/row:f_john_young"]');
    await young.getByRole("button", { name: "Why?" }).click();
    await page.waitForSelector('[data-id="source_id"]');
    assert.match(await young.textContent(), /outside for 20\.2 hours at Descartes Highlands/);
    await young.evaluate((element) => {
      window.kept = element;
    });
    await page.locator('[data-id="next_one"]', { hasText: "Moon twice" }).click();
    await waitForAnswer(page, "Who went to the Moon twice?");
    assert.deepEqual(
      (await readRows(page)).map(({ name, detail, figure }) => [name, detail, figure]),
      [
        ["Jim Lovell", "Apollo 8 · Apollo 13", "2 voyages"],
        ["John Young", "Apollo 10 · Apollo 16", "2 voyages"],
        ["Gene Cernan", "Apollo 10 · Apollo 17", "2 voyages"],
      ],
    );
    assert.ok(await young.evaluate((element) => element === window.kept && element.isConnected));
    // The open sources are those of the new answer.
    assert.equal(await young.locator('[data-id="source"]').count(), 2);
    assert.match(
      await page.textContent("#story-update-size"),
      /^[\d,]+ of [\d,]+ bytes rewritten$/,
    );

    await young.getByRole("button", { name: "Crewmates" }).click();
    await waitForAnswer(page, "Who flew with John Young?");
    const crews = (await links(page)).filter(({ type }) => type === "FLEW_ON");
    const his = crews.filter(({ source }) => source === "John Young").map(({ target }) => target);
    const mates = crews.filter(
      ({ source, target }) => source !== "John Young" && his.includes(target),
    );
    assert.deepEqual(
      (await readRows(page)).map(({ name }) => name).sort(),
      [...new Set(mates.map(({ source }) => source))].sort(),
    );
  });
});

test("every step can be selected and played from", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "Who flew most often?" }).click();
    await waitForAnswer(page, "Who flew most often?");
    const last = await readRows(page);
    assert.deepEqual(
      last.map(({ figure }) => Number.parseInt(figure, 10)),
      [4, 4, 4, 4, 3, 3, 3],
    );
    const steps = page.locator("#story-steps .step");
    const count = await steps.count();
    // The answer of the first question.
    const first = await page.$$eval("#story-steps .step", (list) =>
      list.findIndex(({ title }) => title.includes("The answer streams")),
    );
    await steps.nth(first).click();
    assert.equal(await page.textContent('[data-id="question"]'), "Who walked on the Moon?");
    assert.equal((await readRows(page)).length, 12);
    assert.equal(await page.locator(".plan-left").count(), 5);
    await steps.nth(0).click();
    assert.equal((await readRows(page)).length, 0);
    // No update has arrived yet.
    assert.equal(await page.textContent("#story-ham"), "");
    // Arrow keys move between steps; the strip is one tab stop.
    await steps.nth(0).focus();
    await page.keyboard.press("End");
    assert.deepEqual(await readRows(page), last);
    await page.click("#story-back");
    assert.equal(
      await page
        .getAttribute("#story-steps [aria-current]", "title")
        .then((one) => one.startsWith(`${count - 1}.`)),
      true,
    );
    await page.click("#story-play");
    await waitForAnswer(page, "Who flew most often?");
    assert.deepEqual(await readRows(page), last);
  });
});

test("with motion the answer is streamed, and pausing stops it between two steps", async () => {
  const moving = { viewport: { width: 1280, height: 800 } };
  await openStory(moving, async (page) => {
    await page.waitForSelector("#story-plan .plan-steps li[data-state='now']");
    assert.equal((await readRows(page)).length, 0);
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
    await waitForAnswer(page, "Who walked on the Moon?");
    assert.equal((await readRows(page)).length, 12);
  });
});

test("each stage opens in its workbench with its content", async () => {
  await openStory(desk, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
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
    await waitForAnswer(page, "How much Moon rock?");
    const stageText = await page.innerText("#story-stage");
    /** Returns the relative positions of the words in rows, and the lines of their numbers. */
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
    // The workbench is at the last step of the story.
    await page.waitForFunction(
      (text) => document.querySelector("#stage").innerText === text,
      stageText,
    );
    assert.equal(await page.textContent("#step-title"), "The answer streams into the surface");
    // The layout is the same: rows of one kind, and no number over two lines.
    assert.match((await laid("#stage")).join(), /^(true|false) 1$/);
    await page.locator("#steps li:last-child [aria-current]").waitFor();
  });
});

test("the menu displays the current question, and whether it is not an example", async () => {
  await openStory(desk, async (page) => {
    const menu = () => page.$eval("#examples", (select) => select.selectedOptions[0]?.textContent);
    await waitForAnswer(page, "Who walked on the Moon?");
    assert.equal(await menu(), "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "rock" }).click();
    await waitForAnswer(page, "How much Moon rock?");
    assert.equal(await menu(), "How much Moon rock?");
    await page.fill("#story-question", "Who flew with John Young?");
    await page.press("#story-question", "Enter");
    await waitForAnswer(page, "Who flew with John Young?");
    assert.equal(await menu(), "Another question");
    await page.click('.benches a[href="#surface"]');
    await page.waitForSelector('#stage [data-id="root"]');
    await page.click('.benches a[href="#story"]');
    await page.waitForFunction(() => document.querySelector("#examples").value === "");
    await page.locator("#story-steps .step").first().click();
    assert.equal(await menu(), "Who walked on the Moon?");
    await page.selectOption("#examples", { label: "How much Moon rock?" });
    await waitForAnswer(page, "How much Moon rock?");
  });
});

test("an unknown address opens the story with a notice", async () => {
  for (const hash of ["#nonsense", "#story=AAAA"]) {
    await openStory(
      desk,
      async (page) => {
        await page.locator(".notice").getByText(`Unknown address “${hash}”`).waitFor();
        await waitForAnswer(page, "Who walked on the Moon?");
        assert.equal(new URL(page.url()).hash, "#story");
      },
      hash,
    );
  }
});

test("a link asks the question of the story again", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  await openStory({ ...desk, permissions }, async (page) => {
    await waitForAnswer(page, "Who walked on the Moon?");
    await page.locator(".chip", { hasText: "rock" }).click();
    await waitForAnswer(page, "How much Moon rock?");
    await page.click("#share");
    await page.locator(".notice").getByText("Link copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await withPage(browser, link, desk, async (other) => {
      await waitForAnswer(other, "How much Moon rock?");
      assert.equal((await readRows(other)).length, 6);
    });
  });
});
