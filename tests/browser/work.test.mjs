// What a visitor made of the playground: shared by a link, kept as a draft, brought back, and never lost to a bad one.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launch, withPage } from "./browser.mjs";
import { editor, textIn, write } from "./editor.mjs";
import { serve } from "./server.mjs";

let browser;
let server;
let home;
before(async () => {
  server = await serve();
  home = `${server.url}/www/dist/index.html`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

const labels = { surface: "Update, in HAM", graph: "Plan, in GASL", flow: "Workflow, in JSON" };
const ready = { surface: "#apply", graph: "#graph-run", flow: "#flow-run" };
const options = {
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
  permissions: ["clipboard-read", "clipboard-write"],
};

/** Waits until a workbench can be written in. */
async function stands(page, bench) {
  await page.locator(`${ready[bench]}:enabled`).waitFor();
  await editor(page, labels[bench]).waitFor();
}

/** Opens the page in a new tab of the same visitor. */
async function tab(page, address) {
  const next = await page.context().newPage();
  await next.goto(`${home}${address}`);
  return next;
}

/** Follows an address within the page. */
async function goTo(page, address) {
  await page.evaluate((to) => {
    location.hash = to;
  }, address);
}

/** Presses Share, and answers what was copied. */
async function share(page) {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.getByRole("button", { name: "Share" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
  await page.locator(".notice").getByText("The link is copied").last().waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v1\.[\w-]+\.[\w-]+$/);
  return link;
}

/** Opens a link as somebody else does, who has nothing of this page. */
async function elsewhere(link, body) {
  await withPage(browser, link, options, body);
}

const on = (name, address, body) =>
  test(name, () => withPage(browser, `${home}${address}`, options, body));

on(
  "a link brings the steps of a surface, and the text that is not applied",
  "#surface/users",
  async (page) => {
    await stands(page, "surface");
    await page.getByRole("button", { name: /^2\. / }).click();
    await write(page, labels.surface, '{ "u1": { "name": "Ålicia 🦊" } }');
    await page.keyboard.press("Control+Enter");
    await page.locator("#stage").getByText("Ålicia 🦊").waitFor();
    await write(page, labels.surface, '{ "u2": {');
    const link = await share(page);
    await elsewhere(link, async (other) => {
      await stands(other, "surface");
      await other.locator("#stage").getByText("Ålicia 🦊").waitFor();
      assert.equal(await textIn(other, labels.surface), '{ "u2": {');
      assert.equal(await other.locator("#examples").inputValue(), "users");
      assert.match(
        await other.locator(".step[aria-current]").getAttribute("aria-label"),
        /^3\. Your update/,
      );
      await other.getByRole("button", { name: "Start over" }).click();
      await other.locator("#stage").getByText("Ålicia").waitFor({ state: "detached" });
      await other.getByRole("button", { name: "Back to what I wrote" }).click();
      await other.locator("#stage").getByText("Ålicia 🦊").waitFor();
    });
  },
);

on(
  "a link brings a graph of one's own, the plan, and the step in sight",
  "#graph/paths",
  async (page) => {
    await stands(page, "graph");
    await page.locator("#graph-file").setInputFiles({
      name: "three.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("source,target\nanna,bert\nbert,carl\n"),
    });
    await page.locator("#graph-counts").getByText("3 nodes").waitFor();
    await write(page, labels.graph, "FIND nodes AS mine\nCOUNT mine AS many");
    await page.keyboard.press("Control+Enter");
    await page.locator("#graph-end").click();
    await page.getByRole("button", { name: /^1\. FIND/ }).click();
    const link = await share(page);
    await elsewhere(link, async (other) => {
      await other.locator("#graph-counts").getByText("three.csv: 3 nodes, 2 edges").waitFor();
      await other.locator(".step[aria-current]").waitFor();
      assert.match(
        await other.locator(".step[aria-current]").getAttribute("aria-label"),
        /^1\. FIND/,
      );
      assert.match(await other.locator("#graph-rows").textContent(), /anna/);
      await editor(other, labels.graph).waitFor();
      assert.equal(await textIn(other, labels.graph), "FIND nodes AS mine\nCOUNT mine AS many");
    });
  },
);

on("a link brings the three texts of a workflow", "#flow/branches", async (page) => {
  await stands(page, "flow");
  const workflow =
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hi $language" } }], "inputs": { "language": {} } }';
  await write(page, labels.flow, workflow);
  await page.locator("#flow-text-inputs").click();
  await write(page, "Inputs of the run, in JSON", '{ "language": "nn" }');
  await page.getByLabel("Speed").selectOption("0");
  const link = await share(page);
  await elsewhere(link, async (other) => {
    await stands(other, "flow");
    assert.equal(await textIn(other, labels.flow), workflow);
    await other.locator("#flow-run").click();
    await other.locator("#flow-why").getByText("Hi nn").first().waitFor();
  });
});

on(
  "a link that cannot be read is told, and what was there is kept",
  "#surface/users",
  async (page) => {
    await stands(page, "surface");
    await write(page, labels.surface, '{ "mine": 1 }');
    const link = new URL(await share(page)).hash;
    const faults = [
      [link.slice(0, link.length / 2), /not whole: it was cut or changed/],
      [`${link.slice(0, -9)}AAAAAAAAA`, /not whole: it was cut or changed/],
      [link.replace("#v1.", "#v1.0"), /not whole/],
      ["#v1.", /not whole/],
      [link.replace("#v1.", "#v9."), /newer version of this page \(v9\)/],
      [link.replace("#v1.", "#v0."), /older version of this page \(v0\)/],
    ];
    for (const [hash, words] of faults) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.locator(".notice").getByText(words).last().waitFor();
      assert.equal(await textIn(page, labels.surface), '{ "mine": 1 }', hash);
      assert.equal(new URL(page.url()).hash, "#surface");
      await page.getByRole("button", { name: "Close this message" }).last().click();
    }
    // A full stop that a letter has put behind it does no harm.
    const fresh = await tab(page, `${link}.`);
    await stands(fresh, "surface");
    assert.equal(await textIn(fresh, labels.surface), '{ "mine": 1 }');
    const cut = await tab(page, link.slice(0, 40));
    await cut.locator(".notice").getByText("not whole").waitFor();
    await cut.locator(".benches a").first().waitFor();
  },
);

on("what is too much for a link is said, and no link is made", "#surface/users", async (page) => {
  await stands(page, "surface");
  const noise = await page.evaluate(() =>
    [...crypto.getRandomValues(new Uint8Array(40_000))].map((one) => one.toString(36)).join(""),
  );
  await write(page, labels.surface, JSON.stringify({ noise }));
  await page.getByRole("button", { name: "Share" }).click();
  await page
    .locator(".notice")
    .getByText(/too much for a link: [\d,]+ characters.*30,000/)
    .waitFor();
});

on(
  "what was written is back after a reload, and Start over brings the example",
  "#surface/users",
  async (page) => {
    await stands(page, "surface");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^1\. / }).click();
    const before = await textIn(page, labels.surface);
    await write(page, labels.surface, '{ "draft": 1 }');
    // At once: what is still to be kept is kept when the page goes.
    await page.reload();
    await page.locator(".notice").getByText("What you wrote just now is back.").waitFor();
    await stands(page, "surface");
    assert.equal(await textIn(page, labels.surface), '{ "draft": 1 }');
    await page.locator(".notice").getByRole("button", { name: "Start over" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^1\. / }).click();
    assert.equal(await textIn(page, labels.surface), before);
    await page.reload();
    await stands(page, "surface");
    await page.getByRole("button", { name: "Pause" }).click();
    assert.equal(await page.locator(".notice").count(), 0);
  },
);

on(
  "a draft stays where somebody leaves before the workbench has come",
  "#surface/form",
  async (page) => {
    await stands(page, "surface");
    await write(page, labels.surface, '{ "guest": "mine" }');
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("mine"));
    await page.goto("about:blank");
    let come;
    const held = new Promise((done) => {
      come = done;
    });
    await page.route("**/assets/bench-*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${home}#surface/form`);
    await page.locator("[data-bench=surface]").waitFor();
    await goTo(page, "#story");
    await page.locator("[data-bench=story]").waitFor();
    const arrived = page.waitForResponse(/assets\/bench-/);
    come();
    await (await arrived).finished();
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".notice").count(), 0, "nothing is said in another workbench");
    await goTo(page, "#surface/form");
    await stands(page, "surface");
    assert.equal(await textIn(page, labels.surface), '{ "guest": "mine" }');
  },
);

on(
  "what was written is offered where an example is opened from another workbench",
  "#flow/branches",
  async (page) => {
    await stands(page, "flow");
    const mine = '{ "nodes": [] }';
    await write(page, labels.flow, mine);
    await goTo(page, "#story");
    await page.locator("[data-bench=story]").waitFor();
    await goTo(page, "#flow/loop");
    await page.locator(".notice").getByText("What you wrote is kept").waitFor();
    assert.notEqual(await textIn(page, labels.flow), mine);
    await page.getByRole("button", { name: "Bring it back" }).click();
    assert.equal(await textIn(page, labels.flow), mine);
  },
);

on("what Start over takes away comes back to stay", "#graph/paths", async (page) => {
  await stands(page, "graph");
  await write(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.locator("#again:visible").click();
  assert.notEqual(await textIn(page, labels.graph), "FIND nodes LIMIT 2 AS two");
  await page.getByRole("button", { name: "Back to what I wrote" }).click();
  await page.reload();
  await page.locator(".notice").getByText("is back").waitFor();
  await stands(page, "graph");
  assert.equal(await textIn(page, labels.graph), "FIND nodes LIMIT 2 AS two");
});

/** What the menu says of the workbench in sight. */
const named = (page) =>
  page.$eval("#examples", ({ selectedOptions }) => selectedOptions[0]?.textContent);

/** Opens a graph of one's own. */
async function opens(page, name) {
  await page.locator("#graph-file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from("source,target\nanna,bert\nbert,carl\n"),
  });
}

on("the menu names what stands, and each example can be chosen", "#graph/paths", async (page) => {
  await stands(page, "graph");
  const paths = await named(page);
  await opens(page, "mine.csv");
  await page.locator("#graph-counts").getByText("mine.csv").waitFor();
  assert.equal(await named(page), "Your file: mine.csv");
  await goTo(page, "#surface");
  await stands(page, "surface");
  await goTo(page, "#graph");
  await page.locator("#graph-counts").getByText("mine.csv").waitFor();
  assert.equal(await named(page), "Your file: mine.csv");
  await page.locator("#examples").selectOption("paths");
  await page.locator("#graph-counts").getByText("mine.csv").waitFor({ state: "detached" });
  assert.equal(await named(page), paths);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await page.locator("#graph-counts").getByText("mine.csv").waitFor();
  assert.equal(await named(page), "Your file: mine.csv");
  await page.locator("#again").click();
  await page.locator("#graph-counts").getByText("mine.csv").waitFor({ state: "detached" });
  assert.equal(await named(page), paths);
});

on("the menu names the example of what is brought back", "#surface/form", async (page) => {
  await stands(page, "surface");
  const form = await named(page);
  await write(page, labels.surface, '{ "mine": 1 }');
  await page.locator("#examples").selectOption("team");
  await page.getByRole("button", { name: "Bring it back" }).click();
  assert.equal(await textIn(page, labels.surface), '{ "mine": 1 }');
  assert.equal(await named(page), form);
  await page.locator("#examples").selectOption("team");
  await page.waitForFunction(() => location.hash === "#surface/team");
  assert.notEqual(await textIn(page, labels.surface), '{ "mine": 1 }');
});

on(
  "a file that is read slowly names nothing in another workbench",
  "#graph/paths",
  async (page) => {
    await stands(page, "graph");
    await page.evaluate(() => {
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function () {
        await new Promise((done) => {
          globalThis.read = done;
        });
        return read.call(this);
      };
    });
    await opens(page, "slow.csv");
    await goTo(page, "#surface");
    await stands(page, "surface");
    const team = await named(page);
    await page.evaluate(() => globalThis.read());
    await page.locator("#graph-counts").getByText("slow.csv").waitFor({ state: "attached" });
    assert.equal(await named(page), team);
    await goTo(page, "#graph");
    assert.equal(await page.locator("#graph-play").textContent(), "Play");
    assert.equal(await named(page), "Your file: slow.csv");
  },
);

for (const bench of ["surface", "flow"])
  on(
    `what is brought back before the core is here comes with it: ${bench}`,
    `#${bench}`,
    async (page) => {
      await stands(page, bench);
      await write(page, labels[bench], '{ "nodes": [] }');
      await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("nodes"));
      const other = await page.context().newPage();
      const errors = [];
      other.on("pageerror", (error) => errors.push(String(error)));
      let come;
      const held = new Promise((done) => {
        come = done;
      });
      await other.route("**/*.wasm", async (route) => {
        await held;
        await route.continue();
      });
      await other.goto(`${home}#${bench}`);
      await other.getByRole("button", { name: "Bring it back" }).click();
      come();
      await stands(other, bench);
      assert.equal(await textIn(other, labels[bench]), '{ "nodes": [] }');
      assert.deepEqual(errors, []);
    },
  );

on("a link holds what was run from a step, and so does the draft", "#graph/paths", async (page) => {
  await stands(page, "graph");
  await page.locator("#graph-end").click();
  await page.getByRole("button", { name: /^2\. / }).click();
  const onward = async (text, last) => {
    await write(page, labels.graph, text);
    await page.getByRole("button", { name: "Run from here" }).click();
    await page.getByRole("button", { name: last }).waitFor();
  };
  const plan = "FIND nodes LIMIT 5 AS five\nUPDATE mine WITH five";
  await onward("DECLARE mine AS LIST", /^1\. DECLARE mine.*success/);
  await onward(plan, /^2\. UPDATE mine.*success/);
  const run = async (other) => {
    await stands(other, "graph");
    await other.getByRole("button", { name: /^2\. UPDATE mine.*success/ }).waitFor();
    assert.equal(await textIn(other, labels.graph), plan);
    await other.locator("#again:visible").waitFor();
  };
  await run(page);
  await elsewhere(await share(page), run);
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("UPDATE mine"));
  await page.reload();
  await run(page);
});

/** Chooses a model behind an address, which answers so. */
async function chooses(page, answer) {
  await page.route("**/v1/chat/completions", answer);
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(`${server.url}/v1`);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByRole("button", { name: "Use it" }).click();
}

on(
  "a link to a question about one's own graph shows no other answer",
  "#graph/guards",
  async (page) => {
    await stands(page, "graph");
    await opens(page, "mine.csv");
    await page.locator("#graph-counts").getByText("mine.csv").waitFor();
    await chooses(page, (route) =>
      route.fulfill({
        json: { choices: [{ message: { role: "assistant", content: "COMPLETE: It is anna." } }] },
      }),
    );
    await page.fill("#graph-question", "Who is it?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-note").getByText("It is anna.").waitFor();
    await elsewhere(await share(page), async (other) => {
      await other.locator("#graph-counts").getByText("mine.csv").waitFor();
      await editor(other, labels.graph).waitFor();
      assert.match(await textIn(other, labels.graph), /What is in mine.csv/);
      assert.equal(await other.inputValue("#graph-question"), "Who is it?");
      await other.locator("#graph-title").getByText("Not asked again").waitFor();
      await other.locator("#graph-end").click();
      await other.locator("#graph-rows").getByText("anna").first().waitFor();
    });
  },
);

on("what is brought back waits for no model", "#graph/coauthors", async (page) => {
  await stands(page, "graph");
  await page.locator("#graph-end").click();
  await write(page, labels.graph, "FIND nodes LIMIT 5 AS five");
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("LIMIT 5"));
  let asked = 0;
  await chooses(page, () => {
    asked += 1;
  });
  await page.locator("#examples").selectOption("paths");
  await page.getByRole("button", { name: "Bring it back" }).click();
  assert.equal(await textIn(page, labels.graph), "FIND nodes LIMIT 5 AS five");
  await page.waitForTimeout(300);
  assert.equal(asked, 0);
});

on("a link and a draft hold what the story has handed over", "#story", async (page) => {
  const from = "From the story";
  const flow = async (other) => {
    await stands(other, "flow");
    assert.equal(await named(other), from);
    await other.locator("#flow-run").click();
    await other.locator("#flow-title").getByText("Completed").waitFor();
    await other.locator("#flow-stage .story-bar").first().waitFor();
  };
  const surface = async (other) => {
    await stands(other, "surface");
    await other.locator("#stage .story-bar").first().waitFor();
    assert.equal(await named(other), from);
    assert.equal(await other.locator("#diagnostics").isVisible(), false);
  };
  const graph = async (other) => {
    await other
      .locator("#graph-counts")
      .getByText(/^From Mercury to Apollo/)
      .waitFor();
    assert.equal(await named(other), from);
    await other.locator("#graph-rows tbody tr").first().waitFor();
  };
  for (const [bench, check] of [
    ["flow", flow],
    ["surface", surface],
    ["graph", graph],
  ]) {
    await goTo(page, "#story");
    await page.locator(`#story-open-${bench}:enabled`).click();
    await check(page);
    await elsewhere(await share(page), check);
    await write(page, labels[bench], `${await textIn(page, labels[bench])} `);
    await page.waitForFunction(
      (name) => Object.keys(localStorage).some((key) => key.endsWith(name)),
      bench,
    );
  }
  await page.reload();
  await graph(page);
  await goTo(page, "#surface");
  await surface(page);
  await goTo(page, "#flow");
  await flow(page);
  await page.locator("#again").click();
  await flow(page);
});

on("each workbench has a draft of its own", "#graph/paths", async (page) => {
  await stands(page, "graph");
  await write(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.getByRole("link", { name: "Flow" }).click();
  await stands(page, "flow");
  await write(page, labels.flow, '{ "nodes": [] }');
  await page.waitForFunction(
    () => Object.keys(localStorage).filter((key) => key.startsWith("byname-draft-1")).length === 2,
  );
  await page.reload();
  await stands(page, "flow");
  assert.equal(await textIn(page, labels.flow), '{ "nodes": [] }');
  await page.getByRole("link", { name: "Graph" }).click();
  await stands(page, "graph");
  assert.equal(await textIn(page, labels.graph), "FIND nodes LIMIT 2 AS two");
});

on(
  "two tabs keep their own work, and a third is offered the last",
  "#surface/users",
  async (page) => {
    await stands(page, "surface");
    await write(page, labels.surface, '{ "first": 1 }');
    await page.waitForFunction(() => JSON.stringify(localStorage).includes("first"));
    const second = await tab(page, "#surface/users");
    await stands(second, "surface");
    assert.notEqual(
      await textIn(second, labels.surface),
      '{ "first": 1 }',
      "another tab's work is not opened by itself",
    );
    await write(second, labels.surface, '{ "second": 2 }');
    await second.waitForFunction(() => JSON.stringify(localStorage).includes("second"));
    await page.reload();
    await stands(page, "surface");
    assert.equal(await textIn(page, labels.surface), '{ "first": 1 }');
    const third = await tab(page, "#surface/users");
    await stands(third, "surface");
    const offer = third.locator(".notice").filter({ hasText: "Another tab wrote something here" });
    await offer.getByRole("button", { name: "Bring it back" }).click();
    assert.equal(await textIn(third, labels.surface), '{ "second": 2 }');
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
  test(`storage that is ${name} stops nothing, and is told once`, async () => {
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
    await stands(page, "surface");
    const told = page
      .locator(".notice")
      .getByText(
        name === "full" ? "storage of this browser is full" : "this browser keeps nothing",
      );
    await write(page, labels.surface, '{ "a": 1 }');
    await told.waitFor();
    await page.getByRole("button", { name: "Close this message" }).click();
    await write(page, labels.surface, '{ "root": { "b": 2 } }');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.waitForTimeout(700);
    assert.equal(await told.count(), 0, "told once");
    assert.deepEqual(errors, []);
    await context.close();
  });
}

on("a key is in no link, no draft and no storage", "#graph/paths", async (page) => {
  await stands(page, "graph");
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabel("Key, if it needs one").fill("very-secret");
  await page.getByRole("button", { name: "Use it" }).click();
  await write(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith("byname-draft-1")),
  );
  const link = await share(page);
  const opened = await tab(page, new URL(link).hash);
  await stands(opened, "graph");
  const seen = await opened.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerText]),
  );
  assert.match(seen, /LIMIT 2/);
  assert.doesNotMatch(seen, /very-secret/);
  assert.equal(await opened.locator("#graph-model").textContent(), "Model: scripted");
});

/** Copies the code of what is on the screen, runs it in Node against the package, and answers what it prints. */
async function ran(page) {
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await page.locator(".notice").getByText("The code is copied").last().waitFor();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const folder = fileURLToPath(new URL("../../target/copied-code", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "copied.mjs");
  writeFileSync(file, code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  assert.equal(stderr, "");
  return stdout;
}

on("the copied code makes the same surface", "#surface/users", async (page) => {
  await stands(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  await write(page, labels.surface, '{ "u1": {\n "name": "A `tick`, a \\\\ and ${x}" } }');
  await page.keyboard.press("Control+Enter");
  await page.locator("#stage").getByText("${x}").waitFor();
  const printed = await ran(page);
  assert.ok(printed.includes(JSON.stringify("A `tick`, a \\ and ${x}")), printed);
});

on("the copied code has what was typed into the surface", "#surface/form", async (page) => {
  await stands(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  await page.locator("#stage").getByLabel("Name").fill("Grace Ø");
  const printed = await ran(page);
  assert.ok(printed.includes('"Grace Ø"'), printed);
});

on("the copied code runs the same plan", "#graph/paths", async (page) => {
  await stands(page, "graph");
  await write(
    page,
    labels.graph,
    'FIND nodes WHERE entity_type = "TOPIC" AS topics\nCOUNT topics AS many',
  );
  await page.keyboard.press("Control+Enter");
  await page.locator("#graph-end").click();
  assert.match(
    await ran(page),
    /1 success FIND nodes.*\n2 success COUNT topics AS many\ncompleted/,
  );
});

on("the copied code asks the same question", "#graph/coauthors", async (page) => {
  await stands(page, "graph");
  await page.locator("#graph-end").click();
  await page.locator("#graph-title").getByText("Answer").waitFor();
  assert.match(await ran(page), /^All four write with somebody elsewhere/);
});

for (const [example, expected] of [
  ["weather", /^completed .*12.2 °C on average/s],
  ["branches", /^completed .*Guten Tag/s],
  ["loop", /^completed .*3 parts were sent/s],
  ["model", /^completed .*cited most, 73 times/s],
]) {
  on(`the copied code runs the same workflow: ${example}`, `#flow/${example}`, async (page) => {
    await stands(page, "flow");
    await page.locator("#flow-run").click();
    await page.locator("#flow-title").getByText("Completed").waitFor();
    assert.match(await ran(page), expected);
  });
}

on(
  "a link holds what was typed into the surface, and so does the draft",
  "#surface/form",
  async (page) => {
    await stands(page, "surface");
    await page.getByRole("button", { name: /^2\. / }).click();
    // A text that begins like a pointer is a text all the same.
    await page.locator("#stage").getByLabel("Name").fill("*Grace Ø");
    await page.locator("#stage").getByLabel("I keep my desk tidy").uncheck();
    const link = await share(page);
    await page.locator(".notice").getByText("what was typed into its fields").waitFor();
    const holds = async (other) => {
      await stands(other, "surface");
      await other.locator("#stage .bn-surface").waitFor();
      const name = other.locator("#stage").getByLabel("Name");
      await other.waitForFunction(() =>
        [...document.querySelectorAll("#stage input")].some(({ value }) => value === "*Grace Ø"),
      );
      assert.equal(await name.inputValue(), "*Grace Ø");
      assert.equal(
        await other.locator("#stage").getByLabel("I keep my desk tidy").isChecked(),
        false,
      );
      assert.equal(
        await other.locator("#stage").getByLabel("Email").inputValue(),
        "jane@example.org",
      );
    };
    await elsewhere(link, holds);
    await page.locator("#again:visible").waitFor();
    await page.reload();
    await holds(page);
    await page.locator("#again").click();
    await page.waitForFunction(
      () =>
        ![...document.querySelectorAll("#stage input")].some(({ value }) => value === "*Grace Ø"),
    );
  },
);

on("a link holds what was taken back, and so does the draft", "#surface/form", async (page) => {
  await stands(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  const name = (other) => other.locator("#stage").getByLabel("Name");
  const before = await name(page).inputValue();
  await write(page, labels.surface, '{ "guest": "Wrong" }');
  await page.keyboard.press("Control+Enter");
  assert.equal(await name(page).inputValue(), "Wrong");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await name(page).inputValue(), before);
  await elsewhere(await share(page), async (other) => {
    await stands(other, "surface");
    assert.equal(await name(other).inputValue(), before);
  });
  await page.reload();
  await page.locator(".notice").getByText("is back").waitFor();
  await stands(page, "surface");
  assert.equal(await name(page).inputValue(), before);
});

on("Play again takes what was applied with it", "#surface/users", async (page) => {
  await stands(page, "surface");
  await page.locator("#steps button").last().click();
  await write(page, labels.surface, '{ "u1": { "name": "Mine" } }');
  await page.keyboard.press("Control+Enter");
  const steps = await page.locator("#steps button").count();
  await page.getByRole("button", { name: "Play again" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  assert.equal(await page.locator("#steps button").count(), steps);
  await page.locator("#steps button").last().click();
  await page.locator("#stage").getByText("Mine").first().waitFor();
});

on(
  "what a password field hides is in no link and no draft, wherever it is written",
  "#surface/form",
  async (page) => {
    await stands(page, "surface");
    await page.getByRole("button", { name: /^2\. / }).click();
    const hidden = (id, node, key) => ({
      id,
      component: "TextField",
      label: `Hidden ${id}`,
      variant: "obscured",
      value: { binding: { node, key } },
    });
    // A text that is a node of its own, a property, and a node that there is not yet.
    const components = [
      hidden("name", "booking", "name"),
      hidden("email", "booking", "email"),
      hidden("title", "login", "password"),
    ];
    const message = { version: "v0.9", updateComponents: { surfaceId: "main", components } };
    await write(page, labels.surface, JSON.stringify(message));
    await page.keyboard.press("Control+Enter");
    for (const [id, text] of [
      ["name", "SecretA"],
      ["email", "SecretB"],
      // This one is stored as a pointer to a text.
      ["title", "*SecretC"],
    ])
      await page.locator("#stage").getByLabel(`Hidden ${id}`).pressSequentially(text);
    await page.locator("#stage").getByLabel("I keep my desk tidy").uncheck();
    const link = await share(page);
    await page.locator(".notice").getByText("nothing from a password field").waitFor();
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes('tidy\\":false'));
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    assert.doesNotMatch(stored, /Secret/);
    await elsewhere(link, async (other) => {
      await stands(other, "surface");
      await other.waitForFunction(
        () => document.querySelector("#stage input[type=checkbox]")?.checked === false,
      );
      for (const id of ["name", "email", "title"])
        assert.equal(
          await other.locator("#stage").getByLabel(`Hidden ${id}`).inputValue(),
          "",
          `${id} is empty`,
        );
    });
  },
);

test("a link that was made before links held what is typed is still read", async () => {
  const before =
    "#v1.15w3xvs.FcoxCoAwDEbhu_xzBq1briIOsUQEq5ampYL07tbtwfderHr5HQwraROvINQ7HeAX-sgZg3Yrpsm63PUCbxJMCVFStn-zrLHHPNBIjqaFIBnsWmsf";
  await elsewhere(`${home}${before}`, async (page) => {
    await stands(page, "surface");
    assert.equal(await page.locator("#examples").inputValue(), "users");
    assert.match(await page.locator(".step[aria-current]").getAttribute("aria-label"), /^3\. /);
  });
});
