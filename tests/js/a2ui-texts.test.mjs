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

test("an index is that of the item, plus an offset, also in other calls", () => {
  const template = "no ${@index(offset: 1)}: ${n}, ${@index()}";
  const nested =
    "${pluralize(value: ${@index(offset: 1)}, one: 'first', other: formatString(value: 'no ${@index(offset: 1)}'))}";
  for (const version of ["v0.9", "v1.0"]) {
    for (const [value, expected] of [
      [template, "no 1: x, 0no 2: y, 1"],
      [nested, "firstno 2"],
    ]) {
      const surface = new Surface({ catalog: basicCatalog });
      const target = a2uiTarget(surface);
      const components = [
        { id: "root", component: "Column", children: { path: "/l", componentId: "row" } },
        { id: "row", component: "Text", text: { call: "formatString", args: { value } } },
      ];
      const found = [
        { createSurface: { surfaceId: "s", catalogId: "basic" } },
        { updateComponents: { surfaceId: "s", components } },
        { updateDataModel: { surfaceId: "s", path: "/l", value: [{ n: "x" }, { n: "y" }] } },
      ].flatMap((message) => target.receive({ version, ...message }).diagnostics);
      const html = renderToString(surface, { style: false });
      assert.deepEqual([html.replace(/<[^>]*>/g, ""), found], [expected, []]);
    }
  }
  const { found } = show("${@index(offset: 1)}", {});
  assert.deepEqual(
    found.map(({ code }) => code),
    ["A2UI022"],
  );
});

test("a placeholder that no call fills in is reported, also in contexts and arguments", () => {
  const text = (call, args) => ({ component: "Text", text: { call, args } });
  const required = { call: "required", args: { value: "${/n}" } };
  const all = [
    [{ event: { name: "go", context: { id: "${/n}" } } }, "/action/event/context/id"],
    [{ event: { name: "go", context: { q: { x: ["{{n}}"] } } } }, "/action/event/context/q/x/0"],
    [
      { functionCall: { call: "openUrl", args: { url: "https://e.org/${/n}" } } },
      "/action/functionCall/args/url",
    ],
  ]
    .map(([action, at]) => [{ component: "Button", child: "label", action }, at])
    .concat([
      [text("pluralize", { value: 1, one: "${/c} item", other: "items" }), "/text/args/one"],
      [text("formatCurrency", { value: 1, currency: "${/c}" }), "/text/args/currency"],
      [text("formatDate", { value: "${/day}", format: "yyyy" }), "/text/args/value"],
      [
        { component: "TextField", checks: [{ condition: required, message: "m" }] },
        "/checks/0/condition/args/value",
      ],
    ]);
  for (const [component, at] of all) {
    const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
    target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
    const components = [{ label: "l", ...component, id: "root" }].concat({
      id: "label",
      component: "Text",
      text: "x",
    });
    if (component.component !== "TextField") delete components[0].label;
    const { diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
    const found = diagnostics.filter(({ code }) => code === "CAT010");
    assert.deepEqual(
      found.map(({ location }) => location.pointer),
      [`/updateComponents/components/0${at}`],
    );
    assert.match(found[0].help, /^write \{"call": "formatString", "args": \{"value": "… \$\{\//);
  }
});

test("texts that a call fills in, and patterns, are not reported", () => {
  const regex = { call: "regex", args: { value: { path: "/n" }, pattern: "^{{2}}$|\\${a}" } };
  const context = { text: { call: "formatString", args: { value: "${/n}" } } };
  const components = [
    { id: "root", component: "Column", children: ["field", "go"] },
    { id: "field", component: "TextField", label: "l", value: { path: "/n" } },
    { id: "go", component: "Button", child: "label", action: { event: { name: "go", context } } },
    { id: "label", component: "Text", text: "x" },
  ];
  components[1].checks = [{ condition: regex, message: "m" }];
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  const { diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
  assert.deepEqual(
    diagnostics.filter(({ code }) => code === "CAT010"),
    [],
  );
});

test("a pattern that is written between slashes is reported", () => {
  const check = (pattern) => {
    const regex = { call: "regex", args: { value: { path: "/n" }, pattern } };
    const checks = [{ condition: regex, message: "m" }];
    const field = { id: "root", component: "TextField", label: "l", value: { path: "/n" }, checks };
    const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
    target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
    return target.receive({ updateComponents: { surfaceId: "s", components: [field] } })
      .diagnostics;
  };
  const helps = check("/^\\d+$/i").map(({ code, help }) => [code, help]);
  assert.deepEqual(helps, [["A2UI026", "write `^\\d+$`, with `[Aa]` for both cases of a letter"]]);
  for (const pattern of ["^\\d+$", "/etc/", "^/a/$", "/^a|b/", "/costs \\$/"])
    assert.deepEqual(check(pattern), []);
});
