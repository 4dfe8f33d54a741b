// Storage in IndexedDB: two tabs, damaged data, and a browser that is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { findBrowser } from "../../scripts/setup.mjs";
import { withPage } from "./browser.mjs";
import { browser, pages, server } from "./fixture.mjs";

/** Longest start of a browser in milliseconds. */
const startLimit = 60_000;

/** Starts a browser with a profile, in a process group of its own: its program can be a script that starts another. */
async function startBrowser(profile) {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const args = [...flags, `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(findBrowser(), args, { detached: true });
  const endpoint = await new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => {
      process.kill(-child.pid, "SIGKILL");
      reject(new Error(`the browser did not start in ${startLimit} ms: ${text}`));
    }, startLimit);
    child.on("exit", (code) => reject(new Error(`the browser ended with ${code}: ${text}`)));
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
  });
  return { process: child, connection: await chromium.connectOverCDP(endpoint) };
}

/** Ends all processes of a browser at once, and waits for their end. */
async function kill(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // "close" comes when the last process has ended, since all share the output.
  const ended = new Promise((resolve) => child.on("close", resolve));
  process.kill(-child.pid, "SIGKILL");
  await ended;
}

pages["/storage.html"] = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import * as storage from "/pkg/storage.js";
  import { GaslSession, Graph, HamStore, init } from "/pkg/index.web.js";
  Object.assign(window, storage, { GaslSession, Graph, HamStore });
  await init();
  window.isReady = true;
</script>`;

const address = `${server.url}/storage.html`;
const ready = (page) => page.waitForFunction(() => window.isReady);

test("saves changes of a large value, and another tab loads it", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const saved = await page.evaluate(async () => {
      const storage = indexedDbStorage("large");
      const state = { rows: Array.from({ length: 2000 }, (_, n) => ({ n, text: "x".repeat(50) })) };
      let { rev } = await storage.save(state, { expectedRev: null });
      for (let n = 0; n < 50; n += 1) {
        state.rows.push({ n, text: "y" });
        state.rows[n].text = "changed";
        ({ rev } = await storage.save(state, { expectedRev: rev }));
      }
      const changes = await new Promise((resolve) => {
        indexedDB.open("large").onsuccess = ({ target: { result } }) => {
          const request = result.transaction("changes").objectStore("changes").getAll();
          request.onsuccess = () => resolve(request.result);
        };
      });
      return { state, rev, length: JSON.stringify(changes).length, count: changes.length };
    });
    assert.equal(saved.count, 50);
    assert.ok(saved.length < JSON.stringify(saved.state).length / 10, `${saved.length}`);
    const other = await page.context().newPage();
    await other.goto(address);
    await ready(other);
    const loaded = await other.evaluate(() => indexedDbStorage("large").load());
    assert.deepEqual(loaded, { state: saved.state, rev: saved.rev });
  });
});

test("changes are saved without the value, and changes that do not fit are rejected", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const outcome = await page.evaluate(async () => {
      const storage = indexedDbStorage("changes");
      const list = Array.from({ length: 1000 }, (_, n) => n);
      let { rev } = await storage.save({ list }, { expectedRev: null });
      ({ rev } = await storage.saveChanges([{ at: ["list"], append: [1000] }], {
        expectedRev: rev,
      }));
      const misfit = [
        { at: ["list"], drop: 1 },
        { at: ["none", 1], set: 1 },
      ];
      const reason = await storage
        .saveChanges(misfit, { expectedRev: rev })
        .catch((error) => error.reason);
      // Another connection has not read the value.
      const other = indexedDbStorage("changes");
      const change = [{ at: ["list"], append: [1001] }];
      const saved = await other.saveChanges(change, { expectedRev: rev });
      const conflict = await storage
        .saveChanges(change, { expectedRev: rev })
        .catch((error) => error.reason);
      const { state } = await storage.load();
      return [reason, conflict, state.list.length, state.list.at(-1), saved.rev !== rev];
    });
    assert.deepEqual(outcome, ["failed", "conflict", 1002, 1001, true]);
  });
});

test("PROCESS writes less than five times the final state", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const { status, written, final, stored } = await page.evaluate(async () => {
      let written = 0;
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, key) {
        written += typeof value === "string" ? value.length : JSON.stringify(value).length;
        return put.call(this, value, key);
      };
      const llm = ({ prompt }) => {
        const ids = [...prompt.matchAll(/"id":\s*"(n\d+)"/g)].map(([, id]) => id);
        const items = ids.map((id) => ({ id, label: `about ${id}` }));
        return { json: { items, provenance: ids.map((id, item) => ({ item, input_id: id })) } };
      };
      const rows = Array.from({ length: 10_000 }, (_, n) => `n${n},text ${n}`).join("\n");
      const graph = Graph.fromCsv({ nodes: `id,text\n${rows}`, edges: "source,target" });
      const limits = { max_results: 100_000 };
      const backend = indexedDbStorage("process");
      const session = new GaslSession({ graph, llm, backend, caps: limits, ceilings: limits });
      const commands = [
        "DECLARE out AS LIST",
        "FIND nodes AS x",
        'PROCESS x USING "label" AS y',
        "UPDATE out WITH y",
      ];
      const result = await session.run({ plan_id: "p", why: "w", commands });
      const { state } = await indexedDbStorage("process").load();
      return {
        status: result.status,
        written,
        final: JSON.stringify(session.state).length,
        stored: state.variables.out.items.length,
      };
    });
    assert.deepEqual([status, stored], ["completed", 10_000]);
    assert.ok(written < 5 * final, `${written} for ${final}`);
  });
});

test("a save of another tab is announced, and an older one is a conflict", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const other = await page.context().newPage();
    await other.goto(address);
    await ready(other);
    await page.evaluate(async () => {
      window.storage = indexedDbStorage("tabs");
      window.announced = new Promise((resolve) => window.storage.subscribe(resolve));
    });
    const { rev } = await other.evaluate(() =>
      indexedDbStorage("tabs").save({ n: 1 }, { expectedRev: null }),
    );
    assert.equal(await page.evaluate(() => window.announced), rev);
    const result = await page.evaluate(async () => {
      const reason = await window.storage
        .save({ n: 2 }, { expectedRev: null })
        .catch((error) => error.reason);
      return [reason, await window.storage.load(), await window.storage.list()];
    });
    assert.deepEqual(result, ["conflict", { state: { n: 1 }, rev }, ["state"]]);
  });
});

test("two tabs with one document take each other's changes", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const other = await page.context().newPage();
    await other.goto(address);
    await ready(other);
    const open = async () => {
      window.store = new HamStore();
      window.connection = await persist(window.store, indexedDbStorage("documents"), "one", {
        delay: 10,
      });
    };
    for (const tab of [page, other]) await tab.evaluate(open);
    await page.evaluate(() => void window.store.apply({ root: { list: "*a" }, a: { from: 1 } }));
    await other.waitForFunction(() => window.store.has("a"));
    await other.evaluate(() => void window.store.apply({ b: { from: 2 } }));
    await page.evaluate(() => void window.store.apply({ c: { from: 1 } }));
    for (const tab of [page, other])
      await tab.waitForFunction(() => ["a", "b", "c"].every((id) => window.store.has(id)));
  });
});

test("damaged and newer data are typed errors", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const reasons = await page.evaluate(async () => {
      const found = [];
      const reasonOf = (promise) => promise.then(String, (error) => error.reason);
      const damage = async (name, change) => {
        const storage = indexedDbStorage(name);
        const { rev } = await storage.save(
          { list: [1, 2, 3, "x".repeat(500)] },
          { expectedRev: null },
        );
        await storage.save({ list: [1, 2, 3, "x".repeat(500), 4] }, { expectedRev: rev });
        await storage.close();
        const opened = await new Promise((resolve) => {
          indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
        });
        await new Promise((resolve) => {
          const transaction = opened.transaction(["revisions", "values", "changes"], "readwrite");
          change((store) => transaction.objectStore(store));
          transaction.oncomplete = resolve;
        });
        opened.close();
        found.push(await reasonOf(indexedDbStorage(name).load()));
      };
      await damage("no value", (store) => store("values").delete("state"));
      await damage("no changes", (store) => store("changes").clear());
      await damage("other value", (store) => store("values").put("text", "state"));
      await damage("newer", (store) =>
        store("revisions").put({ version: 2, rev: "1", count: 0 }, "state"),
      );
      await new Promise((resolve) => {
        const request = indexedDB.open("newer layout", 9);
        request.onsuccess = () => {
          request.result.close();
          resolve();
        };
      });
      found.push(await reasonOf(indexedDbStorage("newer layout").load()));
      return found;
    });
    assert.deepEqual(reasons, ["corrupt", "corrupt", "corrupt", "newer", "newer"]);
  });
});

/** Milliseconds from the acknowledgement of a save to the end of each browser process: at any point of the next save. */
const killDelays = [0, 1, 3, 7, 20];

test("acknowledged saves survive a browser that is killed at any point", async () => {
  const profile = mkdtempSync(join(tmpdir(), "byname-profile-"));
  try {
    let acknowledged = 0;
    // The last round only loads.
    for (const delay of [...killDelays, undefined]) {
      const { process: child, connection } = await startBrowser(profile);
      const [context] = connection.contexts();
      const page = await context.newPage();
      const progress = [];
      let failure;
      await page.exposeFunction("acknowledge", (n) => progress.push(n));
      await page.goto(address);
      await ready(page);
      const found = await page.evaluate(async () => {
        window.storage = indexedDbStorage("killed");
        window.loaded = (await window.storage.load()) ?? { state: { n: 0, rows: [] }, rev: null };
        return window.loaded.state;
      });
      // A save that was not acknowledged may be there, but only as a whole.
      assert.ok([0, 1].includes(found.n - acknowledged), `${found.n} of ${acknowledged}`);
      const rows = Array.from({ length: found.n }, (_, index) => `row ${index + 1}`);
      assert.deepEqual(found.rows, rows);
      if (delay === undefined) {
        await kill(child);
        break;
      }
      page
        .evaluate(async () => {
          let { state, rev } = window.loaded;
          for (;;) {
            state.n += 1;
            state.rows.push(`row ${state.n}`);
            ({ rev } = await window.storage.save(state, { expectedRev: rev }));
            await window.acknowledge(state.n);
          }
        })
        .catch((error) => {
          failure ??= error;
        });
      while (progress.length < 10) {
        if (failure) throw failure;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      await kill(child);
      await connection.close();
      acknowledged = progress.at(-1);
    }
    assert.ok(acknowledged >= 10 * killDelays.length, `${acknowledged}`);
  } finally {
    // Children of the killed browser may write for a moment.
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
});
