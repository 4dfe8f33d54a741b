// Texts that are displayed while a message with them arrives.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { messageStream, receiveAll, Surfaces } from "byname/messages";

await init();

const long = "A long text that is written while the model still thinks about its end.";
const frame = () => new Promise((done) => setTimeout(done, 20));

/** Pushes a text in chunks of one word, one per frame; returns the displayed texts. */
async function displayed(text, { a2ui = false, before = [], ...options } = {}) {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2ui ? a2uiTarget(surface) : surface;
  for (const message of before) target.receive(message);
  const stream = messageStream(target, { partialText: true, ...options });
  const seen = [];
  for (const piece of text.match(/\S*\s*/g)) {
    const { diagnostics } = stream.push(piece);
    assert.deepEqual(diagnostics, []);
    const shown = surface.tree()?.props.text;
    if (shown && seen.at(-1) !== shown) seen.push(shown);
    await frame();
  }
  assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
  assert.equal(surface.tree().props.text, seen.at(-1));
  return seen;
}

/** Asserts that each text continues the one before, up to the complete text. */
function assertGrows(seen) {
  assert.ok(seen.length >= 5, JSON.stringify(seen));
  for (const [at, text] of seen.entries()) assert.ok(text.startsWith(seen[at - 1] ?? ""), text);
  assert.equal(seen.at(-1), long);
}

const root = { id: "root", component: "Text", text: long };
const create = { createSurface: { surfaceId: "s" } };
const components = { updateComponents: { surfaceId: "s", components: [root] } };

test("the text of a component grows, in HAM and in plain A2UI", async () => {
  for (const a2ui of [false, true]) {
    assertGrows(await displayed(JSON.stringify(components), { a2ui, before: [create] }));
    const bound = { ...root, text: { path: "/text" } };
    if (!a2ui) continue;
    const update = { updateDataModel: { surfaceId: "s", path: "/text", value: long } };
    const before = [create, { updateComponents: { surfaceId: "s", components: [bound] } }];
    assertGrows(await displayed(JSON.stringify(update), { a2ui, before }));
  }
});

test("the text of a component of v0.8 grows", async () => {
  const before = [{ beginRendering: { surfaceId: "s", root: "root" } }];
  for (const text of [{ literalString: long }, long]) {
    const component = { Text: { usageHint: "h1", text } };
    const update = { surfaceUpdate: { surfaceId: "s", components: [{ id: "root", component }] } };
    assertGrows(await displayed(JSON.stringify(update), { a2ui: true, before }));
  }
});

test("the text of a node grows with each chunk", async () => {
  const bound = { ...root, text: { binding: { key: "text" } } };
  const before = [create, { updateComponents: { surfaceId: "s", components: [bound] } }];
  const update = { updateDataModel: { surfaceId: "s", nodes: { root: { text: long } } } };
  assertGrows(await displayed(JSON.stringify(update), { before }));
});

test("without the option, and for ids and addresses, only complete texts are displayed", async () => {
  const text = JSON.stringify(components);
  assert.deepEqual(await displayed(text, { before: [create], partialText: false }), [long]);
  const surface = new Surface();
  const stream = messageStream(surface, { partialText: true });
  stream.push(
    `{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Image","url":"https://example.com/${"long".repeat(20)}`,
  );
  assert.equal(surface.tree(), null);
});

test("an escape or a key at the end of a chunk is not displayed", async () => {
  const surface = new Surface();
  const stream = messageStream(surface, { partialText: true });
  stream.push(
    `{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"${long}\\u00`,
  );
  assert.equal(surface.tree().props.text, long);
  await frame();
  stream.push('e9","variant and a very long key that is not a value');
  assert.equal(surface.tree().props.text, long);
  stream.push('":1}]}}');
  assert.equal(surface.tree().props.text, `${long}é`);
});

test("receiveAll displays growing texts, and a cut source keeps the last text", async () => {
  const surface = new Surface();
  const head = `{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"${long}`;
  const seen = [];
  async function* source() {
    yield head;
    seen.push(surface.tree().props.text);
  }
  const { ok, diagnostics } = await receiveAll(surface, source());
  assert.deepEqual(seen, [long]);
  assert.deepEqual([ok, surface.tree().props.text], [false, long]);
  assert.ok(diagnostics.some(({ severity }) => severity === "error"));
  const other = new Surface();
  await receiveAll(other, [head], { partialText: false });
  assert.equal(other.tree(), null);
});

test("a message that is sent again changes nothing while it arrives", async () => {
  const field = { id: "root", component: "TextField", label: long, value: { path: "/text" } };
  const create = { surfaceId: "s", components: [field], dataModel: { text: long } };
  const update = { updateDataModel: { surfaceId: "s", path: "/text", value: long } };
  const again = { updateComponents: { surfaceId: "s", components: [field] } };
  const surface = new Surface({ catalog: basicCatalog });
  const surfaces = new Surfaces({ catalog: basicCatalog, a2ui: true });
  for (const target of [a2uiTarget(surface), surfaces]) {
    target.receive({ createSurface: create });
    const shown = target === surfaces ? surfaces.get("s") : surface;
    assert.ok(shown.hasComponent("root") && !shown.hasComponent("other"));
    const changes = [];
    shown.subscribe((found) => changes.push(...found));
    const stream = messageStream(target, { partialText: true });
    for (const piece of `${JSON.stringify(again)}${JSON.stringify(update)}`.match(/.{1,20}/g)) {
      assert.deepEqual(stream.push(piece), { ok: true, diagnostics: [] });
      await frame();
    }
    assert.deepEqual([stream.end().ok, changes], [true, []]);
  }
});

test("a text whose display takes long is displayed for half of the time", () => {
  const { now } = performance;
  let clock = 0;
  performance.now = () => clock;
  try {
    const surface = new Surface();
    const { receive } = surface;
    let count = 0;
    surface.receive = (message) => {
      clock += 100;
      count += 1;
      return receive.call(surface, message);
    };
    const stream = messageStream(surface, { partialText: true });
    const text = JSON.stringify({
      updateComponents: {
        surfaceId: "s",
        components: [{ id: "root", component: "Text", text: "word ".repeat(1_000) }],
      },
    });
    for (let at = 0; at < text.length; at += 5) {
      clock += 1;
      stream.push(text.slice(at, at + 5));
    }
    stream.end();
    assert.equal(surface.tree().props.text, "word ".repeat(1_000));
    assert.ok(count > 5 && count < 15, `${count} displays`);
  } finally {
    performance.now = now;
  }
});
