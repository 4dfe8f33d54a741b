// What the renderer promises of the page: patches that leave focus, caret, scroll, open state and media alone,
// lists of which only a window is in the document, and nothing but text where a model wrote text.
// The surface is scripted, so that each test says exactly which changes arrive.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>test</title>
<script type="importmap">{"imports":{"byname/dom":"/pkg/dom.js"}}</script>
<div id="host" style="width:600px"></div>
<script type="module">
import { mount } from "byname/dom";
window.mount = mount;
window.make = (id, component, props = {}, children = [], more = {}) => ({ id, component, key: id, props, children, ...more });
window.scripted = (tree) => {
  const listeners = new Set();
  const calls = [];
  return {
    calls,
    tree: () => tree,
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    input: (...call) => calls.push(["input", ...call]),
    trigger: (...call) => calls.push(["trigger", ...call]),
    emit: (...changes) => { for (const listener of listeners) listener(changes); },
  };
};
window.show = (tree, options) => {
  window.surface = scripted(tree);
  window.stop = mount(surface, document.querySelector("#host"), options);
  window.at = (key) => document.querySelector("[data-key='" + key + "']");
};
window.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
</script>`;

let browser;
let server;
before(async () => {
  server = await serve({ pages: { "/dom.html": html } });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

function inPage(name, body) {
  test(name, async () => {
    await withPage(browser, `${server.url}/dom.html`, {}, async (page) => {
      await page.waitForFunction(() => window.ready);
      await body(page);
    });
  });
}

for (const native of [true, false]) {
  const how = native ? "with moveBefore" : "without moveBefore";
  inPage(`a moved row keeps focus, caret, scroll, tab and dialog, ${how}`, async (page) => {
    const seen = await page.evaluate(async (native) => {
      if (!native) delete Element.prototype.moveBefore;
      const row = (name) =>
        make(name, "Column", {}, [
          make(`${name}-field`, "TextField", { label: name, value: "hello world" }),
          make(`${name}-note`, "TextField", {
            label: "note",
            variant: "longText",
            value: "a\n".repeat(50),
          }),
          make(`${name}-tabs`, "Tabs", { tabs: [{ title: "One" }, { title: "Two" }] }, [
            make(`${name}-1`, "Text", { text: "first" }, [], { slot: "tabs.child" }),
            make(`${name}-2`, "Text", { text: "second" }, [], { slot: "tabs.child" }),
          ]),
          make(`${name}-modal`, "Modal", {}, [
            make(
              `${name}-trigger`,
              "Button",
              {},
              [make(`${name}-word`, "Text", { text: "Open" })],
              { slot: "trigger" },
            ),
            make(`${name}-content`, "Text", { text: "inside" }, [], { slot: "content" }),
          ]),
        ]);
      show(make("root", "List", {}, ["a", "b", "c"].map(row)));
      const field = at("a-field").querySelector("input");
      const note = at("a-note").querySelector("textarea");
      at("a-tabs").querySelectorAll("[role=tab]")[1].click();
      note.scrollTop = 40;
      field.focus();
      field.setSelectionRange(2, 5, "backward");
      const element = at("a");
      surface.emit({ kind: "move", key: "a", before: null });
      const first = {
        order: [...at("root").querySelectorAll(":scope > [role=listitem] > *")]
          .map((one) => one.dataset.key)
          .join(""),
        same: element === at("a"),
        focus: document.activeElement === field,
        caret: [field.selectionStart, field.selectionEnd, field.selectionDirection].join(),
        scroll: note.scrollTop,
        tab: at("a-tabs").querySelectorAll("[role=tab]")[1].ariaSelected,
      };
      at("a-trigger").focus();
      at("a-trigger").click();
      surface.emit({ kind: "move", key: "a", before: "b" });
      first.dialog = at("a-modal").querySelector("dialog").matches(":modal");
      at("a-modal").querySelector("dialog").close();
      await settled();
      first.returned = document.activeElement === at("a-trigger");
      return first;
    }, native);
    assert.deepEqual(seen, {
      order: "bca",
      same: true,
      focus: true,
      caret: "2,5,backward",
      scroll: 40,
      tab: "true",
      dialog: true,
      returned: true,
    });
  });
}

inPage("a set touches that property of that element and nothing else", async (page) => {
  const records = await page.evaluate(async () => {
    show(
      make("root", "Column", {}, [
        make("a", "Text", { text: "one" }),
        make("b", "Text", { text: "two" }),
      ]),
    );
    const records = [];
    const observer = new MutationObserver((list) => records.push(...list));
    observer.observe(document.querySelector("#host"), {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    surface.emit({ kind: "set", key: "a", prop: "text", value: "uno" });
    for (const record of observer.takeRecords()) records.push(record);
    return records.map((one) => `${one.type} ${one.target.parentElement?.dataset.key}`);
  });
  assert.deepEqual(records, ["characterData a"]);
});

inPage("the echo of what is typed moves no caret, and a foreign value keeps it", async (page) => {
  await page.evaluate(() => {
    show(make("root", "TextField", { label: "Name", value: "abcdef" }));
    surface.input = (key, prop, value) => surface.emit({ kind: "set", key, prop, value });
    document.querySelector("input").focus();
    document.querySelector("input").setSelectionRange(3, 3);
  });
  await page.keyboard.type("XY");
  assert.equal(await page.getByLabel("Name").inputValue(), "abcXYdef");
  const caret = () => page.evaluate(() => document.querySelector("input").selectionStart);
  assert.equal(await caret(), 5);
  await page.evaluate(() =>
    surface.emit({ kind: "set", key: "root", prop: "value", value: "ABCXYDEF" }),
  );
  assert.equal(await caret(), 5);
});

inPage("nothing is written into a field while an input method composes", async (page) => {
  const seen = await page.evaluate(() => {
    show(make("root", "TextField", { label: "Name", value: "" }));
    const field = document.querySelector("input");
    field.dispatchEvent(new CompositionEvent("compositionstart"));
    field.value = "に";
    field.dispatchEvent(new InputEvent("input"));
    surface.emit({ kind: "set", key: "root", prop: "value", value: "other" });
    const during = [field.value, surface.calls.length];
    field.dispatchEvent(new CompositionEvent("compositionend"));
    return [...during, JSON.stringify(surface.calls)];
  });
  assert.deepEqual(seen, ["に", 0, '[["input","root","value","に"]]']);
});

inPage("a number field lets a decimal be typed", async (page) => {
  await page.evaluate(() => {
    show(make("root", "TextField", { label: "Price", variant: "number", value: 1 }));
    surface.input = (key, prop, value) => {
      surface.calls.push(value);
      surface.emit({ kind: "set", key, prop, value });
    };
  });
  await page.getByLabel("Price").press("End");
  await page.keyboard.type(".50");
  assert.equal(await page.getByLabel("Price").inputValue(), "1.50");
  await page.getByLabel("Price").fill("");
  await page.keyboard.type("7");
  assert.deepEqual(await page.evaluate(() => surface.calls), [1, 1.5, 1.5, "", 7]);
});

inPage("a model's text is text, and its URLs are harmless", async (page) => {
  await page.route("https://example.org/**", (route) =>
    route.fulfill({ status: 200, contentType: "image/png", body: "" }),
  );
  const seen = await page.evaluate(() => {
    show(
      make("root", "Column", {}, [
        make("a", "Text", {
          text: "<img src=x onerror=alert(1)> [bad](javascript:alert(1)) [good](https://example.org/)",
        }),
        make("b", "Image", { url: "javascript:alert(1)" }),
        make("c", "Video", { url: "data:text/html,x" }),
        make("d", "Icon", { name: { svgPath: 'M0 0"/><script>' } }),
        make("e", "Text", { text: { call: "formatString", args: {} } }),
        make("f", "constructor", { __proto__: null }),
      ]),
    );
    return {
      pictures: at("a").querySelectorAll("img").length,
      links: [...at("a").querySelectorAll("a")].map((one) => `${one.href} ${one.rel}`),
      image: at("b").hasAttribute("src"),
      video: at("c").hasAttribute("src"),
      icon: at("d").querySelector("svg"),
      call: at("e").textContent,
      unknown: at("f").textContent,
    };
  });
  assert.deepEqual(seen, {
    pictures: 0,
    links: ["https://example.org/ noopener noreferrer"],
    image: false,
    video: false,
    icon: null,
    call: "",
    unknown: "Unknown component constructor",
  });
});

inPage("10,000 rows: few in the document, fast, each in its place", async (page) => {
  const seen = await page.evaluate(async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      make(`r${index}`, "Text", { text: `row ${index}` }),
    );
    const tree = make("root", "List", {}, rows);
    const start = performance.now();
    show(tree);
    const took = performance.now() - start;
    const items = () => [...document.querySelectorAll("[role=listitem]")];
    const height = document.documentElement.scrollHeight;
    const first = { few: items().length < 120, took };
    window.scrollTo(0, height / 2);
    await settled();
    const middle = document.elementFromPoint(100, innerHeight / 2).closest("[role=listitem]");
    const index = Number(middle.textContent.slice(4));
    const positions = middle.ariaPosInSet === String(index + 1) && middle.ariaSetSize === "10000";
    surface.emit({ kind: "set", key: "r0", prop: "text", value: "first, changed" });
    surface.emit({ kind: "move", key: "r9999", before: "r0" });
    window.scrollTo(0, 0);
    await settled();
    return {
      ...first,
      tall: height > 10_000 * 20,
      middle: index > 4000 && index < 6000,
      positions,
      top: items()
        .slice(0, 2)
        .map((one) => `${one.ariaPosInSet} ${one.textContent}`)
        .join("; "),
    };
  });
  const { took, ...rest } = seen;
  console.log(`    10,000 rows mounted in ${took.toFixed(1)} ms`);
  assert.deepEqual(rest, {
    few: true,
    tall: true,
    middle: true,
    positions: true,
    top: "1 row 9999; 2 first, changed",
  });
  assert.ok(took < 500, `mounting took ${took} ms`);
});

inPage(
  "the focused row stays while the list is scrolled away from it, and keys go on from there",
  async (page) => {
    await page.evaluate(() => {
      const rows = Array.from({ length: 1000 }, (_, index) =>
        make(`r${index}`, "TextField", { label: `field ${index}`, value: "" }),
      );
      show(make("root", "Column", {}, rows));
    });
    await page.getByLabel("field 3", { exact: true }).fill("typed");
    await page.evaluate(async () => {
      window.scrollTo(0, 20_000);
      await settled();
    });
    assert.ok(
      await page.evaluate(() => document.activeElement === at("r3").querySelector("input")),
    );
    assert.ok(await page.evaluate(() => !document.querySelector("[data-key=r30]")));
    await page.keyboard.press("Shift+Tab");
    await page.evaluate(() => settled());
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.evaluate(() => settled());
    // What was typed into an unbound field comes back with its row.
    await page.evaluate(async () => {
      document.activeElement.blur();
      window.scrollTo(0, 20_000);
      await settled();
      window.scrollTo(0, 0);
      await settled();
    });
    assert.equal(await page.getByLabel("field 3", { exact: true }).inputValue(), "typed");
  },
);

inPage(
  "a column that grows past the limit keeps the focus while it becomes a window",
  async (page) => {
    const seen = await page.evaluate(async () => {
      const field = (index) =>
        make(`r${index}`, "TextField", { label: `field ${index}`, value: "" });
      show(
        make(
          "root",
          "Column",
          {},
          Array.from({ length: 100 }, (_, index) => field(index)),
        ),
      );
      const input = at("r1").querySelector("input");
      input.focus();
      surface.emit({
        kind: "mount",
        key: "r100",
        parent: "root",
        before: null,
        instance: field(100),
      });
      await settled();
      return [
        document.activeElement === input,
        at("root").getAttribute("role"),
        document.querySelectorAll("input").length < 60,
      ];
    });
    assert.deepEqual(seen, [true, "list", true]);
  },
);

inPage("a long list in a tab that is not open finds its rows when it opens", async (page) => {
  const seen = await page.evaluate(async () => {
    const rows = (name) =>
      Array.from({ length: 1000 }, (_, index) =>
        make(`${name}${index}`, "Text", { text: `${name} ${index}` }),
      );
    show(
      make("root", "Tabs", { tabs: [{ title: "One" }, { title: "Two" }] }, [
        make("a", "List", {}, rows("a"), { slot: "tabs.child" }),
        make("b", "List", {}, rows("b"), { slot: "tabs.child" }),
      ]),
    );
    await settled();
    document.querySelectorAll("[role=tab]")[1].click();
    await settled();
    await settled();
    const bottom = Math.max(
      ...[...at("b").querySelectorAll("[role=listitem]")].map(
        (one) => one.getBoundingClientRect().bottom,
      ),
    );
    return [bottom > innerHeight, at("b").getBoundingClientRect().height > 20_000];
  });
  assert.deepEqual(seen, [true, true]);
});

inPage("a list scrolls in a box of its own and in a shadow tree", async (page) => {
  const seen = await page.evaluate(async () => {
    const element = document.createElement("byname-surface");
    element.style.cssText = "display:block;height:300px;overflow:auto";
    element.surface = scripted(
      make(
        "root",
        "List",
        {},
        Array.from({ length: 2000 }, (_, index) =>
          make(`r${index}`, "Text", { text: `row ${index}` }),
        ),
      ),
    );
    document.body.append(element);
    await settled();
    element.scrollTop = 20_000;
    await settled();
    const box = element.getBoundingClientRect();
    const text = element.shadowRoot.elementFromPoint(box.left + 50, box.top + 150).textContent;
    return [
      /^row \d{3}/.test(text),
      element.shadowRoot.querySelectorAll("[role=listitem]").length < 120,
      document.adoptedStyleSheets.length,
    ];
  });
  assert.deepEqual(seen, [true, true, 0]);
});

inPage("a row of fields breaks no word, and stretches no button", async (page) => {
  await page.evaluate(() => {
    document.querySelector("#host").style.width = "330px";
    const words = make("words", "Text", { text: "Delete" }, [], { slot: "child" });
    show(
      make("root", "Row", {}, [
        make("done", "CheckBox", { label: "Milk", value: true }),
        make("much", "TextField", { label: "Amount", value: "two litres" }),
        make("gone", "Button", {}, [words]),
      ]),
    );
  });
  const seen = await page.evaluate(() => {
    const box = (place) => document.querySelector(place).getBoundingClientRect();
    const [label, gone, field, root] = [
      "[data-key=done] .bn-label",
      "[data-key=gone]",
      "[data-key=much] input",
      "[data-key=root]",
    ].map(box);
    return {
      lines: Math.round(label.height / 22),
      beside: [gone.top - field.top, gone.height - field.height].map(Math.round),
      out: gone.right > root.right + 0.5,
    };
  });
  assert.deepEqual(seen, { lines: 1, beside: [0, 0], out: false });
});

inPage("buttons of a row go to the next line before they stick out or break", async (page) => {
  await page.evaluate(() => {
    document.querySelector("#host").style.width = "360px";
    const named = (id, words) =>
      make(id, "Button", {}, [make(`${id}-words`, "Text", { text: words }, [], { slot: "child" })]);
    const row = (id, parts) => make(id, "Row", {}, parts);
    show(
      make("root", "Column", {}, [
        make("card", "Card", {}, [
          row("plain", [
            make("name", "Text", { text: "Harrison Schmitt" }),
            make("time", "Text", { text: "22.1 hours outside" }),
            named("one", "Crewmates"),
            named("two", "Remove it"),
          ]),
        ]),
        row("inner", [
          make("long", "Text", { text: "Descartes Highlands, and further on" }),
          row("asks", [named("three", "Crewmates")]),
          named("four", "Sources"),
        ]),
        row("still", [
          make("icon", "Icon", { name: "star" }),
          make("words", "Text", { text: "word ".repeat(40) }),
        ]),
      ]),
    );
  });
  const seen = await page.evaluate(() => {
    const box = (key) => at(key).getBoundingClientRect();
    return {
      out: ["name", "time", "one", "two"].filter(
        (key) => box(key).right > box("plain").right + 0.5,
      ),
      // One line each: a word that breaks takes two.
      heights: ["one", "two", "three", "four"].map((key) => box(`${key}-words`).height < 30),
      beside: box("words").left > box("icon").right,
    };
  });
  assert.deepEqual(seen, { out: [], heights: [true, true, true, true], beside: true });
});

inPage(
  "tabs answer to arrow keys; the dialog opens, closes and gives the focus back",
  async (page) => {
    await page.evaluate(() => {
      show(
        make("root", "Column", {}, [
          make("tabs", "Tabs", { tabs: [{ title: "One" }, { title: "Two" }] }, [
            make("t1", "Text", { text: "first" }, [], { slot: "tabs.child" }),
            make("t2", "Text", { text: "second" }, [], { slot: "tabs.child" }),
          ]),
          make("modal", "Modal", {}, [
            make("open", "Text", { text: "Details" }, [], { slot: "trigger" }),
            make("content", "Text", { text: "inside" }, [], { slot: "content" }),
          ]),
        ]),
      );
    });
    await page.getByRole("tab", { name: "One" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("second").waitFor();
    assert.ok(
      await page
        .getByRole("tab", { name: "Two", selected: true })
        .evaluate((one) => one === document.activeElement),
    );
    const trigger = page.getByRole("button", { name: "Details" });
    await trigger.press("Enter");
    await page.getByText("inside").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("inside").waitFor({ state: "hidden" });
    assert.ok(await trigger.evaluate((one) => one === document.activeElement));
  },
);

inPage("inputs send what was chosen, and only that", async (page) => {
  await page.evaluate(() => {
    show(
      make("root", "Column", {}, [
        make("check", "CheckBox", { label: "Agree", value: false }),
        make("pick", "ChoicePicker", {
          label: "Plan",
          options: [
            { label: "A", value: "a" },
            { label: "B", value: "b" },
          ],
          value: ["a"],
          displayStyle: "chips",
        }),
        make("many", "ChoicePicker", {
          label: "Tags",
          variant: "multipleSelection",
          options: [
            { label: "X", value: "x" },
            { label: "Y", value: "y" },
          ],
          value: ["x"],
        }),
        make("date", "DateTimeInput", {
          label: "When",
          enableDate: true,
          enableTime: true,
          value: "2026-11-21T10:00:00Z",
        }),
        make("slide", "Slider", { label: "Level", min: 0, max: 10, value: 3 }),
        make("go", "Button", { action: { event: { name: "go" } } }, [
          make("word", "Text", { text: "Go" }),
        ]),
      ]),
    );
  });
  await page.getByLabel("Agree").click();
  await page.getByLabel("B", { exact: true }).click({ force: true });
  await page.getByLabel("Y", { exact: true }).click();
  await page.getByLabel("When").fill("2026-12-01T08:30");
  await page.getByLabel("Level").press("ArrowRight");
  await page.getByRole("button", { name: "Go" }).click();
  assert.deepEqual(await page.evaluate(() => surface.calls), [
    ["input", "check", "value", true],
    ["input", "pick", "value", ["b"]],
    ["input", "many", "value", ["x", "y"]],
    ["input", "date", "value", "2026-12-01T08:30:00Z"],
    ["input", "slide", "value", 3.1],
    ["trigger", "go", "action"],
  ]);
});

inPage("a check that fails says so at its field once the user was there", async (page) => {
  await page.evaluate(() => {
    const condition = {
      call: "email",
      args: { value: { binding: { node: "form", key: "email" } } },
    };
    show(
      make("root", "TextField", {
        label: "Email",
        value: "",
        checks: [{ condition, message: "not an address" }],
      }),
    );
  });
  await page.getByLabel("Email").fill("jane");
  assert.equal(await page.getByText("not an address").count(), 0);
  await page.getByLabel("Email").blur();
  await page.getByText("not an address").waitFor();
  assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), "true");
  await page.getByLabel("Email").fill("jane@example.org");
  await page
    .getByText("not an address")
    .waitFor({ state: "detached" })
    .catch(() => {});
  assert.equal(await page.getByLabel("Email").getAttribute("aria-invalid"), null);
});

inPage(
  "a message that appears on leaving a field does not take the click away from a button",
  async (page) => {
    await page.evaluate(() => {
      const condition = { call: "required", args: { value: "" } };
      show(
        make("root", "Column", {}, [
          make("name", "TextField", {
            label: "Name",
            value: "",
            checks: [{ condition, message: "a name is needed" }],
          }),
          make("go", "Button", { action: { event: { name: "go" } } }, [
            make("word", "Text", { text: "Go" }),
          ]),
        ]),
      );
    });
    await page.getByLabel("Name").focus();
    const box = await page.getByRole("button", { name: "Go" }).boundingBox();
    await page.mouse.move(box.x + 5, box.y + 2);
    await page.mouse.down();
    await page.evaluate(() => settled());
    await page.mouse.up();
    await page.getByText("a name is needed").waitFor();
    assert.deepEqual(await page.evaluate(() => surface.calls), [["trigger", "go", "action"]]);
  },
);

inPage("a surface that is still coming says that it is busy, once", async (page) => {
  const seen = await page.evaluate(() => {
    show(make("root", "Column", {}, [make("a", "")]));
    const host = document.querySelector(".bn-surface");
    const busy = [
      host.getAttribute("aria-busy"),
      document.querySelector("[role=status]").textContent,
    ];
    surface.emit(
      { kind: "unmount", key: "a" },
      {
        kind: "mount",
        key: "a",
        parent: "root",
        before: null,
        instance: make("a", "Text", { text: "there" }),
      },
    );
    return [...busy, host.hasAttribute("aria-busy"), host.textContent];
  });
  assert.deepEqual(seen, ["true", "Loading", false, "there"]);
});

inPage("unmounting leaves nothing behind", async (page) => {
  const left = await page.evaluate(() => {
    show(
      make(
        "root",
        "List",
        {},
        Array.from({ length: 500 }, (_, index) => make(`r${index}`, "Text", { text: "x" })),
      ),
    );
    stop();
    surface.emit({ kind: "set", key: "r0", prop: "text", value: "y" });
    return [document.querySelector("#host").childNodes.length, document.adoptedStyleSheets.length];
  });
  assert.deepEqual(left, [0, 0]);
});

inPage("a component of one's own that throws is a box, and nothing else is lost", async (page) => {
  const seen = await page.evaluate(async () => {
    const told = [];
    addEventListener("error", (event) => {
      // A page that hears of it says itself whether that is enough.
      event.preventDefault();
      told.push(event.error.message);
    });
    const fail = (what) => {
      throw new Error(`no ${what}`);
    };
    const own = (hooks) => (_node, context) => {
      const element = document.createElement("section");
      const insert = (child) => {
        element.append(context.show(child));
        hooks.inserted?.();
      };
      return {
        element,
        set: (_prop, value) => value === "bad" && fail("set"),
        children: { fill: () => hooks.fill?.(), insert, move: insert, remove: () => {} },
        dispose: () => hooks.dispose?.(),
      };
    };
    const components = {
      Never: () => fail("mount"),
      Sets: own({}),
      Fills: own({ fill: () => fail("fill") }),
      Takes: own({ inserted: () => fail("insert") }),
      Ends: own({ dispose: () => fail("dispose") }),
    };
    const text = (key) => make(key, "Text", { text: key });
    show(
      make("root", "Column", {}, [
        make("never", "Never", {}, [text("a")]),
        make("sets", "Sets", { value: "good", weight: 2 }),
        make("fills", "Fills", {}, [text("b")]),
        make("takes", "Takes"),
        make("ends", "Ends"),
        text("last"),
      ]),
      { components },
    );
    const words = () =>
      [...document.querySelectorAll("#host .bn-unknown")].map((box) => [
        box.dataset.key,
        box.innerText.trim(),
      ]);
    const before = { words: words(), last: at("last").textContent, told: told.splice(0) };
    const place = [...at("root").children].indexOf(at("sets"));
    surface.emit(
      { kind: "set", key: "sets", prop: "value", value: "bad" },
      { kind: "mount", parent: "takes", before: null, instance: text("c") },
      { kind: "mount", parent: "sets", before: null, instance: text("d") },
      { kind: "unmount", key: "ends" },
      { kind: "set", key: "last", prop: "text", value: "changed" },
    );
    const after = {
      words: words(),
      last: at("last").textContent,
      told: told.splice(0),
      stays: [...at("root").children].indexOf(at("sets")) === place,
      weight: at("sets").style.flexGrow,
      ends: at("ends"),
      name: document.getElementById(at("sets").getAttribute("aria-labelledby")).textContent,
    };
    surface.emit({ kind: "set", key: "d", prop: "text", value: "e" });
    stop();
    return { before, after, left: document.querySelector("#host").childElementCount, told };
  });
  assert.deepEqual(seen.before, {
    words: [
      ["never", "Never did not draw\na"],
      ["fills", "Fills did not draw\nb"],
    ],
    last: "last",
    told: ["no mount", "no fill"],
  });
  assert.deepEqual(seen.after, {
    words: [
      ["never", "Never did not draw\na"],
      ["sets", "Sets did not draw\nd"],
      ["fills", "Fills did not draw\nb"],
      ["takes", "Takes did not draw\nc"],
    ],
    last: "changed",
    told: ["no set", "no insert", "no dispose"],
    stays: true,
    weight: "2",
    ends: null,
    name: "Sets did not draw",
  });
  assert.deepEqual([seen.left, seen.told], [0, []]);
});

inPage("a surface stands in the window of another document", async (page) => {
  const seen = await page.evaluate(async () => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const other = frame.contentDocument;
    const host = other.body.appendChild(other.createElement("div"));
    const rows = ["a", "b"].map((name) => make(name, "TextField", { label: name, value: name }));
    const surface = scripted(make("root", "List", {}, rows));
    const stop = mount(surface, host);
    const found = {
      sheets: other.adoptedStyleSheets.length,
      styles: host.querySelectorAll("style").length,
      own: document.adoptedStyleSheets.length,
    };
    const field = host.querySelector("[data-key=b] input");
    delete frame.contentWindow.Element.prototype.moveBefore;
    field.focus();
    field.setSelectionRange(0, 1);
    surface.emit({ kind: "move", key: "b", before: "a" });
    found.focus = other.activeElement === field;
    found.caret = [field.selectionStart, field.selectionEnd].join();
    stop();
    return { ...found, left: host.childElementCount, sheetsLeft: other.adoptedStyleSheets.length };
  });
  assert.deepEqual(seen, {
    sheets: 1,
    styles: 0,
    own: 0,
    focus: true,
    caret: "0,1",
    left: 0,
    sheetsLeft: 0,
  });
});

inPage("without what measures a layout every row is shown", async (page) => {
  const seen = await page.evaluate(() => {
    delete window.ResizeObserver;
    const rows = Array.from({ length: 150 }, (_, at) => make(`r${at}`, "Text", { text: `${at}` }));
    show(make("root", "List", {}, rows));
    return document.querySelectorAll("#host [role=listitem]").length;
  });
  assert.equal(seen, 150);
});

inPage("a surface that cannot be read leaves nothing behind", async (page) => {
  const seen = await page.evaluate(() => {
    const broken = {
      ...scripted(null),
      tree: () => {
        throw new Error("disposed");
      },
    };
    try {
      mount(broken, document.querySelector("#host"));
    } catch (error) {
      return [error.message, document.querySelector("#host").childElementCount];
    }
    return null;
  });
  assert.deepEqual(seen, ["disposed", 0]);
});
