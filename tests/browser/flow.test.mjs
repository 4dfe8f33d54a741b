// The flow workbench of the built playground with the real core, real nodes and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, testExample } from "./flow-page.mjs";

const phone = { width: 390, height: 844 };

test("the workbench opens from the top bar, and its first example runs by itself", async () => {
  await withPage(browser, `${server.url}/www/dist/`, { viewport: desk }, async (page) => {
    await page.getByRole("link", { name: "Flow" }).click();
    await page.locator(".box").first().waitFor();
    await page.locator(".box[data-state=running]").first().waitFor();
    await page.locator("#flow-numbers").getByText("slowed down").waitFor();
    await page.locator("[data-bench=surface]").waitFor({ state: "hidden" });
    await page.locator("#flow-title").getByText("Completed").waitFor();
    assert.doesNotMatch(await page.locator("#flow-numbers").textContent(), /slowed down/);
    assert.match(await page.locator("#flow-note").textContent(), /^report: 12.2 °C on average/);
    await page.getByRole("link", { name: "Surface" }).click();
    await page.locator("[data-bench=flow]").waitFor({ state: "hidden" });
  });
});

testExample(
  "an unknown station is reported with the available ones",
  "weather",
  async (page, the) => {
    // Some servers respond to any path with a page.
    await page.route("**/*.json", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Not here</title>" }),
    );
    const flow = (...nodes) => JSON.stringify({ nodes });
    await the.write(flow({ id: "a", type: "weather", params: { station: "fetch" } }));
    await the.run("Failed");
    const stations = "unknown station fetch; available: harbour, island, hill";
    await page.locator("#flow-note").getByText(stations).waitFor();
    await the.write(
      flow(
        { id: "a", type: "fetch", params: { url: "weather/fetch.json" } },
        { id: "b", type: "json", params: { from: "$response", path: "x" } },
      ),
    );
    await page.locator("#flow-run").click();
    const given = "the input is not JSON: <!doctype html>";
    await page.locator("#flow-note").getByText(given).waitFor();
  },
);

testExample(
  "a node is displayed twice: as written, and as mapped",
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
    // A hovered key highlights its writers and readers.
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

testExample(
  "keys can be focused with the keyboard, and are highlighted",
  "weather",
  async (page) => {
    const first = page.locator(".map-rows [tabindex='0']");
    assert.equal(await first.count(), 1, "the picture is one tab stop");
    await first.focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator(".side-before .port.hit").count(), 6);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".side-after .port.hit").count(), 2);
  },
);

testExample(
  "the planner's view displays its length, and a budget shortens it",
  "weather",
  async (page, the) => {
    await the.tab("Planner");
    assert.match(
      await the.why(),
      /### weather \(source1\).*`source1_temperature` \(number\), `source1_humidity` \(number\)/s,
    );
    const long = Number(/([\d,]+) characters/.exec(await the.why())[1].replace(",", ""));
    await page.getByLabel("Budget (characters)").fill("300");
    const short = Number(/([\d,]+) characters/.exec(await the.why())[1].replace(",", ""));
    assert.ok(short <= 300 && short < long, `${short} of ${long}`);
    await page.getByLabel("Budget (characters)").fill("-5");
    await page.getByText("Invalid budget, ignored: enter an integer from 0.").waitFor();
  },
);

testExample("a read follows the name that its writer got", "cache", async (page, the) => {
  assert.match(await the.box("process-cache").textContent(), /cache_key ← fetch-data_cache_key/);
  assert.equal(await page.locator(".side-after .port.new").count(), 2);
  await the.press("renaming alone would break 1 read");
  assert.match(await page.locator(".port.hit").textContent(), /← fetch-data_cache_key$/);
  await the.run();
  await the.box("Outputs").getByText("island:v2").waitFor();
});

testExample("branches that merge also write the plain name", "branches", async (page, the) => {
  assert.match(await the.box("german").textContent(), /german_text.*and text/);
  await the.run();
  assert.match(await the.note(), /Guten Tag/);
  assert.equal(await page.locator(".flow-edge.taken").count(), 2);
  await page.locator("#flow-text-inputs").click();
  await setEditorText(page, "Inputs of the run (JSON)", '{ "language": "en" }');
  await page.keyboard.press("Control+Enter");
  await page.locator("#flow-note").getByText("Good day").waitFor();
  assert.equal(await the.box("german").getAttribute("data-state"), "none");
});

testExample(
  "an author's mapping is displayed where it is written",
  "weather",
  async (page, the) => {
    const nodes = ["a", "b"].map((id) => ({ id, type: "text", params: { template: id } }));
    const mappings = { a: { output_mappings: { text: "mine" } } };
    await the.write(JSON.stringify({ nodes, mappings }));
    await page.locator(".side-after").nth(2).waitFor({ state: "detached" });
    assert.match(await the.box("a", "before").textContent(), /text → mine$/);
    assert.match(
      await page.locator(".map-heads").textContent(),
      /no key collides.*nothing renamed/,
    );
  },
);

testExample(
  "errors are displayed at their position, and buttons fix them",
  "mistakes",
  async (page, the) => {
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
    // Warnings about the order remain.
    assert.equal(await page.locator("#flow-diagnostics .dot.error").count(), 0);
  },
);

testExample("a text is checked while it is edited", "weather", async (page, the) => {
  await the.write('{ "nodes": [{ "id": "a", "type": "txt" }] }');
  await page.locator("#flow-editor-workflow .cm-lintRange-error").getByText("txt").waitFor();
  await page.getByRole("button", { name: "Write text" }).click();
  await the.write('{ "nodes": [{ "id": "a" "type": "text" }] }');
  await page.getByRole("button", { name: "Insert a comma" }).click();
  await the.title.getByText("Completed").waitFor();
  assert.equal(await page.locator(".box.side-after").count(), 1);
  await the.write("");
  await page.locator("#flow-map .hint").getByText("Enter a workflow").waitFor();
});

testExample(
  "inputs and types that are not JSON are reported next to their name",
  "weather",
  async (page, the) => {
    for (const [tab, label] of [
      ["inputs", "Inputs of the run (JSON)"],
      ["registry", "Node types (JSON)"],
    ]) {
      await page.locator(`#flow-text-${tab}`).click();
      const before = await getEditorText(page, label);
      await setEditorText(page, label, "{bad");
      await page.locator("#flow-note").getByText("1 error to fix.").waitFor();
      await setEditorText(page, label, before);
      await page.locator("#flow-note").getByText("Run starts over").waitFor();
    }
    assert.match(await the.title.textContent(), /Your node types/);
  },
);

testExample("types and inputs have separate texts and errors", "branches", async (page, the) => {
  await page.locator("#flow-text-registry").click();
  const types = "Node types (JSON)";
  const good = await getEditorText(page, types);
  await setEditorText(page, types, good.replace("{", "{,"));
  await page.locator("#flow-text-registry.wrong").waitFor();
  await page.locator("#flow-run").click();
  await page.locator("#flow-note").getByText("Fix the errors in Types first.").waitFor();
  assert.match(await page.locator("#flow-diagnostics").textContent(), /JSON001.*line 1/);
  await setEditorText(
    page,
    types,
    good.replace('"text": {', '"speak": { "outputs": ["text"] },\n  "text": {'),
  );
  await page.locator("#flow-text-registry:not(.wrong)").waitFor();
  await page.locator("#flow-text-workflow").click();
  await the.write('{ "nodes": [{ "id": "a", "type": "speak" }] }');
  await the.run("Failed");
  assert.match(await the.note(), /no function for nodes of the type speak/);
  await the.write(
    '{ "inputs": { "name": {} }, "nodes": [{ "id": "a", "type": "text", "params": { "template": "$name" } }] }',
  );
  await page.locator("#flow-text-inputs").click();
  await setEditorText(page, "Inputs of the run (JSON)", '{ "nam": "Ada" }');
  await the.run("Completed");
  await page.getByRole("button", { name: "Write name" }).click();
  await page.locator("#flow-diagnostics .problem").waitFor({ state: "detached" });
  await the.box("a").getByText("Ada").waitFor();
});

testExample("a few hundred nodes are drawn and run", "weather", async (page, the) => {
  const nodes = Array.from({ length: 300 }, (_, index) => ({
    id: `n${index}`,
    type: "text",
    params: { template: index === 0 ? "a" : `$n${index - 1}_text` },
  }));
  await the.write(JSON.stringify({ nodes }));
  await page.locator(".box.side-after").nth(299).waitFor();
  assert.equal(await page.locator(".map-lines .flow-edge").count(), 598);
  await the.run();
  assert.equal(await page.locator(".box[data-state=finished]").count(), 300);
});

testExample(
  "a phone shows one pane at a time, one side of the mapping, and the bar below",
  "branches",
  async (page, the) => {
    await the.box("greet").waitFor();
    await the.box("greet", "before").waitFor({ state: "hidden" });
    await the.press("As written");
    await the.box("greet").waitFor({ state: "hidden" });
    await the.box("greet", "before").waitFor();
    await page.locator("#flow-note").waitFor();
    await page.locator("#flow-tab-text").click();
    await page.locator("#flow-editor-workflow").waitFor();
    await page.locator("#flow-map").waitFor({ state: "hidden" });
    await page.locator("#flow-tab-why").click();
    await the.run();
    await page.locator("#flow-why").waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, "the page scrolls horizontally");
    const bar = await page.locator("[data-bench=flow] .bar").boundingBox();
    assert.ok(bar && Math.abs(bar.y + bar.height - phone.height) < 2);
    await page.getByRole("button", { name: "Share" }).click();
    const notice = page.locator(".notice");
    await notice.waitFor();
    // The notice does not cover the bar.
    const { y, height } = await notice.boundingBox();
    assert.ok(y + height <= bar.y, `the notice ends at ${y + height}, the bar begins at ${bar.y}`);
  },
  { viewport: phone },
);

testExample("without a clipboard, copying reports an error", "weather", async (page, the) => {
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await the.tab("Mermaid");
  await the.press("Copy");
  await page.getByRole("button", { name: "Copying is not allowed" }).waitFor();
});
