// The small markdown of the text component, as a tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlain, parseMarkdown } from "../../pkg/dom/base/markdown.js";
import { Random } from "../random/random.mjs";

/** A tree as a short line, so that a case reads at a glance. */
const inline = (one) =>
  one.kind === "text"
    ? one.text
    : one.kind === "code"
      ? `<code ${one.text}>`
      : one.kind === "link"
        ? `<a ${one.url}|${one.children.map(inline).join("")}>`
        : `<${one.kind} ${one.children.map(inline).join("")}>`;
const block = (one) =>
  one.kind === "code"
    ? `pre(${one.text})`
    : one.kind === "list"
      ? `${one.ordered ? `ol${one.start}` : "ul"}${">".repeat(one.level)}(${one.items.map((item) => item.map(inline).join("")).join("; ")})`
      : `${one.kind === "heading" ? `h${one.level}` : "p"}(${one.children.map(inline).join("")})`;

const cases = [
  ["plain", "p(plain)"],
  ["## Title", "h2(Title)"],
  ["#no", "p(#no)"],
  ["# a # b \t##", "h1(a # b)"],
  ["# a# ", "h1(a#)"],
  ["# C#", "h1(C)"],
  ["# a\n\ntext", "h1(a) p(text)"],
  ["**b** and *i* and _i_", "p(<strong b> and <em i> and <em i>)"],
  ["***", "p(***)"],
  ["**open", "p(**open)"],
  ["2 * 3 * 4", "p(2 * 3 * 4)"],
  ["snake_case_name", "p(snake_case_name)"],
  ["**a *b* c**", "p(<strong a <em b> c>)"],
  ["`a*b*`", "p(<code a*b*>)"],
  ["\\*a\\*", "p(*a*)"],
  ["[x](https://a.b/c)", "p(<a https://a.b/c|x>)"],
  ["[x](javascript:alert(1))", "p(<a javascript:alert(1)|x>)"],
  ["[x](https://a.b/c_(d)_(e)), y)", "p(<a https://a.b/c_(d)_(e)|x>, y))"],
  ["[x](https://a.b/c(d) and more", "p(<a https://a.b/c(d|x> and more)"],
  ['[x](<https://a.b/c d>) [y](u (t)) [z](v\n"t")', "p(<a https://a.b/c d|x> <a u|y> <a v|z>)"],
  ["[x](https://a.b/c \"A title\") [y](u 't')", "p(<a https://a.b/c|x> <a u|y>)"],
  ["***both*** ___too___ *** ****", "p(<strong <em both>> <strong <em too>> *** ****)"],
  ["***a** b* ***a* b**", "p(<em <strong a> b> <strong <em a> b>)"],
  ["**x *y*** *x **y*** **x y***", "p(<strong x <em y>> <em x <strong y>> <strong x y>*)"],
  ["*** a** b* ***a b ** ***x", "p(*** a** b* ***a b ** ***x)"],
  ["1. a\n   - b\n\t- c\n2. d", "ol1(a) ul>(b; c) ol2(d)"],
  [
    "- a\n  - b\n    - c\n    - d\n  - e\n- f\n\n  - g",
    "ul(a) ul>(b) ul>>(c; d) ul>(e) ul(f) ul>(g)",
  ],
  ["- a\n\tb", "ul(a\nb)"],
  ["- a\n  **b\n  c**\n  - d\n\n  e", "ul(a\n<strong b\nc>) ul>(d) p(  e)"],
  ["  - a\n- b\n\ntext\n    - c", "ul(a) ul(b) p(text) ul(c)"],
  ["[x]", "p([x])"],
  ["- a\n- **b**", "ul(a; <strong b>)"],
  ["3. a\n4. b", "ol3(a; b)"],
  ["- a\n\n- b", "ul(a) ul(b)"],
  ["```\n*x*\n```\nafter", "pre(*x*) p(after)"],
  ["```\nopen", "pre(open)"],
  ["<b>x</b>", "p(<b>x</b>)"],
  ["", ""],
];

for (const [text, expected] of cases) {
  test(JSON.stringify(text), () => {
    assert.equal(parseMarkdown(text).blocks.map(block).join(" "), expected);
  });
}

test("a text that streams in has the blocks that it has as a whole, and keeps all but the last two", () => {
  const all = cases.map(([text]) => text).join("\n");
  const texts = [
    all,
    all.replaceAll("\n", "\n\n"),
    all.replaceAll("\n", "\r\n"),
    "- a\n-\n- b\n1\n1. x\n2. y",
  ];
  for (const text of texts) {
    let parsed;
    for (let end = 1; end <= text.length; end++) {
      const before = parsed;
      parsed = parseMarkdown(text.slice(0, end), before);
      assert.deepEqual(parsed, parseMarkdown(text.slice(0, end)));
      const kept = (before?.blocks ?? []).slice(0, -2);
      assert.ok(kept.every((one, at) => one === parsed.blocks[at]));
    }
    assert.ok(parsed.blocks.length > 2);
    for (let end = text.length - 1; end > 0; end--) {
      parsed = parseMarkdown(text.slice(0, end), parsed);
      assert.deepEqual(parsed, parseMarkdown(text.slice(0, end)));
    }
    parsed = parseMarkdown(text);
    // Another beginning leaves nothing.
    const other = text.replace("plain", "other").replace("- a", "- c");
    assert.deepEqual(parseMarkdown(other, parsed), parseMarkdown(other));
  }
});

test("random texts have the same blocks in pieces as whole, and a list keeps its items", () => {
  const parts = [
    "- a",
    "- ",
    "-",
    "* **b**",
    "1. x",
    "2) y",
    "words",
    "# h",
    "#",
    "```",
    "",
    " ",
    "\t",
    "\r",
  ];
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = new Random(seed);
    const lines = Array.from(
      { length: 12 },
      () => random.pick(parts) + random.pick(["", "", " c"]),
    );
    const text = lines.join("\n");
    let parsed;
    for (let end = 0; end < text.length; ) {
      end = Math.min(text.length, end + 1 + random.below(6));
      parsed = parseMarkdown(text.slice(0, end), parsed);
      assert.deepEqual(
        parsed,
        parseMarkdown(text.slice(0, end)),
        JSON.stringify([seed, text.slice(0, end)]),
      );
    }
  }
  const long = "- item *of* a list\n".repeat(100);
  const before = parseMarkdown(long);
  const [list] = parseMarkdown(`${long}- more`, before).blocks;
  assert.ok(before.blocks[0].items.slice(0, -1).every((item, at) => item === list.items[at]));
});

test("a block that another text has in its place may belong to the one before", () => {
  for (const [before, after] of [
    ["Intro\n# Title\nBody", "Intro\nTitle\nBody"],
    ["- a\n# h\n- b", "- a\n- c"],
    ["Intro\n# Title\n- a", "Intro\n#"],
  ]) {
    assert.deepEqual(parseMarkdown(after, parseMarkdown(before)), parseMarkdown(after));
  }
});

test("text without marks is known as such", () => {
  assert.ok(isPlain("Jane Doe, 12 - 3"));
  assert.ok(!isPlain("- item"));
  assert.ok(!isPlain("a *b*"));
});

for (const mark of ["*", "_", "[", "`", "**a ", "[a]("]) {
  test(`100,000 × ${mark} takes no time to speak of`, () => {
    const start = performance.now();
    parseMarkdown(mark.repeat(100_000));
    assert.ok(performance.now() - start < 2000);
  });
}

for (const end of ["\u2028x", "\rx", "x"]) {
  for (const mark of ["#", "-", "1."]) {
    test(`${mark} and 20,000 blanks before ${JSON.stringify(end)} take no time to speak of`, () => {
      const start = process.cpuUsage();
      const { blocks } = parseMarkdown(`${mark} a${" ".repeat(20_000)}${end}`);
      assert.equal(blocks.length, 1);
      parseMarkdown(`${mark} ${" ".repeat(20_000)}${end}`);
      // Each blank tried as the end of what stands before it took minutes.
      assert.ok(process.cpuUsage(start).user < 2_000_000);
    });
  }
}
