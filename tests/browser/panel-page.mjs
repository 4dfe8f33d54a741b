// Panel of byname/devtools in a page.

/** Returns the JSON in the details of the panel, as soon as there is one. */
export async function readDetail(page) {
  const lines = page.locator("byname-devtools .detail .json").last().locator("li:not(.note)");
  await lines.first().waitFor();
  return JSON.parse((await lines.allTextContents()).join("\n"));
}

/** Opens the events of the flow workbench, and returns those of the last run when it has ended. */
export async function readEvents(page) {
  await page.locator("#flow-why-Events").click();
  const rows = page.locator("#flow-why [role=option]");
  await rows.last().getByText("end", { exact: true }).waitFor();
  const all = await rows.allTextContents();
  return all.slice(all.findLastIndex((row) => /\dbegin/.test(row))).join("\n");
}
