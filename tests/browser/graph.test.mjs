// The graph workbench of the built playground with the real core and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, gasl, testExample } from "./graph-page.mjs";

const phone = { width: 390, height: 844 };

test("the workbench opens from the top bar, and its first example plays", async () => {
  const options = { viewport: desk };
  await withPage(browser, `${server.url}/www/dist/`, options, async (page) => {
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator("#graph-picture .graph-node").first().waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.locator("#graph-title").getByText("The scripted model plans").waitFor();
    await page.locator("[data-bench=surface]").waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Surface" }).click();
    await page.locator("[data-bench=surface]").waitFor();
    await page.locator("[data-bench=graph]").waitFor({ state: "hidden" });
  });
});

testExample(
  "a question is answered by plans of a scripted model",
  "coauthors",
  async (page, the) => {
    await the.end();
    assert.match(await the.note(), /^All four write with authors of other groups/);
    await page.locator("#graph-why-Evidence").click();
    const findings = page.locator("#graph-why details");
    assert.equal(await findings.count(), 11);
    const first = await findings.first().textContent();
    assert.match(first, /Ada Lind → A flume for a fjord → Emil Sato/);
    assert.match(first, /Emil Sato is an author of .*abstract-2 · step 5/);
    await page.locator("#graph-why-Model").click();
    const asked = page.locator("#graph-why > details");
    assert.equal(await asked.count(), 3);
    assert.match(await asked.last().textContent(), /3\. evaluatescripted/);
    await page.locator("#graph-why-State").click();
    assert.match(await page.locator("#graph-why").textContent(), /findingsLIST11 items/);
  },
);

test("an example does not replace text that is entered before it plays", async () => {
  const url = `${server.url}/www/dist/index.html#graph/mistakes`;
  await withPage(browser, url, { viewport: desk }, async (page) => {
    await editor(page, gasl).waitFor({ state: "attached" });
    await page.locator("#graph-steps [aria-current]").waitFor();
    await page.locator("#examples").selectOption("paths");
    await page.locator("#examples").selectOption("mistakes");
    await setEditorText(page, gasl, "FIND nodes WERE x AS y");
    await page.waitForTimeout(1600);
    assert.equal(await page.locator("#graph-title").textContent(), "Your plan");
    assert.equal(await page.locator("#graph-note").textContent(), "1 problem to fix.");
    assert.equal(await page.locator("#graph-diagnostics .problem").count(), 1);
    // The result of a displayed step is not shown for another text.
    await page.getByRole("button", { name: /^1\. / }).click();
    assert.equal(await page.locator("#graph-diagnostics .problem").count(), 1);
  });
});

testExample("going back to a step of the history stops playing", "paths", async (page, the) => {
  await the.end();
  await page.locator("#graph-why-History").click();
  const step = page.locator("#graph-why").getByRole("button", { name: "Step 3" });
  await step.press("Enter");
  await page.locator("#graph-steps [aria-current][aria-label^='3.']").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Step 3");
});

testExample("steps can be selected in any order", "coauthors", async (page, the) => {
  await the.dot(1);
  const now = () => page.locator("#graph-steps [aria-current]").getAttribute("aria-label");
  assert.match(await now(), /^1\. The scripted model plans/);
  await the.press("Step");
  assert.match(await now(), /^2\. DECLARE findings/);
  await the.dot(7);
  assert.match(await now(), /^7\. FIND paths/);
  assert.match(await the.note(), /11 rows in together/);
  assert.equal(await the.lit(), 20);
  assert.equal(await page.locator("#graph-rows tbody tr").count(), 11);
  assert.match(await page.locator("#graph-editor .mark").first().textContent(), /^FIND/);
  await the.press("Back");
  assert.match(await now(), /^6\. SET/);
  await page.locator("#graph-why-State").click();
  assert.match(await page.locator("#graph-why").textContent(), /findingsLIST0 items/);
});

testExample(
  "the markers of a step are displayed at the running command",
  "paths",
  async (page, the) => {
    await the.dot(5);
    assert.match(
      await page.locator("#graph-diagnostics").textContent(),
      /the result was truncated/,
    );
    await page.locator("#graph-why-History").click();
    assert.match(
      await page.locator("#graph-why .log-entry.now").textContent(),
      /partial.*not complete: 3 returned, max_results is 3/,
    );
  },
);

testExample("buttons fix errors until the plan runs", "mistakes", async (page, the) => {
  await page.locator("#graph-diagnostics .problem").first().waitFor();
  assert.match(await the.note(), /^Fix 3 errors first/);
  for (const label of [
    "Write … nodes WHERE …",
    "Write … 15 AND year …",
    "Write COUNT top BY year AS counted",
    "Write RANK known BY citations LIMIT 5 AS top",
    "Put DECLARE findings AS LIST before it",
  ]) {
    await page.locator("#graph-diagnostics").getByRole("button", { name: label }).click();
    if (await page.locator("#graph-end").isEnabled()) await the.end();
  }
  await page.locator("#graph-title").getByText("Done").waitFor();
  assert.match(await getEditorText(page, gasl), /^DECLARE findings AS LIST$/m);
  assert.equal(await page.locator("#graph-diagnostics .problem").count(), 0);
  assert.equal(await the.lit(), 5);
});

testExample(
  "a plan is checked while it is edited, as lines and as JSON",
  "paths",
  async (page, the) => {
    await the.write('FIND nodes WHERE entity_type == "PERSON" AS people');
    await page.locator("#graph-editor .cm-lintRange").getByText("==").waitFor();
    const plan = {
      plan_id: "p",
      why: "w",
      commands: ['FIND nodes WHERE id = "Ada Lind" AS x', "COUNT x"],
    };
    await the.write(JSON.stringify(plan));
    await page.locator("#graph-diagnostics").getByText("GASL008").waitFor();
    await page.getByRole("button", { name: "Write COUNT x AS counted" }).click();
    await the.end();
    assert.match(await getEditorText(page, gasl), /"COUNT x AS counted"\]/);
    assert.equal(await page.locator("#graph-title").textContent(), "Done");
    assert.equal(await page.locator("#graph-steps .step").count(), 3);
  },
);

testExample("a plan can continue from the state of any step", "process", async (page, the) => {
  await the.dot(4);
  await the.write("COUNT topics BY method AS ways");
  await the.press("Run from here");
  await the.end();
  assert.match(await page.locator("#graph-rows").textContent(), /gauges3/);
  await the.write("COUNT topics BY method AS ways");
  await the.press("Run");
  await the.end();
  assert.match(await the.note(), /undefined variable topics/);
});

testExample("guards change the plan, and the history shows it", "guards", async (page, the) => {
  await the.end();
  await page.locator("#graph-why-History").click();
  const past = await page.locator("#graph-why .log-entry b").allTextContents();
  assert.equal(past.length, 14);
  assert.deepEqual(
    past.filter((word) => word !== "success"),
    ["empty", "error"],
  );
});

testExample("nodes are selected and opened with keys", "coauthors", async (page) => {
  const active = () =>
    page.evaluate(() => {
      const { dataset, className } = document.activeElement;
      return dataset.id ?? className;
    });
  const place = (id) =>
    page
      .locator(`#graph-picture .graph-node[data-id="${id}"]`)
      .evaluate((spot) => spot.getBoundingClientRect().x);
  const stop = page.locator('#graph-picture .graph-node[tabindex="0"]');
  assert.equal(await stop.count(), 1, "Tab comes to one of them");
  await stop.focus();
  const first = await active();
  const key = (await place(first)) > 640 ? "ArrowLeft" : "ArrowRight";
  await page.keyboard.press(key);
  const second = await active();
  assert.notEqual(second, first);
  assert.equal((await place(second)) < (await place(first)), key === "ArrowLeft");
  await page.keyboard.press("Enter");
  const card = page.locator("#graph-picture .detail");
  assert.equal(await card.getAttribute("aria-label"), second);
  assert.equal(await active(), "detail");
  // A selected neighbour replaces the card, and the focus stays in it.
  const neighbour = card.locator(".place").first();
  const third = await neighbour.textContent();
  await neighbour.press("Enter");
  assert.equal(await card.getAttribute("aria-label"), third);
  assert.equal(await active(), "detail");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  assert.equal(await active(), third);
  assert.equal(await stop.getAttribute("data-id"), third);
});

testExample(
  "labels do not cover other labels, and few nodes of the result",
  "coauthors",
  async (page, the) => {
    await the.end();
    const { names, crossed, covered } = await page.evaluate(() => {
      const shown = [...document.querySelectorAll("#graph-picture .label")].filter((label) =>
        label.checkVisibility(),
      );
      const boxes = shown.map((label) => label.getBoundingClientRect());
      const holds = ({ left, right, top, bottom }, x, y) =>
        x > left && x < right && y > top && y < bottom;
      const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
      const meets = (a, b) =>
        a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
      const lit = [...document.querySelectorAll("#graph-picture .graph-node.hit path")];
      const spots = lit.map((shape) => middle(shape.getBoundingClientRect()));
      return {
        names: boxes.length,
        crossed: boxes.filter((a, at) => boxes.slice(at + 1).some((b) => meets(a, b))).length,
        covered: spots.filter(([x, y]) => boxes.some((box) => holds(box, x, y))).length,
      };
    });
    assert.ok(names > 20, `${names} names`);
    assert.equal(crossed, 0);
    assert.ok(covered <= 1, `${covered} nodes of the result are covered`);
  },
);

testExample("a node displays its attributes", "paths", async (page, the) => {
  await the.end();
  await page.locator("#graph-rows").getByRole("button", { name: "all 5" }).click();
  await page.locator("#graph-rows").getByRole("button", { name: "Hana Novak" }).first().click();
  const card = page.locator(".detail");
  assert.match(await card.textContent(), /Meridian Lab.*WROTE Mud keeps time/);
  await card.getByRole("button", { name: "Close" }).click();
  await card.waitFor({ state: "hidden" });
});

testExample(
  "a phone shows one pane at a time, with the note above and the bar below",
  "paths",
  async (page) => {
    await page.locator("#graph-picture").waitFor();
    await page.locator("#graph-editor").waitFor({ state: "hidden" });
    await page.locator("#graph-note").waitFor();
    // The heading stays while the results of a long run scroll.
    const heading = await page.locator(".rows-head").evaluate((head) => {
      const strip = head.querySelector(".rows-results");
      for (let more = 0; more < 12; more++) {
        const crumb = document.createElement("button");
        crumb.className = "crumb";
        crumb.textContent = `result ${more}`;
        strip.append(crumb);
      }
      strip.scrollLeft = strip.scrollWidth;
      const [heading, results] = [head.querySelector("h3"), strip].map((one) =>
        one.getBoundingClientRect(),
      );
      const moved = head.scrollWidth - head.clientWidth;
      return { scrolled: strip.scrollLeft > 0, moved, apart: results.left >= heading.right };
    });
    assert.deepEqual(heading, { scrolled: true, moved: 0, apart: true });
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.locator("#graph-editor").waitFor();
    await page.locator("#graph-picture").waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Why" }).click();
    await page.locator("#graph-why").waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, "the page scrolls horizontally");
    const bar = await page.locator("[data-bench=graph] .bar").boundingBox();
    assert.ok(bar && Math.abs(bar.y + bar.height - phone.height) < 2);
  },
  { viewport: phone },
);

testExample("a run pauses between its steps, and lists their rows", "paths", async (page, the) => {
  await page.locator("#graph-why-Runs").click();
  const panel = page.locator("#graph-why byname-devtools");
  await panel.getByRole("button", { name: "Pause" }).click();
  await the.write('FIND nodes WHERE entity_type = "TOPIC" AS topics\nCOUNT topics AS many');
  await page.keyboard.press("Control+Enter");
  await page.locator("#graph-why-Runs").click();
  const step = panel.getByRole("button", { name: "Step" });
  for (const title of ["first step", "after step 1"]) {
    await step.click();
    await panel.getByText(`1 waiting, next: ${title}`).waitFor();
  }
  await panel.getByRole("option", { name: /step.*FIND nodes.* rows/ }).click();
  await panel.getByRole("cell", { name: "TOPIC" }).first().waitFor();
  assert.equal(await panel.getByRole("option", { name: /step.*COUNT/ }).count(), 0);
  await panel.getByRole("button", { name: "Resume" }).click();
  await panel.getByRole("option", { name: /end.*completed/ }).waitFor();
});
