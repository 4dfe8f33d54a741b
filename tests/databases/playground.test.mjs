// The graph workbench of the built playground over ArcadeDB, by Bolt over WebSocket.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { withPage } from "../browser/browser.mjs";
import { editor, setEditorText } from "../browser/editor.mjs";
import { browser, server } from "../browser/fixture.mjs";
import { gasl } from "../browser/graph-page.mjs";
import { copiedCode, decodedLink, storedData } from "../browser/stored-data.mjs";
import { options, shareLink } from "../browser/work-page.mjs";
import { PASSWORD, skipArcade, startArcade } from "./servers.mjs";

const address = `${server.url}/www/dist/index.html#graph/paths`;

let arcade;
before(async () => {
  if (skipArcade) return;
  arcade = await startArcade("playground");
  await command("CREATE (:PERSON {id: 'ada', born: 1815})-[:WROTE]->(:PAPER {id: 'notes'})");
});
after(() => arcade?.stop());

/** Runs a statement by the HTTP API of the server. */
async function command(text) {
  const { http } = arcade.server.ports;
  const response = await fetch(`http://127.0.0.1:${http}/api/v1/command/${arcade.database}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`root:${PASSWORD}`)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ language: "cypher", command: text }),
  });
  assert.ok(response.ok, await response.text());
}

/** Fills the form and connects. */
async function connect(page, values) {
  const dialog = page.getByRole("dialog", { name: "Database" });
  const all = { address: `bolt://127.0.0.1:${arcade.bolt}`, password: PASSWORD, ...values };
  await dialog.getByLabel("Address").fill(all.address);
  await dialog.getByLabel("Password").fill(all.password);
  await dialog.getByLabel("Database name").fill(all.database ?? arcade.database);
  const start = performance.now();
  await dialog.getByRole("button", { name: "Connect" }).click();
  return { dialog, start };
}

/** Disconnects, and is rejected with another password. */
async function connectAgainWith(page, password) {
  await press(page, "Disconnect");
  await press(page, "Database");
  const { dialog } = await connect(page, { password });
  await dialog
    .getByRole("alert")
    .getByText(/check the user/)
    .waitFor();
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

// The browser reports failed connections itself.
const withWorkbench = (body) =>
  withPage(
    browser,
    address,
    options,
    async (page) => {
      await page.locator("#graph-steps [aria-current]").waitFor();
      await editor(page, gasl).waitFor({ state: "attached" });
      await press(page, "Database");
      await body(page);
    },
    /WebSocket connection/,
  );

test("plans run over a database, and its schema is shown", { skip: skipArcade }, async () => {
  await withWorkbench(async (page) => {
    await connect(page, {});
    await page.locator("#graph-counts").getByText("gasl: 2 nodes, 1 edge").waitFor();
    await page
      .getByRole("alert")
      .getByText(/Fields of nodes:.*born/)
      .waitFor();
    await page.locator("#graph-title").getByText("Done").waitFor();
    assert.equal(await page.locator(".drawing .graph-node").count(), 2);
    const plan =
      "FIND nodes WHERE type = PERSON AS people\nWALK FROM people FOLLOW WROTE AS papers";
    await setEditorText(page, gasl, plan);
    await page.locator("#graph-run").click();
    await page.locator("#graph-end").click();
    await page.locator("#graph-rows").getByText("papers 1").waitFor();
    assert.match(await page.locator("#graph-rows tbody").textContent(), /notes/);
    await page.locator("#graph-title").getByText("Done").waitFor();
    assert.match(await page.locator("#graph-numbers").textContent(), /1 row/);
    await press(page, "Disconnect");
    await page.locator("#graph-counts").getByText("37 nodes").waitFor();
    await page.getByRole("button", { name: "Database", exact: true }).waitFor();
  });
});

test("a wrong password, database or port is reported within 5 s", {
  skip: skipArcade,
}, async () => {
  await withWorkbench(async (page) => {
    for (const [values, words] of [
      [{ password: "wrong-secret" }, /rejected the user or the password: check the user/],
      [{ database: "missing" }, /database does not exist.*check the name/],
      [{ address: "bolt://127.0.0.1:2" }, /connection to the database failed: check the address/],
    ]) {
      const { dialog, start } = await connect(page, values);
      const alert = dialog.getByRole("alert");
      await alert.getByText(words).waitFor();
      const duration = performance.now() - start;
      assert.ok(duration < 5_000, `${words} took ${duration} ms`);
      assert.doesNotMatch(await alert.textContent(), /secret|\n/);
    }
    await press(page, "Cancel");
    await page.locator("#graph-counts").getByText("37 nodes").waitFor();
  });
});

test("the password of a database is not in links, drafts, storage, code and the console", {
  skip: skipArcade,
}, async () => {
  await withWorkbench(async (page) => {
    const printed = [];
    page.on("console", (message) => printed.push(message.text()));
    const expectHidden = async () => {
      const stored = await storedData(page);
      assert.match(stored, /bolt:\/\/127\.0\.0\.1/);
      const link = await shareLink(page);
      const code = await copiedCode(page);
      assert.match(code, /bolt:\/\/127\.0\.0\.1/);
      const html = await page.evaluate(() => document.documentElement.outerHTML);
      const texts = { stored, link, shared: decodedLink(link), code, html, console: `${printed}` };
      for (const [where, text] of Object.entries(texts))
        for (const form of [PASSWORD, btoa(`root:${PASSWORD}`)])
          assert.ok(!text.includes(form), where);
    };
    await connect(page, {});
    await page.locator("#graph-title").getByText("Done").waitFor();
    // A draft of another plan is stored too.
    await setEditorText(page, gasl, "FIND nodes AS edited");
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("edited"));
    await expectHidden();
    await connectAgainWith(page, "wrong-secret");
    assert.ok(![await storedData(page), `${printed}`].join().includes("wrong-secret"));
  });
});

test("a session over a database is opened again with the password", {
  skip: skipArcade,
}, async () => {
  await withWorkbench(async (page) => {
    await connect(page, {});
    await page.locator("#graph-title").getByText("Done").waitFor();
    await page.reload();
    await page.locator("#graph-title").getByText("Not restored").waitFor();
    await page.getByRole("button", { name: /: open saved session$/ }).click();
    await page.getByRole("button", { name: /^Open What is in gasl/ }).click();
    const dialog = page.getByRole("dialog", { name: "Database" });
    assert.equal(await dialog.getByLabel("Password").inputValue(), "");
    await connect(page, {});
    await page.locator("#graph-counts").getByText("gasl: 2 nodes").waitFor();
    await page.locator("#graph-title").getByText("Done").waitFor();
  });
});
