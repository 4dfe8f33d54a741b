// Expressions in the texts of `formatString` that agents write.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";

await init();

/** Returns what a text shows, and the codes and messages of its diagnostics. */
function show(value, model) {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const text = { call: "formatString", args: { value } };
  const found = [
    { createSurface: { surfaceId: "s", catalogId: "basic" } },
    { updateDataModel: { surfaceId: "s", path: "/", value: model } },
    { updateComponents: { surfaceId: "s", components: [{ id: "root", component: "Text", text }] } },
  ].flatMap((message) => target.receive(message).diagnostics);
  const html = renderToString(surface, { style: false, locale: "en-US" });
  return { shown: html.replace(/<[^>]*>/g, ""), found };
}

test("a nested formatString reads the paths of its text", () => {
  const plural =
    "${pluralize(value: /n, one: 'one item', other: formatString(value: '${/n} items'))}";
  assert.deepEqual(show(plural, { n: 3 }), { shown: "3 items", found: [] });
  const deep = "${formatString(value: 'a ${formatString(value: \\'b ${/n}\\')}')}";
  assert.deepEqual(show(deep, { n: 3 }), { shown: "a b 3", found: [] });
});

test("numbers have signs and exponents", () => {
  assert.deepEqual(show("${formatNumber(value: -5)} ${1.5e3} ${-1e-1}", {}), {
    shown: "-5 1500 -0.1",
    found: [],
  });
});

const faults = [
  [
    "${uppercase(value: /n)}",
    "HAM031",
    /^unknown function `uppercase`/,
    /use one of the functions/,
  ],
  ["${formatCurrency(value: /n)}", "CAT002", /^missing property `currency`/, /add `currency`/],
  ["${formatNumber(value: /n, digits: 1)}", "CAT001", /^unknown property `digits`/, /`decimals`/],
  ["${formatNumber(value: uppercase(value: /n))}", "HAM031", /`uppercase`/, /use one/],
  ["a ${/n * 2}", "CAT010", /^invalid expression `\${\/n \* 2}` at 2 in /, /calculate/],
  ["${/items[0]}", "CAT010", /^invalid expression/, /^write `\$\{\/items\/0\}`$/],
  ["${$.n}", "CAT010", /^invalid expression/, /^write `\$\{\/n\}`$/],
  ["${/n ?? 'x'}", "CAT010", /^invalid expression/, /calculate/],
  ["${/a b}", "CAT010", /^invalid expression/, /write a path/],
  ["${formatDate(/n, 'MMM d')}", "CAT010", /^invalid expression/, /^name the arguments/],
  ["a ${/n", "CAT010", /^invalid expression `\${\/n` at 2 /, /^end the expression with `}`/],
];
for (const [value, code, message, help] of faults) {
  test(`reports the fault in ${value}`, () => {
    const { found } = show(value, { n: 3 });
    assert.deepEqual(
      found.map((one) => [one.code, one.location.pointer]),
      [[code, "/updateComponents/components/0/text/args/value"]],
    );
    assert.match(found[0].message, message);
    assert.match(found[0].help, help);
  });
}

test("an escaped expression and a text without one are not reported", () => {
  assert.deepEqual(show("\\${/n * 2} $5 {x} ${}", {}).found, []);
});
