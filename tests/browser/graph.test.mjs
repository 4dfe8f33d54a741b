// The graph workbench of the built playground with the real core and a scripted model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { uses, withPage } from "./browser.mjs";
import { editor, textIn, write } from "./editor.mjs";
import { browser, server } from "./served.mjs";

const desk = { width: 1280, height: 800 };
const gasl = "Plan, in GASL";
const phone = { width: 390, height: 844 };

/** Opens an example of the workbench, at its first step. Without motion nothing is waited for. */
function opened(name, example, body, options = {}) {
  test(name, async () => {
    const how = { viewport: desk, reducedMotion: "reduce", ...options };
    await withPage(
      browser,
      `${server.url}/www/dist/index.html#graph/${example}`,
      how,
      async (page) => {
        await page.locator("#graph-steps [aria-current]").waitFor();
        await editor(page, gasl).waitFor({ state: "attached" });
        await body(page, {
          press: (label) => page.getByRole("button", { name: label, exact: true }).click(),
          dot: (number) => page.getByRole("button", { name: new RegExp(`^${number}\\. `) }).click(),
          end: () => page.locator("#graph-end").click(),
          note: () => page.locator("#graph-note").textContent(),
          lit: async () => Number(await page.locator(".drawing").getAttribute("data-lit")),
          write: (text) => write(page, gasl, text),
        });
      },
    );
  });
}

opened("nodes are walked through and opened by keys", "coauthors", async (page) => {
  const active = () =>
    page.evaluate(() => {
      const { dataset, className } = document.activeElement;
      return dataset.id ?? className;
    });
  const place = (id) =>
    page
      .locator(`#graph-picture .spot[data-id="${id}"]`)
      .evaluate((spot) => spot.getBoundingClientRect().x);
  const stop = page.locator('#graph-picture .spot[tabindex="0"]');
  assert.equal(await stop.count(), 1, "Tab comes to one of them");
  await stop.focus();
  const first = await active();
  const key = (await place(first)) > 640 ? "ArrowLeft" : "ArrowRight";
  await page.keyboard.press(key);
  const second = await active();
  assert.notEqual(second, first);
  assert.equal((await place(second)) < (await place(first)), key === "ArrowLeft");
  await page.keyboard.press("Enter");
  const card = page.locator("#graph-picture .detail");
  assert.equal(await card.getAttribute("aria-label"), second);
  assert.equal(await active(), "detail");
  // A neighbour in it takes the card over, and the focus stays there.
  const neighbour = card.locator(".place").first();
  const third = await neighbour.textContent();
  await neighbour.press("Enter");
  assert.equal(await card.getAttribute("aria-label"), third);
  assert.equal(await active(), "detail");
  await page.keyboard.press("Escape");
  assert.equal(await card.isVisible(), false);
  assert.equal(await active(), third);
  assert.equal(await stop.getAttribute("data-id"), third);
});

test("the workbench opens from the top of the page, and its first example plays", async () => {
  const options = { viewport: desk };
  await withPage(browser, `${server.url}/www/dist/`, options, async (page) => {
    await page.getByRole("link", { name: "Graph" }).click();
    await page.locator("#graph-picture .spot").first().waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.locator("#graph-title").getByText("The scripted model plans").waitFor();
    assert.equal(await page.locator("[data-bench=surface]").isVisible(), false);
    await page.getByRole("link", { name: "Surface" }).click();
    assert.equal(await page.locator("[data-bench=surface]").isVisible(), true);
    assert.equal(await page.locator("[data-bench=graph]").isVisible(), false);
  });
});

opened(
  "names cover no other name, and hardly a node of the result",
  "coauthors",
  async (page, the) => {
    await the.end();
    const { names, crossed, covered } = await page.evaluate(() => {
      const shown = [...document.querySelectorAll("#graph-picture .label")].filter((label) =>
        label.checkVisibility(),
      );
      const boxes = shown.map((label) => label.getBoundingClientRect());
      const holds = ({ left, right, top, bottom }, x, y) =>
        x > left && x < right && y > top && y < bottom;
      const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
      const meets = (a, b) =>
        a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
      const lit = [...document.querySelectorAll("#graph-picture .spot.hit path")];
      const spots = lit.map((shape) => middle(shape.getBoundingClientRect()));
      return {
        names: boxes.length,
        crossed: boxes.filter((a, at) => boxes.slice(at + 1).some((b) => meets(a, b))).length,
        covered: spots.filter(([x, y]) => boxes.some((box) => holds(box, x, y))).length,
      };
    });
    assert.ok(names > 20, `${names} names`);
    assert.equal(crossed, 0);
    assert.ok(covered <= 1, `${covered} nodes of the result are covered`);
  },
);

opened("a question is answered by plans of a scripted model", "coauthors", async (page, the) => {
  await the.end();
  assert.match(await the.note(), /^All four write with somebody elsewhere/);
  await page.locator("#graph-why-Evidence").click();
  const findings = page.locator("#graph-why details");
  assert.equal(await findings.count(), 11);
  const first = await findings.first().textContent();
  assert.match(first, /Ada Lind → A flume for a fjord → Emil Sato/);
  assert.match(first, /Emil Sato is an author of .*abstract-2 · step 5/);
  await page.locator("#graph-why-Model").click();
  const asked = page.locator("#graph-why > details");
  assert.equal(await asked.count(), 3);
  assert.match(await asked.last().textContent(), /3\. evaluatescripted/);
  await page.locator("#graph-why-State").click();
  assert.match(await page.locator("#graph-why").textContent(), /findingsLIST11 items/);
});

test("an example leaves alone what is written before it plays", async () => {
  const url = `${server.url}/www/dist/index.html#graph/mistakes`;
  await withPage(browser, url, { viewport: desk }, async (page) => {
    await editor(page, gasl).waitFor({ state: "attached" });
    await page.locator("#graph-steps [aria-current]").waitFor();
    await page.locator("#examples").selectOption("paths");
    await page.locator("#examples").selectOption("mistakes");
    await write(page, gasl, "FIND nodes WERE x AS y");
    await page.waitForTimeout(1600);
    assert.equal(await page.locator("#graph-title").textContent(), "Your plan");
    assert.equal(await page.locator("#graph-note").textContent(), "1 thing to mend.");
    assert.equal(await page.locator("#graph-diagnostics .problem").count(), 1);
    // A step that is looked at says nothing about another text either.
    await page.getByRole("button", { name: /^1\. / }).click();
    assert.equal(await page.locator("#graph-diagnostics .problem").count(), 1);
  });
});

opened("who goes back by a step of the history stays there", "paths", async (page, the) => {
  await the.end();
  await page.locator("#graph-why-History").click();
  const step = page.locator("#graph-why").getByRole("button", { name: "Step 3" });
  await step.press("Enter");
  await page.locator("#graph-steps [aria-current][aria-label^='3.']").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Step 3");
});

opened("a file with odd names has a first plan that runs", "paths", async (page) => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, "ty`pe": id === "a" ? "P" : "Q" }));
  const text = JSON.stringify({ nodes, links: [{ source: "a", target: "b" }] });
  await page.locator("#graph-file").setInputFiles(file("odd\nname.json", text));
  await page.locator("#graph-counts").getByText("3 nodes, 1 edge").waitFor();
  await page.locator("#graph-title").getByText("Done").waitFor();
  assert.equal(await page.locator("#graph-diagnostics .problem").count(), 0);
});

opened("a model that is dropped on a graph is a model", "paths", async (page) => {
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["GGUF"], "tiny.gguf"));
    return transfer;
  });
  await page.dispatchEvent("#graph-picture", "drop", { dataTransfer: dropped });
  await page.getByRole("dialog").waitFor();
  assert.equal(await page.locator("#graph-fault").isVisible(), false);
});

opened("steps go forwards, back and anywhere", "coauthors", async (page, the) => {
  await the.dot(1);
  const now = () => page.locator("#graph-steps [aria-current]").getAttribute("aria-label");
  assert.match(await now(), /^1\. The scripted model plans/);
  await the.press("Step");
  assert.match(await now(), /^2\. DECLARE findings/);
  await the.dot(7);
  assert.match(await now(), /^7\. FIND paths/);
  assert.match(await the.note(), /11 rows in together/);
  assert.equal(await the.lit(), 20);
  assert.equal(await page.locator("#graph-rows tbody tr").count(), 11);
  assert.match(await page.locator("#graph-editor .mark").first().textContent(), /^FIND/);
  await the.press("Back");
  assert.match(await now(), /^6\. SET/);
  await page.locator("#graph-why-State").click();
  assert.match(await page.locator("#graph-why").textContent(), /findingsLIST0 items/);
});

opened("the marks of a step stand over what runs", "paths", async (page, the) => {
  await the.dot(5);
  assert.match(await page.locator("#graph-diagnostics").textContent(), /the result was cut/);
  await page.locator("#graph-why-History").click();
  assert.match(
    await page.locator("#graph-why .past.now").textContent(),
    /partial.*not complete: 3 returned, max_results is 3/,
  );
});

opened("mistakes are mended by presses until the plan runs", "mistakes", async (page, the) => {
  await page.locator("#graph-diagnostics .problem").first().waitFor();
  assert.match(await the.note(), /^Nothing ran: 3 things to mend first/);
  for (const label of [
    "Write … nodes WHERE …",
    "Write … 15 AND year …",
    "Write COUNT top BY year AS counted",
    "Write RANK known BY citations LIMIT 5 AS top",
    "Put DECLARE findings AS LIST before it",
  ]) {
    await page.locator("#graph-diagnostics").getByRole("button", { name: label }).click();
    if (await page.locator("#graph-end").isEnabled()) await the.end();
  }
  await page.locator("#graph-title").getByText("Done").waitFor();
  assert.match(await textIn(page, gasl), /^DECLARE findings AS LIST$/m);
  assert.equal(await page.locator("#graph-diagnostics .problem").count(), 0);
  assert.equal(await the.lit(), 5);
});

opened(
  "a plan is checked while it is written, in lines and in JSON",
  "paths",
  async (page, the) => {
    await the.write('FIND nodes WHERE entity_type == "PERSON" AS people');
    await page.locator("#graph-editor .cm-lintRange").getByText("==").waitFor();
    const plan = {
      plan_id: "p",
      why: "w",
      commands: ['FIND nodes WHERE id = "Ada Lind" AS x', "COUNT x"],
    };
    await the.write(JSON.stringify(plan));
    await page.locator("#graph-diagnostics").getByText("GASL008").waitFor();
    await page.getByRole("button", { name: "Write COUNT x AS counted" }).click();
    await the.end();
    assert.match(await textIn(page, gasl), /"COUNT x AS counted"\]/);
    assert.equal(await page.locator("#graph-title").textContent(), "Done");
    assert.equal(await page.locator("#graph-steps .step").count(), 3);
  },
);

opened("a plan can go on from the state of any step", "process", async (page, the) => {
  await the.dot(4);
  await the.write("COUNT topics BY method AS ways");
  await the.press("Run from here");
  await the.end();
  assert.match(await page.locator("#graph-rows").textContent(), /gauges3/);
  await the.write("COUNT topics BY method AS ways");
  await the.press("Run");
  await the.end();
  assert.match(await the.note(), /nothing is called topics/);
});

opened("guards turn the plan, and the history says so", "guards", async (page, the) => {
  await the.end();
  await page.locator("#graph-why-History").click();
  const past = await page.locator("#graph-why .past b").allTextContents();
  assert.equal(past.length, 14);
  assert.deepEqual(
    past.filter((word) => word !== "success"),
    ["empty", "error"],
  );
});

opened("the scripted model does not pretend to know more", "coauthors", async (page, the) => {
  await page.getByLabel("Question for the model").fill("Who likes herring?");
  await the.press("Ask");
  assert.match(await the.note(), /knows only the question of its example/);
  await the.press("Choose a model");
  await page.getByRole("radio", { name: /A server/ }).check();
  assert.equal(await page.getByLabel("Key, if it needs one").getAttribute("type"), "password");
  await the.press("Cancel");
});

test("a server that is chosen answers, and its key is kept nowhere", async () => {
  const url = `${server.url}/www/dist/index.html#graph`;
  await withPage(browser, url, { viewport: desk, reducedMotion: "reduce" }, async (page) => {
    let asked = 0;
    await page.route("**/v1/chat/completions", async (route) => {
      assert.equal(route.request().headers().authorization, "Bearer secret");
      asked += 1;
      const plan = { plan_id: "p", why: "look", commands: ["FIND nodes LIMIT 3 AS three"] };
      const content = asked === 1 ? JSON.stringify(plan) : "COMPLETE: there are three";
      const choices = [
        { index: 0, message: { role: "assistant", content }, finish_reason: "stop" },
      ];
      await route.fulfill({ json: { model: "tiny-1", choices } });
    });
    await page.locator("#graph-steps [aria-current]").waitFor();
    await page.locator("#graph-model").click();
    await page.getByRole("radio", { name: /A server/ }).check();
    await page.getByLabel("Address").fill(`${server.url}/v1`);
    await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
    await page.getByLabel("Key, if it needs one").fill("secret");
    await uses(page);
    await page.getByLabel("Question for the model").fill("How many?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-title").getByText("Answer").waitFor();
    assert.equal(await page.locator("#graph-note").textContent(), "there are three");
    await page.locator("#graph-why-Model").click();
    assert.match(await page.locator("#graph-why").textContent(), /tiny-1/);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    assert.doesNotMatch(kept, /secret/);
    // An example is not put to a model that may cost something before somebody presses Play.
    const before = asked;
    await page.locator("#examples").selectOption("process");
    await page.locator("#graph-note").getByText("Press Play: tiny answers.").waitFor();
    assert.equal(asked, before);
  });
});

/** Chooses a server that can be one. */
async function chooseServer(page, said) {
  await fillServer(page, said);
  await uses(page);
}

async function fillServer(page, { url, key = "" }) {
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByLabel("Address").fill(url);
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabel("Key, if it needs one").fill(key);
}

test("a server that gives no good answer is told in words, and the plan is kept", async () => {
  const answers = {
    gone: (route) => route.abort("connectionrefused"),
    stranger: (route) =>
      route.fulfill({ status: 401, json: { error: { message: "bad key secret-key" } } }),
    page: (route) => route.fulfill({ contentType: "text/html", body: "<h1>It works!</h1>" }),
  };
  const said = {
    gone: /no answer from http.*check the address and that the server runs.*CORS/,
    stranger: /401.*key/,
    page: /not JSON.*text\/html.*check .?baseUrl/,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.route("**/v1/chat/completions", answer);
    await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
    await page.locator("#graph-steps [aria-current]").waitFor();
    await editor(page, gasl).waitFor();
    await write(page, gasl, "FIND nodes LIMIT 3 AS mine");
    await chooseServer(page, { url: `${server.url}/v1`, key: "secret-key" });
    await page.getByLabel("Question for the model").fill("How many?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-note").getByText(said[name]).waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /secret-key/);
    await context.close();
  }
});

test("a server that lets one wait is told of, until it answers", async () => {
  const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.clock.install();
  const routes = [];
  await page.route("**/v1/chat/completions", (route) => routes.push(route));
  await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
  await page.locator("#graph-steps [aria-current]").waitFor();
  await editor(page, gasl).waitFor();
  await chooseServer(page, { url: `${server.url}/v1` });
  await page.getByLabel("Question for the model").fill("How many?");
  await Promise.all([
    page.waitForRequest("**/v1/chat/completions"),
    page.getByRole("button", { name: "Ask", exact: true }).click(),
  ]);
  const told = page.locator(".notice").getByText("has not answered for 20 seconds");
  await page.clock.runFor(10_000);
  assert.equal(await told.count(), 0);
  await page.clock.runFor(15_000);
  await told.waitFor();
  for (const route of routes) await route.abort("connectionrefused");
  await page.locator("#graph-note").getByText("no answer from http").waitFor();
  await told.waitFor({ state: "detached" });
  await context.close();
});

opened(
  "what cannot be a model is refused in the dialog, and the one before stays",
  "paths",
  async (page) => {
    const alert = page.locator("dialog [role=alert]");
    await fillServer(page, { url: "http://me:word@127.0.0.1/v1" });
    await page.getByRole("button", { name: "Use it" }).click();
    await alert.getByText("without a user name").waitFor();
    await page.getByRole("radio", { name: /A file of yours/ }).check();
    await page.getByLabel("GGUF file").setInputFiles(file("model.gguf", "not a model"));
    await page.getByRole("button", { name: "Use it" }).click();
    await alert.getByText("model.gguf is no GGUF file").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.locator("#graph-model").textContent(), "Model: scripted");
  },
);

test("a browser without a model of its own says so, and one that cannot use it too", async () => {
  for (const has of [false, true]) {
    const context = await browser.newContext({ viewport: desk, reducedMotion: "reduce" });
    await context.addInitScript((there) => {
      const availability = async () => "unavailable";
      if (there) Object.assign(globalThis, { LanguageModel: { availability } });
      else delete globalThis.LanguageModel;
    }, has);
    const page = await context.newPage();
    await page.goto(`${server.url}/www/dist/index.html#graph/paths`);
    await page.locator("#graph-model:enabled").click();
    const own = page.getByRole("radio", { name: /Chrome's own/ });
    if (has) {
      await own.check();
      await page.getByRole("button", { name: "Use it" }).click();
      await page.locator("dialog [role=alert]").getByText("not for this machine").waitFor();
    } else {
      assert.equal(await own.isDisabled(), true);
      await page.getByText("This browser has none.").waitFor();
    }
    await context.close();
  }
});

test("one choice holds in all workbenches", async () => {
  const url = `${server.url}/www/dist/index.html#graph`;
  await withPage(browser, url, { viewport: desk, reducedMotion: "reduce" }, async (page) => {
    await page.locator("#graph-steps [aria-current]").waitFor();
    await chooseServer(page, { url: `${server.url}/v1` });
    await page.getByRole("link", { name: "Flow" }).click();
    await page.locator("#flow-model").getByText("Model: tiny").waitFor({ state: "attached" });
  });
});

const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

opened("files are opened, and what is no graph is told", "paths", async (page, the) => {
  const input = page.locator("#graph-file");
  await input.setInputFiles(file("bad.json", '{"hello": 1}'));
  await page.getByRole("alert").getByText("is no graph that can be read").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /no list nodes/);
  assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
  await input.setInputFiles(file("picture.png", "not a graph"));
  await page.getByRole("alert").getByText(".graphml file").waitFor();
  await input.setInputFiles([
    file("edges.csv", "source,target,kind\na,b,KNOWS\nb,c,KNOWS\n"),
    file("nodes.csv", "id,type\na,P\nb,P\nc,Q\n"),
  ]);
  await page.locator("#graph-counts").getByText("3 nodes, 2 edges").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await the.end();
  assert.equal(await page.locator("#graph-rows tbody tr").count(), 2);
  assert.match(await page.locator("#graph-rows").textContent(), /sorts 2links 2/);
  assert.equal(await page.locator(".drawing .spot").count(), 3);
  await page.locator("#examples").selectOption("paths");
  await page.locator("#graph-counts").getByText("37 nodes").waitFor();
});

opened("a table of nodes alone asks for its edges", "paths", async (page) => {
  const buffer = Buffer.from("id,type\na,P\n");
  await page
    .locator("#graph-file")
    .setInputFiles({ name: "nodes.csv", mimeType: "text/csv", buffer });
  const words = await page.getByRole("alert").textContent();
  assert.match(words, /choose a table of nodes together with its table of edges/);
});

opened(
  "what is no text and what is too large is told, and the graph is kept",
  "paths",
  async (page) => {
    const input = page.locator("#graph-file");
    const alert = page.getByRole("alert");
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 73) % 256));
    for (const [name, words] of [
      ["photo.json", /is no graph that can be read/],
      ["photo.graphml", /is no graph that can be read/],
      ["photo.csv", /is no graph that can be read/],
      ["photo.bin", /a graph is a \.graphml file/],
    ]) {
      await input.setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
      await alert.getByText(words).waitFor();
      assert.match(await alert.textContent(), new RegExp(name));
      assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
    }
    // A file of a size that no page can hold: nobody has to have it for real.
    await page.evaluate(() => {
      const huge = new File(["{}"], "huge.json");
      Object.defineProperty(huge, "size", { value: 3_000_000_000 });
      const event = new DragEvent("drop", { bubbles: true, cancelable: true });
      Object.defineProperty(event, "dataTransfer", { value: { files: [huge], types: ["Files"] } });
      document.querySelector("#graph-picture").dispatchEvent(event);
    });
    await alert.getByText(/huge.json.*3,000 MB.*more than/).waitFor();
    assert.match(await page.locator("#graph-counts").textContent(), /37 nodes/);
  },
);

opened("a file that is dropped is opened", "paths", async (page) => {
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    const text =
      '<graphml><graph edgedefault="directed"><node id="x"/><node id="y"/><edge source="x" target="y"/></graph></graphml>';
    transfer.items.add(new File([text], "two.graphml"));
    return transfer;
  });
  await page.dispatchEvent("#graph-picture", "drop", { dataTransfer: dropped });
  await page.locator("#graph-counts").getByText("two.graphml: 2 nodes, 1 edge").waitFor();
});

opened(
  "of a large graph the result is drawn with what is around it",
  "paths",
  async (page, the) => {
    const nodes = Array.from({ length: 1000 }, (_, index) => ({ id: `n${index}`, type: "N" }));
    const links = nodes.map(({ id }, index) => ({
      source: id,
      target: `n${(index * 7 + 1) % 1000}`,
    }));
    await page
      .locator("#graph-file")
      .setInputFiles(file("big.json", JSON.stringify({ nodes, links })));
    await page.locator("#graph-counts").getByText("1,000 nodes").waitFor();
    await the.dot(1);
    await page
      .locator(".picture-note")
      .getByText(/^The result and its neighbours/)
      .waitFor();
    assert.equal(await the.lit(), 20);
    assert.ok((await page.locator(".drawing .spot").count()) <= 300);
  },
);

opened("a node tells what is known of it", "paths", async (page, the) => {
  await the.end();
  await page.locator("#graph-rows").getByRole("button", { name: "all 5" }).click();
  await page.locator("#graph-rows").getByRole("button", { name: "Hana Novak" }).first().click();
  const card = page.locator(".detail");
  assert.match(await card.textContent(), /Meridian Lab.*WROTE Mud keeps time/);
  await card.getByRole("button", { name: "Close" }).click();
  assert.equal(await card.isVisible(), false);
});

opened(
  "a phone shows one pane at a time, with the note above and the bar below",
  "paths",
  async (page) => {
    assert.equal(await page.locator("#graph-picture").isVisible(), true);
    assert.equal(await page.locator("#graph-editor").isVisible(), false);
    assert.equal(await page.locator("#graph-note").isVisible(), true);
    // The results of a long run are scrolled through, and their heading stays.
    const stands = await page.locator(".rows-head").evaluate((head) => {
      const strip = head.querySelector(".rows-results");
      for (let more = 0; more < 12; more++) {
        const crumb = document.createElement("button");
        crumb.className = "crumb";
        crumb.textContent = `result ${more}`;
        strip.append(crumb);
      }
      strip.scrollLeft = strip.scrollWidth;
      const [heading, results] = [head.querySelector("h3"), strip].map((one) =>
        one.getBoundingClientRect(),
      );
      const moved = head.scrollWidth - head.clientWidth;
      return { scrolled: strip.scrollLeft > 0, moved, apart: results.left >= heading.right };
    });
    assert.deepEqual(stands, { scrolled: true, moved: 0, apart: true });
    await page.getByRole("tab", { name: "Plan" }).click();
    assert.equal(await page.locator("#graph-editor").isVisible(), true);
    assert.equal(await page.locator("#graph-picture").isVisible(), false);
    await page.getByRole("tab", { name: "Why" }).click();
    assert.equal(await page.locator("#graph-why").isVisible(), true);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0, "the page scrolls sideways");
    const bar = await page.locator("[data-bench=graph] .bar").boundingBox();
    assert.ok(bar && Math.abs(bar.y + bar.height - phone.height) < 2);
  },
  { viewport: phone },
);
