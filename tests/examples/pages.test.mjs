// The pages of the examples in Chromium.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, withPage } from "../browser/browser.mjs";
import { startExample } from "./server.mjs";

let browser;
let folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "byname-examples-"));
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts an example, opens its page, and ends its process, which must not report errors. */
async function withExample(name, options, body) {
  const example = await startExample(name, options);
  try {
    await withPage(browser, example.url, {}, body);
  } finally {
    assert.equal(await example.stop(), "");
  }
}

test("chat: the page shows text, a form, and the result of its action", async () => {
  await withExample("chat", {}, async (page) => {
    const log = page.getByRole("log", { name: "Conversation" });
    const send = async (text) => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await send("Hello");
    await log.getByText("I take orders for coffee.").waitFor();
    await send("A coffee, please");
    await log.getByRole("heading", { name: "Your coffee" }).waitFor();
    await log.getByRole("textbox", { name: "Name" }).fill("Ann");
    await log.getByRole("radio", { name: "large" }).check();
    await log.getByRole("slider", { name: "Cups" }).fill("2");
    await log.getByRole("button", { name: "Order" }).click();
    await log.getByRole("heading", { name: "2 × large for Ann" }).waitFor();
    await log.getByText("Thank you, it is on its way.").waitFor();
    await log.getByRole("textbox", { name: "Name" }).waitFor({ state: "detached" });

    // Each order is a surface of its own.
    await send("Another coffee");
    await log.getByRole("heading", { name: "Your coffee" }).waitFor();
    assert.equal(await log.getByRole("heading", { name: "2 × large for Ann" }).count(), 1);
  });
});

const cellsOf = (table) =>
  table
    .locator("tr:not(:first-child)")
    .evaluateAll((rows) => rows.map((row) => row.cells[0].textContent));

test("graph-explorer: the page runs a plan, and shows the neighbours of a node", async () => {
  await withExample("graph-explorer", {}, async (page) => {
    const rows = page.getByRole("table", { name: "Rows" });
    await rows.getByRole("button", { name: "Frank Borman" }).waitFor();
    assert.deepEqual((await cellsOf(rows)).slice(0, 2), ["Frank Borman", "Jim Lovell"]);

    await rows.getByRole("button", { name: "Gene Cernan" }).click();
    const neighbours = page.getByRole("table", { name: "Neighbours of Gene Cernan" });
    await neighbours.waitFor();
    assert.deepEqual(await cellsOf(neighbours), ["Apollo 10", "Apollo 17"]);
    await neighbours.getByRole("button", { name: "Apollo 17" }).click();
    const next = page.getByRole("table", { name: "Neighbours of Apollo 17" });
    await next.getByRole("button", { name: "Taurus-Littrow" }).waitFor();

    // An error has its correction.
    const run = async (plan) => {
      await page.getByRole("textbox", { name: "GASL commands" }).fill(plan);
      await page.getByRole("button", { name: "Run" }).click();
    };
    await run("FIND nodez AS all");
    await page.getByRole("alert").getByText("write `FIND nodes AS all`").waitFor();
    await run("FIND edges WHERE type = LANDED_IN AS landings");
    await rows.getByRole("button", { name: "Ocean of Storms" }).click();
    await page.getByRole("table", { name: "Neighbours of Ocean of Storms" }).waitFor();
    await run("FIND nodes WHERE year > 2000 AS none");
    await page.getByRole("alert").getByText("no rows: FIND nodes WHERE year > 2000").waitFor();
    await run("FIND nodes AS all\nCOUNT all");
    await page.getByRole("alert").getByText("end it with `AS rows`").waitFor();
  });
});

test("graph-explorer: another file, of the command line or of the page", async () => {
  const table = join(folder, "edges.csv");
  writeFileSync(table, 'source,target\n"Ann ""A""",Ben\nBen,Cleo\n');
  await withExample("graph-explorer", { args: [table] }, async (page) => {
    await page.getByRole("status").getByText("edges.csv: 3 nodes, 2 edges, csv").waitFor();
    await page.getByRole("textbox", { name: "GASL commands" }).fill("FIND nodes AS all");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: 'Ann "A"' }).click();
    const neighbours = page.getByRole("table", { name: 'Neighbours of Ann "A"' });
    await neighbours.getByRole("button", { name: "Ben" }).waitFor();

    const other = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    const input = page.getByLabel("Another file");
    await input.setInputFiles(other("one.csv", "source,target\nx,y\n"));
    await page.getByRole("status").getByText("one.csv: 2 nodes, 1 edges, csv").waitFor();
    await input.setInputFiles(other("broken.graphml", "<graphml><graph>"));
    await page.getByRole("alert").locator("li").first().waitFor();
    assert.match(await page.getByRole("status").textContent(), /^one\.csv/);
  });
});

test("workflow-runner: the page shows the events, and answers the waiting node", async () => {
  const env = { STATE: join(folder, "run.state"), WORK_MS: "20" };
  await withExample("workflow-runner", { env }, async (page) => {
    await page.getByRole("heading", { name: "not started" }).waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("heading", { name: "paused: 6 reviews" }).waitFor();
    await page.getByText("rate item 2 retried", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("heading", { name: "completed: Discarded" }).waitFor();

    // A page that is opened later shows the same.
    await page.reload();
    await page.getByRole("heading", { name: "completed: Discarded" }).waitFor();
    await page.getByText("publish finished", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.getByRole("heading", { name: "not started" }).waitFor();
    assert.equal(await page.getByText("publish finished", { exact: false }).count(), 0);
  });
});
