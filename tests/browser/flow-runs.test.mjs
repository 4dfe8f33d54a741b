// Workflows that run in the flow workbench of the built playground, with real nodes and a scripted model.
import assert from "node:assert/strict";
import { getEditorText } from "./editor.mjs";
import { json, testExample } from "./flow-page.mjs";
import { readEvents } from "./panel-page.mjs";

testExample("a run displays each call with its values", "weather", async (page, the) => {
  await the.run();
  assert.equal(await the.note(), "report: 12.2 °C on average, 78 % humidity at the harbour");
  assert.equal(await page.locator("#flow-steps li").count(), 5);
  assert.match(await the.box("source2").textContent(), /source2_temperature12\.6/);
  assert.match(
    await page.locator("#flow-numbers").textContent(),
    /compiled in .* ms.*wasm [\d,]+ kB/,
  );
  await the.box("source3").locator(".box-id").click();
  await page.getByRole("button", { name: "Show all nodes" }).waitFor();
  assert.match(await the.why(), /Show all nodessource3weather.*stationhill.*temperature9\.8/);
  assert.match(await page.locator("#flow-editor-workflow .mark.now").first().textContent(), /^\{/);
  await the.press("Show all nodes");
  await page.getByRole("button", { name: "Show all nodes" }).waitFor({ state: "detached" });
  assert.equal(await page.locator("#flow-why [data-call]").count(), 5);
});

testExample("a run can be displayed at any of its calls", "weather", async (page, the) => {
  await the.run();
  const dots = page.locator("#flow-steps button");
  await dots.nth(1).click();
  await page.locator("#flow-note").getByText("The run after source2 ended").waitFor();
  await page.locator('.side-after[data-node="report"][data-state="none"]').waitFor();
  assert.equal(await the.box("source2").getAttribute("data-state"), "finished");
  assert.equal(await page.locator("#flow-steps .step.later").count(), 3);
  await page.keyboard.press("l");
  await page.locator("#flow-note").getByText("after source3 ended").waitFor();
  await dots.nth(4).click();
  await page.locator('.side-after[data-node="report"][data-state="finished"]').waitFor();
  assert.equal(await page.locator("#flow-steps .step.later").count(), 0);
});

testExample("a loop repeats, and a failed node is retried", "loop", async (page, the) => {
  // Records every note, because each is displayed only briefly.
  await page.evaluate(() => {
    window.announced = [];
    const title = document.querySelector("#flow-title");
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const { textContent } of addedNodes) window.announced.push(textContent);
    }).observe(title, { childList: true });
  });
  await the.run();
  assert.match(await the.note(), /3 parts were sent/);
  const announced = await page.evaluate(() => window.announced);
  assert.deepEqual(announced.slice(-4), ["Retrying", "Retrying", "Retried", "Completed"]);
  assert.equal(await page.locator("#flow-steps li").count(), 12);
  const failed = page.locator("#flow-why [data-call=send] .error");
  assert.deepEqual(
    await failed.allTextContents(),
    ["Attempt 1: `send` failed: the line broke", "Attempt 2: `send` failed: the line broke"].map(
      (words) => words.replaceAll("`", ""),
    ),
  );
  assert.equal(await page.locator(".flow-edge.up").count(), 2);
  // The edges below a card move when it grows.
  const apart = await page.evaluate(() => {
    const box = document.querySelector('.side-after[data-node="done"]');
    const way = document.querySelectorAll(".flow-edge.down")[1];
    return box.getBoundingClientRect().top - way.getBoundingClientRect().bottom;
  });
  assert.ok(apart > -30 && apart < 0, `the edge ends ${apart} pixels above the card`);
  assert.match((await page.locator(".edge-label").allTextContents()).join(" "), /no yes/);
});

testExample("a node runs once for each item", "batch", async (page, the) => {
  await page.getByLabel("Parallel calls").selectOption("4");
  await the.run();
  assert.match(await the.note(), /\["14\.2 °C","12\.6 °C","9\.8 °C"\]: 12\.2 °C on average/);
  assert.match(await the.box("read").textContent(), /for each one.*3 of 3/);
});

testExample("the state is drawn before its announcement", "batch", async (page, the) => {
  // Read before the first frame after the announcement.
  await page.evaluate(() => {
    const title = document.querySelector("#flow-title");
    new MutationObserver(() => {
      window.seen = {
        box: document.querySelector('.side-after[data-node="read"]').textContent,
        why: document.querySelectorAll("#flow-why [data-call=read]").length,
        steps: document.querySelectorAll("#flow-steps li").length,
        run: document.querySelector("#flow-run").textContent,
      };
    }).observe(title, { childList: true });
  });
  await the.run();
  const { box, ...rest } = await page.evaluate(() => window.seen);
  assert.match(box, /for each one.*3 of 3/);
  assert.deepEqual(rest, { why: 3, steps: 8, run: "Run again" });
});

testExample("files are fetched, and the warmer place wins", "fetch", async (_page, the) => {
  await the.run();
  assert.equal(await the.note(), "go_to: The sea: 14.2 °C");
});

testExample(
  "without a network, the files of the page are available",
  "fetch",
  async (page, the) => {
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await the.run();
    assert.equal(await the.note(), "go_to: The sea: 14.2 °C");
  },
);

testExample("a model plans, a graph answers, a surface shows it", "model", async (page, the) => {
  assert.equal(await page.locator("#flow-model").textContent(), "Model: scripted");
  await the.run();
  assert.match(await page.locator("#flow-stage").textContent(), /Storms that come twice73Winter/);
  assert.match(await the.note(), /cited most, 73 times/);
});

testExample("a cancelled run resumes without repeated calls", "weather", async (page, the) => {
  await page.getByLabel("Speed").selectOption("700");
  await page.locator("#flow-run").click();
  await page.locator(".box[data-state=finished]").first().waitFor();
  await the.press("Cancel");
  await the.title.getByText("Cancelled").waitFor();
  assert.match(await the.note(), /^1 call finished\. Resume continues from there/);
  await page.getByLabel("Speed").selectOption("0");
  await the.press("Resume");
  await the.title.getByText("Completed").waitFor();
  assert.equal(await the.box("source1").locator(".box-state").textContent(), "reused");
  const events = await readEvents(page);
  assert.doesNotMatch(events, /source1/);
  assert.match(events, /source2 started/);
  assert.equal(await page.locator("#flow-resume").isDisabled(), true);
});

testExample(
  "a failed run resumes from the failed node after a fix",
  "weather",
  async (page, the) => {
    const text = await getEditorText(page, json);
    await the.write(text.replace('"values": [', '"no": ['));
    await the.run("Failed");
    assert.match(
      await the.note(),
      /average failed: expected at least one number\. 3 calls finished/,
    );
    assert.match(await page.locator("#flow-diagnostics").textContent(), /In the runFLOW040line/);
    await the.write(text);
    await the.press("Resume");
    await the.title.getByText("Completed").waitFor();
    assert.match(await the.note(), /12\.2/);
    assert.equal(await page.locator(".step.plan").count(), 3);
  },
);

testExample("a workflow can be edited while another one runs", "weather", async (page, the) => {
  await page.getByLabel("Speed").selectOption("700");
  await page.locator("#flow-run").click();
  await page.locator(".box[data-state=running]").waitFor();
  await the.write(
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hello" } }] }',
  );
  await page.locator(".box.side-after").nth(1).waitFor({ state: "detached" });
  await the.title.getByText("Completed").waitFor();
  await page.getByLabel("Speed").selectOption("0");
  await page.locator("#flow-run").click();
  await page.locator("#flow-note").getByText("All nodes have run.").waitFor();
  assert.match(await the.box("a").textContent(), /textHello$/);
});

testExample("an invalid workflow clears the previous run", "weather", async (page, the) => {
  await the.run();
  assert.equal(await page.locator("#flow-steps li").count(), 5);
  await the.write("{");
  await the.run("Not run");
  await page.getByText("Each call appears here with inputs").waitFor();
  assert.equal(await page.locator("#flow-steps li").count(), 0);
  assert.equal(await page.locator("#flow-run").textContent(), "Run");
});

testExample(
  "a run is removed with its workflow, and stays while one of its nodes exists",
  "weather",
  async (page, the) => {
    const node = (id) =>
      JSON.stringify({ nodes: [{ id, type: "weather", params: { station: "hill" } }] });
    const steps = page.locator("#flow-steps li");
    await the.write(node("first"));
    await the.run();
    assert.equal(await steps.count(), 1);
    await the.write(`${node("first")} `);
    await the.title.getByText("Your workflow").waitFor();
    assert.equal(await steps.count(), 1);
    await the.write(node("other"));
    await steps.first().waitFor({ state: "detached" });
    assert.equal(await page.locator("#flow-run").textContent(), "Run");
  },
);

testExample("the key `k` starts and cancels a run", "weather", async (page, the) => {
  await page.locator("#flow-speed").selectOption({ index: 2 });
  await page.locator("#flow-title").click();
  await page.keyboard.press("k");
  await page.locator("#flow-cancel:enabled").waitFor();
  await page.keyboard.press("k");
  await the.title.getByText("Cancelled", { exact: true }).waitFor();
});

testExample("with reduced motion, no run starts by itself", "weather", async (page, the) => {
  await page.waitForTimeout(2500);
  assert.equal(await the.title.textContent(), "Three sources, one key");
  assert.equal(await page.locator("#flow-steps li").count(), 0);
});

testExample("the scroll position in the run is kept", "weather", async (page, the) => {
  await the.run();
  await the.tab("Run");
  await page.locator("#flow-why summary").nth(1).focus();
  await page.locator("#flow-run").evaluate((run) => run.click());
  await the.title.getByText("Completed").waitFor();
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "summary");
});

testExample(
  "a run pauses before its next call, and continues by step",
  "weather",
  async (page, the) => {
    await the.tab("Events");
    const panel = page.locator("#flow-why byname-devtools");
    await panel.getByRole("button", { name: "Pause" }).click();
    await page.locator("#flow-run").click();
    await the.tab("Events");
    await panel.getByText("1 waiting, next: node source1").waitFor();
    await panel.getByRole("button", { name: "Step" }).click();
    await panel.getByText("1 waiting, next: node source2").waitFor();
    assert.equal(await the.box("source1").getAttribute("data-state"), "finished");
    assert.notEqual(await the.box("source2").getAttribute("data-state"), "finished");
    await panel.getByRole("button", { name: "Resume" }).click();
    await the.title.getByText("Completed", { exact: true }).waitFor();
  },
);
