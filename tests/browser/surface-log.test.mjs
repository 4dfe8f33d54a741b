// Logs of agents on the surface page: each way to open one, what the page recognises, and its diagnostics.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { attach, Recorder } from "byname/devtools";
import { playgroundLink } from "../../pkg/devtools/share-link.js";
import { withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { readDetail } from "./panel-page.mjs";
import { openLog } from "./work-page.mjs";

const home = `${server.url}/www/dist/index.html`;
const surfaceId = "s";
const version = "v0.9";
const created = { version, createSurface: { surfaceId, catalogId: "basic" } };
const components = [
  { id: "root", component: "Column", children: ["name", "send"] },
  { id: "name", component: "TextField", label: "Name", value: { path: "/name" } },
  {
    id: "send",
    component: "Button",
    child: "word",
    action: { event: { name: "send", context: { name: { path: "/name" } } } },
  },
  { id: "word", component: "Text", text: "Send" },
];
const log = [
  created,
  { version, updateComponents: { surfaceId, components } },
  { version, updateDataModel: { surfaceId, path: "/name", value: "Ann" } },
];
const lines = (messages) => messages.map((one) => JSON.stringify(one)).join("\n");
const ham = [
  {
    updateComponents: {
      surfaceId,
      components: [{ id: "root", component: "Text", text: { binding: { key: "name" } } }],
    },
  },
  { updateDataModel: { surfaceId, nodes: { root: { name: "Ann in HAM" } } } },
];
const snapshot = (operations) => ({
  type: "ACTIVITY_SNAPSHOT",
  messageId: "m",
  activityType: "a2ui-surface",
  content: { a2ui_operations: operations },
});

/** Defines a test in the surface page, paused before its first step. */
function testPage(name, body, options = {}) {
  test(name, async () => {
    const viewport = { width: 1280, height: 800 };
    const all = { viewport, reducedMotion: "reduce", ...options };
    await withPage(browser, `${home}#surface`, all, async (page) => {
      const bench = page.locator('[data-bench="surface"]');
      await bench.locator("#play").getByText("Pause").click();
      await editor(page, "HAM update").waitFor({ state: "attached" });
      await body(page);
    });
  });
}

/** Pastes a text into an element, by default the page. */
function paste(page, text, target = page.locator("body")) {
  return target.evaluate((element, words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    const options = { clipboardData, bubbles: true, cancelable: true, composed: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, text);
}

/** Drops a file on an element. */
function drop(page, name, text, selector) {
  return page.evaluate(
    ([file, words, at]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([words], file));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector(at).dispatchEvent(new DragEvent("drop", options));
    },
    [name, text, selector],
  );
}

const note = (page, text) => page.locator("#note").getByText(text).waitFor({ state: "attached" });
const problems = (page) =>
  page.locator("#diagnostics .problem-head > code:first-of-type").allTextContents();

testPage(
  "a chosen file is recognised and rendered, and its action is reported in A2UI",
  async (page) => {
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Open log" }).press("Enter"),
    ]);
    const text = [log.slice(0, 2), log]
      .map((one) => `data: ${JSON.stringify(snapshot(one))}\n\n`)
      .join("");
    await chooser.setFiles({ name: "run.sse", mimeType: "text/plain", buffer: Buffer.from(text) });
    await note(page, "Recognised A2UI v0.9 in AG-UI events, 3 messages, 1 surface.");
    const field = page.locator("#stage").getByLabel("Name");
    assert.equal(await field.inputValue(), "Ann");
    assert.deepEqual(await problems(page), []);
    await field.fill("Anna");
    await page.locator("#stage").getByRole("button", { name: "Send" }).click();
    const { title, value: sent } = await readDetail(page);
    assert.equal(title, "sent to the agent");
    assert.equal(sent.version, "v0.9");
    assert.equal(sent.action.name, "send");
    assert.deepEqual(sent.action.context, { name: "Anna" });
  },
);

testPage("a log pasted into the page or into the unchanged editor is opened", async (page) => {
  await paste(page, lines(log));
  await note(page, "Recognised A2UI v0.9 in JSON lines, 3 messages, 1 surface.");
  await paste(page, JSON.stringify(ham), editor(page, "HAM update"));
  await note(page, "Recognised HAM in a JSON list, 2 messages, 1 surface.");
  await page.locator("#stage").getByText("Ann in HAM").waitFor();
  // A paste into a field of the surface is input.
  await paste(page, lines(log));
  await page.locator("#stage").getByLabel("Name").waitFor();
  await paste(page, JSON.stringify(ham), page.locator("#stage input"));
  await note(page, "Recognised A2UI v0.9");
});

testPage(
  "a log written in the editor is opened by Apply, and messages for it are applied",
  async (page) => {
    // The editor has a text of the user, so a paste only inserts.
    await setEditorText(page, "HAM update", "{}");
    await setEditorText(page, "HAM update", JSON.stringify({ messages: log }));
    assert.equal(await page.locator("#stage").getByLabel("Name").count(), 0);
    await page.keyboard.press("Control+Enter");
    await note(
      page,
      "Recognised A2UI v0.9 in `{messages}`, 3 messages, 1 surface.".replaceAll("`", ""),
    );
    const update = { version, updateDataModel: { surfaceId, path: "/name", value: "Bob" } };
    await setEditorText(page, "HAM update", JSON.stringify(update));
    await page.keyboard.press("Control+Enter");
    await note(page, "Applied as a new step.");
    assert.equal(await page.locator("#stage").getByLabel("Name").inputValue(), "Bob");
  },
);

testPage("a log dropped on any workbench is opened", async (page) => {
  await drop(page, "run.jsonl", lines(log), "#stage");
  await note(page, "3 messages, 1 surface");
  await page.getByRole("link", { name: "Flow" }).click();
  await page.locator("#flow-run:enabled").waitFor();
  await drop(page, "ham.json", JSON.stringify(ham), "#flow-pane-map");
  await page.locator("#stage").getByText("Ann in HAM").waitFor();
  assert.equal(await page.locator("#examples").inputValue(), "log");
  await drop(page, "other.json", '{"nodes": []}', "#stage");
  const notice = page
    .locator(".notice")
    .getByText("Expected messages of a surface in other.json, found none");
  await notice.waitFor();
});

testPage("each warning of a log appears once", async (page) => {
  const wrong = [
    { id: "root", component: "Column", children: ["a", "b", "c"], gap: 3 },
    { id: "a", component: "Text", text: "hi", variant: "huge" },
    { id: "b", component: "Txt", text: "hi" },
    { id: "c", component: "Text", text: { path: "/missing" } },
  ];
  const value = { name: "Ann" };
  const messages = [
    created,
    { version, updateComponents: { surfaceId, components: wrong } },
    { version, updateDataModel: { surfaceId, path: "/", value } },
  ];
  await openLog(page, "warnings.jsonl", lines(messages));
  await note(page, "3 messages, 1 surface. 4 problems in the list.");
  assert.deepEqual((await problems(page)).sort(), ["CAT001", "CAT004", "HAM033", "HAM037"]);
});

testPage("a warning of a log has its position, and a button for its fix", async (page) => {
  const wrong = [{ id: "root", component: "Text", txt: "hello" }];
  await openLog(
    page,
    "typo.json",
    JSON.stringify([{ createSurface: { surfaceId, components: wrong } }]),
  );
  await page.locator("#diagnostics").getByText("line 1, column").first().waitFor();
  await page.locator("#diagnostics").getByRole("button", { name: 'Write "text"' }).click();
  await page.locator("#stage").getByText("hello").waitFor();
  await note(page, "Recognised A2UI in a JSON list, 1 message, 1 surface.");
  assert.deepEqual(await problems(page), []);
});

testPage("each warning of a HAM message appears once", async (page) => {
  const wrong = [
    { id: "root", component: "Column", children: ["a", "b"], gap: 3 },
    { id: "a", component: "Text", text: "hi", variant: "huge" },
    { id: "b", component: "Txt", text: "hi" },
  ];
  const message = { version, updateComponents: { surfaceId: "main", components: wrong } };
  await setEditorText(page, "HAM update", JSON.stringify(message));
  await page.keyboard.press("Control+Enter");
  await note(page, "Applied as a new step.");
  assert.deepEqual((await problems(page)).sort(), ["CAT001", "CAT004", "HAM033"]);
});

testPage("a broken part is marked in the text, and the rest is rendered", async (page) => {
  const cut = `${lines(log)}\n{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/name","value":"B`;
  await openLog(page, "cut.jsonl", cut);
  await page.locator("#diagnostics").getByText("line 4").waitFor();
  assert.equal(await page.locator("#stage").getByLabel("Name").inputValue(), "Ann");
  await page.locator("#editor .cm-lintRange-error").first().waitFor({ state: "attached" });
});

testPage("a file without messages changes nothing and says what to open", async (page) => {
  await openLog(page, "notes.txt", "no messages here");
  await page
    .locator("#diagnostics")
    .getByText("expected messages of a surface, found none")
    .waitFor();
  await page.locator("#diagnostics").getByText("open the complete response of an agent").waitFor();
  assert.notEqual(await page.locator("#examples").inputValue(), "log");
});

testPage("of several surfaces one is shown, and another can be chosen", async (page) => {
  const text = (id, words) => [
    { version, createSurface: { surfaceId: id, catalogId: "basic" } },
    {
      version,
      updateComponents: {
        surfaceId: id,
        components: [{ id: "root", component: "Text", text: words }],
      },
    },
  ];
  await openLog(
    page,
    "two.jsonl",
    lines([...text("one", "first text"), ...text("two", "second text")]),
  );
  await note(page, "4 messages, 2 surfaces. Showing one.");
  await page.locator("#stage").getByText("first text").waitFor();
  assert.deepEqual(await problems(page), []);
  await page.getByLabel("Surface of the log").selectOption("two");
  await page.locator("#stage").getByText("second text").waitFor();
  await note(page, "Showing two.");
  assert.deepEqual(await problems(page), []);
});

testPage("a log and its input are restored after a reload", async (page) => {
  await openLog(page, "run.jsonl", lines(log));
  const field = page.locator("#stage").getByLabel("Name");
  await field.fill("Anna");
  await field.blur();
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(
      ([key, value]) => key.endsWith(":surface") && value.includes("Anna"),
    ),
  );
  await page.reload();
  await note(page, "Recognised A2UI v0.9");
  await page.waitForFunction(() => document.querySelector("#stage input")?.value === "Anna");
  assert.equal(await page.locator("#examples").inputValue(), "log");
});

testPage(
  "Play streams a log, and a phone shows what was recognised",
  async (page) => {
    await page.getByRole("tab", { name: "Input" }).click();
    await openLog(page, "run.jsonl", lines(log));
    await note(page, "Recognised A2UI v0.9");
    await page.getByRole("tab", { name: "Surface" }).click();
    await page.locator("#note").getByText("Recognised").waitFor();
    await page.locator("#play").getByText("Play again").click();
    await page.locator("#play").getByText("Pause").waitFor();
    await page.locator("#play").getByText("Play again").waitFor();
    assert.equal(await page.locator("#stage").getByLabel("Name").inputValue(), "Ann");
  },
  { viewport: { width: 390, height: 844 }, reducedMotion: "no-preference" },
);

testPage("rows of the example of a log move when its list is sent again", async (page) => {
  await page.locator("#examples").selectOption("agent");
  await page.locator("#play").getByText("Pause").click();
  await page.getByRole("button", { name: /^1\. / }).click();
  const flight = page.locator("#stage").getByLabel("Book the flight");
  const before = await flight.elementHandle();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.locator("#stage").getByLabel("Check the insurance").waitFor();
  assert.ok(await flight.evaluate((now, old) => now === old, before));
  const boxes = page.locator("#stage").getByRole("checkbox");
  assert.deepEqual(await boxes.evaluateAll((all) => all.map(({ checked }) => checked)), [
    false,
    true,
    false,
  ]);
});

test("a link of byname/devtools opens its log", async () => {
  await init();
  const surface = new Surface();
  const recorder = new Recorder();
  attach({ surfaces: surface }, { recorder });
  const text = { id: "root", component: "Text", text: { binding: { key: "name" } } };
  surface.receive({ createSurface: { surfaceId, components: [text] } });
  surface.receive({ updateDataModel: { surfaceId, nodes: { root: { name: "Recorded" } } } });
  const link = await playgroundLink(home, recorder.export());
  await withPage(browser, link, {}, async (page) => {
    await page.locator("#stage").getByText("Recorded").waitFor();
  });
});

test("an exported log is opened, and one of another version is refused", async () => {
  await init();
  const surface = new Surface();
  const recorder = new Recorder();
  attach({ surfaces: surface }, { recorder });
  const text = { id: "root", component: "Text", text: "Recorded" };
  surface.receive({ createSurface: { surfaceId, components: [text] } });
  const exported = recorder.export();
  const newer = JSON.stringify({ ...JSON.parse(exported), version: 9 });
  await withPage(browser, `${home}#surface`, {}, async (page) => {
    await openLog(page, "log.json", exported);
    await page.locator("#stage").getByText("Recorded").waitFor();
    await openLog(page, "newer.json", newer);
    const list = page.locator("#diagnostics");
    await list.getByText("expected a log of version 1, found 9").waitFor();
    await list.getByText("update byname on this page").waitFor();
    await page.locator("#stage").getByText("Recorded").waitFor();
  });
});
