// Lists with a window of rows in the document: visible rows keep their positions, and used rows stay.
import assert from "node:assert/strict";
import { testInPage } from "./dom-page.mjs";

testInPage(
  "10,000 rows mount fast, with few rows in the document, each at its position",
  async (page) => {
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
  },
);

testInPage(
  "the focused row stays while the list scrolls, and keys continue from it",
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
    // The input of an unbound field is restored with its row.
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

testInPage(
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

testInPage("a column and a list look the same with few rows and with many", async (page) => {
  const seen = await page.evaluate(async () => {
    const kinds = {
      text: (key) => make(key, "Text", { text: "some words" }),
      button: (key) => make(key, "Button", {}, [make(`${key}w`, "Text", { text: "Go" })]),
      field: (key) => make(key, "TextField", { label: "Name", value: "" }),
    };
    const looks = [];
    for (const component of ["Column", "List"]) {
      for (const align of [undefined, "start", "center", "end", "stretch"]) {
        for (const [kind, made] of Object.entries(kinds)) {
          const of = async (count) => {
            const rows = Array.from({ length: count }, (_, at) => made(`r${at}`));
            show(make("root", component, align ? { align } : {}, rows));
            await settled();
            const [a, b] = ["r0", "r1"].map((key) => at(key).getBoundingClientRect());
            stop();
            return [a.left, a.width, a.height, b.top - a.top].map(Math.round).join();
          };
          looks.push([component, align, kind, await of(100), await of(101)]);
        }
      }
    }
    return looks;
  });
  for (const [component, align, kind, few, many] of seen)
    assert.equal(many, few, `${component} ${align} ${kind}`);
  assert.equal(new Set(seen.map((one) => one[3])).size > 5, true);
});

/** Changes of a list that must not move the visible rows. */
const unseen = {
  "a row comes at the front": () => mountRow("new", "r0"),
  "many rows come at the front": () => {
    for (let at = 0; at < 100; at += 1) mountRow(`new${at}`, "r0");
  },
  "a row far above goes": () => surface.emit({ kind: "unmount", key: "r3" }),
  "a row right above goes": () => surface.emit({ kind: "unmount", key: keyAbove(2) }),
  "a row right above grows": () => grow(keyAbove(2)),
  "a row right above grows and another one comes, in one message": () => {
    surface.emit(
      { kind: "set", key: keyAbove(2), prop: "text", value: "long ".repeat(300) },
      row("new", "r0"),
    );
  },
  "what is above the list grows": () => {
    document.querySelector("#head").style.height = "900px";
  },
  "rows come at the front one by one, frame by frame": async () => {
    for (let at = 0; at < 40; at += 1) {
      mountRow(`new${at}`, "r0");
      await settled();
    }
  },
  "all rows below turn around": () => {
    for (let at = 0; at < 300; at += 1)
      surface.emit({ kind: "move", key: `r${1999 - at}`, before: `r${1200 + at}` });
  },
};

for (const scale of [1, 0.5]) {
  testInPage(`visible rows keep their position, scaled by ${scale}`, async (page) => {
    const moved = await page.evaluate(
      async ([changes, scale]) => {
        window.row = (key, before, text = "new") => {
          const instance = make(key, "Text", { text });
          return { kind: "mount", instance, key, parent: "root", before };
        };
        window.mountRow = (key, before) => surface.emit(row(key, before));
        window.grow = (key) =>
          surface.emit({ kind: "set", key, prop: "text", value: "long ".repeat(300) });
        const host = document.querySelector("#host");
        const texts = (index) => `row ${index} ${"word ".repeat((index * 7919) % 150)}`;
        const rows = Array.from({ length: 2000 }, (_, at) =>
          make(`r${at}`, "Text", { text: texts(at) }),
        );
        const moved = {};
        // Elements with `overflow: hidden` can be scrolled by scripts, but not by the user.
        for (const place of ["in the page", "in a box", "in a body that scrolls", "cut off"]) {
          const boxed = place === "in a box";
          const inBody = place === "in a body that scrolls";
          document.documentElement.style.overflow = inBody ? "hidden" : "";
          document.body.style.cssText = inBody ? "height:100vh;overflow:auto" : "";
          for (const [name, change] of Object.entries(changes)) {
            const around = document.createElement("div");
            around.innerHTML = `<div id="head" style="height:300px"></div>`;
            host.before(around);
            around.append(host);
            host.style.transform = scale === 1 ? "" : `scale(${scale})`;
            host.style.transformOrigin = "0 0";
            if (boxed) around.style.cssText = "height:500px;overflow:auto";
            const page = inBody ? document.body : document.scrollingElement;
            const scroller = boxed ? around : page;
            const edge = () => (boxed ? around.getBoundingClientRect().top : 0);
            show(make("root", "List", {}, rows));
            await settled();
            if (place === "cut off") {
              around.style.cssText = `overflow:hidden;height:${around.offsetHeight - 5}px`;
            }
            scroller.scrollTop = (scroller.scrollHeight * scale) / 2;
            for (let frame = 0; frame < 3; frame += 1) await settled();
            const items = () =>
              [...document.querySelectorAll(".bn-item")].map((one) =>
                one.querySelector("[data-key]"),
              );
            const first = () =>
              items().findIndex((one) => one.getBoundingClientRect().top >= edge());
            window.keyAbove = (by) => items()[first() - by].dataset.key;
            const read = items()[first() + 1];
            const top = () => read.getBoundingClientRect().top;
            const before = top();
            // biome-ignore lint/security/noGlobalEval: the change is part of the test.
            await eval(`(${change})()`);
            for (let frame = 0; frame < 3; frame += 1) await settled();
            moved[`${name}, ${place}`] =
              read.isConnected && before > 0 ? Math.round(top() - before) : "gone";
            stop();
            around.replaceWith(host);
          }
        }
        return moved;
      },
      [
        Object.fromEntries(Object.entries(unseen).map(([name, change]) => [name, `${change}`])),
        scale,
      ],
    );
    for (const [name, pixels] of Object.entries(moved))
      assert.ok(Math.abs(pixels) <= 1, `${name}: ${pixels}`);
    assert.equal(Object.keys(moved).length, 4 * Object.keys(unseen).length);
  });
}

testInPage("two long lists in one page both keep their positions", async (page) => {
  const moved = await page.evaluate(async () => {
    document.documentElement.style.scrollBehavior = "smooth";
    const list = (name) => {
      const rows = Array.from({ length: 1000 }, (_, at) =>
        make(`${name}${at}`, "Text", { text: "row" }),
      );
      return make(name, "List", { weight: 1 }, rows);
    };
    show(make("root", "Row", {}, [list("a"), list("b")]));
    await settled();
    window.scrollTo({ top: 9000, behavior: "instant" });
    for (let frame = 0; frame < 3; frame += 1) await settled();
    const read = [...document.querySelectorAll(".bn-item")].filter(
      (one) => one.getBoundingClientRect().top > 100,
    );
    const tops = () => read.map((one) => one.getBoundingClientRect().top);
    const before = tops();
    const comes = (name) => ({
      kind: "mount",
      parent: name,
      before: `${name}0`,
      instance: make(`${name}new`, "Text", { text: "new" }),
    });
    surface.emit(comes("a"), comes("b"));
    for (let frame = 0; frame < 3; frame += 1) await settled();
    return Math.max(...tops().map((top, at) => Math.abs(top - before[at])));
  });
  assert.ok(moved <= 1, `${moved}`);
});

testInPage("a long list in a closed tab renders its rows when the tab opens", async (page) => {
  const seen = await page.evaluate(async () => {
    const rows = (name) =>
      Array.from({ length: 1000 }, (_, index) =>
        make(`${name}${index}`, "Text", { text: `${name} ${index}` }),
      );
    show(
      make(
        "root",
        "Tabs",
        {
          tabs: [
            { title: "One", child: "a" },
            { title: "Two", child: "b" },
          ],
        },
        [
          make("a", "List", {}, rows("a"), { slot: "tabs.child" }),
          make("b", "List", {}, rows("b"), { slot: "tabs.child" }),
        ],
      ),
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

testInPage("a list scrolls in a box of its own and in a shadow tree", async (page) => {
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

// A document without layout may have an observer without sizes, or no observer.
for (const missing of ["ResizeObserver", "visualViewport"])
  testInPage(`a document without layout shows every row (no ${missing})`, async (page) => {
    const seen = await page.evaluate((missing) => {
      delete window[missing];
      const rows = Array.from({ length: 150 }, (_, at) =>
        make(`r${at}`, "Text", { text: `${at}` }),
      );
      show(make("root", "List", {}, rows));
      return document.querySelectorAll("#host [role=listitem]").length;
    }, missing);
    assert.equal(seen, 150);
  });
