// Guarantees of the renderer: patches keep focus, caret, scroll offset, open state and media,
// and text of a model is only text.
import assert from "node:assert/strict";
import { basicCatalog } from "byname/dom";
import { testInPage } from "./dom-page.mjs";

for (const native of [true, false]) {
  const how = native ? "with moveBefore" : "without moveBefore";
  testInPage(`a moved row keeps focus, caret, scroll, tab and dialog, ${how}`, async (page) => {
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
          make(
            `${name}-tabs`,
            "Tabs",
            {
              tabs: [
                { title: "One", child: "a" },
                { title: "Two", child: "b" },
              ],
            },
            [
              make(`${name}-1`, "Text", { text: "first" }, [], { slot: "tabs.child" }),
              make(`${name}-2`, "Text", { text: "second" }, [], { slot: "tabs.child" }),
            ],
          ),
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

testInPage("a text that grows keeps its elements and the selection", async (page) => {
  const seen = await page.evaluate(() => {
    const text = [
      "# A *title*",
      "",
      "Some **words** and `code`, [a link](https://a.example/) and [none](javascript:void).",
      "- one",
      "- *two*",
      "3. three",
      "",
      "```",
      "<b>x</b>",
      "```",
      "The **end**, which goes on and on.",
    ].join("\n");
    const of = (value) => {
      show(make("root", "Text", { text: value }));
      const { innerHTML } = at("root");
      stop();
      return innerHTML;
    };
    const wrong = [];
    const wanted = Array.from({ length: text.length + 1 }, (_, end) => of(text.slice(0, end)));
    show(make("root", "Text", { text: "" }));
    const say = (end) => {
      surface.emit({ kind: "set", key: "root", prop: "text", value: text.slice(0, end) });
      if (at("root").innerHTML !== wanted[end]) wrong.push([end, at("root").innerHTML]);
    };
    let title;
    const observer = new MutationObserver(() => {});
    for (let end = 1; end <= text.length; end++) {
      if (end === text.length - 10) {
        title = at("root").querySelector("h1");
        getSelection().selectAllChildren(title);
        const last = at("root").lastElementChild.lastChild;
        getSelection().extend(last, 3);
        observer.observe(at("root"), { childList: true, subtree: true });
      }
      say(end);
    }
    const changed = observer.takeRecords().length;
    const selected = String(getSelection()).replace(/\s+/g, " ");
    const same = title === at("root").querySelector("h1");
    stop();
    show(make("root", "Text", { text: "Some" }));
    const [first] = at("root").childNodes;
    const grow = (value) => surface.emit({ kind: "set", key: "root", prop: "text", value });
    for (const value of ["Some wo", "Some *wo", "Some *words* and"]) grow(value);
    const stayed = first === at("root").firstChild && at("root").innerHTML;
    // The first text again, and other words at the start.
    for (const end of [300, 100, text.length, 40, 0, text.length]) say(Math.min(end, text.length));
    // As page translators do.
    at("root").querySelector("p").firstChild.replaceWith(document.createElement("font"));
    at("root").lastElementChild.remove();
    say(text.length - 1);
    return { wrong, same, selected, changed, stayed };
  });
  assert.deepEqual(seen.wrong, []);
  assert.ok(seen.same);
  assert.match(seen.selected, /^A title .*The end, w$/);
  assert.equal(seen.changed, 0);
  assert.equal(seen.stayed, "Some <em>words</em> and");
});

testInPage("a set changes only that property of that element", async (page) => {
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

testInPage("a model's text is text, and its URLs are harmless", async (page) => {
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
        make("f", "constructor", { __proto__: null }, [make("g", "Text", { text: "child" })]),
      ]),
    );
    return {
      pictures: at("a").querySelectorAll("img").length,
      markup: at("a").textContent.startsWith("<img src=x onerror=alert(1)> "),
      links: [...at("a").querySelectorAll("a")].map((one) => `${one.href} ${one.rel}`),
      image: at("b").hasAttribute("src"),
      video: at("c").hasAttribute("src"),
      icon: at("d").querySelector("svg"),
      call: at("e").textContent,
      unknown: at("f").querySelector(".bn-unknown-name").textContent,
      child: at("f").contains(at("g")) && at("g").textContent,
    };
  });
  assert.deepEqual(seen, {
    pictures: 0,
    markup: true,
    links: ["https://example.org/ noopener noreferrer"],
    image: false,
    video: false,
    icon: null,
    call: "",
    unknown: "Unknown component constructor",
    child: "child",
  });
});

testInPage("no property sets an event handler", async (page) => {
  const names = Object.keys(basicCatalog.components);
  const seen = await page.evaluate((names) => {
    window.ran = 0;
    const code = "window.ran += 1";
    const handlers = ["onclick", "onClick", "onload", "onerror", "onfocus", "oninput", "ontoggle"];
    const other = {
      srcdoc: "<b>x</b>",
      innerHTML: "<b>x</b>",
      style: { onclick: code },
      is: "x-y",
    };
    const texts = { label: code, text: "x", value: "x", url: "https://invalid.invalid/x.png" };
    const props = {
      ...Object.fromEntries(handlers.map((name) => [name, code])),
      ...{ ...other, ...texts },
      attributes: { onclick: code },
      accessibility: { label: "x", onclick: code },
    };
    const all = [...names, "Unknown", "script", "iframe", "constructor"];
    show(
      make(
        "root",
        "Column",
        props,
        all.map((name, at) => make(`k${at}`, name, props)),
      ),
    );
    const events = ["click", "load", "error", "focus", "input", "toggle"];
    for (const [at] of all.entries())
      for (const name of ["onclick", "onerror", "srcdoc"])
        surface.emit({ kind: "set", key: `k${at}`, prop: name, value: `${code};` });
    const elements = [...document.querySelectorAll("#host, #host *")];
    const found = elements.flatMap((element) => [
      ...element.getAttributeNames().filter((name) => /^on|^(?:srcdoc|is)$/i.test(name)),
      ...handlers.filter((name) => typeof element[name] === "function" || element[name] === code),
    ]);
    for (const element of elements)
      for (const type of events) element.dispatchEvent(new Event(type));
    const tags = document.querySelectorAll("#host :is(script, iframe, object, embed, b)");
    return {
      shown: all.filter((_, index) => at(`k${index}`)).length,
      found,
      ran,
      tags: tags.length,
    };
  }, names);
  assert.deepEqual(seen, { shown: names.length + 4, found: [], ran: 0, tags: 0 });
});

testInPage("an incomplete surface is reported as busy once", async (page) => {
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

testInPage("unmounting removes everything", async (page) => {
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

testInPage("a custom component that throws is a box, and the rest stays", async (page) => {
  const seen = await page.evaluate(async () => {
    const reported = [];
    addEventListener("error", (event) => {
      // A listener of the page can mark the error as handled.
      event.preventDefault();
      reported.push(event.error.message);
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
    const before = { words: words(), last: at("last").textContent, reported: reported.splice(0) };
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
      reported: reported.splice(0),
      stays: [...at("root").children].indexOf(at("sets")) === place,
      weight: at("sets").style.flexGrow,
      ends: at("ends"),
      name: document.getElementById(at("sets").getAttribute("aria-labelledby")).textContent,
    };
    surface.emit({ kind: "set", key: "d", prop: "text", value: "e" });
    stop();
    return { before, after, left: document.querySelector("#host").childElementCount, reported };
  });
  assert.deepEqual(seen.before, {
    words: [
      ["never", "Never failed to render\na"],
      ["fills", "Fills failed to render\nb"],
    ],
    last: "last",
    reported: ["no mount", "no fill"],
  });
  assert.deepEqual(seen.after, {
    words: [
      ["never", "Never failed to render\na"],
      ["sets", "Sets failed to render\nd"],
      ["fills", "Fills failed to render\nb"],
      ["takes", "Takes failed to render\nc"],
    ],
    last: "changed",
    reported: ["no set", "no insert", "no dispose"],
    stays: true,
    weight: "2",
    ends: null,
    name: "Sets failed to render",
  });
  assert.deepEqual([seen.left, seen.reported], [0, []]);
});

testInPage("a surface renders in the window of another document", async (page) => {
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

testInPage("a surface that cannot be read leaves no elements", async (page) => {
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

testInPage("a surface with an invalid tree leaves no elements", async (page) => {
  const seen = await page.evaluate(() => {
    const host = document.querySelector("#host");
    let ended = 0;
    const broken = { ...scripted(5), subscribe: () => () => (ended += 1) };
    for (const surface of [broken, { ...broken, subscribe: () => null.nothing }]) {
      try {
        mount(surface, host);
        return "it was mounted";
      } catch (error) {
        if (!(error instanceof TypeError)) return String(error);
      }
    }
    return [ended, host.childElementCount, document.adoptedStyleSheets.length];
  });
  assert.deepEqual(seen, [1, 0, 0]);
});

testInPage("an element shows a valid surface after an invalid one", async (page) => {
  const seen = await page.evaluate(() => {
    const surface = scripted(make("root", "Text", { text: "here" }));
    const element = document.createElement("byname-surface");
    element.options = { word: {} };
    document.body.append(element);
    let code;
    try {
      element.surface = surface;
    } catch (error) {
      code = error.code;
    }
    element.options = {};
    element.surface = surface;
    return [code, element.shadowRoot.querySelector(".bn-text")?.textContent];
  });
  assert.deepEqual(seen, ["argument", "here"]);
});
