// Runs of the flow workbench that wait for answers, handle failures, and continue from checkpoints.
import assert from "node:assert/strict";
import { getEditorText } from "./editor.mjs";
import { json, testExample } from "./flow-page.mjs";
import { readEvents } from "./panel-page.mjs";

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
    await page.locator("#flow-answers").waitFor({ state: "hidden" });
    assert.equal(await the.box("draft").getAttribute("data-state"), "kept");
    assert.equal(await the.box("discard").getAttribute("data-state"), "none");
    // The steps before the pause keep their checkpoints.
    assert.match(await the.box("read").textContent(), /temperature\[14\.2,null,9\.8\]/);
    await page.locator('#flow-steps [aria-label^="draft: reused, checkpoint"]').click();
    await the.press("Resume from here");
    await the.title.getByText("Paused", { exact: true }).waitFor();
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
  const events = await readEvents(page);
  assert.doesNotMatch(events, /read started/);
  assert.match(events, /draft started/);
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

const n8n = {
  nodes: [
    { name: "Get Data", type: "n8n-nodes-base.httpRequest", parameters: { url: "={{ $json.u }}" } },
    { name: "If", type: "n8n-nodes-base.if", parameters: {} },
  ],
  connections: { "Get Data": { main: [[{ node: "If", type: "main", index: 0 }]] } },
};

testExample("a pasted workflow of n8n is converted", "weather", async (page, the) => {
  await the.write(JSON.stringify(n8n));
  await the.title.getByText("Imported", { exact: true }).waitFor();
  assert.equal(
    await the.note(),
    "Converted from n8n. 1 part needs attention, see below. Undo restores its text.",
  );
  const { nodes, edges } = JSON.parse(await getEditorText(page, json));
  assert.deepEqual(
    nodes.map(({ id }) => id),
    ["Get_Data", "If"],
  );
  assert.deepEqual(edges, [{ from: "Get_Data", to: "If" }]);
  assert.match(
    await page.locator("#flow-diagnostics").textContent(),
    /From the importFLOW072\/nodes\/0\/parameters\/url/,
  );
  await the.box("Get_Data").waitFor();
});

testExample("a pasted workflow of this package is not converted", "weather", async (page, the) => {
  const text = JSON.stringify({
    inputs: { part: {} },
    nodes: [{ id: "a", type: "text", params: { template: "$part" } }],
  });
  await the.write(text);
  await the.title.getByText("Your workflow", { exact: true }).waitFor();
  assert.equal(await getEditorText(page, json), text);
});

/** Drops a file on the diagram. */
const drop = (page, name, text) =>
  page.locator("#flow-map").evaluate(
    (target, [file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      target.dispatchEvent(
        new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
      );
    },
    [name, text],
  );

testExample("dropped workflows of other programs are opened", "weather", async (page, the) => {
  await drop(page, "notes.json", '{"rows": []}');
  await the.title.getByText("Not opened", { exact: true }).waitFor();
  assert.match(await the.note(), /^unknown form of a workflow with the keys rows; expected/);
  const graph = {
    nodes: [{ id: "__start__" }, { id: "agent" }],
    edges: [{ source: "__start__", target: "agent" }],
  };
  const sampler = {
    4: { class_type: "Load", inputs: { name: "model" } },
    3: { class_type: "Sample", inputs: { model: ["4", 0] } },
  };
  const batch = { items: ["a"], error_handling: "continue" };
  const pflow = { nodes: [{ id: "each", type: "text", batch, params: { template: "$item" } }] };
  for (const [program, document, id] of [
    ["LangGraph", graph, "agent"],
    ["ComfyUI", sampler, "Sample_3"],
    ["pflow", pflow, "each"],
  ]) {
    await drop(page, "workflow.json", JSON.stringify(document));
    await page.locator("#flow-note").getByText(`Converted from ${program}.`).waitFor();
    await the.box(id).waitFor();
  }
  await the.run();
  assert.equal(await page.locator("#flow-steps li").count(), 1);
});
