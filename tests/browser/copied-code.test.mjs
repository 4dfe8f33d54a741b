// The copied code must have the same results as the page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setEditorText } from "./editor.mjs";
import { labels, openLog, testPage, waitForWorkbench } from "./work-page.mjs";

/** Copies the code of the displayed workbench, runs it in Node against the package, and returns its output. */
async function runCopiedCode(page) {
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await page.locator(".notice").getByText("Code copied").last().waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const folder = fileURLToPath(new URL("../../target/copied-code", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "copied.mjs");
  writeFileSync(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stderr, "");
  return stdout;
}

testPage("the copied code makes the same surface", "#surface/users", async (page) => {
  await waitForWorkbench(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  await setEditorText(page, labels.surface, '{ "u1": {\n "name": "A `tick`, a \\\\ and ${x}" } }');
  await page.keyboard.press("Control+Enter");
  await page.locator("#stage").getByText("${x}").waitFor();
  const printed = await runCopiedCode(page);
  assert.ok(printed.includes(JSON.stringify("A `tick`, a \\ and ${x}")), printed);
});

testPage("the copied code contains the input of the surface", "#surface/form", async (page) => {
  await waitForWorkbench(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  await page.locator("#stage").getByLabel("Name").fill("Grace Ø");
  const printed = await runCopiedCode(page);
  assert.ok(printed.includes('"Grace Ø"'), printed);
});

testPage("the copied code receives a log, with the input of the user", "#surface", async (page) => {
  await waitForWorkbench(page, "surface");
  const component = { id: "root", component: "TextField", label: "Name", value: { path: "/name" } };
  const messages = [
    { createSurface: { surfaceId: "s", components: [component], dataModel: { name: "Ann" } } },
  ];
  await openLog(page, "log.json", JSON.stringify(messages));
  await page.locator("#stage").getByLabel("Name").fill("Grace Ø");
  const printed = await runCopiedCode(page);
  assert.match(printed, /"component": "TextField"/);
  assert.match(printed, /"value": "Grace Ø"/);
});

testPage("the copied code runs the same plan", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await setEditorText(
    page,
    labels.graph,
    'FIND nodes WHERE entity_type = "TOPIC" AS topics\nCOUNT topics AS many',
  );
  await page.keyboard.press("Control+Enter");
  await page.locator("#graph-end").click();
  assert.match(
    await runCopiedCode(page),
    /1 success FIND nodes.*\n2 success COUNT topics AS many\ncompleted/,
  );
});

testPage("the copied code asks the same question", "#graph/coauthors", async (page) => {
  await waitForWorkbench(page, "graph");
  await page.locator("#graph-end").click();
  await page.locator("#graph-title").getByText("Answer").waitFor();
  assert.match(await runCopiedCode(page), /^All four write with authors of other groups/);
});

for (const [example, expected] of [
  ["weather", /^completed .*12.2 °C on average/s],
  ["branches", /^completed .*Guten Tag/s],
  ["loop", /^completed .*3 parts were sent/s],
  ["model", /^completed .*cited most, 73 times/s],
  ["nested", /^completed .*harbour: [\d.]+ °C, \d+ %\. hill: [\d.]+ °C/s],
]) {
  testPage(
    `the copied code runs the same workflow: ${example}`,
    `#flow/${example}`,
    async (page) => {
      await waitForWorkbench(page, "flow");
      await page.locator("#flow-run").click();
      await page.locator("#flow-title").getByText("Completed").waitFor();
      assert.match(await runCopiedCode(page), expected);
    },
  );
}

testPage(
  "the copied code pauses, gets the answers of the page, and follows the error edge",
  "#flow/approval",
  async (page) => {
    await waitForWorkbench(page, "flow");
    await page.locator("#flow-run").click();
    await page.locator("#flow-title").getByText("Paused").waitFor();
    assert.match(await runCopiedCode(page), /^approve asks .*"options".*\npaused \{\}/);
    await page.locator("#flow-answers form").getByRole("button", { name: "yes" }).click();
    await page.locator("#flow-title").getByText("Completed", { exact: true }).waitFor();
    const printed = await runCopiedCode(page);
    assert.match(printed, /^approve asks .*\ncompleted .*Stored for later: the line broke/s);
  },
);
