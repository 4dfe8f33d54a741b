// Updates that are merged into the surface that Express creates, and messages that are nested too deep.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { basicCatalog } from "byname/dom";
import { messagesToExpress } from "byname/express";
import { expectArgumentError } from "./argument-error.mjs";

await init();

const print = (...messages) => messagesToExpress(messages, { catalog: basicCatalog });
const begin = (more) => ({
  version: "v1.0",
  createSurface: { surfaceId: "s", catalogId: "basic", ...more },
});
const set = (path, value) => ({
  version: "v1.0",
  updateDataModel: { surfaceId: "s", path, ...(value !== undefined && { value }) },
});
const update = (...components) => ({
  version: "v1.0",
  updateComponents: { surfaceId: "s", components },
});
const text = (id, value) => ({ id, component: "Text", text: value });
const nested = (levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test("the merged messages are printed, and their objects do not change", () => {
  const messages = [
    begin({ dataModel: { a: { b: [1, { c: 2 }] }, gone: 1 }, components: [text("root", "x")] }),
    set("/a/b/1/c", 3),
    set("/a/b/3", 4),
    set("/gone"),
    set("/new/0", { d: 5 }),
    set("/new/0/d", 6),
    update(text("other", "y"), text("root", "z")),
    update(text("other", "w")),
  ];
  const before = structuredClone(messages);
  assert.deepEqual(print(...messages).split("\n"), [
    'surface("s", "basic")',
    '$/a/b = [1,{"c":3},null,4]',
    '$/new = [{"d":6}]',
    'root = Text("z")',
    'other = Text("w")',
  ]);
  assert.deepEqual(messages, before);
});

test("a message of more than 1,000 levels is an argument error", () => {
  assert.match(print(begin(), set("/a", nested(990))), /\[{990}/);
  const withChild = (levels) => update({ id: "root", component: "Text", text: nested(levels) });
  assert.match(print(begin(), withChild(990)), /\[{990}/);
  const message = "expected at most 1000 levels of nesting in a message, found more";
  const circular = begin();
  circular.createSurface.dataModel = circular;
  for (const one of [set("/a", nested(100_000)), withChild(100_000), circular])
    expectArgumentError(() => print(one), message);
});

test("a function or a symbol in a message is an argument error", () => {
  for (const [value, type] of [
    [() => {}, "a function"],
    [Symbol("x"), "a symbol"],
  ])
    for (const message of [begin({ dataModel: { a: [value] } }), set("/a", value)])
      expectArgumentError(() => print(message), `expected JSON in a message, found ${type}`);
});

test("a data model of 200,000 values is printed", () => {
  const model = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
  assert.equal(print(begin({ dataModel: { a: model } })).split("\n").length, 200_001);
});

test("undefined properties are left out, as in JSON text", () => {
  const dataModel = { a: undefined, b: { c: undefined, d: 1 }, e: [undefined] };
  const text = print(begin({ dataModel }), set("/f", { g: undefined }));
  assert.equal(text, print(...JSON.parse(JSON.stringify([begin({ dataModel }), set("/f", {})]))));
  assert.doesNotMatch(text, /undefined/);
});
