// Graphs, sessions and flows in a Web Worker, without a bundler.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { behaviours } from "../worker-behaviour.mjs";
import { withPage } from "./browser.mjs";
import { browser, published } from "./fixture.mjs";

const address = `${published.url}/tests/browser/worker.html`;
const ready = (page) => page.waitForFunction(() => window.isReady);

test("the behaviours in a browser", async (t) => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    for (const name of Object.keys(behaviours))
      await t.test(name, () => page.evaluate((one) => window.runBehaviour(one), name));
  });
});

test("the cases in a worker of a browser", async (t) => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    for (const kind of ["gasl", "flow"]) {
      const folder = new URL(`../cases/${kind}/`, import.meta.url);
      for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
        await t.test(`${kind}/${file}`, async () => {
          const text = readFileSync(new URL(file, folder), "utf8");
          const { ran, failures } = await page.evaluate(
            (given) => window.runCases(...given),
            [kind, text],
          );
          assert.equal(ran, JSON.parse(text).length);
          assert.deepEqual(failures, []);
        });
      }
    }
  });
});

test("a worker that ends by itself rejects everything pending", async () => {
  await withPage(browser, address, {}, async (page) => {
    await ready(page);
    const outcome = page.evaluate(async () => {
      const graph = await window.remote.Graph.fromCsv({ edges: "source,target\na,b" });
      const llm = () => {
        window.isAsked = true;
        return new Promise(() => {});
      };
      const session = new window.remote.GaslSession({ graph, llm });
      const describe = ({ name, code, reason }) => [name, code, reason];
      const pending = await session.solve("q").catch(describe);
      return [pending, await graph.summary().catch(describe)];
    });
    await page.waitForFunction(() => window.isAsked);
    await page.workers()[0].evaluate(() => globalThis.close());
    const expected = ["WorkerError", "disposed", "ended"];
    assert.deepEqual(await outcome, [expected, expected]);
  });
});

test("a worker whose WebAssembly is missing is an error", async () => {
  const allowed = /404/;
  await withPage(
    browser,
    address,
    {},
    async (page) => {
      await ready(page);
      const message = await page.evaluate(() =>
        window.openWorker({ wasm: new URL("/none.wasm", location.href) }).catch(String),
      );
      assert.match(message, /failed to fetch .*none\.wasm: 404/);
    },
    allowed,
  );
});
