// Rows of components in little space: wrapping and line breaks.
import assert from "node:assert/strict";
import { testInPage } from "./dom-page.mjs";

testInPage("a row of fields breaks no word, and stretches no button", async (page) => {
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

testInPage("buttons of a row wrap to the next line before they overflow or break", async (page) => {
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
      // One line each; a broken word would have two.
      heights: ["one", "two", "three", "four"].map((key) => box(`${key}-words`).height < 30),
      beside: box("words").left > box("icon").right,
    };
  });
  assert.deepEqual(seen, { out: [], heights: [true, true, true, true], beside: true });
});

testInPage("a word that is too long for its row breaks, and nothing overflows", async (page) => {
  const url = "https://example.org/reports/2026/quarterly-results-of-the-northern-region.pdf";
  const long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen";
  await page.evaluate(
    ({ url, long }) => {
      document.querySelector("#host").style.width = "320px";
      const words = (id, text) => make(id, "Text", { text }, [], { slot: "child" });
      const options = [
        { label: long, value: "a" },
        { label: "short", value: "b" },
      ];
      const picker = (id, more) =>
        make(id, "ChoicePicker", { label: long, options, value: ["a"], ...more });
      show(
        make("root", "Column", {}, [
          make("row", "Row", {}, [
            make("url", "Text", { text: url }),
            make("open", "Button", {}, [words("word", "Open")]),
          ]),
          make("mixed", "Row", {}, [
            make("name", "Text", { text: "Quarterly results" }),
            make("link", "Text", { text: `see [the report](${url}) or **${long}**` }),
            make("done", "CheckBox", { label: "Milk", value: true }),
          ]),
          picker("choices", {}),
          picker("chips", { displayStyle: "chips", variant: "multipleSelection" }),
        ]),
      );
    },
    { url, long },
  );
  const seen = await page.evaluate(() => {
    const right = document.querySelector("#host").getBoundingClientRect().right;
    const out = [...document.querySelectorAll(".bn-surface *")].filter(
      (one) => one.getBoundingClientRect().right > right + 0.5,
    );
    const height = (place) => document.querySelector(place).getBoundingClientRect().height;
    return {
      out: out.map((one) => one.className),
      scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth,
      // Shorter texts stay in one line.
      lines: [height("[data-key=word]") < 30, height("[data-key=done] .bn-label") < 30],
    };
  });
  assert.deepEqual(seen, { out: [], scrolls: false, lines: [true, true] });
});
