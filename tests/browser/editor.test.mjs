// The editors of the three workbenches: colours, errors with quick fixes, and completions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withPage } from "./browser.mjs";
import { editor, getEditorText, setEditorText } from "./editor.mjs";
import { browser, server } from "./fixture.mjs";
import { serve } from "./server.mjs";

const labels = {
  surface: "HAM update",
  graph: "GASL plan",
  flow: "Workflow (JSON)",
};

/** Defines a test with an open workbench and its editor. With reduced motion, typing is not animated. */
function testExample(name, address, body, options = {}) {
  test(name, async () => {
    const how = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options };
    const url = `${server.url}/www/dist/index.html#${address}`;
    await withPage(browser, url, how, async (page) => {
      const bench = address.split("/")[0];
      const label = labels[bench] ?? labels.surface;
      await editor(page, label).waitFor({ state: "attached" });
      const ready = { graph: "#graph-run", flow: "#flow-run" }[bench] ?? "#apply";
      await page.locator(`${ready}:enabled`).waitFor();
      await body(page, {
        write: (text) => setEditorText(page, label, text),
        text: () => getEditorText(page, label),
        content: editor(page, label),
        /** Enters a text, and returns the completions at its `|`. */
        asked: async (words) => {
          const [before, after] = words.split("|");
          await setEditorText(page, label, before + after);
          await page.keyboard.press("ControlOrMeta+End");
          for (const _ of after) await page.keyboard.press("ArrowLeft");
          await page.keyboard.press("Control+Space");
          const list = page.locator(".cm-tooltip-autocomplete .cm-completionLabel");
          await list.first().waitFor();
          return (await list.allTextContents()).sort();
        },
        /** Accepts the first completion. */
        takes: async (label, key) => {
          const first = page.locator(".cm-tooltip-autocomplete [aria-selected]");
          await first.getByText(label, { exact: true }).waitFor();
          // A new list ignores keys for a short time.
          await page.waitForTimeout(100);
          await page.keyboard.press(key);
        },
        coloured: (kind) => editor(page, label).locator(`.t-${kind}`).allTextContents(),
      });
    });
  });
}

testExample("a text is displayed before the editor has loaded", "team", async (page) => {
  const fresh = await page.context().newPage();
  await fresh.route("**/codemirror-pane-*.js", (route) => route.abort());
  await fresh.goto(`${server.url}/www/dist/index.html#team`);
  const box = fresh.getByLabel("HAM update");
  await fresh.getByRole("button", { name: "Pause" }).click();
  assert.match(await box.inputValue(), /updateComponents/);
  await box.fill('{"root": {"title": "Plain"}}');
  await fresh.keyboard.press("Control+Enter");
  await fresh.locator("#stage").getByText("Plain").waitFor();
  await fresh.close();
});

testExample("pointers and removals are coloured in visible lines", "team", async (_page, the) => {
  await the.write('{\n  "root": { "team": ["*ada"] },\n  "!bo": {},\n  "n": 3\n}');
  assert.deepEqual(await the.coloured("pointer"), ['"*ada"']);
  assert.deepEqual(await the.coloured("gone"), ['"!bo"']);
  assert.deepEqual(await the.coloured("word"), ["3"]);
});

testExample(
  "GASL is coloured as text and in the strings of a JSON plan",
  "graph/paths",
  async (_page, the) => {
    await the.write('# Why\nFIND nodes WHERE id = "Ada" AS x');
    assert.deepEqual(await the.coloured("command"), ["FIND", "WHERE", "AS"]);
    assert.deepEqual(await the.coloured("comment"), ["# Why"]);
    await the.write(
      JSON.stringify({ why: "w", commands: ['FIND nodes WHERE id = "Ada" LIMIT 3 AS x'] }, null, 1),
    );
    assert.deepEqual(await the.coloured("command"), ["FIND", "WHERE", "LIMIT", "AS"]);
    assert.deepEqual(await the.coloured("word"), ["3"]);
  },
);

testExample("names in templates are coloured", "flow/weather", async (_page, the) => {
  await the.write(
    '{ "nodes": [{ "id": "a", "type": "text", "params": { "template": "Hi $who and ${b.text}" } }] }',
  );
  assert.deepEqual(await the.coloured("pointer"), ["$who", "${b.text}"]);
});

testExample(
  "an error is displayed at its position with a quick fix",
  "trouble",
  async (page, the) => {
    await the.write('{"u1": {"name": "Ann"},}');
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("#editor .cm-lintRange-error").hover();
    const tip = page.locator(".cm-tooltip-lint");
    await tip.waitFor();
    assert.match(await tip.textContent(), /JSON001.*unexpected/);
    await tip.getByRole("button", { name: "Remove the comma" }).click();
    assert.equal(await the.text(), '{"u1": {"name": "Ann"}}');
    assert.equal(await page.locator("#diagnostics .problem").count(), 0);
  },
);

/** By address: an invalid text, how to check it, the label of its fix, and a valid text. */
const FIXES = {
  team: ['{"ada": {"name": None}}', "#apply", "Write null", '{"a": {}}'],
  graph: ["FIND nodez WHERE type == X", "#graph-run", /^Write FIND nodes/, "SHOW x"],
  flow: [
    '{"nodes": [{"id": "a", "type": "texd"}]}',
    "#flow-run",
    "Write text",
    '{"nodes": [{"id": "b", "type": "text"}]}',
  ],
};

for (const [address, [wrong, take, label, right]] of Object.entries(FIXES)) {
  const list = address === "team" ? "#diagnostics" : `#${address}-diagnostics`;

  testExample(`a fix does not apply to a later text: ${address}`, address, async (page, the) => {
    await the.write(wrong);
    await page.locator(take).click();
    const repair = page.locator(list).getByRole("button", { name: label }).first();
    await repair.waitFor();
    const button = await repair.elementHandle();
    // Pressed at once, before the list is rebuilt.
    await the.content.focus();
    await page.keyboard.press("ControlOrMeta+a");
    await the.content.evaluate(
      (element, [words, pressed]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", words);
        element.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
        pressed.click();
      },
      [right, button],
    );
    assert.equal(await the.text(), right);
    await page.locator(list).getByRole("button", { name: label }).waitFor({ state: "hidden" });
  });

  testExample(
    `the errors of a text are removed with it: ${address}`,
    address,
    async (page, the) => {
      await the.write(wrong);
      await page.locator(take).click();
      await page.locator(list).getByRole("button", { name: label }).first().waitFor();
      await the.write("");
      await page.locator(take).click();
      await page.locator(list).getByRole("button", { name: label }).waitFor({ state: "hidden" });
    },
  );
}

testExample(
  "HAM completions offer nodes, keys, components and properties",
  "team",
  async (page, the) => {
    await page.getByRole("button", { name: /^2\. / }).click();
    const ids = ["*ada", "*bo", "*cy", "*root", "*team"];
    assert.deepEqual(await the.asked('{ "root": { "team": ["*|"] } }'), ids);
    await page.keyboard.type("cy");
    await the.takes("*cy", "Enter");
    assert.equal(await the.text(), '{ "root": { "team": ["*cy"] } }');
    const component = (words) => `{ "updateComponents": { "components": [{ ${words} }] } }`;
    assert.ok((await the.asked(component('"component": "TextField", "|": 1'))).includes("label"));
    assert.ok((await the.asked(component('"component": "|"'))).includes("ChoicePicker"));
    const bound = component('"text": { "binding": { "node": "ada", "key": "|" } }');
    assert.deepEqual(await the.asked(bound), ["name", "note", "status", "work"]);
  },
);

testExample(
  "GASL completions offer commands, names, attributes and values",
  "graph/coauthors",
  async (page, the) => {
    await page.locator("#graph-end").click();
    await the.write("FIND nodes");
    await page.keyboard.press("Enter");
    await page.keyboard.type("CO");
    const offered = page.locator(".cm-tooltip-autocomplete .cm-completionLabel");
    await offered.first().waitFor();
    // The list of the first letter can be displayed before that of both.
    await offered.filter({ hasText: /^CANCEL$/ }).waitFor({ state: "detached" });
    assert.deepEqual((await offered.allTextContents()).slice(0, 2).sort(), ["COMPLETE", "COUNT"]);
    assert.ok((await the.asked("COUNT |")).includes("findings"));
    assert.ok((await the.asked("FIND nodes WHERE |")).includes("entity_type"));
    const kinds = ["INSTITUTION", "PAPER", "PERSON", "TOPIC"];
    assert.deepEqual(await the.asked('["FIND nodes WHERE entity_type = \\"|\\" AS x"]'), kinds);
    assert.deepEqual(await the.asked("FIND nodes WHERE entity_type = |"), kinds);
    await page.keyboard.type("PER");
    await the.takes("PERSON", "Tab");
    assert.equal(await the.text(), 'FIND nodes WHERE entity_type = "PERSON"');
  },
);

testExample(
  "workflow completions offer types, ids and the keys that a node can read",
  "flow/weather",
  async (_page, the) => {
    const text = (id, words) =>
      `{ "id": "${id}", "type": "text", "params": { "template": "${words}" } }`;
    const flow = (...nodes) => `{ "nodes": [${nodes.join(", ")}] }`;
    assert.ok((await the.asked('{ "nodes": [{ "id": "a", "type": "|" }] }')).includes("weather"));
    assert.deepEqual(await the.asked(flow(text("a", "A"), text("b", "$|"), text("c", "C"))), [
      "a_text",
    ]);
    const both = flow(text("a", "A"), text("b", "B"), text("c", "${|"));
    assert.deepEqual(await the.asked(both), ["a.text", "b.text"]);
    const edge = '"edges": [{ "from": "|", "to": "b" }] }';
    assert.deepEqual(
      await the.asked(flow(text("a", "A"), text("b", "B")).replace(/}$/, `, ${edge}`)),
      ["a", "b"],
    );
  },
);

testExample(
  "undo in the editor restores the text, and search finds text",
  "users",
  async (page, the) => {
    await page.getByRole("button", { name: /^1\. / }).click();
    const before = await the.text();
    await the.write('{"mine": 1}');
    await page.getByRole("button", { name: /^2\. / }).click();
    await the.content.focus();
    await page.keyboard.press("ControlOrMeta+z");
    assert.equal(await the.text(), '{"mine": 1}', "the user's text is restored");
    await page.keyboard.press("ControlOrMeta+z");
    assert.equal(await the.text(), before);
  },
);

testExample("a megabyte of text can be read and edited", "users", async (page, the) => {
  const rows = Array.from({ length: 24_000 }, (_, at) => `  "n${at}": { "name": "Name ${at}" }`);
  const text = `{\n${rows.join(",\n")}\n}`;
  assert.ok(text.length > 800_000);
  await the.write(text);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("}");
  assert.equal(await the.text(), text);
  await page.keyboard.press("Control+Enter");
  await page.locator("#step-title").getByText("Your update").waitFor();
  assert.equal(await page.locator("#diagnostics .problem").count(), 0);
});

test("the editor works under a strict policy, in light and dark", async () => {
  const policy =
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'";
  const strict = await serve({ headers: { "content-security-policy": policy } });
  try {
    for (const colorScheme of ["light", "dark"]) {
      const options = {
        viewport: { width: 1280, height: 800 },
        reducedMotion: "reduce",
        colorScheme,
      };
      await withPage(browser, `${strict.url}/www/dist/index.html#users`, options, async (page) => {
        await editor(page, labels.surface).waitFor();
        const seen = await editor(page, labels.surface).evaluate((content) => {
          const { paddingLeft, fontFamily } = getComputedStyle(content);
          const key = getComputedStyle(content.querySelector(".t-key")).color;
          return { paddingLeft, fontFamily, key };
        });
        assert.equal(seen.paddingLeft, "16px");
        assert.match(seen.fontFamily, /monospace/);
        assert.equal(seen.key, colorScheme === "light" ? "rgb(26, 29, 35)" : "rgb(232, 234, 238)");
      });
    }
  } finally {
    await strict.close();
  }
});

/** Undoes changes until the editor has a text; each undo must be a complete change. */
async function undone(page, the, text) {
  for (let times = 0; times < 12 && (await the.text()) !== text; times += 1) {
    await the.content.focus();
    await page.keyboard.press("ControlOrMeta+z");
  }
  assert.equal(await the.text(), text);
}

testExample(
  "undo restores the text that a streaming step replaced",
  "form",
  async (page, the) => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^1\. / }).click();
    await the.write('{ "guest": "mine" }');
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await page.locator("#steps li:nth-child(2) .now").waitFor();
    await page.waitForTimeout(400);
    // The rest of the stream arrives at once.
    await page.getByRole("button", { name: "Step", exact: true }).click();
    assert.match(await the.text(), /updateDataModel/);
    await undone(page, the, '{ "guest": "mine" }');
  },
  { reducedMotion: "no-preference" },
);

testExample("a restored draft is undone as one change", "form", async (page, the) => {
  await the.write('{ "guest": "first" }');
  await page.waitForFunction(() => JSON.stringify({ ...localStorage }).includes("first"));
  const other = await page.context().newPage();
  await other.goto(`${server.url}/www/dist/index.html#form`);
  const content = editor(other, labels.surface);
  await content.waitFor();
  const text = () => getEditorText(other, labels.surface);
  await setEditorText(other, labels.surface, '{ "guest": "second" }');
  await other.getByRole("button", { name: "Restore" }).click();
  assert.equal(await text(), '{ "guest": "first" }');
  await undone(other, { text, content }, '{ "guest": "second" }');
  await other.close();
});

testExample(
  "the displayed part of a very long text stays, or is replaced completely",
  "form",
  async (page, the) => {
    await page.getByRole("button", { name: /^2\. / }).click();
    await the.write(JSON.stringify({ guest: "long", pad: "x".repeat(4_100_000) }));
    await page.keyboard.press("Control+Enter");
    await page.locator("#steps [aria-current]").press("Enter");
    const shown = await the.text();
    assert.match(shown, /characters more$/);
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.insertText("mine");
    assert.equal(await the.text(), shown);
    await the.write('{ "guest": "mine" }');
    await page.keyboard.press("Control+Enter");
    await page.locator("#step-title").getByText("Your update").waitFor();
    await page.waitForFunction(() =>
      [...document.querySelectorAll("#stage input")].some(({ value }) => value === "mine"),
    );
  },
);
