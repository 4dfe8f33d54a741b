// Sessions of the graph workbench that are saved and opened again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog, withPage } from "./browser.mjs";
import { editor, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { desk, gasl } from "./graph-page.mjs";

const address = `${server.url}/www/dist/index.html#graph/paths`;
const options = { viewport: desk, reducedMotion: "reduce" };

const plan = [
  "# Who is in the graph?",
  "DECLARE topics AS LIST",
  'FIND nodes WHERE entity_type = "PAPER" AS papers',
  'PROCESS papers USING "Name what each paper is about in one word" AS read',
  "UPDATE topics WITH read",
].join("\n");

/** Opens the workbench, and waits until it accepts input. */
async function openGraph(page) {
  await page.locator("#graph-steps [aria-current]").waitFor();
  await editor(page, gasl).waitFor({ state: "attached" });
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

const pressSaved = (page) =>
  page.getByRole("button", { name: /^Saved.*: open saved session$/ }).click();

/** Runs a text to its end. */
async function run(page, text) {
  await setEditorText(page, gasl, text);
  await page.locator("#graph-run").click();
  await page.locator("#graph-end").click();
}

/** Waits until the latest saved run has an entry that satisfies a condition. */
async function waitForEntry(page, expected) {
  const isSaved = async (wanted) => {
    const { indexedDbStorage } = await import("/pkg/storage.js");
    const storage = indexedDbStorage("byname-playground-graph");
    const entries = [];
    for (const key of await storage.list())
      if (!key.includes("/")) entries.push((await storage.at(key).load())?.state);
    await storage.close();
    entries.sort((a, b) => b.time - a.time);
    return Object.entries(wanted).every(([key, value]) => entries[0]?.[key] === value);
  };
  while (!(await page.evaluate(isSaved, expected)));
}

/** Opens the latest saved session. */
async function openSaved(page) {
  await pressSaved(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Open / })
    .first()
    .click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Selects a server as model; `respond` handles its requests. */
async function chooseModel(page, respond) {
  await page.route("**/v1/chat/completions", respond);
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabel("API key (optional)").fill("secret-key");
  await submitModelDialog(page);
}

/** Starts a run whose model does not reply, so that it is interrupted by a reload. */
async function interruptRun(page) {
  await chooseModel(page, () => {});
  await run(page, plan);
  await page.locator("#graph-title").getByText("Step 2").waitFor();
  await waitForEntry(page, { isDone: false, detail: "The coast, invented, 2 steps" });
}

/** Returns all values of all IndexedDB databases, and of the other storages, as text. */
const storedText = (page) =>
  page.evaluate(async () => {
    const texts = [JSON.stringify([{ ...localStorage }, { ...sessionStorage }])];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          request.onsuccess = resolve;
        });
        texts.push(JSON.stringify(request.result));
      }
      database.close();
    }
    return texts.join("\n");
  });

test("a session is opened again after a reload, and deleted", async () => {
  await withPage(browser, address, options, async (page) => {
    await openGraph(page);
    await run(page, plan);
    await page.locator("#graph-title").getByText("Done").waitFor();
    await waitForEntry(page, { isDone: true });
    const rows = await page.locator("#graph-rows").textContent();
    await page.reload();
    await openGraph(page);
    await page.getByRole("button", { name: "Saved (1): open saved session" }).waitFor();
    await pressSaved(page);
    const dialog = page.getByRole("dialog", { name: "Saved sessions" });
    const entry = dialog.getByRole("listitem");
    assert.match(await entry.textContent(), /Who is in the graph\?.*4 steps.*\d kB/);
    await dialog.getByRole("button", { name: /^Open Who is in the graph/ }).click();
    await dialog.waitFor({ state: "detached" });
    await page.locator("#graph-title").getByText("Done").waitFor();
    assert.equal(await page.locator("#graph-steps button").count(), 5);
    assert.equal(await page.locator("#graph-rows").textContent(), rows);
    assert.match(await page.locator("#graph-why").textContent(), /FIND nodes/);
    await page.locator("#graph-why-Evidence").click();
    assert.match(await page.locator("#graph-why").textContent(), /topics/);
    await pressSaved(page);
    await dialog.getByRole("button", { name: /^Delete / }).click();
    await dialog.getByText("Nothing is saved yet.").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Close");
  });
});

test("an interrupted plan is resumed after its last saved step, without the key", async () => {
  await withPage(browser, address, options, async (page) => {
    await openGraph(page);
    await interruptRun(page);
    assert.doesNotMatch(await storedText(page), /secret-key/);
    await page.reload();
    await openGraph(page);
    await openSaved(page);
    await page.locator("#graph-note").getByText("This plan was interrupted.").waitFor();
    assert.equal(await page.locator("#graph-steps button").count(), 2);
    await press(page, "Resume");
    await page.locator("#graph-title").getByText("Done").waitFor();
    assert.equal(await page.locator("#graph-steps button").count(), 5);
    await waitForEntry(page, { isDone: true, detail: "The coast, invented, 4 steps" });
  });
});

test("a conflict with another tab is reported, and the session is reloaded", async () => {
  // The model of the first tab fails on purpose.
  const allowed = /500/;
  const body = async (page) => {
    await openGraph(page);
    await interruptRun(page);
    await page.reload();
    const other = await page.context().newPage();
    await other.goto(address);
    for (const tab of [page, other]) {
      await openGraph(tab);
      await openSaved(tab);
      await tab.locator("#graph-note").getByText("This plan was interrupted.").waitFor();
    }
    let release;
    const released = new Promise((resolve) => {
      release = resolve;
    });
    const asked = new Promise((resolve) => {
      void chooseModel(page, async (route) => {
        resolve();
        await released;
        await route.fulfill({ status: 500, body: "" });
      }).then(() => press(page, "Resume"));
    });
    await asked;
    await press(other, "Resume");
    await other.locator("#graph-title").getByText("Done").waitFor();
    await waitForEntry(other, { isDone: true });
    release();
    await page.getByRole("status").getByText("Another tab has continued it").waitFor();
    await press(page, "Reload session");
    await page.locator("#graph-title").getByText("Done").waitFor();
    assert.equal(await page.locator("#graph-steps button").count(), 5);
  };
  await withPage(browser, address, options, body, allowed);
});

test("a browser without storage runs plans and says that they are not saved", async () => {
  await withPage(browser, "about:blank", options, async (page) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("denied", "SecurityError");
      };
    });
    await page.goto(address);
    await openGraph(page);
    await run(page, "FIND nodes LIMIT 3 AS some");
    await page.locator("#graph-title").getByText("Done").waitFor();
    await page.getByRole("status").getByText("does not allow storage, as in a private").waitFor();
    await press(page, "Saved sessions");
    await page.getByRole("alert").getByText("does not allow storage").waitFor();
  });
});

test("a full storage is reported with what to do, and the run goes on", async () => {
  await withPage(browser, address, options, async (page) => {
    await openGraph(page);
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await run(page, "FIND nodes LIMIT 3 AS some");
    await page.locator("#graph-title").getByText("Done").waitFor();
    await page.getByRole("status").getByText("delete saved runs, or free space").waitFor();
  });
});

test("damaged and newer sessions are listed with their error, and deleted", async () => {
  await withPage(browser, address, options, async (page) => {
    await openGraph(page);
    for (const damage of ["newer", "damaged"]) {
      await run(page, `FIND nodes LIMIT 3 AS ${damage}`);
      await page.locator("#graph-title").getByText("Done").waitFor();
      await waitForEntry(page, { isDone: true, name: `FIND nodes LIMIT 3 AS ${damage}` });
    }
    await page.reload();
    await openGraph(page);
    await page.evaluate(async () => {
      const database = await new Promise((resolve) => {
        const request = indexedDB.open("byname-playground-graph");
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = database.transaction(["revisions", "values"], "readwrite");
      const [revisions, values] = ["revisions", "values"].map((name) =>
        transaction.objectStore(name),
      );
      const request = revisions.getAllKeys();
      request.onsuccess = () => {
        const [newer, damaged] = request.result.filter((key) => !key.includes("/"));
        revisions.put({ version: 2, rev: "1", count: 0 }, newer);
        values.delete(`${damaged}/page`);
      };
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      database.close();
    });
    await pressSaved(page);
    const dialog = page.getByRole("dialog", { name: "Saved sessions" });
    await dialog.getByText("A later version of this page has stored it").waitFor();
    await dialog.getByRole("button", { name: /^Open FIND/ }).click();
    await dialog.getByRole("alert").getByText("delete it and run again").waitFor();
    for (const left of [1, 0]) {
      await dialog
        .getByRole("button", { name: /^Delete / })
        .first()
        .click();
      await page.waitForFunction(
        (count) => document.querySelectorAll(".saved-runs li").length === count,
        left,
      );
    }
  });
});
