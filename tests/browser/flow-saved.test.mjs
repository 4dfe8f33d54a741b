// Runs of the flow workbench that are saved and continued after a reload.
import assert from "node:assert/strict";
import { testExample } from "./flow-page.mjs";

const steps = (page) => page.locator("#flow-steps button");

/** Waits until the latest saved run has ended this many calls, and its trace is stored. */
async function waitForCalls(page, count) {
  const isSaved = async (expected) => {
    const { indexedDbStorage } = await import("/pkg/storage.js");
    const storage = indexedDbStorage("byname-playground-flow");
    const ids = (await storage.list()).filter((key) => !key.includes("/"));
    const entries = await Promise.all(ids.map(async (id) => (await storage.at(id).load())?.state));
    await storage.close();
    return entries.some(({ detail }) => detail.startsWith(`${expected} call`));
  };
  while (!(await page.evaluate(isSaved, count)));
}

async function openSaved(page) {
  await page.getByRole("button", { name: /: open saved run$/ }).click();
  const dialog = page.getByRole("dialog", { name: "Saved runs" });
  await dialog
    .getByRole("button", { name: /^Open / })
    .first()
    .click();
  await dialog.waitFor({ state: "detached" });
}

testExample("an interrupted run continues after a reload", "fetch", async (page, the) => {
  await page.locator("#flow-speed").selectOption("2000");
  await page.locator("#flow-run").click();
  await waitForCalls(page, 1);
  await page.reload();
  await page.locator("#flow-run:enabled").waitFor();
  await openSaved(page);
  await the.title.getByText("Saved run", { exact: true }).waitFor();
  assert.ok((await steps(page).count()) >= 1);
  await page.locator("#flow-speed").selectOption("0");
  await the.press("Resume");
  await the.title.getByText("Completed", { exact: true }).waitFor();
  const labels = await steps(page).evaluateAll((all) => all.map((one) => one.ariaLabel));
  assert.ok(
    labels.some((label) => label.includes("reused")),
    labels.join("; "),
  );
  // The completed run is opened with its result.
  await page.reload();
  await page.locator("#flow-run:enabled").waitFor();
  await openSaved(page);
  await the.title.getByText("Completed", { exact: true }).waitFor();
  await page.getByRole("button", { name: /: open saved run$/ }).click();
  await page.getByRole("button", { name: /^Delete / }).click();
  await page.getByText("Nothing is saved yet.").waitFor();
});

testExample("a paused run gets its answer after a reload", "approval", async (page, the) => {
  await the.run("Paused");
  await waitForCalls(page, await steps(page).count());
  await page.reload();
  await page.locator("#flow-run:enabled").waitFor();
  await openSaved(page);
  await the.press("Resume");
  await the.title.getByText("Paused", { exact: true }).waitFor();
  await page.locator("#flow-answers").getByRole("button", { name: "yes" }).click();
  await the.title.getByText("Completed", { exact: true }).waitFor();
});

testExample("the values of secret inputs are not saved", "weather", async (page, the) => {
  const workflow = {
    inputs: { token: { secret: true } },
    nodes: [{ id: "send", type: "text", params: { template: "{{ token }} is used" } }],
  };
  await the.write(JSON.stringify(workflow));
  await page.locator("#flow-text-inputs").click();
  await the.writeInto("Inputs of the run (JSON)", '{"token": "secret-value"}');
  await the.run();
  await waitForCalls(page, 1);
  const stored = await page.evaluate(async () => {
    const { indexedDbStorage } = await import("/pkg/storage.js");
    const storage = indexedDbStorage("byname-playground-flow");
    const values = [];
    for (const key of await storage.list()) values.push(await storage.at(key).load());
    return JSON.stringify(values);
  });
  assert.match(stored, /«secret/);
  assert.doesNotMatch(stored, /secret-value/);
});
