// Texts that are larger than a message may be: they are rejected before they are complete.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { expressStream } from "byname/express";
import { messageStream, Surfaces } from "byname/messages";

await init();

const store = () => new HamStore({ limits: { bytes: 5000 } });
const open = (options) => messageStream(new Surface({ store: store() }), options);
const errors = ({ diagnostics }) =>
  diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
const part = "z".repeat(1000);
const create = '{"createSurface":{"surfaceId":"s"}}';

/** Texts that end within a text value or another long part, and the text that completes them. */
const unfinished = {
  "an event of AG-UI": ['{"type":"ACTIVITY_SNAPSHOT","messageId":"m","content":{"a":"', '"}}'],
  "a line of an event stream": ['data: {"type":"CUSTOM","value":"', '"}\n\n'],
  "a part of A2A": ['{"kind":"data","data":"', '"}'],
  "an id": ['{"createSurface":{"surfaceId":"', '"}}'],
  "a component": [
    '{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"',
    '"}]}}',
  ],
  "a node": ['{"updateDataModel":{"surfaceId":"s","nodes":{"a":"', '"}}}'],
  "another object": ['{"a":"', '"}'],
};

for (const [name, [head, tail]] of Object.entries(unfinished)) {
  test(`${name} is rejected at the first chunk above the limit, and its rest is skipped`, () => {
    for (const options of [{}, { onText() {}, partialText: true }]) {
      const stream = open(options);
      const start = head.startsWith("data:") ? "data: " : "";
      assert.deepEqual(stream.push(`${start}${create}\n`), { ok: true, diagnostics: [] });
      assert.equal(stream.push(head).ok, true);
      const results = Array.from({ length: 8 }, () => stream.push(part));
      const first = results.findIndex(({ ok }) => !ok);
      assert.ok(first === 4 || first === 5, `rejected at ${first}`);
      assert.deepEqual(results.flatMap(errors), ["JSON010"]);
      assert.deepEqual(errors(stream.push(tail)), []);
      // Later messages are read.
      assert.equal(
        stream.push(`\n${start}{"updateDataModel":{"surfaceId":"s","nodes":{"b":1}}}\n\n`).ok,
        true,
      );
      assert.deepEqual(errors(stream.end()), []);
    }
  });
}

test("many small parts of a message above the limit are rejected, however it is split", () => {
  const components = Array.from({ length: 100 }, (_, index) => ({
    ...{ id: `c${index}`, component: "Text", text: "x".repeat(200) },
  }));
  const nodes = Object.fromEntries(components.map(({ id, text }) => [id, { text }]));
  for (const message of [
    { updateComponents: { surfaceId: "s", components } },
    { updateDataModel: { surfaceId: "s", nodes } },
  ])
    for (const size of [100, 300, 4000, 6000, 1e6]) {
      const stream = open();
      stream.push(create);
      const chunks = JSON.stringify(message).match(new RegExp(`.{1,${size}}`, "g"));
      const results = chunks.map((chunk) => stream.push(chunk));
      assert.deepEqual(results.flatMap(errors), ["JSON010"], `${size}`);
      assert.equal(stream.push('{"updateDataModel":{"surfaceId":"s","nodes":{"b":1}}}').ok, true);
      assert.deepEqual(errors(stream.end()), []);
    }
});

test("a complete frame above the limit is rejected", () => {
  const frame = { type: "CUSTOM", value: Array(200).fill(JSON.parse(create)) };
  const stream = open();
  assert.deepEqual(errors(stream.push(JSON.stringify(frame))), ["JSON010"]);
});

test("the data of a text event above the limit is dropped, and later ones are read", () => {
  const texts = [];
  const stream = open({ onText: (text) => texts.push(text) });
  stream.push("event: text\ndata: a");
  const results = Array.from({ length: 8 }, () => stream.push(`${part}\ndata: `));
  assert.deepEqual(results.flatMap(errors), ["JSON010"]);
  stream.push("\n\nevent: text\ndata: b\n\n");
  stream.end();
  assert.deepEqual(texts, ["b"]);
});

test("the limit is that of the store of the surfaces, and 64 MB without one", () => {
  const head = '{"type":"CUSTOM","value":"';
  const surfaces = new Surfaces({ store: store() });
  assert.deepEqual(errors(messageStream(surfaces).push(head + part.repeat(6))), ["JSON010"]);
  const other = messageStream({ receive: () => ({ ok: true, diagnostics: [] }) });
  assert.equal(other.push(head + part.repeat(6)).ok, true);
  const chunk = "z".repeat(2 ** 24);
  const results = Array.from({ length: 5 }, () => other.push(chunk));
  assert.deepEqual(results.map(errors), [[], [], [], ["JSON010"], []]);
});

test("chunks that together would be longer than a string are rejected", () => {
  const stream = open();
  stream.push('{"type":"CUSTOM","value":"');
  const chunk = "z".repeat(2 ** 21);
  const results = Array.from({ length: 260 }, () => stream.push(chunk));
  assert.deepEqual(results.flatMap(errors), ["JSON010"]);
  assert.equal(results[0].ok, false);
});

test("a long chunk of bytes is read in parts, also between the bytes of a character", () => {
  const texts = [];
  const stream = messageStream(new Surface(), { onText: (text) => texts.push(text) });
  const text = `a${"é".repeat(2 ** 23)}`;
  assert.equal(stream.push(new TextEncoder().encode(text)).ok, true);
  assert.ok(texts.length > 1, "it is read at once");
  stream.end();
  assert.equal(texts.join(""), text);
});

test("a text of Express above the limit is rejected, and its statements before it are kept", () => {
  const surface = new Surface({ store: store(), catalog: basicCatalog });
  const stream = expressStream(surface, { catalog: basicCatalog });
  stream.push('root = Text("a")\nother = Text("');
  for (let count = 0; count < 10; count += 1) stream.push(part);
  const { ok, diagnostics } = stream.end();
  assert.equal(ok, false);
  assert.deepEqual(
    diagnostics.filter(({ code }) => code === "JSON010").map(({ location }) => location.start),
    [4031],
  );
  assert.equal(surface.tree().props.text, "a");
});

test("components of Express that wait for a name are displayed at the limit", () => {
  const surface = new Surface({ store: store(), catalog: basicCatalog });
  const stream = expressStream(surface, { catalog: basicCatalog });
  stream.push('root = Column([a])\na = Text(later)\n$/x = "');
  for (let count = 0; count < 10; count += 1) stream.push(part);
  assert.deepEqual(errors(stream.end()), ["JSON010"]);
  assert.equal(surface.tree().children[0].props.text, "later");
});

test("a text of Express above the limit has no other errors, however it is split", () => {
  const line = (index) => `c${index} = Text("${"x".repeat(20)}")\n`;
  const bare = `root = Text("a")\n${Array.from({ length: 300 }, (_, index) => line(index)).join("")}`;
  for (const text of [bare, `Hello.\n<a2ui>\n${bare}</a2ui>`])
    for (const size of [10, 700, 4999, 1e6]) {
      const surface = new Surface({ store: store(), catalog: basicCatalog });
      const stream = expressStream(surface, { catalog: basicCatalog });
      for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
      assert.deepEqual(errors(stream.end()), ["JSON010"]);
      assert.equal(surface.tree().props.text, "a");
    }
  // Errors of complete statements are reported.
  const surface = new Surface({ store: store(), catalog: basicCatalog });
  const stream = expressStream(surface, { catalog: basicCatalog });
  stream.push(`other = \n${bare}`);
  assert.deepEqual(errors(stream.end()), ["JSON010", "EXP001"]);
  // Those of a block that has ended are reported once.
  const closed = expressStream(surface, { catalog: basicCatalog });
  closed.push(`<a2ui>\nother = \nroot = Text("a")\n</a2ui>\n${part.repeat(6)}`);
  assert.deepEqual(errors(closed.end()).toSorted(), ["EXP001", "JSON010"]);
  // A text without a block has no other error.
  const long = expressStream(new Surface({ store: store(), catalog: basicCatalog }), {
    catalog: basicCatalog,
  });
  long.push("a long reply ".repeat(1000));
  assert.deepEqual(errors(long.end()), ["JSON010"]);
});

test("the kind of a first line does not depend on the chunks", () => {
  const received = (text, size) => {
    const texts = [];
    const stream = messageStream(new Surface(), { onText: (one) => texts.push(one) });
    for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
    return [texts.join(""), stream.end().ok];
  };
  for (const length of [10, 65_000, 65_534, 65_535, 65_536, 70_000])
    for (const text of [
      `: ${"a".repeat(length)}\ndata: ${create}\n\n`,
      `id: ${"a".repeat(length)} {x}\n`,
      `data: [DONE]${" ".repeat(length)}\n\n`,
      `data: {}\n\nevent:${" ".repeat(length)}text \ndata: a\n\n`,
    ])
      assert.deepEqual(
        received(text, 7),
        received(text, text.length),
        `${text.slice(0, 9)} ${length}`,
      );
});
