// Chunks of a stream: they wait until the caller reads, is notified, or writes to the store. The
// result is the same as one by one.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init, Surface } from "byname";

before(() => init());

/** Pushes chunks to a store; with a listener, each is read at once. */
function pushChunks(chunks, isObserved) {
  const store = new HamStore();
  if (isObserved) store.subscribe({ node: "absent" }, () => {});
  const stream = store.stream();
  const results = chunks.map((chunk) => stream.push(chunk));
  return { store, stream, results };
}

const toPlainJson = (results) => results.map((result) => JSON.parse(JSON.stringify(result)));

const cases = {
  nodes: ['{"a":{"x"', ':1},"b":{"x":2}', ',"c":[1', ",2]", "}"],
  "numbers at a chunk edge": ['{"a":1', ',"b":2', "}"],
  "an error": ['{"a":1,"b":', '{"x":2},', '"c":truu,"d":1', "}", "more"],
  warnings: ['{"a":{"x":1,"x":2', '},"b":["* item"],', '"!a":7}'],
  "non-ASCII characters": ['{"ä":{"name":"', "Zoë 😀", '"},"b":"€"', "}"],
  "half a pair at a chunk edge": ['{"a":"\ud83d', '\ude00"', "}"],
  "half a pair": ['{"a":1,', '"b":"\ud83dx"', ',"c":1}'],
  "half a pair after an error": ['{"a":}', "\ud83d"],
  "half a pair before an error": ['{"a":}', "\ud83d", "\ude00"],
  "a version that is a node": ['{"version":1,', '"a":{"x":1},', '"b":2}'],
  "more diagnostics than the limit": [
    "{",
    ..."x"
      .repeat(120)
      .split("")
      .map((_, n) => `"!a${n}":1,`),
    '"b":}',
  ],
  nothing: ["", '{"a":1,', "", '"b":2}', ""],
};

for (const [name, chunks] of Object.entries(cases)) {
  test(`pending chunks give the same result: ${name}`, () => {
    const [pending, read] = [pushChunks(chunks, false), pushChunks(chunks, true)];
    // From the last to the first, so that all of them are read for the last.
    const late = toPlainJson(pending.results.toReversed()).reverse();
    assert.deepEqual(late, toPlainJson(read.results));
    assert.deepEqual(pending.store.export(), read.store.export());
    assert.deepEqual(toPlainJson([pending.stream.end()]), toPlainJson([read.stream.end()]));
    while (read.store.undo()) {
      assert.equal(pending.store.undo(), true);
      assert.deepEqual(pending.store.export(), read.store.export());
    }
    assert.equal(pending.store.undo(), false);
  });
}

const encoder = new TextEncoder();

/** Splits the text as bytes anywhere, in characters too. */
function splitBytes(bytes, size) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return chunks;
}

const inBytes = {
  ...Object.fromEntries(
    Object.entries(cases)
      .filter(([, chunks]) => chunks.join("").isWellFormed())
      .map(([name, chunks]) => [name, encoder.encode(chunks.join(""))]),
  ),
  "invalid UTF-8": new Uint8Array([...encoder.encode('{"ä":1,"b":"'), 0xe2, 0x82, 0x22, 0x7d]),
  "a truncated character": encoder.encode('{"a":1,"b":"€').subarray(0, -1),
};

for (const [name, bytes] of Object.entries(inBytes)) {
  test(`pending bytes give the same result: ${name}`, () => {
    for (const size of [1, 2, 3, 5, 8, 64]) {
      const [pending, read] = [false, true].map((isObserved) =>
        pushChunks(splitBytes(bytes, size), isObserved),
      );
      assert.deepEqual(
        toPlainJson(pending.results),
        toPlainJson(read.results),
        `pieces of ${size}`,
      );
      assert.deepEqual(pending.store.export(), read.store.export());
      assert.deepEqual(toPlainJson([pending.stream.end()]), toPlainJson([read.stream.end()]));
      while (read.store.undo()) assert.equal(pending.store.undo(), true);
      assert.equal(pending.store.undo(), false);
    }
  });
}

test("pending bytes are copies, whatever happens to their buffer", () => {
  const store = new HamStore();
  const stream = store.stream();
  const buffer = new Uint8Array(8);
  for (const text of ['{"a":"ä', '",     ', '"b":2,  ', '"c":[] }']) {
    const { written } = encoder.encodeInto(text, buffer);
    stream.push(buffer.subarray(0, written));
    buffer.fill(0x78);
  }
  assert.deepEqual(store.export(), { a: "ä", b: 2, c: [] });
});

test("text and bytes may follow one another", () => {
  const chunks = ['{"a":"ä', "ö", encoder.encode('ü","b":{"x"'), encoder.encode(":1},"), '"c":2}'];
  const [pending, read] = [false, true].map((isObserved) => pushChunks(chunks, isObserved));
  assert.deepEqual(toPlainJson(pending.results), toPlainJson(read.results));
  assert.deepEqual(pending.store.export(), { a: "äöü", b: { x: 1 }, c: 2 });
});

test("every read of the store includes the pending chunks", () => {
  const asks = {
    has: (store) => store.has("b"),
    get: (store) => store.get("b") === 2,
    read: (store) => store.read({ node: "a", key: "x" }).value === 1,
    toJSON: (store) => store.toJSON("b") === 2,
    export: (store) => store.export().b === 2,
    diff: (store) => "!b" in store.diff(new HamStore()),
    orphans: (store) => store.orphans().includes("b"),
    undo: (store) => store.undo() && !store.has("b"),
    children: (store) => store.children({ binding: { node: "list" } }).length === 1,
    tree: (store) => {
      const surface = new Surface({ store });
      const text = { id: "root", component: "Text", text: { binding: { node: "a", key: "x" } } };
      surface.receive({ createSurface: { surfaceId: "s", components: [text] } });
      return surface.tree().props.text === 1;
    },
  };
  for (const [name, ask] of Object.entries(asks)) {
    const store = new HamStore();
    const stream = store.stream();
    stream.push('{"list":["*a"],"a":{"x":1}');
    stream.push(',"b":2,');
    assert.ok(ask(store), name);
  }
});

test("a write to the store is applied after pending chunks", () => {
  const store = new HamStore();
  const [one, two] = [store.stream(), store.stream()];
  one.push('{"a":1,"b":1,');
  store.apply({ a: 2 });
  one.push('"c":1,');
  two.push('{"c":2,"d":2,');
  one.push('"d":1,"e":1}');
  assert.deepEqual(store.export(), { a: 2, b: 1, c: 2, d: 1, e: 1 });
});

test("a new listener is notified of later chunks only", () => {
  const store = new HamStore();
  const stream = store.stream();
  stream.push('{"a":{"x":1},');
  const received = [];
  const stop = store.subscribe({ node: "a", key: "x" }, ({ value }) => received.push(value));
  assert.deepEqual(received, []);
  store.apply({ a: { x: 2 } });
  stream.push('"b":1,"a":{"x":3},');
  assert.deepEqual(received, [2, 3]);
  stop();
  stream.push('"a":{"x":4}}');
  assert.deepEqual(received, [2, 3]);
  assert.deepEqual(store.get("a"), { x: 4 });
});

test("a result can be read late, and reports when it is too late", () => {
  const store = new HamStore({ limits: { undo: 1 } });
  const stream = store.stream();
  const results = ['{"a":1,', '"b":2,', '"c":3}'].map((chunk) => stream.push(chunk));
  assert.deepEqual(results[2].changed, ["c"]);
  assert.throws(() => results[0].changed, { code: "too-late" });
  assert.equal(results[0].ok, true);
});

test("disposing of the store or the stream reads pending chunks", () => {
  const store = new HamStore();
  const stream = store.stream();
  stream.push('{"a":1,');
  stream[Symbol.dispose]();
  assert.equal(store.get("a"), 1);
  const last = store.stream().push('{"b":}');
  store[Symbol.dispose]();
  assert.equal(last.ok, false);
  assert.throws(() => stream.push("x"), { code: "disposed" });
});

test("reads bytes after a pending half of a pair", () => {
  const ends = [false, true].map((isObserved) => {
    const { stream, results } = pushChunks(['{"a":}', "\ud83d"], isObserved);
    return toPlainJson([...results, stream.push(new Uint8Array([0x7d])), stream.end()]);
  });
  assert.deepEqual(ends[0], ends[1]);
});

test("a stream that has ended reports so for every chunk", () => {
  for (const chunk of ["{}", "ab\ude00", "\ud83d", new TextEncoder().encode("{}")]) {
    const stream = new HamStore().stream();
    stream.push("{}");
    stream.end();
    const codes = [stream.push(chunk), stream.end()].map(({ diagnostics }) => diagnostics[0].code);
    assert.deepEqual(codes, ["HAM021", "HAM021"]);
  }
});

test("reports a text beyond the limit of a message", () => {
  const limits = { bytes: 1_000 };
  const long = `"b":"${"x".repeat(1_000)}",`;
  const ends = [false, true].map((isObserved) => {
    const store = new HamStore({ limits });
    if (isObserved) store.subscribe({ node: "absent" }, () => {});
    const stream = store.stream();
    return toPlainJson(['{"a":1,', long, "}"].map((chunk) => stream.push(chunk)));
  });
  assert.deepEqual(ends[0], ends[1]);
});

test("a stream of many chunks keeps few of them pending", () => {
  const store = new HamStore();
  const stream = store.stream();
  stream.push("{");
  const results = [];
  for (let at = 0; at < 5_000; at++) results.push(stream.push(`"n${at}":{"x":${at}},`));
  stream.push('"last":1}');
  assert.equal(stream.end().ok, true);
  assert.equal(Object.keys(store.export()).length, 5_001);
  assert.deepEqual(results[4_500].changed, ["n4500"]);
});
