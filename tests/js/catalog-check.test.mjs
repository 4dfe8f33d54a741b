// Diagnostics of `checkMessages`: none for valid messages; a code, a location and a fix for each
// message that the schema rejects.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { init, Surface } from "byname";
import { checkMessages, defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";
import { broken, brokenNodes, catalogs, component, examples, shop, takes } from "../catalogs.mjs";
import { expectWellFormed } from "../compare.mjs";

await init();

const minimal = basicCatalog.extend({
  functions: { capitalize: { args: { value: "string" }, returns: "string" } },
});
const ofA2ui = exampleFiles().flatMap(hamMessages);
/** Valid messages, each with its catalog. */
const right = [
  ...Object.values(catalogs).flatMap((catalog) =>
    examples(catalog.prompt()).map((message) => ({ catalog, message })),
  ),
  ...ofA2ui.map((message) => ({ catalog: minimal, message })),
];

test("reports nothing for the examples of the prompts and of A2UI", () => {
  assert.ok(right.length > 270, `${right.length}`);
  for (const { catalog, message } of right) {
    assert.deepEqual(checkMessages(catalog, message), [], JSON.stringify(message));
  }
  assert.deepEqual(checkMessages(minimal, ofA2ui), []);
  assert.deepEqual(checkMessages(minimal, { messages: ofA2ui }, { list: true }), []);
  const lines = ofA2ui.map((message) => JSON.stringify(message)).join("\n");
  for (const text of [
    lines,
    `Here:\n\`\`\`json\n${lines}\n\`\`\``,
    `[${lines.replaceAll("\n", ",")}]`,
  ]) {
    assert.deepEqual(checkMessages(minimal, text), []);
    assert.deepEqual(checkMessages(minimal, new TextEncoder().encode(text)), []);
  }
});

for (const [name, message] of Object.entries({ ...broken, ...brokenNodes })) {
  test(`reports: ${name}`, () => {
    const diagnostics = checkMessages(basicCatalog, message);
    assert.notDeepEqual(diagnostics, []);
    for (const { help, location } of diagnostics) {
      assert.ok(help, JSON.stringify(diagnostics));
      assert.equal(location.kind, "pointer");
    }
  });
}

const cases = new URL("../cases/catalog/", import.meta.url);
for (const file of readdirSync(cases)) {
  const url = new URL(file, cases);
  const { catalog: definition, cases: list } = JSON.parse(readFileSync(url, "utf8"));
  const catalog = defineCatalog(definition);
  if (process.env.BLESS) {
    for (const one of list) one.diagnostics = checkMessages(catalog, one.messages);
    writeFileSync(url, `${JSON.stringify({ catalog: definition, cases: list }, null, 2)}\n`);
  }
  for (const { name, messages, diagnostics } of list) {
    test(`${file}: ${name}`, () => {
      const reports = checkMessages(catalog, messages);
      assert.deepEqual(reports, diagnostics);
      expectWellFormed(reports, name);
      assert.equal(reports.length > 0, !name.startsWith("right:"));
    });
  }
}

test("a surface reports the same warnings about values on receiving", () => {
  const url = new URL("texts.json", cases);
  const { catalog: definition, cases: list } = JSON.parse(readFileSync(url, "utf8"));
  const catalog = defineCatalog(definition);
  const found = new Set();
  for (const { name, messages, diagnostics } of list) {
    if (typeof messages === "string") continue;
    for (const option of ["on", "off"]) {
      const surface = new Surface({ catalog, diagnostics: option });
      surface.receive({ createSurface: { surfaceId: "s" } });
      const received = surface.receive(messages).diagnostics;
      const expected = option === "off" ? [] : diagnostics;
      assert.deepEqual(
        received.filter(({ code }) => code.startsWith("CAT")),
        expected.map((one) => ({ ...one, severity: "warning" })),
        name,
      );
      for (const { code } of received) found.add(code);
    }
  }
  for (const code of ["CAT003", "CAT012", "CAT013", "CAT014"]) assert.ok(found.has(code), code);
});

test("the basic catalog reports relative URLs of images, videos and audio", () => {
  const urls = { url: "media/a", posterUrl: "media/b" };
  for (const [name, props] of [
    ["Image", ["url"]],
    ["Video", ["url", "posterUrl"]],
    ["AudioPlayer", ["url"]],
  ]) {
    const values = Object.fromEntries(props.map((prop) => [prop, urls[prop]]));
    const found = checkMessages(basicCatalog, component({ id: "a", component: name, ...values }));
    assert.deepEqual(
      found.map(({ code, location }) => `${code} ${location.pointer.split("/").at(-1)}`),
      props.map((prop) => `CAT014 ${prop}`),
    );
  }
});

test("a key is found twice in texts with escapes, lists and any spaces", () => {
  const twice = (text) =>
    checkMessages(shop, `{"updateDataModel": {"nodes": ${text}}}`).map(({ code, location }) =>
      code === "JSON012" ? location.end - location.start : code,
    );
  assert.deepEqual(twice('{"a": [{"b": 1}, {"b": 2}], "b": {"a": "\\"a\\": {"}}'), []);
  assert.deepEqual(twice('{"a": {"b": [], "c\\\\": 1, "c\\u005c"\n\t: 2}}'), [9]);
  assert.deepEqual(twice('{"a": {"__proto__": 1, "x": "__proto__", "__proto__": 2}}'), [11]);
  const many = Array.from({ length: 300 }, () => '"a": 1').join();
  assert.equal(twice(`{"b": {${many}}}`).length, 101);
});

/** Replacement values: every type, and what models often write. */
const STRANGE = [
  ...[null, true, 0, -1, 2.5, "", "h1", "a/b", "*a", "!", [], ["a"], [{ id: "a" }], {}],
  ...[{ path: "/a" }, { binding: "a" }, { binding: { key: "a" } }, { binding: { key: "a/b" } }],
  ...[
    { node: "a", key: "b" },
    { key: "b" },
    { binding: { node: "*a" } },
    { binding: { index: 0 } },
  ],
  ...[{ call: "shout" }, { call: "shout", args: { text: 1 } }, { call: "@index" }, { call: 1 }],
  ...[{ event: { name: "go" } }, { event: {} }, { event: { name: "go", context: [] } }],
  ...[{ id: "a", component: "Text" }, { binding: { key: "a" }, template: "b" }, { name: "go" }],
  ...[{ functionCall: { call: "openUrl", args: { url: "a" } } }, [{ condition: true }], [{}]],
];

/** Number of values that were replaced. A value has every third replacement; with `BYNAME_FULL` all. */
let replacedValues = 0;
const SHARE = process.env.BYNAME_FULL ? 1 : 3;

/**
 * Yields messages that one change makes of another: a value replaced, a key left out, renamed or
 * added.
 */
function* mutations(value) {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const part = value[key];
    const copy = () => (Array.isArray(value) ? [...value] : { ...value });
    const offset = replacedValues++ % SHARE;
    for (const [at, other] of STRANGE.entries())
      if (at % SHARE === offset) yield Object.assign(copy(), { [key]: other });
    if (!Array.isArray(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      yield { ...rest, [`${key}s`]: part };
      yield { ...value, extra: 1 };
    }
    for (const changed of mutations(part)) yield Object.assign(copy(), { [key]: changed });
  }
}

test("reports every message that the schema rejects, and no valid one", () => {
  let [rejected, accepted, stricter] = [0, 0, 0];
  const codes = new Set();
  for (const { catalog, message } of right
    .slice(0, 40)
    .concat(right.filter((_, at) => at % 12 === 0))) {
    for (const changed of mutations(message)) {
      const text = JSON.stringify(changed);
      if (codes.has(text)) continue;
      codes.add(text);
      const diagnostics = checkMessages(catalog, changed);
      const valid = takes(catalog, changed);
      assert.ok(valid || diagnostics.length > 0, `the schema refuses ${text}`);
      if (diagnostics.length > 0) expectWellFormed(diagnostics, text);
      if (!valid) rejected += 1;
      else if (diagnostics.length === 0) accepted += 1;
      else {
        stricter += 1;
        // The schema accepts any object as data, also one that a surface reads as a binding or a
        // call.
        assert.match(diagnostics.map(({ code }) => code).join(), /^(CAT0|HAM0)/, text);
      }
    }
  }
  assert.ok(rejected > 3000 && accepted > 500, `${rejected} refused, ${accepted} taken`);
  assert.ok(stricter < accepted / 5, `${stricter} reported although the schema accepts them`);
});

test("a location in a text is that of the value, whatever surrounds it", () => {
  const book = (more) =>
    component({ id: "emma", component: "Book", title: "E", pages: 10, ...more });
  const lines = [book({}), book({ cover: "hrad" }), book({ pages: "ten" })];
  const text = `Sure! Here it is:\n${lines.map((line) => JSON.stringify(line, null, 1)).join("\n\n")}\nDone.`;
  const diagnostics = checkMessages(shop, text);
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, text.slice(location.start, location.end)]),
    [
      ["CAT004", '"hrad"'],
      ["CAT003", '"ten"'],
    ],
  );
  const twice = '{"deleteSurface": {"surfaceId": "s", "surfaceId": [1, "]}", {"a": 2}]}}';
  const [{ location }] = checkMessages(shop, twice);
  assert.equal(twice.slice(location.start, location.end), '[1, "]}", {"a": 2}]');
});

test("a truncated message does not hide the following ones", () => {
  const good = JSON.stringify(component({ id: "a", component: "Shelf", books: [] }));
  const bad = JSON.stringify(component({ id: "b", component: "Shelv", books: [] }));
  const diagnostics = checkMessages(shop, `${good.slice(0, -3)}\n${bad}\n${good.slice(0, 30)}`);
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["CAT009", "HAM033", "CAT009"],
  );
  for (const text of ["", "Sorry, I cannot do that.", "null", "[1"]) {
    assert.deepEqual(
      checkMessages(shop, text).map(({ code }) => code),
      ["HAM035"],
      text,
    );
  }
});

test("reports which message is not JSON, where the error is, and the fix", () => {
  const book = { id: "a", component: "Book", title: 'The"E"\n', pages: -1.5e3, x: [true, [], {}] };
  const good = JSON.stringify(component(book));
  const typos = [
    [["true", "True"], "True", "write `true`"],
    [["true", "None"], "None", "write `null`"],
    [["true", "NaN"], "NaN", "write `null` or a string, because JSON has no such number"],
    [["true", "yes"], "yes", "write a string in double quotes"],
    [["true", "'yes'"], "'", 'write strings and keys in double quotes: `"`'],
    [["true", "// yes\ntrue"], "/", "remove the comment, because JSON has none"],
    [["true", ",true"], ",", "remove this comma"],
    [["[]", "[1,]"], "]", "remove the comma before it"],
    [["{}", '{"a":1,}'], "}", "remove the comma before it"],
    [["{}", '{"a":}'], "}", "write the missing value, or `null`"],
    [["{}", '{"a":1]'], "]", "close the object with `}` first"],
    [["[]", "[1}"], "}", "close the list with `]` first"],
    [['"x"', "x"], "x", "put the key in double quotes"],
    [['"x":', '"x" '], "[", "put `:` between the key and its value"],
    [["-1500", "-01"], "-", "write a number as in `-0.5`, without leading zeros"],
    [
      ["true,", "true "],
      "[",
      "put a comma between two items, or close the object or list before it",
    ],
    [
      ['\\"E', '"E'],
      "E",
      'write a quote inside a string as `\\"`, or write a comma between two items',
    ],
    [["\\n", "\n"], "\n", 'write it as `\\n`, or close the string with `"` before it'],
    [
      ["\\n", "\\d"],
      "\\d",
      'escape a backslash as `\\\\`; only `" \\ / b f n r t u` may follow one',
    ],
  ];
  for (const [[from, to], diagnosed, help] of typos) {
    const bad = good.replace(from, to);
    assert.notEqual(bad, good);
    const [first, ...more] = checkMessages(shop, `${good}\n${bad}\n${good}`).filter(
      ({ code }) => code === "CAT009",
    );
    assert.deepEqual(more, []);
    assert.match(first.message, /^message 2 is not valid JSON: /);
    assert.equal(first.help, help);
    const { start, end } = first.location;
    assert.equal(`${good}\n${bad}`.slice(start, end), diagnosed);
    assert.equal(new Surface().receive(bad).diagnostics[0].location.start, start - good.length - 1);
  }
  for (let end = 1; end < good.length; end += 1) {
    const [{ code, message, help, location }] = checkMessages(shop, good.slice(0, end));
    assert.deepEqual([code, location], ["CAT009", { kind: "text", start: end, end }]);
    assert.match(
      message,
      /^the message is not valid JSON: unexpected end( inside a string)? after `/,
    );
    assert.match(help, /close/);
  }
});

test("reports a component without an id or a type", () => {
  const reportedFor = (component) => {
    const message = { updateComponents: { surfaceId: "s", components: [component] } };
    const errors = checkMessages(shop, message);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["HAM029"],
    );
    return [errors[0].message, errors[0].help];
  };
  const example = 'write {"id": "title", "component": "Text", "text": "Hello"}';
  assert.deepEqual(reportedFor({ id: "b", componnent: "Book", title: "Emma" }), [
    "the component `b` has no `component`",
    "rename `componnent` to `component`",
  ]);
  assert.deepEqual(reportedFor({ id: "b", component: "" }), [
    "the component `b` has no `component`",
    example,
  ]);
  assert.deepEqual(reportedFor({ ID: "b", component: "Book" }), [
    "the component `Book` has no `id`",
    "rename `ID` to `id`",
  ]);
  assert.deepEqual(reportedFor("Book"), [
    "expected a component with `id` and `component`",
    example,
  ]);
});

test("accepts only the allowed messages", () => {
  const options = { messages: ["updateDataModel"] };
  const data = { updateDataModel: { nodes: { root: {} } } };
  const begin = { createSurface: { surfaceId: "s" } };
  assert.deepEqual(checkMessages(shop, [data], options), []);
  assert.equal(checkMessages(shop, [data, begin], options)[0].location.pointer, "/1/createSurface");
  assert.equal(checkMessages(shop, data, { list: true })[0].code, "HAM029");
  assert.equal(
    checkMessages(shop, { messages: [data], why: "" }, { list: true })[0].code,
    "HAM029",
  );
  assert.throws(() => checkMessages(shop, data, { message: [] }), { code: "argument" });
  for (const wrong of [undefined, null, 1, new Map(), Promise.resolve(data)]) {
    assert.throws(() => checkMessages(shop, wrong), { name: "BynameError", code: "argument" });
    assert.throws(() => checkMessages(wrong, data), { name: "BynameError", code: "argument" });
  }
});

test("checks large and deep messages", () => {
  const list = Array.from({ length: 300 }, (_, n) => ({ id: `c${n}`, component: "Nope" }));
  const diagnostics = checkMessages(shop, {
    updateComponents: { surfaceId: "s", components: list },
  });
  assert.equal(diagnostics.length, 101);
  assert.equal(diagnostics.at(-1).code, "JSON014");
  const levels = 100_000;
  const inner = '{"call":"shout","args":{"text":';
  const deep = `${inner.repeat(levels)}1${"}}".repeat(levels)}`;
  const text = `{"updateComponents":{"surfaceId":"s","components":[{"id":"b","component":"Book","pages":10,"title":${deep}}]}}`;
  assert.deepEqual(
    checkMessages(shop, text).map(({ code }) => code),
    ["JSON009"],
  );
  const quotes = `{"deleteSurface":{"surfaceId":"${'\\"'.repeat(500_000)}"}}`;
  assert.deepEqual(checkMessages(shop, quotes), []);
});

test("accepts everything that the message reader skips", async () => {
  const text = { id: "root", component: "Text", text: "x" };
  const begin = '{"createSurface":{"surfaceId":"s"}}';
  const message = JSON.stringify(component(text));
  const half = message.indexOf('"components"');
  const events = `data: ${begin}\n\ndata: ${message.slice(0, half)}\ndata: ${message.slice(half)}\n\ndata: [DONE]\n\n`;
  const thinking = `<think>maybe {"updateComponents": 1}?</think>\n${begin}\n${message}`;
  for (const text of [events, thinking]) {
    assert.deepEqual(checkMessages(basicCatalog, text), []);
    const surface = new Surface({ catalog: basicCatalog });
    assert.ok((await receiveAll(surface, text)).ok);
    assert.equal(surface.tree().props.text, "x");
  }
  // A location refers to the text as it was passed.
  const wrong = events.replace('"text":"x"', '"varient":"h1"');
  const [{ location }] = checkMessages(basicCatalog, wrong);
  assert.equal(wrong.slice(location.start, location.end), '"h1"');
});

const varient = { id: "root", component: "Text", text: "a", varient: "h1" };
const unknownVarient = {
  code: "CAT001",
  severity: "error",
  message: "unknown property `varient` of `root` (a `Text`)",
  help: "did you mean `variant`?",
  location: { kind: "pointer", pointer: "/updateComponents/components/0/varient" },
};

test("reports the same errors as the surface, which accepts them with a warning", () => {
  const message = component(varient);
  assert.deepEqual(checkMessages(basicCatalog, message), [unknownVarient]);
  const warning = { ...unknownVarient, severity: "warning" };
  const text = JSON.stringify(message);
  const bytes = new TextEncoder().encode(text);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const given of [message, { toJSON: () => message }, text, bytes, bytes.buffer, shared]) {
    const surface = new Surface({ catalog: basicCatalog });
    const { ok, diagnostics } = surface.receive(given);
    assert.deepEqual([ok, diagnostics], [true, [warning]]);
    assert.equal(surface.tree().props.text, "a");
  }
});

test("a surface reports no types when they are off or unknown", () => {
  const message = component(varient);
  const { components } = basicCatalog;
  for (const options of [
    { catalog: basicCatalog, diagnostics: "off" },
    { catalog: { components } },
  ]) {
    assert.deepEqual(new Surface(options).receive(message).diagnostics, []);
  }
  assert.throws(() => new Surface({ diagnostics: "none" }), /expected `diagnostics`/);
});

test("a stream reports each component once", async () => {
  const text = JSON.stringify({
    updateComponents: {
      surfaceId: "s",
      components: [varient, { id: "a", component: "Text", text: "a", sise: 1 }],
    },
  });
  const surface = new Surface({ catalog: basicCatalog });
  async function* chunks() {
    for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7);
  }
  const { ok, diagnostics } = await receiveAll(surface, chunks());
  assert.deepEqual(
    [ok, diagnostics.map(({ code, message }) => `${code} ${message}`)],
    [
      true,
      [
        "CAT001 unknown property `varient` of `root` (a `Text`)",
        "CAT001 unknown property `sise` of `a` (a `Text`)",
      ],
    ],
  );
});

test("a text that calls `@index` needs it in its values", () => {
  const check = (values) => {
    const text = { call: "formatString", args: { value: "${@index(offset: 1)}", values } };
    const components = [{ id: "root", component: "Text", text }];
    return checkMessages(basicCatalog, { updateComponents: { surfaceId: "s", components } });
  };
  const [one, ...others] = check({});
  assert.deepEqual([one.code, others], ["CAT010", []]);
  assert.equal(one.help, 'add `"values": {"@index": {"call": "@index"}}`');
  assert.deepEqual(check({ "@index": { call: "@index" } }), []);
});

test("the help for a date format is a format without unknown letters", () => {
  const check = (format) => {
    const text = { call: "formatDate", args: { value: "2026-01-16", format } };
    const components = [{ id: "root", component: "Text", text }];
    return checkMessages(basicCatalog, { updateComponents: { surfaceId: "s", components } });
  };
  for (const [format, expected] of [
    ["full", "yyyy-MM-dd"],
    ["shortDate", "yyyy-MM-dd"],
    ["MMMM do, yyyy", "MMMM d, yyyy"],
    ["MMMM Do, YYYY", "MMMM d, yyyy"],
    ["YYYYMMDD", "yyyyMMdd"],
    ["K:mm", "H:mm"],
    ["K:mm a", "h:mm a"],
    ["yyyyTHH", "yyyy'T'HH"],
  ]) {
    const [one, ...others] = check(format);
    assert.deepEqual([one.code, others], ["CAT013", []]);
    assert.equal(/`([^`]*)`/.exec(one.help)[1], expected);
    assert.deepEqual(check(expected), []);
  }
});
