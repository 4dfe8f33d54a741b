// Findings that cite no row have a mark in the playground.
import assert from "node:assert/strict";
import { setEditorText } from "./editor.mjs";
import { chooseServerModel, labels, testPage, waitForWorkbench } from "./work-page.mjs";

testPage("the evidence marks a finding that cites no row", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  const content = JSON.stringify([{ id: "Invented" }]);
  await chooseServerModel(page, (route) =>
    route.fulfill({ json: { choices: [{ message: { role: "assistant", content } }] } }),
  );
  const lines = [
    "DECLARE found AS LIST",
    "FIND nodes LIMIT 2 AS two",
    'PROCESS two USING "who" RETURNING {"type": "array"} AS who',
    "UPDATE found WITH who",
    "UPDATE found WITH two",
  ];
  await setEditorText(page, labels.graph, lines.join("\n"));
  await page.locator("#graph-run").click();
  await page.locator("#graph-why-Evidence").click();
  const evidence = page.locator("#graph-why");
  await evidence.getByText("Invented").first().waitFor();
  assert.equal(await evidence.locator("b.warning").count(), 1);
  assert.match(await evidence.textContent(), /Inventeduncited/);
  assert.match(await evidence.textContent(), /cites no row/);
});
