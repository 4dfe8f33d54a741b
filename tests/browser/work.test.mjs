// Drafts of the playground: stored, restored, and never lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blockRequests } from "./browser.mjs";
import { getEditorText, setEditorText } from "./editor.mjs";
import { browser } from "./fixture.mjs";
import {
  chooseServerModel,
  home,
  labels,
  openGraphFile,
  openTab,
  options,
  selectedExample,
  setHash,
  testPage,
  waitForWorkbench,
} from "./work-page.mjs";

testPage(
  "text is restored after a reload, and Start over restores the example",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^1\. / }).click();
    const before = await getEditorText(page, labels.surface);
    await setEditorText(page, labels.surface, '{ "draft": 1 }');
    // At once, because pending drafts are stored when the page is closed.
    await page.reload();
    await page.locator(".notice").getByText("Your changes (just now) were restored.").waitFor();
    await waitForWorkbench(page, "surface");
    assert.equal(await getEditorText(page, labels.surface), '{ "draft": 1 }');
    await page.locator(".notice").getByRole("button", { name: "Start over" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^1\. / }).click();
    assert.equal(await getEditorText(page, labels.surface), before);
    await page.reload();
    await waitForWorkbench(page, "surface");
    await page.getByRole("button", { name: "Pause" }).click();
    assert.equal(await page.locator(".notices > .notice").count(), 0);
  },
);

testPage(
  "a draft is kept if the user leaves before the workbench has loaded",
  "#surface/form",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await setEditorText(page, labels.surface, '{ "guest": "mine" }');
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("mine"));
    await page.goto("about:blank");
    const come = await blockRequests(page, "**/assets/workbench-*.js");
    await page.goto(`${home}#surface/form`);
    await page.locator("[data-bench=surface]").waitFor();
    await setHash(page, "#story");
    await page.locator("[data-bench=story]").waitFor();
    const arrived = page.waitForResponse(/assets\/workbench-/);
    come();
    await (await arrived).finished();
    await page.waitForTimeout(300);
    assert.equal(
      await page.locator(".notices > .notice").count(),
      0,
      "nothing is said in another workbench",
    );
    await setHash(page, "#surface/form");
    await waitForWorkbench(page, "surface");
    assert.equal(await getEditorText(page, labels.surface), '{ "guest": "mine" }');
  },
);

testPage(
  "a draft is offered when an example is opened from another workbench",
  "#flow/branches",
  async (page) => {
    await waitForWorkbench(page, "flow");
    const mine = '{ "nodes": [] }';
    await setEditorText(page, labels.flow, mine);
    await setHash(page, "#story");
    await page.locator("[data-bench=story]").waitFor();
    await setHash(page, "#flow/loop");
    await page.locator(".notice").getByText("Your changes are kept").waitFor();
    assert.notEqual(await getEditorText(page, labels.flow), mine);
    await page.getByRole("button", { name: "Restore" }).click();
    assert.equal(await getEditorText(page, labels.flow), mine);
  },
);

testPage("a draft that Start over removed can be restored", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.locator("#again:visible").click();
  assert.notEqual(await getEditorText(page, labels.graph), "FIND nodes LIMIT 2 AS two");
  await page.getByRole("button", { name: "Restore my changes" }).click();
  await page.reload();
  await page.locator(".notice").getByText("were restored").waitFor();
  await waitForWorkbench(page, "graph");
  assert.equal(await getEditorText(page, labels.graph), "FIND nodes LIMIT 2 AS two");
});

testPage(
  "the menu displays the current content, and each example can be selected",
  "#graph/paths",
  async (page) => {
    await waitForWorkbench(page, "graph");
    const paths = await selectedExample(page);
    await openGraphFile(page, "mine.csv");
    await page.locator("#graph-counts").getByText("mine.csv").waitFor();
    assert.equal(await selectedExample(page), "Your file: mine.csv");
    await setHash(page, "#surface");
    await waitForWorkbench(page, "surface");
    await setHash(page, "#graph");
    await page.locator("#graph-counts").getByText("mine.csv").waitFor();
    assert.equal(await selectedExample(page), "Your file: mine.csv");
    await page.locator("#examples").selectOption("paths");
    await page.locator("#graph-counts").getByText("mine.csv").waitFor({ state: "detached" });
    assert.equal(await selectedExample(page), paths);
    await page.getByRole("button", { name: "Restore" }).click();
    await page.locator("#graph-counts").getByText("mine.csv").waitFor();
    assert.equal(await selectedExample(page), "Your file: mine.csv");
    await page.locator("#again").click();
    await page.locator("#graph-counts").getByText("mine.csv").waitFor({ state: "detached" });
    assert.equal(await selectedExample(page), paths);
  },
);

testPage("the menu displays the example of a restored draft", "#surface/form", async (page) => {
  await waitForWorkbench(page, "surface");
  const form = await selectedExample(page);
  await setEditorText(page, labels.surface, '{ "mine": 1 }');
  await page.locator("#examples").selectOption("team");
  await page.getByRole("button", { name: "Restore" }).click();
  assert.equal(await getEditorText(page, labels.surface), '{ "mine": 1 }');
  assert.equal(await selectedExample(page), form);
  await page.locator("#examples").selectOption("team");
  await page.waitForFunction(() => location.hash === "#surface/team");
  assert.notEqual(await getEditorText(page, labels.surface), '{ "mine": 1 }');
});

testPage("a slowly read file does not change another workbench", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await page.evaluate(() => {
    const read = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = async function () {
      await new Promise((done) => {
        globalThis.read = done;
      });
      return read.call(this);
    };
  });
  await openGraphFile(page, "slow.csv");
  await setHash(page, "#surface");
  await waitForWorkbench(page, "surface");
  const team = await selectedExample(page);
  await page.evaluate(() => globalThis.read());
  await page.locator("#graph-counts").getByText("slow.csv").waitFor({ state: "attached" });
  assert.equal(await selectedExample(page), team);
  await setHash(page, "#graph");
  assert.equal(await page.locator("#graph-play").textContent(), "Play");
  assert.equal(await selectedExample(page), "Your file: slow.csv");
});

for (const bench of ["surface", "flow"])
  testPage(
    `a draft restored before the core has loaded is displayed with it: ${bench}`,
    `#${bench}`,
    async (page) => {
      await waitForWorkbench(page, bench);
      await setEditorText(page, labels[bench], '{ "nodes": [] }');
      await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("nodes"));
      const other = await page.context().newPage();
      const errors = [];
      other.on("pageerror", (error) => errors.push(String(error)));
      const come = await blockRequests(other, "**/*.wasm");
      await other.goto(`${home}#${bench}`);
      await other.getByRole("button", { name: "Restore" }).click();
      come();
      await waitForWorkbench(other, bench);
      assert.equal(await getEditorText(other, labels[bench]), '{ "nodes": [] }');
      assert.deepEqual(errors, []);
    },
  );

testPage("a restored draft does not wait for a model", "#graph/coauthors", async (page) => {
  await waitForWorkbench(page, "graph");
  await page.locator("#graph-end").click();
  await setEditorText(page, labels.graph, "FIND nodes LIMIT 5 AS five");
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("LIMIT 5"));
  let asked = 0;
  await chooseServerModel(page, () => {
    asked += 1;
  });
  await page.locator("#examples").selectOption("paths");
  await page.getByRole("button", { name: "Restore" }).click();
  assert.equal(await getEditorText(page, labels.graph), "FIND nodes LIMIT 5 AS five");
  await page.waitForTimeout(300);
  assert.equal(asked, 0);
});

testPage(
  "a restored draft is at its step with any model, and no model is called",
  "#graph/paths",
  async (page) => {
    await waitForWorkbench(page, "graph");
    let asked = 0;
    await chooseServerModel(page, () => {
      asked += 1;
    });
    const bringsBack = async (text) => {
      await page.waitForFunction(
        (words) => JSON.stringify({ ...localStorage }).includes(words),
        text,
      );
      await page.locator("#examples").selectOption("guards");
      await page.locator("#graph-title").getByText("Guards").waitFor();
      await page.getByRole("button", { name: "Restore" }).click();
    };
    await page.locator("#graph-end").click();
    await page.getByRole("button", { name: /^3\. / }).click();
    await setEditorText(page, labels.graph, "FIND nodes LIMIT 5 AS five");
    await bringsBack("LIMIT 5");
    await page.locator('#graph-steps button[aria-current][aria-label^="3. "]').waitFor();
    assert.equal(await getEditorText(page, labels.graph), "FIND nodes LIMIT 5 AS five");
    await setEditorText(page, labels.graph, "FIND nodes LIMIT 6 AS six\nCOUNT six AS many");
    await page.getByRole("button", { name: "Run from here" }).click();
    await bringsBack("LIMIT 6");
    const now = page.locator("#graph-steps button[aria-current]");
    await now.waitFor();
    assert.match(await now.getAttribute("aria-label"), /LIMIT 6|COUNT six/);
    assert.equal(asked, 0);
  },
);

testPage("each workbench has a separate draft", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.getByRole("link", { name: "Flow" }).click();
  await waitForWorkbench(page, "flow");
  await setEditorText(page, labels.flow, '{ "nodes": [] }');
  await page.waitForFunction(
    () => Object.keys(localStorage).filter((key) => key.startsWith("byname-draft-1")).length === 2,
  );
  await page.reload();
  await waitForWorkbench(page, "flow");
  assert.equal(await getEditorText(page, labels.flow), '{ "nodes": [] }');
  await page.getByRole("link", { name: "Graph" }).click();
  await waitForWorkbench(page, "graph");
  assert.equal(await getEditorText(page, labels.graph), "FIND nodes LIMIT 2 AS two");
});

testPage(
  "two tabs keep separate drafts, and a third is offered the last one",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await setEditorText(page, labels.surface, '{ "first": 1 }');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes("first"));
    const second = await openTab(page, "#surface/users");
    await waitForWorkbench(second, "surface");
    assert.notEqual(
      await getEditorText(second, labels.surface),
      '{ "first": 1 }',
      "the draft of another tab is not opened by itself",
    );
    await setEditorText(second, labels.surface, '{ "second": 2 }');
    await second.waitForFunction(() => JSON.stringify(localStorage).includes("second"));
    await page.reload();
    await waitForWorkbench(page, "surface");
    assert.equal(await getEditorText(page, labels.surface), '{ "first": 1 }');
    const third = await openTab(page, "#surface/users");
    await waitForWorkbench(third, "surface");
    const offer = third.locator(".notice").filter({ hasText: "Another tab has changes here" });
    await offer.getByRole("button", { name: "Restore" }).click();
    assert.equal(await getEditorText(third, labels.surface), '{ "second": 2 }');
  },
);

for (const [name, refuse] of [
  [
    "full",
    (store) => {
      store.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  ],
  ["forbidden", () => {}],
]) {
  test(`storage that is ${name} is reported once and does not interrupt the page`, async () => {
    const context = await browser.newContext(options);
    if (name === "full") await context.addInitScript(`(${refuse})(Storage.prototype)`);
    else
      await context.addInitScript(() => {
        for (const store of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, store, {
            get() {
              throw new DOMException("denied", "SecurityError");
            },
          });
      });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${home}#surface/users`);
    await waitForWorkbench(page, "surface");
    const notice = page
      .locator(".notice")
      .getByText(
        name === "full" ? "storage of this browser is full" : "this browser does not allow storage",
      );
    await setEditorText(page, labels.surface, '{ "a": 1 }');
    await notice.waitFor();
    await page.getByRole("button", { name: "Close this message" }).click();
    await setEditorText(page, labels.surface, '{ "root": { "b": 2 } }');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForTimeout(700);
    assert.equal(await notice.count(), 0, "reported once");
    assert.deepEqual(errors, []);
    await context.close();
  });
}

testPage(
  "storing a graph that is too large is tried once and reported once",
  "#graph/paths",
  async (page) => {
    await waitForWorkbench(page, "graph");
    await page.evaluate(() => {
      globalThis.tried = 0;
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        if (value.length > 1_000_000) globalThis.tried += 1;
        setItem.call(this, key, value);
      };
    });
    // A file below 1 MB, which is read in the page, whose JSON is longer than the storage.
    const edges = Array.from({ length: 240_000 }, (_, at) => `${at % 10},${(at * 7) % 9}`);
    await openGraphFile(page, "large.csv", `source,target\n${edges.join("\n")}\n`);
    const notice = page.locator(".notice").getByText("they are too large for the storage");
    await notice.waitFor();
    await page.getByRole("button", { name: "Close this message" }).click();
    await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
    await page.keyboard.press("Control+Enter");
    await page.waitForTimeout(700);
    assert.equal(await notice.count(), 0, "reported once");
    assert.equal(await page.evaluate(() => globalThis.tried), 1, "tried once");
    // A smaller draft is still stored.
    await page.locator("#examples").selectOption("paths");
    await setEditorText(page, labels.graph, "FIND nodes LIMIT 3 AS three");
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("LIMIT 3"));
  },
);

testPage("Play again removes applied changes", "#surface/users", async (page) => {
  await waitForWorkbench(page, "surface");
  await page.locator("#steps button").last().click();
  await setEditorText(page, labels.surface, '{ "u1": { "name": "Mine" } }');
  await page.keyboard.press("Control+Enter");
  const steps = await page.locator("#steps button").count();
  await page.getByRole("button", { name: "Play again" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  assert.equal(await page.locator("#steps button").count(), steps);
  await page.locator("#steps button").last().click();
  await page.locator("#stage").getByText("Mine").first().waitFor();
});
