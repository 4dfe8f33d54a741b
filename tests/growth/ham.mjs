// Constructs of HAM documents and of the JSON reader.
import { HamStore } from "byname";
import { each, objectOf, times } from "./measure.mjs";

/** Returns the measurement of a text that is applied, after others. */
function text(make, ...first) {
  return (size) => {
    const store = new HamStore({ extensions: { listEdits: true, merge: true } });
    for (const before of first) store.apply(before(size));
    const message = make(size);
    return () => store.apply(message);
  };
}

const json = (make, ...first) => text((size) => JSON.stringify(make(size)), ...first);
const map = (entry) => (size) => JSON.stringify({ root: objectOf(size, entry) });
const rows = (size) => ({ list: times(size, (i) => `*r${i}`) });
const nodes = (size) => objectOf(size, (i) => [`r${i}`, { name: `n${i}`, next: `*r${i + 1}` }]);
const longNodes = (size) => objectOf(size, (i) => [`r${i}`, { name: "n".repeat(200) + i }]);
const edit = (key, entry) => (size) => JSON.stringify({ [key]: objectOf(size, entry) });
const removal = (size) => JSON.stringify({ "-root": times(size, (i) => `k${i}`) });

/** Returns the measurement of a call of a store with a document. */
function call(make, act) {
  return (size) => {
    const store = new HamStore({ extensions: { listEdits: true } });
    store.apply(make(size));
    return () => act(store, size);
  };
}

export const DOCUMENTS = [
  ["nodes", json(nodes)],
  // A message of more than 64 KB is parsed in another way than a shorter one.
  ["nodes that exist, in a short message", json(nodes, nodes), 4],
  ["nodes that exist, in a long message", json(longNodes, longNodes)],
  [
    "properties that are added",
    text(
      edit("~root", (i) => [`n${i}`, i]),
      map((i) => [`k${i}`, i]),
    ),
  ],
  [
    "properties that are removed",
    text(
      removal,
      map((i) => [`k${i}`, i]),
    ),
  ],
  ["keys", text(map((i) => [`k${i}`, i]))],
  ["keys of different lengths", text(map((i) => ["k".repeat(i % 50) + i, i]))],
  ["keys with one prefix", text(map((i) => [`${"k".repeat(60)}${i}`, i]))],
  ["duplicate keys", text((size) => `{"root": {${each(size, ",", (i) => `"a": ${i}`)}}}`)],
  ["duplicate nodes", text((size) => `{${each(size, ",", (i) => `"a": ${i}`)}}`)],
  [
    "duplicate pairs of keys",
    text((size) => `{"root": {${each(size, ",", (i) => `"a${i >> 1}": 1`)}}}`),
  ],
  ["empty keys", text((size) => `{"root": {${each(size, ",", () => '"": 1')}}}`)],
  ["escaped keys", text((size) => `{"root": {${each(size, ",", (i) => `"\\u0061${i}": 1`)}}}`)],
  ["escaped ids", text((size) => `{${each(size, ",", (i) => `"\\u0061${i}": 1`)}}`)],
  ["ids that are invalid", json((size) => objectOf(size, (i) => [`*a${i}`, 1]))],
  ["pointers that are invalid", json((size) => ({ root: times(size, (i) => `* a${i}`) }))],
  ["pointers to missing nodes", json(rows)],
  ["pointers to one node", json((size) => ({ list: times(size, () => "*a"), a: 1 }))],
  ["pointers with typos", json((size) => ({ ...nodes(size), list: times(size, (i) => `*q${i}`) }))],
  [
    "literals that look like pointers",
    json((size) => objectOf(size, (i) => [`a${i}`, `*a${i + 1}`])),
  ],
  ["a long list, again", json((size) => ({ list: rows(size).list.toReversed() }), rows)],
  ["a long text", json((size) => ({ a: "x".repeat(size) }))],
  ["a text of escapes", text((size) => `{"a": "${"\\u00e9\\n".repeat(size)}"}`)],
  ["a text of emoji", json((size) => ({ a: "😀é".repeat(size) }))],
  ["lone surrogates", text((size) => `{"a": "${"\\ud800".repeat(size)}"}`)],
  ["invalid escapes", text((size) => `{"a": "${"\\q".repeat(size)}"}`)],
  ["control characters", text((size) => `{"a": "${"\u0001".repeat(size)}"}`)],
  ["an unclosed string", text((size) => `{"a": "${"x ".repeat(size)}`)],
  ["unclosed strings of keys", text((size) => `{${'"a: 1, '.repeat(size)}`)],
  ["single quotes", text((size) => `{${"'a': 'b', ".repeat(size)}}`)],
  ["long numbers", text((size) => `{"a": ${"1".repeat(size)}}`)],
  ["numbers", json((size) => ({ a: times(size, (i) => i / 7) }))],
  ["white space", text((size) => `{"a":${" \n".repeat(size)}1}`)],
  ["nesting", text((size) => `{"a": ${"[".repeat(size)}`)],
  ["nested maps", text((size) => `{"root": ${'{"a":'.repeat(size)}`)],
  ["lists in a list", json((size) => ({ a: times(size, () => [[1]]) }))],
  ["closing brackets", text((size) => `{"a": 1${"]".repeat(size)}`)],
  ["commas", text((size) => `{"a": [${",".repeat(size)}`)],
  [
    "unknown keys of the envelope",
    json((size) => ({ updateDataModel: objectOf(size, (i) => [`k${i}`, 1]) })),
  ],
  [
    "repeated envelopes",
    text((size) => `{${each(size, ",", () => '"updateDataModel": {"nodes": {}}')}}`),
  ],
  ["deletions", json((size) => objectOf(size, (i) => [`!r${i}`, null]), nodes)],
  ["deletions of missing nodes", json((size) => objectOf(size, (i) => [`!r${i}`, null]))],
  [
    "nodes that are deleted and set",
    json((size) => objectOf(2 * size, (i) => [i % 2 ? `!a${i >> 1}` : `a${i >> 1}`, null])),
  ],
  [
    "inserted items",
    json((size) => ({ "+list": { items: times(size, (i) => `*s${i}`), at: 0 } }), rows),
  ],
  ["removed items", json((size) => ({ "-list": rows(size).list }), rows)],
  [
    "edits of many lists",
    json(
      (size) => objectOf(size, (i) => [`+l${i}`, { items: ["*a"] }]),
      (size) => objectOf(size, (i) => [`l${i}`, ["*b"]]),
    ),
  ],
  [
    "edits with missing anchors",
    json(
      (size) => objectOf(size, (i) => [`+l${i}`, { items: ["*a"], after: `*z${i}` }]),
      (size) => objectOf(size, (i) => [`l${i}`, ["*b"]]),
    ),
  ],
  [
    "appended texts",
    json(
      (size) => objectOf(size, (i) => [`>t${i}`, "more"]),
      (size) => objectOf(size, (i) => [`t${i}`, "x"]),
    ),
  ],
  [
    "merged properties",
    json(
      (size) => ({ "~m": objectOf(size, (i) => [`k${i}`, i]) }),
      () => ({ m: { a: 1 } }),
    ),
  ],
  [
    "chunks of one character",
    (size) => {
      const chunks = [...JSON.stringify(nodes(size / 8))];
      const stream = new HamStore().stream();
      return () => {
        for (const chunk of chunks) stream.push(chunk);
        return stream.end();
      };
    },
  ],
  [
    "chunks of a long text",
    (size) => {
      const stream = new HamStore().stream({ partialText: true });
      return () => {
        stream.push('{"a": "');
        for (let at = 0; at < size; at += 1) stream.push("some words ");
        stream.push('"}');
        return stream.end();
      };
    },
  ],
  [
    "one node each",
    (size) => {
      const store = new HamStore();
      const texts = times(size, (i) => JSON.stringify({ [`a${i}`]: { n: i } }));
      return () => {
        for (const one of texts) store.apply(one);
      };
    },
  ],
  [
    "one row each",
    (size) => {
      const store = new HamStore();
      store.apply(nodes(size));
      const texts = times(size, (i) =>
        JSON.stringify({ [`r${i}`]: { name: `new${i}`, next: `*r${i + 1}` } }),
      );
      return () => {
        for (const one of texts) store.apply(one);
      };
    },
  ],
  [
    "undo and redo",
    (size) => {
      const store = new HamStore({ limits: { undo: 100_000 } });
      times(size, (i) => store.apply({ [`a${i % 10}`]: i }));
      return () => {
        times(size, () => store.undo());
        times(size, () => store.redo());
      };
    },
  ],
  [
    "check",
    call(
      (size) => ({ root: ["*r0"], ...nodes(size), x: times(size, (i) => `*q${i}`) }),
      (store) => store.check(),
    ),
  ],
  ["orphans", call(nodes, (store) => store.orphans())],
  ["export", call(nodes, (store) => store.export())],
  [
    "toJSON of a list",
    call(
      (size) => ({ root: ["*list"], ...rows(size), ...objectOf(size, (i) => [`r${i}`, { n: i }]) }),
      (store) => store.toJSON(),
    ),
  ],
  [
    "toJSON of shared nodes",
    call(
      (size) =>
        objectOf(Math.log2(size), (i) => [i ? `d${i}` : "root", [`*d${i + 1}`, `*d${i + 1}`]]),
      (store) => store.toJSON(),
    ),
  ],
  [
    "a reading of a missing key",
    call(
      (size) => ({ root: objectOf(size, (i) => [`key${i}`, i]) }),
      (store) => store.read({ node: "root", key: "kay" }),
    ),
  ],
  [
    "readings of a row",
    call(nodes, (store, size) => times(size, (i) => store.read({ node: `r${i}`, key: "name" }))),
  ],
  [
    "subscriptions",
    call(nodes, (store, size) => {
      const stops = times(size, (i) => store.subscribe({ node: `r${i}`, key: "name" }, () => {}));
      store.apply(objectOf(size, (i) => [`r${i}`, { name: "x" }]));
      for (const stop of stops) stop();
    }),
  ],
];
