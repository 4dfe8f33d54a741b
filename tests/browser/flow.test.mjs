// The flow workbench of the built playground with the real core, real nodes and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, textIn, write } from "./editor.mjs";
import { browser, server } from "./served.mjs";

const desk = { width: 1280, height: 800 };
const json = "Workflow, in JSON";
const phone = { width: 390, height: 844 };

/** Opens an example of the workbench. Without motion nothing begins by itself, and nothing is held back. */
function opened(name, example, body, options = {}) {
  test(name, async () => {
    const how = { viewport: desk, reducedMotion: "reduce", ...options };
    const url = `${server.url}/www/dist/index.html#flow/${example}`;
    await withPage(browser, url, how, async (page) => {
      await page.locator("#flow-run:enabled").waitFor();
      await editor(page, json).waitFor({ state: "attached" });
      const title = page.locator("#flow-title");
      await body(page, {
        title,
        press: (label) => page.getByRole("button", { name: label, exact: true }).click(),
        tab: (part) => page.locator(`#flow-why-${part}`).click(),
        why: () => page.locator("#flow-why").textContent(),
        note: () => page.locator("#flow-note").textContent(),
        write: (text) => write(page, json, text),
        /** Runs to the end, and expects how it ended. */
        run: async (status = "Completed") => {
          await page.locator("#flow-run").click();
          await title.getByText(status, { exact: true }).waitFor();
        },
        box: (id, side = "after") => page.locator(`.side-${side}[data-node="${id}"]`),
      });
    });
  });
}

test("the workbench opens from the top of the page, and its first example runs by itself", async () => {
  await withPage(browser, `${server.url}/www/dist/`, { viewport: desk }, async (page) => {
    await page.getByRole("link", { name: "Flow" }).click();
    await page.locator(".box").first().waitFor();
    await page.locator(".box[data-state=running]").first().waitFor();
    await page.locator("#flow-numbers").getByText("slowed down to be watched").waitFor();
    await page.locator("[data-bench=surface]").waitFor({ state: "hidden" });
    await page.locator("#flow-title").getByText("Completed").waitFor();
    assert.doesNotMatch(await page.locator("#flow-numbers").textContent(), /slowed down/);
    assert.match(await page.locator("#flow-note").textContent(), /^report: 12.2 °C on average/);
    await page.getByRole("link", { name: "Surface" }).click();
    await page.locator("[data-bench=flow]").waitFor({ state: "hidden" });
  });
});

opened(
  "a station that there is not is told, with those there are",
  "weather",
  async (page, the) => {
    // Some servers answer any name with a page.
    await page.route("**/*.json", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Not here</title>" }),
    );
    const flow = (...nodes) => JSON.stringify({ nodes });
    await the.write(flow({ id: "a", type: "weather", params: { station: "fetch" } }));
    await the.run("Failed");
    const stations = "there is no station fetch: there are harbour, island, hill";
    await page.locator("#flow-note").getByText(stations).waitFor();
    await the.write(
      flow(
        { id: "a", type: "fetch", params: { url: "weather/fetch.json" } },
        { id: "b", type: "json", params: { from: "$response", path: "x" } },
      ),
    );
    await page.locator("#flow-run").click();
    const given = "what it is given is no JSON: <!doctype html>";
    await page.locator("#flow-note").getByText(given).waitFor();
  },
);

opened(
  "a run goes with its workflow, and stays while one of its nodes does",
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

opened("the key `k` runs, and cancels what runs", "weather", async (page, the) => {
  await page.locator("#flow-speed").selectOption({ index: 2 });
  await page.locator("#flow-title").click();
  await page.keyboard.press("k");
  await page.locator("#flow-cancel:enabled").waitFor();
  await page.keyboard.press("k");
  await the.title.getByText("Cancelled", { exact: true }).waitFor();
});

opened("without motion nothing runs by itself", "weather", async (page, the) => {
  await page.waitForTimeout(2500);
  assert.equal(await the.title.textContent(), "Three sources, one key");
  assert.equal(await page.locator("#flow-steps li").count(), 0);
});

opened(
  "a node stands twice: as it is written, and as it is mapped",
  "weather",
  async (page, the) => {
    const clash = page.locator(".side-before .port.clash");
    assert.equal(await clash.count(), 6);
    assert.equal(await clash.first().textContent(), "temperature3 writers");
    const names = page.locator(".side-after .port.writes.new");
    assert.match(
      (await names.allTextContents()).join(" "),
      /source1_temperature .*source3_humidity/,
    );
    // What is pointed at shows who writes and who reads it.
    await clash.first().hover();
    assert.equal(await page.locator(".side-before .port.hit").count(), 6);
    await names.first().hover();
    assert.deepEqual(
      await page.locator(".side-after .port.hit").evaluateAll((all) => all.map((one) => one.title)),
      Array(2).fill("source1_temperature: written by source1, read by average"),
    );
    assert.equal(await page.locator(".map-lines .read").count(), 1);
    await the.tab("Mappings");
    assert.match(await the.why(), /temperature is written by source1, source2, source3\./);
    assert.match(await the.why(), /"source2_humidity"/);
    await the.tab("Mermaid");
    assert.match(await the.why(), /flowchart TD\s+n0\["source1<br\/>weather"\]/);
  },
);

opened("keys are reached with the keyboard, and light up", "weather", async (page) => {
  const first = page.locator(".map-rows [tabindex='0']");
  assert.equal(await first.count(), 1, "the picture is one stop of the Tab key");
  await first.focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".side-before .port.hit").count(), 6);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".side-after .port.hit").count(), 2);
});

opened(
  "the planner's view has a length, and a budget shortens it",
  "weather",
  async (page, the) => {
    await the.tab("Planner");
    assert.match(
      await the.why(),
      /### weather \(source1\).*`source1_temperature`, `source1_humidity`/s,
    );
    const long = Number(/([\d,]+) characters/.exec(await the.why())[1].replace(",", ""));
    await page.getByLabel("Budget, in characters").fill("300");
    const short = Number(/([\d,]+) characters/.exec(await the.why())[1].replace(",", ""));
    assert.ok(short <= 300 && short < long, `${short} of ${long}`);
    await page.getByLabel("Budget, in characters").fill("-5");
    await page.getByText("A budget is a whole number, from 0 on: none is set.").waitFor();
  },
);

opened("a run tells each call with its values", "weather", async (page, the) => {
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

opened("a run is seen as it stood at any of its calls", "weather", async (page, the) => {
  await the.run();
  const dots = page.locator("#flow-steps button");
  await dots.nth(1).click();
  await page
    .locator("#flow-note")
    .getByText("The run as it stood when source2 had ended")
    .waitFor();
  await page.locator('.side-after[data-node="report"][data-state="none"]').waitFor();
  assert.equal(await the.box("source2").getAttribute("data-state"), "finished");
  assert.equal(await page.locator("#flow-steps .step.later").count(), 3);
  await page.keyboard.press("l");
  await page.locator("#flow-note").getByText("when source3 had ended").waitFor();
  await dots.nth(4).click();
  await page.locator('.side-after[data-node="report"][data-state="finished"]').waitFor();
  assert.equal(await page.locator("#flow-steps .step.later").count(), 0);
});

opened("a read follows the name that its writer got", "cache", async (page, the) => {
  assert.match(await the.box("process-cache").textContent(), /cache_key ← fetch-data_cache_key/);
  assert.equal(await page.locator(".side-after .port.new").count(), 2);
  await the.press("renaming alone would break 1 read");
  assert.match(await page.locator(".port.hit").textContent(), /← fetch-data_cache_key$/);
  await the.run();
  await the.box("Outputs").getByText("island:v2").waitFor();
});

opened("branches that meet write the plain name besides", "branches", async (page, the) => {
  assert.match(await the.box("german").textContent(), /german_text.*and text/);
  await the.run();
  assert.match(await the.note(), /Guten Tag/);
  assert.equal(await page.locator(".way.taken").count(), 2);
  await page.locator("#flow-text-inputs").click();
  await write(page, "Inputs of the run, in JSON", '{ "language": "en" }');
  await page.keyboard.press("Control+Enter");
  await page.locator("#flow-note").getByText("Good day").waitFor();
  assert.equal(await the.box("german").getAttribute("data-state"), "none");
});

opened("a loop comes by again, and a node that fails is tried again", "loop", async (page, the) => {
  // Each note is taken down: nobody has to be there when it is.
  await page.evaluate(() => {
    window.told = [];
    const title = document.querySelector("#flow-title");
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const { textContent } of addedNodes) window.told.push(textContent);
    }).observe(title, { childList: true });
  });
  await the.run();
  assert.match(await the.note(), /3 parts were sent/);
  const told = await page.evaluate(() => window.told);
  assert.deepEqual(told.slice(-4), ["Tries again", "Tries again", "Tried again", "Completed"]);
  assert.equal(await page.locator("#flow-steps li").count(), 12);
  const failed = page.locator("#flow-why [data-call=send] .error");
  assert.deepEqual(
    await failed.allTextContents(),
    ["Attempt 1: `send` failed: the line broke", "Attempt 2: `send` failed: the line broke"].map(
      (words) => words.replaceAll("`", ""),
    ),
  );
  assert.equal(await page.locator(".way.up").count(), 2);
  // A card that has grown takes the ways below it along.
  const apart = await page.evaluate(() => {
    const box = document.querySelector('.side-after[data-node="done"]');
    const way = document.querySelectorAll(".way.down")[1];
    return box.getBoundingClientRect().top - way.getBoundingClientRect().bottom;
  });
  assert.ok(apart > -30 && apart < 0, `the way ends ${apart} pixels above the card`);
  assert.match((await page.locator(".way-label").allTextContents()).join(" "), /no yes/);
});

opened("an author's own mapping stands where it is written", "weather", async (page, the) => {
  const nodes = ["a", "b"].map((id) => ({ id, type: "text", params: { template: id } }));
  const mappings = { a: { output_mappings: { text: "mine" } } };
  await the.write(JSON.stringify({ nodes, mappings }));
  await page.locator(".side-after").nth(2).waitFor({ state: "detached" });
  assert.match(await the.box("a", "before").textContent(), /text → mine$/);
  assert.match(await page.locator(".map-heads").textContent(), /no key collides.*nothing renamed/);
});

opened("a node runs once for each item", "batch", async (page, the) => {
  await page.getByLabel("Calls at once").selectOption("4");
  await the.run();
  assert.match(await the.note(), /\["14\.2 °C","12\.6 °C","9\.8 °C"\]: 12\.2 °C on average/);
  assert.match(await the.box("read").textContent(), /for each one.*3 of 3/);
});

opened("what is said is drawn by then", "batch", async (page, the) => {
  // Looked at before any frame is drawn after the words.
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

opened("files are fetched, and the warmer place wins", "fetch", async (_page, the) => {
  await the.run();
  assert.equal(await the.note(), "go_to: The sea: 14.2 °C");
});

opened("without a network the page's own files are still there", "fetch", async (page, the) => {
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await the.run();
  assert.equal(await the.note(), "go_to: The sea: 14.2 °C");
});

opened("a model plans, a graph answers, a surface shows it", "model", async (page, the) => {
  assert.equal(await page.locator("#flow-model").textContent(), "Model: scripted");
  await the.run();
  assert.match(await page.locator("#flow-stage").textContent(), /Storms that come twice73Winter/);
  assert.match(await the.note(), /cited most, 73 times/);
});

opened("what was cancelled goes on without doing anything twice", "weather", async (page, the) => {
  await page.getByLabel("Speed").selectOption("700");
  await page.locator("#flow-run").click();
  await page.locator(".box[data-state=finished]").first().waitFor();
  await the.press("Cancel");
  await the.title.getByText("Cancelled").waitFor();
  assert.match(await the.note(), /^1 call finished\. Resume goes on from there/);
  await page.getByLabel("Speed").selectOption("0");
  await the.press("Resume");
  await the.title.getByText("Completed").waitFor();
  assert.equal(await the.box("source1").locator(".box-state").textContent(), "not done again");
  await page.locator("#flow-why summary").getByText("All events").click();
  const events = (await page.locator(".events li").allTextContents()).join("\n");
  assert.doesNotMatch(events, /source1/);
  assert.match(events, /started source2/);
  assert.equal(await page.locator("#flow-resume").isDisabled(), true);
});

opened("what failed is mended, and goes on from there", "weather", async (page, the) => {
  const text = await textIn(page, json);
  await the.write(text.replace('"values": [', '"no": ['));
  await the.run("Failed");
  assert.match(await the.note(), /average failed: there are no numbers\. 3 calls finished/);
  assert.match(await page.locator("#flow-diagnostics").textContent(), /In the runFLOW040line/);
  await the.write(text);
  await the.press("Resume");
  await the.title.getByText("Completed").waitFor();
  assert.match(await the.note(), /12\.2/);
  assert.equal(await page.locator(".step.plan").count(), 3);
});

opened("a workflow can be written while another one runs", "weather", async (page, the) => {
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
  await page.locator("#flow-note").getByText("Every node has run.").waitFor();
  assert.match(await the.box("a").textContent(), /textHello$/);
});

opened("what cannot run leaves nothing of the run before", "weather", async (page, the) => {
  await the.run();
  assert.equal(await page.locator("#flow-steps li").count(), 5);
  await the.write("{");
  await the.run("Not run");
  await page.getByText("Each call stands here with its inputs").waitFor();
  assert.equal(await page.locator("#flow-steps li").count(), 0);
  assert.equal(await page.locator("#flow-run").textContent(), "Run");
});

opened("mistakes are told at their place, and mended by presses", "mistakes", async (page, the) => {
  assert.equal(await page.locator(".unmapped .side-after").count(), 0);
  await the.run("Not run");
  const mark = page.locator("#flow-editor-workflow .cm-lintRange-error").first();
  assert.equal(await mark.textContent(), '"wether"');
  for (const words of ["weather", "retry", "there2", "there", "$here_temperature"]) {
    await page
      .locator("#flow-diagnostics")
      .getByRole("button", { name: `Write ${words}`, exact: true })
      .click();
  }
  await the.title.getByText("Completed").waitFor();
  assert.match(await the.note(), /14\.2 °C here, 9\.8 °C there/);
  assert.equal(await page.locator("#flow-diagnostics").isVisible(), false);
});

opened("a text is checked while it is written", "weather", async (page, the) => {
  await the.write('{ "nodes": [{ "id": "a", "type": "txt" }] }');
  await page.locator("#flow-editor-workflow .cm-lintRange-error").getByText("txt").waitFor();
  await page.getByRole("button", { name: "Write text" }).click();
  await the.write('{ "nodes": [{ "id": "a" "type": "text" }] }');
  await page.getByRole("button", { name: "Put a comma" }).click();
  await the.title.getByText("Completed").waitFor();
  assert.equal(await page.locator(".box.side-after").count(), 1);
  await the.write("");
  await page.locator("#flow-map .hint").getByText("Write a workflow").waitFor();
});

opened(
  "types and inputs have their own text and their own faults",
  "branches",
  async (page, the) => {
    await page.locator("#flow-text-registry").click();
    const types = "Node types, in JSON";
    const good = await textIn(page, types);
    await write(page, types, good.replace("{", "{,"));
    await page.locator("#flow-text-registry.wrong").waitFor();
    await page.locator("#flow-run").click();
    await page.locator("#flow-note").getByText("to mend first, in Types.").waitFor();
    assert.match(await page.locator("#flow-diagnostics").textContent(), /JSON001.*line 1/);
    await write(
      page,
      types,
      good.replace('"text": {', '"speak": { "outputs": ["text"] },\n  "text": {'),
    );
    await page.locator("#flow-text-registry:not(.wrong)").waitFor();
    await page.locator("#flow-text-workflow").click();
    await the.write('{ "nodes": [{ "id": "a", "type": "speak" }] }');
    await the.run("Failed");
    assert.match(await the.note(), /nobody runs nodes of the type speak/);
    await the.write(
      '{ "inputs": { "name": {} }, "nodes": [{ "id": "a", "type": "text", "params": { "template": "$name" } }] }',
    );
    await page.locator("#flow-text-inputs").click();
    await write(page, "Inputs of the run, in JSON", '{ "nam": "Ada" }');
    await the.run("Completed");
    await page.getByRole("button", { name: "Write name" }).click();
    await page.locator("#flow-diagnostics .problem").waitFor({ state: "detached" });
    await the.box("a").getByText("Ada").waitFor();
  },
);

opened("a few hundred nodes are drawn and run", "weather", async (page, the) => {
  const nodes = Array.from({ length: 300 }, (_, index) => ({
    id: `n${index}`,
    type: "text",
    params: { template: index === 0 ? "a" : `$n${index - 1}_text` },
  }));
  await the.write(JSON.stringify({ nodes }));
  await page.locator(".box.side-after").nth(299).waitFor();
  assert.equal(await page.locator(".map-lines .way").count(), 598);
  await the.run();
  assert.equal(await page.locator(".box[data-state=finished]").count(), 300);
});

opened(
  "a phone shows one pane at a time, one side of the mapping, and the bar below",
  "branches",
  async (page, the) => {
    assert.equal(await the.box("greet").isVisible(), true);
    assert.equal(await the.box("greet", "before").isVisible(), false);
    await the.press("As written");
    assert.equal(await the.box("greet").isVisible(), false);
    assert.equal(await the.box("greet", "before").isVisible(), true);
    assert.equal(await page.locator("#flow-note").isVisible(), true);
    await page.locator("#flow-tab-text").click();
    assert.equal(await page.locator("#flow-editor-workflow").isVisible(), true);
    assert.equal(await page.locator("#flow-map").isVisible(), false);
    await page.locator("#flow-tab-why").click();
    await the.run();
    assert.equal(await page.locator("#flow-why").isVisible(), true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, "the page scrolls sideways");
    const bar = await page.locator("[data-bench=flow] .bar").boundingBox();
    assert.ok(bar && Math.abs(bar.y + bar.height - phone.height) < 2);
    await page.getByRole("button", { name: "Share" }).click();
    const notice = page.locator(".notice");
    await notice.waitFor();
    // What lies over the page lies over no number.
    const { y, height } = await notice.boundingBox();
    assert.ok(y + height <= bar.y, `the notice ends at ${y + height}, the bar begins at ${bar.y}`);
  },
  { viewport: phone },
);

opened(
  "inputs and types that are no JSON are told beside their name",
  "weather",
  async (page, the) => {
    for (const [tab, label] of [
      ["inputs", "Inputs of the run, in JSON"],
      ["registry", "Node types, in JSON"],
    ]) {
      await page.locator(`#flow-text-${tab}`).click();
      const before = await textIn(page, label);
      await write(page, label, "{bad");
      await page.locator("#flow-note").getByText("1 thing to mend.").waitFor();
      await write(page, label, before);
      await page.locator("#flow-note").getByText("Run begins anew").waitFor();
    }
    assert.match(await the.title.textContent(), /Your node types/);
  },
);

opened("who reads what ran keeps their place", "weather", async (page, the) => {
  await the.run();
  await the.tab("Run");
  await page.locator("#flow-why summary").nth(1).focus();
  await page.locator("#flow-run").evaluate((run) => run.click());
  await the.title.getByText("Completed").waitFor();
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.activeElement.localName), "summary");
});

opened("without a clipboard, copying says so", "weather", async (page, the) => {
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await the.tab("Mermaid");
  await the.press("Copy");
  await page.getByRole("button", { name: "Not allowed here" }).waitFor();
});
