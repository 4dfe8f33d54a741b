// Rows that are elements of custom components, without list items: `context.children`.
import assert from "node:assert/strict";
import { testInPage } from "./dom-page.mjs";

/** Defines a table and its rows in the page; `limit` is the third argument of `context.children`. */
function defineTable(limit) {
  window.components = {
    Table: (node, context) => {
      const element = document.createElement("table");
      const body = element.appendChild(document.createElement("tbody"));
      const above = limit ? context.windowAbove : undefined;
      return { element, set() {}, children: context.children(node, body, above) };
    },
    TableRow: () => {
      const element = document.createElement("tr");
      const cell = element.appendChild(document.createElement("td"));
      cell.style.height = "20px";
      return { element, set: (_, value) => (cell.textContent = value) };
    },
  };
  window.row = (at) => make(`r${at}`, "TableRow", { text: `row ${at}` });
  window.rows = (count) => Array.from({ length: count }, (_, at) => row(at));
  window.texts = () => [...document.querySelectorAll("td")].map((cell) => cell.textContent);
}

testInPage("rows are children of the container, also after each change", async (page) => {
  await page.evaluate(defineTable, false);
  const seen = await page.evaluate(() => {
    show(make("root", "Table", {}, rows(150)), { components });
    surface.emit(
      {
        kind: "mount",
        key: "new",
        parent: "root",
        before: "r1",
        instance: make("new", "TableRow", { text: "new" }),
      },
      { kind: "move", key: "r149", before: "r0" },
      { kind: "unmount", key: "r2" },
    );
    const parents = new Set(
      [...document.querySelectorAll("tr")].map((one) => one.parentNode.localName),
    );
    return { texts: texts().slice(0, 5), count: texts().length, parents: [...parents] };
  });
  assert.deepEqual(seen, {
    texts: ["row 149", "row 0", "new", "row 1", "row 3"],
    count: 150,
    parents: ["tbody"],
  });
});

testInPage(
  "a long table renders the rows near the viewport, with rows as spacers",
  async (page) => {
    await page.evaluate(defineTable, true);
    const seen = await page.evaluate(async () => {
      show(make("root", "Table", {}, rows(1000)), { components });
      await settled();
      const begin = { first: texts()[0], isPart: texts().length < 200 };
      const height = Math.round(document.querySelector("table").offsetHeight / 1000);
      document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight;
      await settled();
      await settled();
      const body = document.querySelector("tbody");
      const tags = new Set([...body.children].map((one) => one.localName));
      const spacer = body.querySelector(".bn-spacer").getBoundingClientRect().height > 10_000;
      const last = body.lastElementChild;
      const end = {
        last: last.textContent,
        at: last.getAttribute("aria-posinset"),
        isPart: texts().length < 200,
      };
      return {
        begin,
        height: height >= 20,
        end,
        tags: [...tags],
        spacer,
        role: body.getAttribute("role"),
      };
    });
    assert.deepEqual(seen, {
      begin: { first: "row 0", isPart: true },
      height: true,
      end: { last: "row 999", at: "1000", isPart: true },
      tags: ["tr"],
      spacer: true,
      role: null,
    });
  },
);

testInPage("with `windowAbove: Infinity` the same table renders all rows", async (page) => {
  await page.evaluate(defineTable, true);
  const count = await page.evaluate(() => {
    show(make("root", "Table", {}, rows(1000)), {
      components,
      windowAbove: Number.POSITIVE_INFINITY,
    });
    return texts().length;
  });
  assert.equal(count, 1000);
});

testInPage("a list that becomes empty keeps the other elements of its container", async (page) => {
  const seen = await page.evaluate(async () => {
    const disposed = [];
    const components = {
      Table: (node, context) => {
        const element = document.createElement("div");
        element.append("head");
        return { element, set() {}, children: context.children(node, element) };
      },
      TableRow: (node) => {
        const element = document.createElement("p");
        return { element, set() {}, dispose: () => disposed.push(node.key) };
      },
    };
    const row = (key) => make(key, "TableRow");
    const children = ["root/a", "root/b", "root/c"].map(row);
    show(make("root", "Table", {}, children), { components });
    surface.emit(
      { kind: "unmount", key: "root/a" },
      { kind: "unmount", key: "root/b" },
      { kind: "unmount", key: "root/c" },
    );
    const empty = at("root").innerHTML;
    surface.emit({
      kind: "mount",
      key: "root/d",
      parent: "root",
      before: null,
      instance: row("root/d"),
    });
    return { disposed, empty, rows: at("root").querySelectorAll("p").length };
  });
  assert.deepEqual(seen, { disposed: ["root/a", "root/b", "root/c"], empty: "head", rows: 1 });
});

for (const [name, windowAbove] of [
  ["all rows", Number.POSITIVE_INFINITY],
  ["rows near the viewport", 5],
]) {
  testInPage(`a list with ${name} is cleared and filled again`, async (page) => {
    const seen = await page.evaluate(async (windowAbove) => {
      const text = (at) => make(`root/text:${at}`, "Text", { text: `row ${at}` });
      const children = Array.from({ length: 20 }, (_, at) => text(at));
      show(make("root", "List", {}, children), { windowAbove });
      await settled();
      surface.emit(...children.map(({ key }) => ({ kind: "unmount", key })));
      await settled();
      const left = document.querySelectorAll(".bn-item, .bn-text").length;
      const instance = text(99);
      surface.emit({ kind: "mount", key: instance.key, parent: "root", before: null, instance });
      await settled();
      return [left, document.querySelector("#host").innerText.trim()];
    }, windowAbove);
    assert.deepEqual(seen, [0, "row 99"]);
  });
}
