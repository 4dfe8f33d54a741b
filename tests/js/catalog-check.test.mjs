// What `checkMessages` says of messages for a catalog: nothing of those that are right, and of whatever the schema
// refuses a code, a place and a repair.

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
/** Messages that are right, each with its catalog. */
const right = [
  ...Object.values(catalogs).flatMap((catalog) =>
    examples(catalog.prompt()).map((message) => ({ catalog, message })),
  ),
  ...ofA2ui.map((message) => ({ catalog: minimal, message })),
];

test("nothing is wrong with the examples of the prompts and of A2UI", () => {
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
  test(`told: ${name}`, () => {
    const found = checkMessages(basicCatalog, message);
    assert.notDeepEqual(found, []);
    for (const { help, location } of found) {
      assert.ok(help, JSON.stringify(found));
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
      const found = checkMessages(catalog, messages);
      assert.deepEqual(found, diagnostics);
      expectWellFormed(found, name);
      assert.equal(found.length > 0, !name.startsWith("right:"));
    });
  }
}

/** Values to put in place of others: of every type, and what models like to write. */
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

/** Every message that one change makes of another: a value replaced, a key left out, renamed or added. */
function* changes(value) {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    const part = value[key];
    const copy = () => (Array.isArray(value) ? [...value] : { ...value });
    for (const other of STRANGE) yield Object.assign(copy(), { [key]: other });
    if (!Array.isArray(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      yield { ...rest, [`${key}s`]: part };
      yield { ...value, extra: 1 };
    }
    for (const changed of changes(part)) yield Object.assign(copy(), { [key]: changed });
  }
}

test("whatever a schema refuses is told, and nothing that was right is", () => {
  let [refused, taken, stricter] = [0, 0, 0];
  const seen = new Set();
  for (const { catalog, message } of right
    .slice(0, 40)
    .concat(right.filter((_, at) => at % 12 === 0))) {
    for (const changed of changes(message)) {
      const text = JSON.stringify(changed);
      if (seen.has(text)) continue;
      seen.add(text);
      const found = checkMessages(catalog, changed);
      const valid = takes(catalog, changed);
      assert.ok(valid || found.length > 0, `the schema refuses ${text}`);
      if (found.length > 0) expectWellFormed(found, text);
      if (!valid) refused += 1;
      else if (found.length === 0) taken += 1;
      else {
        stricter += 1;
        // The schema takes any object of data, also one that a surface reads as a binding or a call.
        assert.match(found.map(({ code }) => code).join(), /^(CAT0|HAM0)/, text);
      }
    }
  }
  assert.ok(refused > 3000 && taken > 500, `${refused} refused, ${taken} taken`);
  assert.ok(stricter < taken / 5, `${stricter} told that the schema takes`);
});

test("a place in a text is that of the value, whatever stands around it", () => {
  const book = (more) =>
    component({ id: "emma", component: "Book", title: "E", pages: 10, ...more });
  const lines = [book({}), book({ cover: "hrad" }), book({ pages: "ten" })];
  const text = `Sure! Here it is:\n${lines.map((line) => JSON.stringify(line, null, 1)).join("\n\n")}\nDone.`;
  const found = checkMessages(shop, text);
  assert.deepEqual(
    found.map(({ code, location }) => [code, text.slice(location.start, location.end)]),
    [
      ["CAT004", '"hrad"'],
      ["CAT003", '"ten"'],
    ],
  );
  const twice = '{"deleteSurface": {"surfaceId": "s", "surfaceId": [1, "]}", {"a": 2}]}}';
  const [{ location }] = checkMessages(shop, twice);
  assert.equal(twice.slice(location.start, location.end), '[1, "]}", {"a": 2}]');
});

test("a message that is cut does not hide those that follow", () => {
  const good = JSON.stringify(component({ id: "a", component: "Shelf", books: [] }));
  const bad = JSON.stringify(component({ id: "b", component: "Shelv", books: [] }));
  const found = checkMessages(shop, `${good.slice(0, -3)}\n${bad}\n${good.slice(0, 30)}`);
  assert.deepEqual(
    found.map(({ code }) => code),
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

test("a message that is no JSON: which one, where it breaks, and the repair", () => {
  const book = { id: "a", component: "Book", title: 'The"E"\n', pages: -1.5e3, x: [true, [], {}] };
  const good = JSON.stringify(component(book));
  const slips = [
    [["true", "True"], "True", "write `true`"],
    [["true", "None"], "None", "write `null`"],
    [["true", "NaN"], "NaN", "write `null` or a string, because JSON has no such number"],
    [["true", "yes"], "yes", "write a string in double quotes"],
    [["true", "'yes'"], "'", 'write strings and keys in double quotes: `"`'],
    [["true", "// yes\ntrue"], "/", "JSON has no comments: remove it"],
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
  for (const [[from, to], found, help] of slips) {
    const bad = good.replace(from, to);
    assert.notEqual(bad, good);
    const [first, ...more] = checkMessages(shop, `${good}\n${bad}\n${good}`).filter(
      ({ code }) => code === "CAT009",
    );
    assert.deepEqual(more, []);
    assert.match(first.message, /^message 2 is not valid JSON: /);
    assert.equal(first.help, help);
    const { start, end } = first.location;
    assert.equal(`${good}\n${bad}`.slice(start, end), found);
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

test("a component that lacks an id, or what it is", () => {
  const told = (component) => {
    const message = { updateComponents: { surfaceId: "s", components: [component] } };
    const faults = checkMessages(shop, message);
    assert.deepEqual(
      faults.map(({ code }) => code),
      ["HAM029"],
    );
    return [faults[0].message, faults[0].help];
  };
  const example = 'write {"id": "title", "component": "Text", "text": "Hello"}';
  assert.deepEqual(told({ id: "b", componnent: "Book", title: "Emma" }), [
    "the component `b` has no `component`",
    "rename `componnent` to `component`",
  ]);
  assert.deepEqual(told({ id: "b", component: "" }), [
    "the component `b` has no `component`",
    example,
  ]);
  assert.deepEqual(told({ ID: "b", component: "Book" }), [
    "the component `Book` has no `id`",
    "rename `ID` to `id`",
  ]);
  assert.deepEqual(told("Book"), ["expected a component with `id` and `component`", example]);
});

test("only the messages that may be written", () => {
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

test("much of it, and deep, is no trouble", () => {
  const list = Array.from({ length: 300 }, (_, n) => ({ id: `c${n}`, component: "Nope" }));
  const found = checkMessages(shop, { updateComponents: { surfaceId: "s", components: list } });
  assert.equal(found.length, 101);
  assert.equal(found.at(-1).code, "JSON014");
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

test("what a reader of messages passes over is no fault", async () => {
  const text = { id: "root", component: "Text", text: "x" };
  const begin = '{"createSurface":{"surfaceId":"s"}}';
  const message = JSON.stringify(component(text));
  const half = message.indexOf('"components"');
  const events = `data: ${begin}\n\ndata: ${message.slice(0, half)}\ndata: ${message.slice(half)}\n\ndata: [DONE]\n\n`;
  const thinking = `<think>maybe {"updateComponents": 1}?</think>\n${begin}\n${message}`;
  for (const said of [events, thinking]) {
    assert.deepEqual(checkMessages(basicCatalog, said), []);
    const surface = new Surface({ catalog: basicCatalog });
    assert.ok((await receiveAll(surface, said)).ok);
    assert.equal(surface.tree().props.text, "x");
  }
  // A place is one of the text as it came.
  const wrong = events.replace('"text":"x"', '"varient":"h1"');
  const [{ location }] = checkMessages(basicCatalog, wrong);
  assert.equal(wrong.slice(location.start, location.end), '"h1"');
});

test("what is told goes together with what the surface says", () => {
  const message = component({ id: "root", component: "Text", text: "a", varient: "h1" });
  const surface = new Surface({ catalog: basicCatalog });
  assert.deepEqual(surface.receive(message).diagnostics, []);
  assert.deepEqual(checkMessages(basicCatalog, message), [
    {
      code: "CAT001",
      severity: "error",
      message: "unknown property `varient` of `root` (a `Text`)",
      help: "did you mean `variant`?",
      location: { kind: "pointer", pointer: "/updateComponents/components/0/varient" },
    },
  ]);
});
