// Values of the data that components and functions cannot show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { expressStream } from "byname/express";

await init();

const bound = (key) => ({ binding: { node: "data", key } });
const call = (name, args) => ({ call: name, args });
const DATE = { enableDate: true };

/** Returns the warnings about a component `root` whose data have these values. */
function warnings(component, data) {
  const surface = new Surface({ store: new HamStore(), catalog: basicCatalog });
  const components = [{ id: "root", ...component }];
  assert.deepEqual(
    surface.receive({ createSurface: { surfaceId: "s", components } }).diagnostics,
    [],
  );
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { data } } });
  return surface.diagnostics().map(({ code, message }) => `${code} ${message}`);
}

const text = (value) => ({ component: "Text", text: value });

const CASES = [
  [
    "a text in `formatNumber`",
    text(call("formatNumber", { value: bound("v") })),
    ["12 EUR", true, [1]],
    [12, "12.5", "", null],
    "expected a number in `value` of `formatNumber` in `text` of `root`, found",
  ],
  [
    "a text in `formatCurrency`, in a template",
    text(
      call("formatString", {
        value: `Price: \${p}`,
        values: { p: call("formatCurrency", { value: bound("v"), currency: "EUR" }) },
      }),
    ),
    ["about 5"],
    [5, ""],
    "expected a number in `value` of `formatCurrency` in `text` of `root`, found",
  ],
  [
    "a text in `pluralize`",
    text(call("pluralize", { value: bound("v"), one: "item", other: "items" })),
    ["many"],
    [3, "3"],
    "expected a number in `value` of `pluralize` in `text` of `root`, found",
  ],
  [
    "a text in `formatDate`",
    text(call("formatDate", { value: bound("v"), format: "MMM d" })),
    ["next Tuesday", "2026-02-30", "05/03/2026", "5.3.26 10:00"],
    ["2026-02-28", "Feb 3, 2026", 0, "", null],
    "expected a date in ISO 8601 in `value` of `formatDate` in `text` of `root`, found",
  ],
  [
    "a time as an instant",
    text(call("formatDate", { value: bound("v"), format: "ISO" })),
    ["09:30"],
    ["2026-02-28"],
    "expected a date in ISO 8601 in `value` of `formatDate` in `text` of `root`, found",
  ],
  [
    "another value than a boolean in `CheckBox`",
    { component: "CheckBox", label: "Agree", value: bound("v") },
    [1, "yes"],
    [true, "false", "", null],
    "expected true or false in `value` of `root`, found",
  ],
  [
    "a text in `Slider`",
    { component: "Slider", max: 10, value: bound("v") },
    ["high", true],
    [3, "3", ""],
    "expected a number in `value` of `root`, found",
  ],
  [
    "a number in `ChoicePicker`",
    { component: "ChoicePicker", options: [{ label: "A", value: "1" }], value: bound("v") },
    [1],
    ["1", null],
    "expected a list in `value` of `root`, found",
  ],
  [
    "a text in `DateTimeInput`",
    { component: "DateTimeInput", ...DATE, value: bound("v") },
    ["soon", "2:30 PM", "2026-02-31", "05/03/2026"],
    ["2026-03-31", "09:30", "Feb 3, 2026", ""],
    "expected a date or time in ISO 8601 in `value` of `root`, found",
  ],
];

for (const [name, component, unusable, usable, message] of CASES)
  test(`${name} is a warning`, () => {
    for (const value of unusable) {
      const found = `CAT017 ${message} \`${JSON.stringify(value)}\``;
      assert.deepEqual(warnings(component, { v: value }), [found]);
    }
    for (const value of usable) assert.deepEqual(warnings(component, { v: value }), []);
  });

test("a relative URL of the data is a warning", () => {
  const image = { component: "Image", url: bound("v") };
  assert.deepEqual(warnings(image, { v: "/a.png" }), [
    "CAT014 expected an absolute URL in `url` of `root`, found `/a.png`",
  ]);
  assert.deepEqual(warnings(image, { v: "https://example.org/a.png" }), []);
});

test("a literal that is not a date is a warning of its message", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const components = [{ id: "root", component: "DateTimeInput", ...DATE, value: "soon" }];
  const { diagnostics } = surface.receive({ createSurface: { surfaceId: "s", components } });
  const found = diagnostics.find(({ code }) => code === "CAT017");
  assert.equal(found?.help, "write it as `2026-03-31` or `09:30`");
});

test("rows of one component are reported once, and long values are truncated", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const children = { binding: { node: "list" }, template: "row" };
  const components = [
    { id: "root", component: "List", children },
    { id: "row", ...text(call("formatNumber", { value: { binding: { key: "n" } } })) },
  ];
  const list = Array.from({ length: 50 }, (_, at) => `*r${at}`);
  const rows = list.map((one) => [one.slice(1), { n: "x".repeat(1_000) }]);
  surface.receive({ createSurface: { surfaceId: "s", components } });
  const nodes = { list, ...Object.fromEntries(rows) };
  surface.receive({ updateDataModel: { surfaceId: "s", nodes } });
  const [one, ...others] = surface.diagnostics();
  assert.equal(one.code, "CAT017");
  assert.ok(one.message.length < 200);
  assert.deepEqual(others, []);
});

test("actions, checks and data that look like calls are not evaluated", () => {
  const argument = call("formatNumber", { value: bound("v") });
  const event = { name: "buy", context: { price: argument } };
  const checks = [{ condition: call("required", { value: argument }), message: "missing" }];
  const surface = new Surface({ catalog: basicCatalog });
  const components = [
    { id: "root", component: "Button", child: "label", action: { event }, checks },
    { id: "label", ...text(call("@index", {})) },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { data: { v: "x" } } } });
  assert.deepEqual(surface.diagnostics(), []);
});

test("data of A2UI and of Express are checked", () => {
  const price = (surfaceId) => [
    { version: "v0.9", createSurface: { surfaceId, catalogId: "basic" } },
    {
      version: "v0.9",
      updateComponents: {
        surfaceId,
        components: [
          {
            id: "root",
            component: "Text",
            text: { call: "formatNumber", args: { value: { path: "/price" } } },
          },
        ],
      },
    },
    { version: "v0.9", updateDataModel: { surfaceId, path: "/price", value: "12 EUR" } },
  ];
  const message =
    'CAT017 expected a number in `value` of `formatNumber` in `text` of `root`, found `"12 EUR"`';
  const texts = (list) => list.map((one) => `${one.code} ${one.message}`);
  const target = a2uiTarget(new Surface({ store: new HamStore(), catalog: basicCatalog }));
  for (const one of price("s")) target.receive(one);
  assert.deepEqual(texts(target.diagnostics()), [message]);

  const receiver = a2uiTarget(new Surface({ store: new HamStore(), catalog: basicCatalog }));
  const stream = expressStream(receiver, { catalog: basicCatalog });
  stream.push('<a2ui>\n$/price = "12 EUR"\nroot = Text(formatNumber($/price))\n</a2ui>');
  assert.deepEqual(texts(stream.end().diagnostics), [message]);
});

test("calls of functions of the page or the agent are not evaluated", () => {
  const catalog = basicCatalog.extend({ functions: { price: {}, stock: {} } });
  const price = call("price", {});
  const nested = [
    price,
    call("@remote", { "@call": "stock" }),
    call("formatString", { value: price }),
  ];
  const texts = [
    ...nested.flatMap((value) => [
      call("formatNumber", { value }),
      call("formatCurrency", { value, currency: "EUR" }),
      call("pluralize", { value, other: "items" }),
      call("formatDate", { value, format: "yyyy" }),
    ]),
    call("formatString", { value: "${formatNumber(value: ${price()})}" }),
    call("formatString", { value: "${formatDate(value: ${price()}, format: 'yyyy')}" }),
  ];
  const surface = new Surface({ catalog });
  const components = [
    { id: "root", component: "Column", children: [...texts.map((_, at) => `t${at}`), "data"] },
    ...texts.map((one, at) => ({ id: `t${at}`, ...text(one) })),
    { id: "data", ...text(call("formatNumber", { value: bound("v") })) },
  ];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { data: { v: price } } } });
  const messages = surface.diagnostics().filter(({ code }) => code === "CAT017");
  assert.deepEqual(
    messages.map(({ message }) => message),
    [
      'expected a number in `value` of `formatNumber` in `text` of `data`, found `{"call":"price","args":{}}`',
    ],
  );
});

test('`diagnostics: "off"` reports no values', () => {
  const surface = new Surface({ catalog: basicCatalog, diagnostics: "off" });
  const components = [{ id: "root", component: "Slider", max: 1, value: bound("v") }];
  surface.receive({ createSurface: { surfaceId: "s", components } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { data: { v: "x" } } } });
  assert.deepEqual(surface.diagnostics(), []);
});
