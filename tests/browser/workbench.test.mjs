// The surface workbench of the built playground: examples match their notes, and errors are marked in the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { readDetail } from "./panel-page.mjs";

/** Defines a test with an example paused before its first step. With reduced motion, typing is not animated. */
function testExample(name, example, body, reducedMotion = "reduce") {
  test(name, async () => {
    const options = { viewport: { width: 1280, height: 800 }, reducedMotion };
    await withPage(
      browser,
      `${server.url}/www/dist/index.html#${example}`,
      options,
      async (page) => {
        const bench = page.locator('[data-bench="surface"]');
        await bench.getByRole("button", { name: "Pause" }).click();
        await editor(page, ham).waitFor();
        await body(page, (number) =>
          page.getByRole("button", { name: new RegExp(`^${number}\\. `) }).click(),
        );
      },
    );
  });
}

const ham = "HAM update";
const numbers = (page) => page.locator("#numbers").textContent();

testExample("a change of one node reports one property", "team", async (page, goTo) => {
  await goTo(2);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await page.getByText("on call").first().waitFor();
  assert.match(await numbers(page), /(?<!\d)1 change\s*1 callback/);
});

testExample("a moved row keeps its tab and input", "team", async (page, goTo) => {
  await goTo(2);
  const last = page.locator("#stage [role=listitem]").last();
  await last.getByRole("tab", { name: "Note" }).click();
  await last.getByRole("textbox", { name: "Note" }).fill("typed here");
  const step = page.getByRole("button", { name: "Step", exact: true });
  await step.click();
  await step.click();
  const first = page.locator("#stage [role=listitem]").first();
  await first.getByText("Cy").waitFor();
  assert.equal(await first.getByRole("textbox", { name: "Note" }).inputValue(), "typed here");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator("#stage [role=listitem]").first().getByText("Ada").waitFor();
});

testExample("a button reports its action with its context", "form", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Book" }).click();
  const { action } = await readDetail(page);
  assert.equal(action.name, "book");
  assert.deepEqual(action.context, { who: "Ada", seats: 2 });
});

testExample(
  "a click displays the binding, and an entered update is applied",
  "users",
  async (page, goTo) => {
    await goTo(2);
    await page.locator("#stage").getByText("Alice").click();
    await page.locator("#why").getByText("Data context: node u1.").waitFor();
    await setEditorText(page, ham, '{ "u1": { "name": "Alicia" } }');
    await page.keyboard.press("Control+Enter");
    await page.locator("#stage").getByText("Alicia").waitFor();
  },
);

testExample(
  "an invalid text is marked at its error and changes nothing",
  "trouble",
  async (page, goTo) => {
    await goTo(4);
    await page.locator("#editor .cm-lintRange-error").first().waitFor();
    assert.ok((await page.locator("#diagnostics .problem").count()) > 0);
    assert.equal(await page.locator("#stage [role=listitem]").count(), 2);
  },
);

testExample(
  "a button fixes an error with an unambiguous correction",
  "trouble",
  async (page, goTo) => {
    await goTo(2);
    const broken = [
      ['{"u1": {"name": "Ann"},}', "Remove the comma"],
      ['{"u1": {"name": "Ann",, "x": 1}}', "Remove the comma"],
      ['{"u1": {"name": "Ann"}\n "u9": 1}', "Insert a comma"],
      ['{u1: {"name": "Ann"}}', 'Write "u1"'],
      ['{\'u1\': {"name": "Ann"}}', 'Write "u1"'],
      ['{"u1": {"name": \'A"n\\\'n\'}}', 'Write "A\\"n\'n"'],
      ['{“u1”: {"name": "Ann"}}', 'Write "u1"'],
      ['```json\n{"u1": {"name": "Ann"}}\n```', "Remove the fence"],
      ['{"u1": {"name": None}}', "Write null"],
    ];
    for (const [text, label] of broken) {
      await setEditorText(page, ham, text);
      await page.getByRole("button", { name: "Apply" }).click();
      await page.locator("#diagnostics").getByRole("button", { name: label, exact: true }).click();
      assert.equal(await page.locator("#diagnostics .problem").count(), 0, text);
      const fixed = JSON.parse(await getEditorText(page, ham));
      assert.equal(typeof fixed.u1, "object", text);
      await goTo(2);
    }
  },
);

testExample("a button applies the suggestion for a typo", "team", async (page) => {
  const text = (over) => ({ id: "root", component: "Text", text: "hi", ...over });
  const message = (component) => ({
    version: "v0.9",
    updateComponents: { surfaceId: "main", components: [component] },
  });
  const bound = (binding) => message(text({ text: { binding } }));
  const { updateComponents } = message(text({}));
  const slips = [
    [{ version: "v0.9", updateComponent: updateComponents }, "updateComponents"],
    [message(text({ component: "Txt" })), "Text"],
    [message(text({ text: undefined, txt: "hi" })), "text"],
    [message(text({ variant: "h33" })), "h3"],
    [bound({ node: "ada", key: "nmae" }), "name"],
    [message({ id: "root", component: "Column", children: ["titel"] }), "title"],
  ];
  for (const [slip, word] of slips) {
    await page.getByRole("button", { name: /^2\. / }).click();
    await setEditorText(page, ham, JSON.stringify(slip));
    await page.getByRole("button", { name: "Apply" }).click();
    await page
      .locator("#diagnostics")
      .getByRole("button", { name: `Write "${word}"`, exact: true })
      .click();
    assert.equal(await page.locator("#diagnostics .problem").count(), 0, word);
    assert.ok((await getEditorText(page, ham)).includes(`"${word}"`));
  }
  // The correction is ambiguous.
  const twice = { id: "root", component: "Row", children: ["titel", "titel"] };
  await setEditorText(page, ham, JSON.stringify(message(twice)));
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("#diagnostics .problem").first().waitFor();
  assert.equal(
    await page
      .locator("#diagnostics")
      .getByRole("button", { name: /^Write/ })
      .count(),
    0,
  );
});

testExample(
  "a message with a misspelt name is reported, and not a node",
  "team",
  async (page, goTo) => {
    await goTo(4);
    const shown = () => page.locator("#stage").textContent();
    const before = await shown();
    const updateComponent = { surfaceId: "main", components: [] };
    await setEditorText(page, ham, JSON.stringify({ version: "v0.9", updateComponent }));
    await page.getByRole("button", { name: "Apply" }).click();
    const problem = page.locator("#diagnostics .problem").first();
    assert.match(await problem.textContent(), /did you mean updateComponents/);
    assert.equal(await shown(), before);
  },
);

testExample("a backtick in a message is displayed", "trouble", async (page) => {
  await setEditorText(page, ham, "{`");
  await page.getByRole("button", { name: "Apply" }).click();
  const message = page.locator("#diagnostics .problem p").first();
  assert.equal(await message.locator("code").first().textContent(), "`");
  assert.equal(await message.textContent(), "unexpected `, expected a key in double quotes or }");
});

testExample("the note describes the last action", "team", async (page, goTo) => {
  await goTo(3);
  const head = page.locator("#step-title");
  const note = page.locator("#note");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await head.textContent(), "Undo");
  assert.match(await note.textContent(), /^Undid .*, which changed bo\. Components are unchanged/);
  await setEditorText(page, ham, '{"bo": {"name": "Bo"}}');
  await page.getByRole("button", { name: "Apply" }).click();
  assert.equal(await head.textContent(), "Your update");
  assert.match(await note.textContent(), /^Applied as a new step/);
  await setEditorText(page, ham, '{"bo": }');
  await page.getByRole("button", { name: "Apply" }).click();
  assert.match(await note.textContent(), /^Not applied/);
});

testExample("previous errors are distinguished from current ones", "team", async (page, goTo) => {
  await goTo(2);
  const root = { id: "root", component: "Column", children: ["title", "absent"] };
  const update = { updateComponents: { surfaceId: "main", components: [root] } };
  await setEditorText(page, ham, JSON.stringify(update));
  await page.getByRole("button", { name: "Apply" }).click();
  await setEditorText(page, ham, '{"*bo": 1}');
  await page.getByRole("button", { name: "Apply" }).click();
  const parts = page.locator("#diagnostics > *");
  const words = await parts.allTextContents();
  assert.match(words[0], /HAM002/);
  assert.equal(words[1], "In the current surface");
  assert.match(words[2], /HAM028/);
});

testExample("a binding to a node that no step sends is reported", "team", async (page, goTo) => {
  await goTo(2);
  const text = { binding: { node: "bobo", key: "name" } };
  const root = { id: "root", component: "Text", text };
  const update = { updateComponents: { surfaceId: "main", components: [root] } };
  await setEditorText(page, ham, JSON.stringify(update));
  await page.getByRole("button", { name: "Apply" }).click();
  const words = (await page.locator("#diagnostics > *").allTextContents()).join();
  assert.match(words, /HAM009.*bobo.*correct the .?node.? of the binding/s);
});

testExample(
  "warnings of the catalog are displayed, and undo affects the data",
  "team",
  async (page, goTo) => {
    await goTo(2);
    const root = { id: "root", component: "Text", txt: "hi" };
    const update = { updateComponents: { surfaceId: "main", components: [root] } };
    await setEditorText(page, ham, JSON.stringify(update));
    await page.getByRole("button", { name: "Apply" }).click();
    const problems = page.locator("#diagnostics .problem");
    assert.match((await problems.allTextContents()).join(), /CAT001.*`?txt`?.*CAT002/);
    assert.equal(await page.locator("#diagnostics .dot.warning").count(), 2);
    assert.match(await page.textContent("#note"), /See the warnings below/);
    // Undo restores the data, and the component stays.
    await page.getByRole("button", { name: "Undo" }).click();
    assert.match(await page.textContent("#note"), /^Undid the last data update/);
    assert.equal(await page.locator("#stage [data-id]").count(), 1);
    assert.equal(await page.locator("#undo").isDisabled(), true);
  },
);

testExample("Undo and Redo are enabled if they have an effect", "team", async (page, goTo) => {
  const can = () =>
    page.evaluate(() => ["undo", "redo"].map((id) => !document.getElementById(id).disabled));
  await goTo(1);
  assert.deepEqual(await can(), [false, false], "components are not undoable");
  await goTo(2);
  assert.deepEqual(await can(), [true, false]);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(await can(), [false, true]);
  await page.getByRole("button", { name: "Redo" }).click();
  assert.deepEqual(await can(), [true, false]);
  await page.getByRole("button", { name: "Undo" }).click();
  await setEditorText(page, ham, '{"elsewhere": 1}');
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(await can(), [false, true]);
  await setEditorText(page, ham, "{}");
  await page.getByRole("button", { name: "Apply" }).click();
  assert.deepEqual(await can(), [false, true], "an update without effect keeps the redo steps");
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("tab", { name: "Nodes" }).click();
  await page.getByText("elsewhere").first().waitFor();
});

testExample(
  "a streamed step is undone and redone at once",
  "team",
  async (page, goTo) => {
    await goTo(1);
    const rows = page.locator("#stage [role=listitem]");
    const step = page.getByRole("button", { name: "Step", exact: true });
    await step.click();
    await rows.first().waitFor();
    // The rest of the stream arrives at once.
    await step.click();
    assert.equal(await rows.count(), 3);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await rows.count(), 0);
    assert.match(await page.textContent("#note"), /which changed root, team, ada and 2 more\./);
    assert.equal(await page.locator("#undo").isDisabled(), true);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.equal(await rows.count(), 3);
    assert.equal(await page.locator("#redo").isDisabled(), true);
  },
  "no-preference",
);

testExample("an empty text is not applied, and a note reports it", "team", async (page, goTo) => {
  await goTo(2);
  await setEditorText(page, ham, "");
  await page.getByRole("button", { name: "Apply" }).click();
  assert.equal(await page.textContent("#step-title"), "Nothing to apply");
  assert.match(await page.textContent("#note"), /^Write an update first/);
});

testExample("an invalid address cannot be booked", "form", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByLabel("Email").fill("invalid");
  const book = page.getByRole("button", { name: "Book" });
  assert.equal(await book.getAttribute("title"), "Write an email address first");
  await book.click({ force: true });
  await page.getByRole("tab", { name: "Actions" }).click();
  const kinds = (kind) => page.locator("#why .list .kind", { hasText: new RegExp(`^${kind}$`) });
  await kinds("input").first().waitFor();
  assert.equal(await kinds("action").count(), 0);
});

testExample("the editor is one tab stop, and not a keyboard trap", "team", async (page, goTo) => {
  await goTo(1);
  await editor(page, ham).waitFor();
  const stops = [];
  for (let press = 0; press < 25; press++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate(() => document.activeElement?.className ?? ""));
  }
  assert.equal(stops.filter((name) => name === "code").length, 1, stops.join());
});

testExample("ten thousand rows, one insertion, one mount", "rows", async (page, goTo) => {
  await goTo(3);
  await page.locator("#stage").getByText("Fresh").waitFor();
  assert.match(await numbers(page), /(?<!\d)1 change\s*1 callback/);
  assert.ok((await page.locator("#stage [role=listitem]").count()) < 150);
});

/** Defines a test with the first example with motion, in its streaming step. */
function streaming(name, body) {
  test(name, async () => {
    const options = { viewport: { width: 1280, height: 800 } };
    await withPage(browser, `${server.url}/www/dist/index.html#team`, options, async (page) => {
      const dot = (number) => page.getByRole("button", { name: new RegExp(`^${number}\\. `) });
      const press = (label) => page.getByRole("button", { name: label, exact: true }).click();
      await dot(1).click();
      await editor(page, ham).waitFor();
      await press("Step");
      await page.waitForTimeout(400);
      const current = () => page.locator(".step[aria-current]").getAttribute("aria-label");
      const text = () => getEditorText(page, ham);
      assert.match(await current(), /^2\. /);
      await body(page, { dot, press, current, text });
    });
  });
}

streaming("the bar counts during a streaming step, and the panel lists changes", async (page) => {
  const counted = () =>
    Number(/(\d+) changes?/.exec(document.querySelector("#numbers").textContent)[1]);
  await page.waitForFunction(counted);
  await page.locator("#why .list > li").first().waitFor();
  const time = /[\d.]+ ms/.exec(await page.locator("#numbers").textContent())[0];
  assert.notEqual(time, "0.00 ms");
});

streaming("a streaming step does not continue after another one is selected", async (page, the) => {
  await the.dot(5).click();
  const text = await the.text();
  await page.waitForTimeout(600);
  assert.match(await the.current(), /^5\. /);
  assert.equal(await the.text(), text);
  await the.press("Step");
  assert.match(await the.current(), /^6\. /);
});

streaming("Step ends a streaming step, and then runs the next one", async (page, the) => {
  await the.press("Step");
  assert.match(await the.current(), /^2\. /);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await the.press("Step");
  assert.match(await the.current(), /^3\. /);
  await page.getByText("on call").first().waitFor();
});

streaming("Play runs a streaming step once, and Apply applies it completely", async (page, the) => {
  await the.press("Play");
  await the.press("Pause");
  assert.match(await the.current(), /^3\. /);
  await page.getByText("on call").first().waitFor();
  await the.dot(1).click();
  await the.press("Step");
  await page.waitForTimeout(200);
  await the.press("Apply");
  assert.equal(await page.locator("#diagnostics .problem").count(), 0);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
});

streaming("text that is typed during a streaming step stays", async (page, the) => {
  await editor(page, ham).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("x");
  const text = await the.text();
  assert.match(text, /^x\{/);
  await page.waitForTimeout(600);
  assert.equal(await the.text(), text);
  assert.equal(await page.locator("#stage [role=listitem]").count(), 3);
  await setEditorText(page, ham, '{"ada": {"name": "Mine"}}');
  await the.press("Apply");
  await page.locator("#stage").getByText("Mine").waitFor();
});

testExample("the first of ten thousand rows displays its binding", "rows", async (page, goTo) => {
  await goTo(2);
  await page.locator("#stage").getByText("Row 3", { exact: true }).click();
  await page.locator("#why").getByText("r3").first().waitFor();
});

testExample("a long pasted text is parsed, and its error is reported", "team", async (page) => {
  const rows = Array.from({ length: 30_000 }, (_, at) => `"n${at}":{"name":"N${at}"}`);
  await setEditorText(page, ham, `{${rows.join(",")},}`);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator("#diagnostics").getByText("JSON001").waitFor();
});

test("an unknown example is reported, and nothing plays", async () => {
  await withPage(browser, `${server.url}/www/dist/index.html#surface/nosuch`, {}, async (page) => {
    await page.getByText("Unknown example nosuch.").waitFor();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.getByText("The surface is empty.").waitFor();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.getByText("Their content appears with the data.").waitFor();
  });
});

test("a phone shows the note, all numbers, and the buttons in one line", async () => {
  const options = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" };
  await withPage(browser, `${server.url}/www/dist/index.html#team`, options, async (page) => {
    await page.getByRole("button", { name: /^6\. / }).click();
    for (const pane of ["Input", "Surface", "Why"]) {
      await page.getByRole("tab", { name: pane }).click();
      assert.ok(await page.locator("#note").isVisible(), pane);
    }
    await page.locator("#numbers").getByText("1 callback").waitFor();
    const names = ["Play again", "Step", "Undo", "Redo"];
    const boxes = await Promise.all(
      names.map((name) => page.getByRole("button", { name, exact: true }).boundingBox()),
    );
    assert.deepEqual(new Set(boxes.map(({ y, height }) => `${y} ${height}`)).size, 1);
    assert.equal(boxes[0].height, 44);
  });
});

testExample(
  "nodes are found while the user types, and stay selected",
  "form",
  async (page, goTo) => {
    await goTo(2);
    const why = page.locator("#why");
    await page.getByRole("tab", { name: "Nodes" }).click();
    const field = page.getByLabel("Find rows");
    await field.fill("guest");
    await page.keyboard.press("Home");
    await page.keyboard.type("abc");
    assert.equal(await field.inputValue(), "abcguest");
    await page.getByText("No row matches.").waitFor();
    // Replacing the field would cancel the composition of an input method.
    await field.evaluate((box) => {
      box.mine = true;
    });
    await field.fill("guest");
    const node = why.getByRole("option", { name: /^guest/ });
    await node.click();
    assert.equal(await node.getAttribute("aria-selected"), "true");
    await why.getByText("Read by").waitFor();
    await page.locator("#stage").getByLabel("Name").fill("Grace");
    await why.locator(".detail").getByText('"Grace"', { exact: true }).waitFor();
    assert.equal(await node.getAttribute("aria-selected"), "true", "a change closes nothing");
    assert.ok(await field.evaluate((box) => box.mine));
  },
);

testExample(
  "the panel leads from a node to its reader, and to both texts",
  "users",
  async (page, goTo) => {
    await goTo(2);
    const why = page.locator("#why");
    await page.getByRole("tab", { name: "Nodes" }).click();
    await why.getByRole("option", { name: /^u1/ }).click();
    // The text of the step has the node.
    await page.locator("#editor .mark.now", { hasText: '"u1"' }).waitFor();
    await why.locator(".readers button").first().click();
    assert.equal(
      await page.getByRole("tab", { name: "Tree" }).getAttribute("aria-selected"),
      "true",
    );
    const origin = why.locator("td button", { hasText: "u1" }).first();
    await origin.waitFor();
    await why.locator("[role=treeitem][aria-selected=true]").click();
    await page.locator("#stage [data-picked]").waitFor();
    await origin.click();
    assert.equal(
      await page.getByRole("tab", { name: "Nodes" }).getAttribute("aria-selected"),
      "true",
    );
  },
);
