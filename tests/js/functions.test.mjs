// Functions of the basic catalog: they return the same as those of @a2ui/web_core.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { BASIC_FUNCTIONS } from "@a2ui/web_core/v0_9/basic_catalog";
import { toA2uiAction } from "../../pkg/a2ui.js";
import { basicCatalog } from "../../pkg/dom/catalog.js";
import { failedCheck } from "../../pkg/functions/checks.js";
import { evaluate } from "../../pkg/functions/evaluate.js";
import { parseTemplate, pathsOf } from "../../pkg/functions/template.js";

/** Returns the output of a script in a child process, which is killed at a timeout. */
function runInProcess(script, env = {}) {
  const code = `
    import { evaluate } from ${JSON.stringify(new URL("../../pkg/functions/evaluate.js", import.meta.url).href)};
    const printed = [];
    const print = (value) => printed.push(value);
    ${script}
    console.log(JSON.stringify(printed));
  `;
  const flags = ["--input-type=module", "-e", code];
  return JSON.parse(
    execFileSync(process.execPath, flags, { timeout: 60_000, env: { ...process.env, ...env } }),
  );
}

const peer = new Map(BASIC_FUNCTIONS.map((one) => [one.name, one]));
const referenceResult = (call, args) => {
  const { schema, execute } = peer.get(call);
  return execute(schema.parse(args), undefined, new AbortController().signal);
};
const actualResult = (call, args) => evaluate({ call, args });

const numbers = [0, 1, -1, 2, 2.345678, 1234567.891, -0.5, 1e21, "42", "1,5"];
const dates = ["2025-12-05T14:07:09.123Z", "2024-02-29", "2026-01-01T00:30:00Z", 1767225600000];
const formats = [
  "EEEE, MMM d 'at' h:mm a",
  "E, MMM d",
  "EEEE",
  "d",
  "yy yyyy y",
  "M MM MMM MMMM",
  "dd HH:mm:ss.SSS",
  "hh 'o''clock' a",
  "ISO",
  "",
];

/** Calls, each with its arguments. */
const cases = [
  ...numbers.flatMap((value) => [
    ["formatNumber", { value }],
    ["formatNumber", { value, decimals: 2, grouping: false }],
    ["formatNumber", { value, decimals: 0 }],
    ["formatCurrency", { value, currency: "USD" }],
    ["formatCurrency", { value, currency: "EUR", decimals: 0 }],
    ["formatCurrency", { value, currency: "no" }],
    ["formatCurrency", { value, currency: "no", decimals: 3 }],
  ]),
  ...[0, 1, 2, 5].flatMap((value) => [["pluralize", { value, one: "item", other: "items" }]]),
  ...dates.flatMap((value) => formats.map((format) => ["formatDate", { value, format }])),
  ["formatDate", { value: "nonsense", format: "d" }],
  ["formatDate", { value: "", format: "d" }],
  ...["a", "", "a@b.ch", "a@b", "12"].flatMap((value) => [
    ["required", { value }],
    ["length", { value, min: 1, max: 3 }],
  ]),
  ...["12", "abc"].map((value) => ["regex", { value, pattern: "^\\d+$" }]),
  ...["a@b.ch", "ann"].map((value) => ["email", { value }]),
  ...[1, 5, 10].map((value) => ["numeric", { value, min: 2, max: 9 }]),
  ...[
    [true, true],
    [true, false],
    [false, false],
    [true, null],
    [false, null],
    [null, null],
    [true, "", 0],
    ["false", 1],
  ].flatMap((values) => [
    ["and", { values }],
    ["or", { values }],
  ]),
  ...[true, false, null, "", 0, "no"].map((value) => ["not", { value }]),
];

for (const [call, args] of cases) {
  // Neither accepts `1,5` as a number; the peer rejects calls with it.
  const rejected = Number.isNaN(Number(args.value)) && /^format(Number|Currency)$/.test(call);
  test(`${call}(${JSON.stringify(args)})`, (context) => {
    // The peer prints a page for each value that it cannot format.
    const warned = context.mock.method(console, "warn", () => {});
    assert.equal(actualResult(call, args), rejected ? "" : referenceResult(call, args));
    const unknown = (args.currency === "no" && !rejected) || args.format === "";
    assert.equal(warned.mock.callCount(), unknown ? 1 : 0);
  });
}

test("evaluates templates: texts, values, nested calls, and invalid syntax", () => {
  const values = { "/user/name": "Ann", n: 3, list: [1], "/now": "2025-12-05T12:00:00Z" };
  const filled = (value) =>
    evaluate({ call: "formatString", args: { value, values } }, { locale: "en" });
  assert.equal(filled("Hello ${/user/name}, ${ n }!"), "Hello Ann, 3!");
  assert.equal(filled("\\${n} ${missing}${list}"), "${n} [1]");
  assert.equal(filled("${formatNumber(value: ${n}, decimals: 2)}"), "3.00");
  assert.equal(
    filled(
      "${pluralize(value: n, one: 'a row', other: \"rows\")} ${formatDate(value: ${/now}, format: 'MMM')}",
    ),
    "rows Dec",
  );
  for (const invalid of ["${", "${n", "${f(}", "${f(a 1)}", "${'open}", "${n n}", "$n"]) {
    assert.equal(filled(invalid), invalid);
  }
  assert.equal(filled(`\${${"f(a:".repeat(100)}1${")".repeat(100)}}`).slice(0, 6), "${f(a:");
  assert.deepEqual(
    pathsOf("${/a} ${f(x: ${b}, y: c)}").map(({ path }) => path),
    ["/a", "b", "c"],
  );
  assert.deepEqual(parseTemplate("${1.5}${true}"), [{ literal: 1.5 }, { literal: true }]);
});

test("a template has a maximum length", { timeout: 30_000 }, () => {
  const args = { value: "${a}".repeat(100_000), values: { a: "x".repeat(100_000) } };
  assert.equal(evaluate({ call: "formatString", args }).length, 1_000_000);
  // Invalid syntax is not parsed again and again.
  for (const part of ["${", "${'", "${f(a:", "${a ", "\\"]) {
    const value = part.repeat(150_000);
    assert.equal(evaluate({ call: "formatString", args: { value } }).length, value.length, part);
  }
});

test("nested templates share one budget", () => {
  // A value is not a template, or each level would call the next one twice: 2 ** 40 calls.
  assert.deepEqual(
    runInProcess(`
      const template = "\${formatString(value: t, values: v)}".repeat(2);
      let values = { t: "" };
      for (let level = 0; level < 40; level += 1) values = { t: template, v: values };
      print(evaluate({ call: "formatString", args: { value: template, values } }));
      // Short calls that each read a long value.
      const value = "\${required(value: v)}".repeat(10_000);
      print(evaluate({ call: "formatString", args: { value, values: { v: " ".repeat(900_000) } } }));
      // The budget counts per value, not in total.
      print(evaluate({ call: "capitalize", args: { value: "ann" } }));
    `),
    ["${formatString(value: t, values: v)}".repeat(4), "falsefalse", "Ann"],
  );
});

test("checks an email in linear time", () => {
  const email = (value) => actualResult("email", { value });
  for (const good of ["a@b.ch", "A.b+c@d-e.f.org", ""]) assert.equal(email(good), true, good);
  for (const bad of ["a@b", "a@b.c", "@b.ch", "a@b.", "a@b@c.de", "a b@c.de", "a@b. ch"]) {
    assert.equal(email(bad), false, bad);
  }
  const long = 'print(evaluate({ call: "email", args: { value: `a@${".".repeat(2_000_000)}@` } }))';
  assert.deepEqual(runInProcess(long), [false]);
});

test("a day does not depend on the time zone", () => {
  const script = `
    const call = (value, format) => print(evaluate({ call: "formatDate", args: { value, format } }));
    call("2026-11-27", "EEEE, MMM d, H:mm");
    call("2026-11-27", "ISO");
    call("2026-11-27T10:00:00Z", "d H:mm");
  `;
  const complete = "2026-11-27T00:00:00.000Z";
  for (const [TZ, moment] of [
    ["America/New_York", "27 5:00"],
    ["UTC", "27 10:00"],
    ["Pacific/Auckland", "27 23:00"],
  ])
    assert.deepEqual(runInProcess(script, { TZ }), ["Friday, Nov 27, 0:00", complete, moment]);
});

test("limits the length of a date pattern", () => {
  const format = "EM".repeat(1_000_000);
  assert.equal(actualResult("formatDate", { value: dates[0], format }), "");
});

test("caches formats, up to a limit", (context) => {
  const constructorMock = context.mock.method(Intl, "NumberFormat");
  const format = (currency) => actualResult("formatCurrency", { value: 1, currency });
  const first = format("XAA");
  assert.equal(format("xAa"), first);
  assert.equal(constructorMock.mock.callCount(), 1);
  const letters = [..."BCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const a of letters) for (const b of letters) format(`X${a}${b}`);
  const before = constructorMock.mock.callCount();
  assert.equal(format("XAA"), first);
  assert.equal(constructorMock.mock.callCount(), before + 1);
});

test("uses the language of numbers, dates and plurals", () => {
  const call = (name, args, locale) => evaluate({ call: name, args }, { locale });
  assert.equal(call("formatNumber", { value: 1234.5 }, "de"), "1.234,5");
  assert.equal(
    call("formatDate", { value: "2025-12-05T12:00:00", format: "EEEE, d MMMM" }, "fr"),
    "vendredi, 5 décembre",
  );
  assert.equal(
    call("pluralize", { value: 2, one: "jeden", few: "dwa", other: "wiele" }, "pl"),
    "dwa",
  );
  const exact = { zero: "none", two: "a pair", other: "some" };
  const counted = [0, 1, 2, 3].map((value) => call("pluralize", { ...exact, value }, "en"));
  assert.deepEqual(counted, ["none", "some", "a pair", "some"]);
});

test("operands of conditions count by their truth, validation results by `valid`", () => {
  const call = (name, args) => evaluate({ call: name, args });
  assert.equal(call("and", { values: [1, "text"] }), true);
  assert.equal(call("and", { values: [1, ""] }), false);
  assert.equal(call("or", { values: [{ valid: false }, { valid: true }] }), true);
  assert.equal(call("not", { value: "text" }), false);
  assert.equal(call("and", { values: [true] }), null, "fewer than two operands");
  assert.equal(call("required", { value: {} }), true);
});

test("a bound condition counts by its truth, and one that cannot be evaluated passes", () => {
  const words = { invalid: "invalid", malformed: "malformed" };
  const isValid = (condition) =>
    failedCheck(new Map([["checks", [{ condition }]]]), undefined, { words }) === null;
  // As in `@a2ui/web_core`, which reads the value of a binding by `!!value`.
  for (const value of [true, false, null, "", "text", "false", 0, 1])
    assert.equal(isValid(value), Boolean(value), JSON.stringify(value));
  const unknown = { call: "unknown" };
  for (const [condition, expected] of [
    [unknown, true],
    [undefined, true],
    [{ call: "and", args: { values: [unknown, true] } }, true],
    [{ call: "and", args: { values: [unknown, null] } }, false],
    [{ call: "and", args: { values: [true, null] } }, false],
    [{ call: "or", args: { values: [false, null] } }, false],
    [{ call: "or", args: { values: [unknown, null] } }, true],
    [{ call: "not", args: { value: null } }, true],
    [{ call: "not", args: { value: unknown } }, true],
  ])
    assert.equal(isValid(condition), expected, JSON.stringify(condition));
});

test("reads an object with an unknown `call` as data", () => {
  const card = { name: "Ann", call: "+41 44 555", at: { call: "home", event: "party" } };
  assert.equal(evaluate(card), card);
  const total = { call: "formatNumber", args: { value: 2, decimals: 1 } };
  assert.deepEqual(evaluate({ ...card, total }, { locale: "en" }), { ...card, total: "2.0" });
  const unknown = { call: "eval", args: { value: "1" } };
  assert.equal(evaluate(unknown), unknown);
  // A text cannot contain data.
  assert.equal(evaluate({ call: "formatString", args: { value: "a${eval(value: 1)}b" } }), "ab");
  let deep = 1;
  for (let n = 0; n < 500; n += 1) deep = [deep];
  assert.equal(evaluate(deep), deep);
});

test("calls each function of the basic catalog except those of actions", () => {
  for (const [call, { returns }] of Object.entries(basicCatalog.functions)) {
    const input = { call, args: { value: "" } };
    assert.equal(evaluate(input) === input, returns === "void", call);
  }
});

test("the context of an action is not a call, whatever its names", () => {
  const total = { call: "formatNumber", args: { value: 2, decimals: 1 } };
  const sent = (context) => toA2uiAction({ name: "n", context }, { locale: "en" }).action.context;
  const named = { call: "length", event: {}, args: { value: "x" } };
  assert.deepEqual(sent({ ...named, total }), { ...named, total: "2.0" });
});

test("evaluates calls anywhere, and runs no actions", () => {
  const call = { call: "formatNumber", args: { value: 2, decimals: 1 } };
  assert.deepEqual(evaluate([{ title: call, child: "a" }], { locale: "en" }), [
    { title: "2.0", child: "a" },
  ]);
  const action = { functionCall: { call: "openUrl", args: { url: "https://a.ch" } } };
  assert.equal(evaluate(action), action);
  const plain = { a: [1, { b: "c" }] };
  assert.equal(evaluate(plain), plain);
  let deep = 1;
  for (let n = 0; n < 500; n += 1) deep = { call: "not", args: { value: deep } };
  assert.equal(evaluate(deep), null);
});

test("the functions need nothing of the renderer", () => {
  const called = new Set();
  const visit = (file) => {
    if (called.has(file.href)) return;
    called.add(file.href);
    const imports = readFileSync(file, "utf8").matchAll(/from "(\.[^"]+)"/g);
    for (const [, path] of imports) visit(new URL(path, file));
  };
  visit(new URL("../../pkg/a2ui.js", import.meta.url));
  assert.ok([...called].some((name) => name.endsWith("/functions/conditions.js")));
  assert.deepEqual(
    [...called].filter((name) => name.includes("/dom/")),
    [],
  );
});

test("the length of a list is the number of its items", () => {
  for (const [value, bounds] of [
    [["a"], { min: 1 }],
    [["a", "b"], { max: 1 }],
    [[], { min: 1 }],
  ])
    assert.equal(
      actualResult("length", { value, ...bounds }),
      referenceResult("length", { value, ...bounds }),
    );
});

test("formats standalone months, and fractions of a second", () => {
  const date = (format, value = "2026-08-02T10:00:00.123") =>
    evaluate({ call: "formatDate", args: { value, format } }, { locale: "ru" });
  assert.equal(date("LLLL yyyy"), "август 2026");
  assert.match(date("d MMMM"), /августа$/);
  assert.equal(date("SSSSSS"), "123000");
});

test("formats times alone, and keeps the month as written in every time zone", () => {
  const script = `
    const date = (value, format) => print(evaluate({ call: "formatDate", args: { value, format } }, { locale: "en" }));
    date("15:30", "h:mm a");
    date("05:07:09", "HH:mm:ss");
    date("2026-05", "MMM yyyy");
    date("2026-05-01", "MMM d");
    date("15:30", "ISO");
  `;
  for (const TZ of ["America/New_York", "UTC", "Asia/Tokyo"])
    assert.deepEqual(runInProcess(script, { TZ }), [
      "3:30 PM",
      "05:07:09",
      "May 2026",
      "May 1",
      "",
    ]);
});

test("formats an unknown currency with the requested decimals", () => {
  const worth = (decimals) =>
    evaluate(
      { call: "formatCurrency", args: { value: 1.23456, currency: "?", decimals } },
      { locale: "en" },
    );
  assert.deepEqual([undefined, 0, 3, -1, 1000].map(worth), ["1.23", "1", "1.235", "1.23", "1.23"]);
});
