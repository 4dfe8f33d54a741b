// Runs of the flow workbench that wait for answers, handle failures, and continue from checkpoints.
import assert from "node:assert/strict";
import { getEditorText } from "./editor.mjs";
import { json, testExample } from "./flow-page.mjs";

const steps = (page) => page.locator("#flow-steps button");

testExample(
  "a suspended node gets its answer in a form, and the run continues",
  "approval",
  async (page, the) => {
    await the.run("Paused");
    assert.match(await the.note(), /^approve needs an answer/);
    assert.equal(await the.box("approve").getAttribute("data-state"), "suspended");
    const form = page.locator("#flow-answers form");
    assert.match(
      await form.textContent(),
      /approve needs an answer.*Temperatures \[14\.2,null,9\.8\], no answer from reef/,
    );
    await form.getByRole("button", { name: "yes" }).click();
    await the.title.getByText("Completed", { exact: true }).waitFor();
    assert.match(await the.note(), /report: Stored for later: the line broke/);
    assert.equal(await page.locator("#flow-answers").isVisible(), false);
    assert.equal(await the.box("draft").getAttribute("data-state"), "kept");
    assert.equal(await the.box("discard").getAttribute("data-state"), "none");
  },
);

testExample(
  "an answer is text or JSON, and is checked by the node",
  "approval",
  async (page, the) => {
    await the.run("Paused");
    const field = page.getByLabel("Answer to approve");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), "Answer to approve");
    await field.fill("perhaps");
    await field.press("Enter");
    await the.title.getByText("Failed", { exact: true }).waitFor();
    assert.match(await the.note(), /expected the answer yes or no, found "perhaps"/);
  },
);

testExample(
  "an error edge has its own style and is marked when followed",
  "approval",
  async (page, the) => {
    const failure = page.locator(".flow-edge.failure");
    assert.equal(await failure.count(), 2, "one in each column");
    assert.equal(await page.locator(".flow-edge.failure.taken").count(), 0);
    const [style, usual] = await page.evaluate(() =>
      [".flow-edge.failure", ".flow-edge:not(.failure)"].map((selector) => {
        const { stroke, strokeDasharray } = getComputedStyle(document.querySelector(selector));
        return { stroke, strokeDasharray };
      }),
    );
    assert.notEqual(style.stroke, usual.stroke);
    assert.notEqual(style.strokeDasharray, usual.strokeDasharray);
    await the.run("Paused");
    await page.locator("#flow-answers").getByRole("button", { name: "yes" }).click();
    await the.title.getByText("Completed", { exact: true }).waitFor();
    assert.equal(await page.locator(".flow-edge.failure.taken").count(), 1);
    assert.equal(await the.box("publish").getAttribute("data-state"), "handled");
    assert.match(await the.box("publish").textContent(), /failed, handled/);
    assert.match(await page.locator("#flow-diagnostics").textContent(), /FLOW055/);
  },
);

testExample(
  "the inspector shows the value of each item of a batch",
  "approval",
  async (page, the) => {
    await the.run("Paused");
    await the.box("read").locator(".box-id").click();
    const rows = page.locator("#flow-why [data-batch=read] tbody tr");
    assert.deepEqual(await rows.allTextContents(), [
      "1harbourtemperature 14.2humidity 78",
      "2reefnull: read (item 1: reef) failed: unknown station reef; available: harbour, island, hill",
      "3hilltemperature 9.8humidity 63",
    ]);
    assert.equal(await rows.nth(1).getAttribute("data-state"), "handled");
  },
);

testExample("a run continues from the checkpoint of a step", "approval", async (page, the) => {
  await the.run("Paused");
  assert.equal(await page.locator("#flow-steps .checkpoint").count(), 5);
  const text = await getEditorText(page, json);
  await the.write(text.replace("Temperatures", "Readings"));
  await the.title.getByText("Your workflow").waitFor();
  // The last item of the batch: only the batch is reused.
  await steps(page).nth(2).click();
  await the.press("Resume from here");
  await the.title.getByText("Paused", { exact: true }).waitFor();
  assert.equal(await the.box("read").getAttribute("data-state"), "kept");
  assert.match(await page.locator("#flow-answers").textContent(), /Readings \[14\.2/);
  await page.locator("#flow-why summary").getByText("All events").click();
  const events = (await page.locator(".events li").allTextContents()).join("\n");
  assert.doesNotMatch(events, /started read/);
  assert.match(events, /started draft/);
});

testExample("a completed run is resumed from one of its steps", "weather", async (page, the) => {
  await the.run();
  assert.equal(await page.locator("#flow-resume").isDisabled(), true);
  await steps(page).nth(2).click();
  await the.press("Resume from here");
  await the.title.getByText("Completed", { exact: true }).waitFor();
  const states = (await steps(page).evaluateAll((all) => all.map((one) => one.ariaLabel))).map(
    (label) => label.replace(", checkpoint", ""),
  );
  assert.deepEqual(states, [
    "source1: reused",
    "source2: reused",
    "source3: reused",
    "average: finished",
    "report: finished",
  ]);
});

testExample("a workflow inside of a node opens, with its calls", "nested", async (page, the) => {
  await the.run();
  assert.match(await the.note(), /harbour: 14\.2 °C, 78 %\. hill: 9\.8 °C, 63 %\./);
  await the.box("coast").getByRole("button", { name: "Open" }).click();
  assert.match(await page.locator("#flow-path").textContent(), /^Workflow\/coast$/);
  assert.equal(await the.box("read").getAttribute("data-state"), "finished");
  assert.match(await the.box("Outputs").textContent(), /harbour: 14\.2 °C/);
  await the.box("line").locator(".box-id").click();
  await page.locator('#flow-why [data-call="coast/line"]').waitFor();
  assert.equal(await page.locator("#flow-why [data-call]").count(), 1);
  await page.locator("#flow-path").getByRole("button", { name: "Workflow" }).click();
  await the.box("coast").locator(".box-id").click();
  assert.deepEqual(
    await page
      .locator("#flow-why [data-call]")
      .evaluateAll((calls) => calls.map(({ dataset }) => dataset.call)),
    ["coast", "coast/read", "coast/line"],
  );
});

testExample("a node inside of a node waits for its answer", "nested", async (page, the) => {
  await page.locator("#flow-text-registry").click();
  const types = "Node types (JSON)";
  const registry = JSON.parse(await getEditorText(page, types));
  registry.approve = { inputs: ["question"], outputs: ["answer"], actions: ["yes", "no"] };
  registry["station-report"].workflow = {
    nodes: [{ id: "ask", type: "approve", params: { question: "Go on?" } }],
    outputs: { line: "${ask.answer}" },
  };
  await the.writeInto(types, JSON.stringify(registry, null, 2));
  await the.run("Paused");
  const form = (node) => page.locator(`#flow-answers [data-waiting="${node}"]`);
  await form("coast/ask").getByRole("button", { name: "yes" }).click();
  await form("inland/ask").getByRole("button", { name: "no" }).click();
  await the.title.getByText("Completed", { exact: true }).waitFor();
  assert.equal(await the.note(), "report: yes. no.");
});

testExample("a type whose workflow runs itself is an error", "nested", async (page, the) => {
  await page.locator("#flow-text-registry").click();
  const types = "Node types (JSON)";
  const registry = JSON.parse(await getEditorText(page, types));
  registry["station-report"].workflow.nodes[0].type = "station-report";
  await the.writeInto(types, JSON.stringify(registry, null, 2));
  await the.run("Not run");
  assert.match(
    await page.locator("#flow-diagnostics").textContent(),
    /the workflow of the type station-report runs itself/,
  );
});
