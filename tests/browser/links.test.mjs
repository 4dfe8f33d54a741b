// Links that share the state of the playground: complete, without secrets, and harmless if invalid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { submitModelDialog } from "./browser.mjs";
import { editor, getEditorText, setEditorText } from "./editor.mjs";
import { copiedCode, decodedLink, storedData } from "./stored-data.mjs";
import {
  chooseServerModel,
  home,
  labels,
  openAsOtherUser,
  openGraphFile,
  openTab,
  selectedExample,
  setHash,
  shareLink,
  testPage,
  waitForWorkbench,
} from "./work-page.mjs";

testPage(
  "a link restores the steps of a surface, and the text that is not applied",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await page.getByRole("button", { name: /^2\. / }).click();
    await setEditorText(page, labels.surface, '{ "u1": { "name": "Ålicia 🦊" } }');
    await page.keyboard.press("Control+Enter");
    await page.locator("#stage").getByText("Ålicia 🦊").waitFor();
    await setEditorText(page, labels.surface, '{ "u2": {');
    const link = await shareLink(page);
    await openAsOtherUser(link, async (other) => {
      await waitForWorkbench(other, "surface");
      await other.locator("#stage").getByText("Ålicia 🦊").waitFor();
      assert.equal(await getEditorText(other, labels.surface), '{ "u2": {');
      assert.equal(await other.locator("#examples").inputValue(), "users");
      assert.match(
        await other.locator(".step[aria-current]").getAttribute("aria-label"),
        /^3\. Your update/,
      );
      await other.getByRole("button", { name: "Start over" }).click();
      await other.locator("#stage").getByText("Ålicia").waitFor({ state: "detached" });
      await other.getByRole("button", { name: "Restore my changes" }).click();
      await other.locator("#stage").getByText("Ålicia 🦊").waitFor();
    });
  },
);

testPage(
  "a link restores a user's graph, the plan, and the displayed step",
  "#graph/paths",
  async (page) => {
    await waitForWorkbench(page, "graph");
    await page.locator("#graph-file").setInputFiles({
      name: "three.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("source,target\nanna,bert\nbert,carl\n"),
    });
    await page.locator("#graph-counts").getByText("3 nodes").waitFor();
    await setEditorText(page, labels.graph, "FIND nodes AS mine\nCOUNT mine AS many");
    await page.keyboard.press("Control+Enter");
    await page.locator("#graph-end").click();
    await page.getByRole("button", { name: /^1\. FIND/ }).click();
    const link = await shareLink(page);
    await openAsOtherUser(link, async (other) => {
      await other.locator("#graph-counts").getByText("three.csv: 3 nodes, 2 edges").waitFor();
      await other.locator(".step[aria-current]").waitFor();
      assert.match(
        await other.locator(".step[aria-current]").getAttribute("aria-label"),
        /^1\. FIND/,
      );
      assert.match(await other.locator("#graph-rows").textContent(), /anna/);
      await editor(other, labels.graph).waitFor();
      assert.equal(
        await getEditorText(other, labels.graph),
        "FIND nodes AS mine\nCOUNT mine AS many",
      );
    });
  },
);

testPage("a link restores the three texts of a workflow", "#flow/branches", async (page) => {
  await waitForWorkbench(page, "flow");
  const workflow =
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hi $language" } }], "inputs": { "language": {} } }';
  await setEditorText(page, labels.flow, workflow);
  await page.locator("#flow-text-inputs").click();
  await setEditorText(page, "Inputs of the run (JSON)", '{ "language": "nn" }');
  await page.getByLabel("Speed").selectOption("0");
  const link = await shareLink(page);
  await openAsOtherUser(link, async (other) => {
    await waitForWorkbench(other, "flow");
    assert.equal(await getEditorText(other, labels.flow), workflow);
    await other.locator("#flow-run").click();
    await other.locator("#flow-why").getByText("Hi nn").first().waitFor();
  });
});

testPage(
  "a link is copied if the clipboard is only available during a click",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    // Safari rejects a later write, but accepts a promise that is passed during the click.
    await page.evaluate(() => {
      const { clipboard } = navigator;
      for (const name of ["write", "writeText"]) {
        const usual = clipboard[name].bind(clipboard);
        clipboard[name] = async (given) => {
          if (!window.event) throw new DOMException("the press is over", "NotAllowedError");
          await usual(given);
        };
      }
    });
    await page.getByRole("button", { name: "Share" }).click();
    await page.locator(".notice").getByText("Link copied").waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#v1\.[\w-]+\.[\w-]+$/);
  },
);

testPage(
  "an invalid link is reported, and the current state is kept",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await setEditorText(page, labels.surface, '{ "mine": 1 }');
    const link = new URL(await shareLink(page)).hash;
    const invalidLinks = [
      [link.slice(0, link.length / 2), /damaged: it was truncated or changed/],
      [`${link.slice(0, -9)}AAAAAAAAA`, /damaged: it was truncated or changed/],
      [link.replace("#v1.", "#v1.0"), /is damaged/],
      ["#v1.", /is damaged/],
      [link.replace("#v1.", "#v9."), /newer version of this page \(v9\)/],
      [link.replace("#v1.", "#v0."), /older version of this page \(v0\)/],
    ];
    for (const [hash, words] of invalidLinks) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.locator(".notice").getByText(words).last().waitFor();
      assert.equal(await getEditorText(page, labels.surface), '{ "mine": 1 }', hash);
      assert.equal(new URL(page.url()).hash, "#surface");
      await page.getByRole("button", { name: "Close this message" }).last().click();
    }
    // A full stop after the link, as in a letter, is ignored.
    const fresh = await openTab(page, `${link}.`);
    await waitForWorkbench(fresh, "surface");
    assert.equal(await getEditorText(fresh, labels.surface), '{ "mine": 1 }');
    const cut = await openTab(page, link.slice(0, 40));
    await cut.locator(".notice").getByText("is damaged").waitFor();
    await cut.locator(".benches a").first().waitFor();
  },
);

testPage(
  "a link is opened although earlier changes are saved first",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    await setEditorText(page, labels.surface, '{ "linked": 1 }');
    const link = new URL(await shareLink(page)).hash;
    // The same link is entered again after changes to its state.
    for (const later of ['{ "later": 1 }', '{ "later": 2 }']) {
      await setEditorText(page, labels.surface, later);
      await page.waitForFunction(
        () => location.hash === "#surface" || location.hash === "#surface/users",
      );
      await page.evaluate((hash) => {
        location.hash = hash;
        // Saves the changes before the page receives the event of the new address.
        dispatchEvent(new Event("pagehide"));
      }, link);
      await page.getByText("Your changes are kept until you make others here.").last().waitFor();
      await page.waitForFunction((hash) => location.hash === hash, link);
      assert.equal(await getEditorText(page, labels.surface), '{ "linked": 1 }');
    }
  },
);

testPage(
  "a state that is too large for a link is reported, and no link is created",
  "#surface/users",
  async (page) => {
    await waitForWorkbench(page, "surface");
    const noise = await page.evaluate(() =>
      [...crypto.getRandomValues(new Uint8Array(40_000))].map((one) => one.toString(36)).join(""),
    );
    await setEditorText(page, labels.surface, JSON.stringify({ noise }));
    await page.getByRole("button", { name: "Share" }).click();
    await page
      .locator(".notice")
      .getByText(/Too large for a link: [\d,]+ characters.*30,000/)
      .waitFor();
  },
);

testPage("a link and a draft contain what was run from a step", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await page.locator("#graph-end").click();
  await page.getByRole("button", { name: /^2\. / }).click();
  const onward = async (text, last) => {
    await setEditorText(page, labels.graph, text);
    await page.getByRole("button", { name: "Run from here" }).click();
    await page.getByRole("button", { name: last }).waitFor();
  };
  const plan = "FIND nodes LIMIT 5 AS five\nUPDATE mine WITH five";
  await onward("DECLARE mine AS LIST", /^1\. DECLARE mine.*success/);
  await onward(plan, /^2\. UPDATE mine.*success/);
  const run = async (other) => {
    await waitForWorkbench(other, "graph");
    await other.getByRole("button", { name: /^2\. UPDATE mine.*success/ }).waitFor();
    assert.equal(await getEditorText(other, labels.graph), plan);
    await other.locator("#again:visible").waitFor();
  };
  await run(page);
  await openAsOtherUser(await shareLink(page), run);
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("UPDATE mine"));
  await page.reload();
  await run(page);
});

testPage(
  "a link to a question about a user's graph shows no other answer",
  "#graph/guards",
  async (page) => {
    await waitForWorkbench(page, "graph");
    await openGraphFile(page, "mine.csv");
    await page.locator("#graph-counts").getByText("mine.csv").waitFor();
    await chooseServerModel(page, (route) =>
      route.fulfill({
        json: { choices: [{ message: { role: "assistant", content: "COMPLETE: It is anna." } }] },
      }),
    );
    await page.fill("#graph-question", "Who is it?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator("#graph-note").getByText("It is anna.").waitFor();
    await openAsOtherUser(await shareLink(page), async (other) => {
      await other.locator("#graph-counts").getByText("mine.csv").waitFor();
      await editor(other, labels.graph).waitFor();
      assert.match(await getEditorText(other, labels.graph), /What is in mine.csv/);
      assert.equal(await other.inputValue("#graph-question"), "Who is it?");
      await other.locator("#graph-title").getByText("Not asked again").waitFor();
      await other.locator("#graph-end").click();
      await other.locator("#graph-rows").getByText("anna").first().waitFor();
    });
  },
);

testPage("a link and a draft contain the content opened from the story", "#story", async (page) => {
  const from = "From the story";
  const flow = async (other) => {
    await waitForWorkbench(other, "flow");
    assert.equal(await selectedExample(other), from);
    await other.locator("#flow-run").click();
    await other.locator("#flow-title").getByText("Completed").waitFor();
    await other.locator("#flow-stage .story-bar").first().waitFor();
  };
  const surface = async (other) => {
    await waitForWorkbench(other, "surface");
    await other.locator("#stage .story-bar").first().waitFor();
    assert.equal(await selectedExample(other), from);
    await other.locator("#diagnostics").waitFor({ state: "hidden" });
  };
  const graph = async (other) => {
    await other
      .locator("#graph-counts")
      .getByText(/^From Mercury to Apollo/)
      .waitFor();
    assert.equal(await selectedExample(other), from);
    await other.locator("#graph-rows tbody tr").first().waitFor();
  };
  for (const [bench, check] of [
    ["flow", flow],
    ["surface", surface],
    ["graph", graph],
  ]) {
    await setHash(page, "#story");
    await page.locator(`#story-open-${bench}:enabled`).click();
    await check(page);
    await openAsOtherUser(await shareLink(page), check);
    await setEditorText(page, labels[bench], `${await getEditorText(page, labels[bench])} `);
    await page.waitForFunction(
      (name) => Object.keys(localStorage).some((key) => key.endsWith(name)),
      bench,
    );
  }
  await page.reload();
  await graph(page);
  await setHash(page, "#surface");
  await surface(page);
  await setHash(page, "#flow");
  await flow(page);
  await page.locator("#again").click();
  await flow(page);
});

testPage("links, drafts and storage do not contain API keys", "#graph/paths", async (page) => {
  await waitForWorkbench(page, "graph");
  await page.locator("#graph-model").click();
  await page.getByRole("radio", { name: /A server/ }).check();
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabel("API key (optional)").fill("very-secret");
  await submitModelDialog(page);
  await setEditorText(page, labels.graph, "FIND nodes LIMIT 2 AS two");
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.startsWith("byname-draft-1")),
  );
  const link = await shareLink(page);
  const opened = await openTab(page, new URL(link).hash);
  await waitForWorkbench(opened, "graph");
  const seen = await opened.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerText]),
  );
  assert.match(seen, /LIMIT 2/);
  assert.doesNotMatch(seen, /very-secret/);
  assert.equal(await opened.locator("#graph-model").textContent(), "Model: scripted");
});

testPage("a link and a draft contain the input of the surface", "#surface/form", async (page) => {
  await waitForWorkbench(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  // A text with the sigil is still a text.
  await page.locator("#stage").getByLabel("Name").fill("*Grace Ø");
  await page.locator("#stage").getByLabel("I keep my desk tidy").uncheck();
  const link = await shareLink(page);
  await page.locator(".notice").getByText("the input of its fields").waitFor();
  const holds = async (other) => {
    await waitForWorkbench(other, "surface");
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
  await openAsOtherUser(link, holds);
  await page.locator("#again:visible").waitFor();
  await page.reload();
  await holds(page);
  await page.locator("#again").click();
  await page.waitForFunction(
    () => ![...document.querySelectorAll("#stage input")].some(({ value }) => value === "*Grace Ø"),
  );
});

testPage("a link and a draft contain undone steps", "#surface/form", async (page) => {
  await waitForWorkbench(page, "surface");
  await page.getByRole("button", { name: /^2\. / }).click();
  const name = (other) => other.locator("#stage").getByLabel("Name");
  const before = await name(page).inputValue();
  await setEditorText(page, labels.surface, '{ "guest": "Wrong" }');
  await page.keyboard.press("Control+Enter");
  assert.equal(await name(page).inputValue(), "Wrong");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await name(page).inputValue(), before);
  await openAsOtherUser(await shareLink(page), async (other) => {
    await waitForWorkbench(other, "surface");
    assert.equal(await name(other).inputValue(), before);
  });
  await page.reload();
  await page.locator(".notice").getByText("were restored").waitFor();
  await waitForWorkbench(page, "surface");
  assert.equal(await name(page).inputValue(), before);
});

testPage(
  "links, drafts, storage, code and the console contain no password of a surface",
  "#surface/form",
  async (page) => {
    const printed = [];
    page.on("console", (message) => printed.push(message.text()));
    await waitForWorkbench(page, "surface");
    await page.getByRole("button", { name: /^2\. / }).click();
    const hidden = (id, node, key) => ({
      id,
      component: "TextField",
      label: `Hidden ${id}`,
      variant: "obscured",
      value: { binding: { node, key } },
    });
    // A text in a separate node, in a property, and in a missing node.
    const components = [
      hidden("name", "booking", "name"),
      hidden("email", "booking", "email"),
      hidden("title", "login", "password"),
    ];
    const message = { version: "v0.9", updateComponents: { surfaceId: "main", components } };
    await setEditorText(page, labels.surface, JSON.stringify(message));
    await page.keyboard.press("Control+Enter");
    for (const [id, text] of [
      ["name", "SecretA"],
      ["email", "SecretB"],
      // This one is stored as a pointer to a text.
      ["title", "*SecretC"],
    ])
      await page.locator("#stage").getByLabel(`Hidden ${id}`).pressSequentially(text);
    await page.locator("#stage").getByLabel("I keep my desk tidy").uncheck();
    const link = await shareLink(page);
    await page.locator(".notice").getByText("no API key and no password").waitFor();
    await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes('tidy\\":false'));
    const texts = { stored: await storedData(page), shared: decodedLink(link) };
    texts.code = await copiedCode(page);
    assert.match(texts.code, /booking/);
    texts.console = printed.join("\n");
    for (const [where, text] of Object.entries(texts)) assert.doesNotMatch(text, /Secret/, where);
    await openAsOtherUser(link, async (other) => {
      await waitForWorkbench(other, "surface");
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

test("a link of the older format without input is still accepted", async () => {
  const before =
    "#v1.15w3xvs.FcoxCoAwDEbhu_xzBq1briIOsUQEq5ampYL07tbtwfderHr5HQwraROvINQ7HeAX-sgZg3Yrpsm63PUCbxJMCVFStn-zrLHHPNBIjqaFIBnsWmsf";
  await openAsOtherUser(`${home}${before}`, async (page) => {
    await waitForWorkbench(page, "surface");
    assert.equal(await page.locator("#examples").inputValue(), "users");
    assert.match(await page.locator(".step[aria-current]").getAttribute("aria-label"), /^3\. /);
  });
});
