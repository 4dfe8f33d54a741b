// Texts that grow: appended by `>id`, and applied while a stream is inside of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";

await init();

const codes = ({ diagnostics }) => diagnostics.map(({ code }) => code);
const long = "A long text that is written while the model still thinks about its end. ";

/** Returns a surface that displays the texts of `log` and of `u1`, and its changes. */
function observed(store) {
  const surface = new Surface({ store });
  surface.receive({
    createSurface: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["a", "b"] },
        { id: "a", component: "Text", text: { binding: { key: "log" } } },
        { id: "b", component: "Text", text: { binding: { node: "u1", key: "bio" } } },
      ],
    },
  });
  const changes = [];
  surface.subscribe((found) => changes.push(...found));
  const texts = () => surface.tree().children.map(({ props }) => props.text);
  return { surface, changes, texts };
}

test("`>id` appends to a text, and the change names the appended part", () => {
  const store = new HamStore({ extensions: { listEdits: true } });
  store.apply({ root: { log: "*log" }, log: "One" });
  const { changes, texts } = observed(store);
  for (const part of [", two", ", drei €", ", \u{1f600}", ' "four"\n'])
    assert.deepEqual(codes(store.apply({ ">log": part })), []);
  const all = 'One, two, drei €, \u{1f600} "four"\n';
  assert.equal(store.get("log"), all);
  assert.deepEqual(texts(), [all, null]);
  const sets = changes.filter(({ kind }) => kind === "set");
  assert.deepEqual(
    sets.map(({ appended }) => appended),
    [", two", ", drei €", ", \u{1f600}", ' "four"\n'],
  );
  assert.equal(sets.at(-1).value, all);
  assert.ok(store.undo() && store.undo());
  assert.equal(store.get("log"), "One, two, drei €");
  assert.equal(changes.at(-1).value, "One, two, drei €");
  assert.equal("appended" in changes.at(-1), false);
  store.apply({ ">log": "!" });
  assert.deepEqual([changes.at(-1).value, changes.at(-1).appended], ["One, two, drei €!", "!"]);
});

test("appended texts survive other updates, compaction and equal neighbours", () => {
  const store = new HamStore({ extensions: { listEdits: true }, limits: { undo: 3 } });
  store.apply({ root: { log: "*log" }, log: "", other: "" });
  const { texts, changes } = observed(store);
  let expected = "";
  for (let at = 0; at < 3000; at += 1) {
    const part = `${at} `;
    expected += part;
    store.apply({ ">log": part, ">other": "x", noise: `noise ${at} ${"y".repeat(at % 50)}` });
    if (at % 500 === 0) assert.equal(changes.at(-1).value, expected);
  }
  assert.equal(store.get("log"), expected);
  assert.equal(texts()[0], expected);
  assert.equal(store.get("other"), "x".repeat(3000));
});

test("`>id` needs a text on both sides", () => {
  const store = new HamStore({ extensions: { listEdits: true } });
  store.apply({ map: { a: 1 }, text: "x" });
  const before = store.export();
  for (const update of [{ ">map": "x" }, { ">gone": "x" }, { ">text": 5 }, { ">text": { a: 1 } }]) {
    const result = store.apply(update);
    assert.deepEqual([result.ok, codes(result)], [false, ["HAM041"]], JSON.stringify(update));
    assert.ok(result.diagnostics[0].help);
  }
  assert.deepEqual(store.export(), before);
  const plain = new HamStore();
  plain.apply({ ">text": "x" });
  assert.deepEqual(plain.export(), { ">text": "x" });
});

test("`~id` merges properties, and `merge` is off by default", () => {
  const store = new HamStore({ extensions: { merge: true } });
  store.apply({ u1: { name: "Ann", age: 3, tags: ["*t"] }, list: ["*u1"] });
  assert.deepEqual(
    codes(store.apply({ "~u1": { age: 4, mail: "a@b.cd" }, "~u2": { name: "Bob" } })),
    [],
  );
  assert.deepEqual(store.get("u1"), { name: "Ann", age: 4, tags: ["*t"], mail: "a@b.cd" });
  assert.deepEqual(store.get("u2"), { name: "Bob" });
  for (const update of [{ "~list": { a: 1 } }, { "~u1": "x" }, { "~u1": ["*u2"] }]) {
    const result = store.apply(update);
    assert.deepEqual([result.ok, codes(result)], [false, ["HAM041"]], JSON.stringify(update));
  }
  store.undo();
  assert.deepEqual(store.get("u1"), { name: "Ann", age: 3, tags: ["*t"] });
  const plain = new HamStore();
  plain.apply({ "~u1": { a: 1 } });
  assert.deepEqual(plain.export(), { "~u1": { a: 1 } });
});

test("a node that loses displayed properties is a warning", () => {
  const store = new HamStore();
  const { surface } = observed(store);
  store.apply({ root: { log: "x", title: "t" }, u1: { bio: "b", name: "Ann" } });
  const { ok, diagnostics } = surface.receive({
    updateDataModel: { nodes: { root: { title: "t" }, u1: { name: "Ann", bio: null } } },
  });
  assert.deepEqual([ok, codes({ diagnostics })], [true, ["HAM042"]]);
  assert.match(diagnostics[0].message, /`root` no longer has `log`, which a component displays/);
  assert.deepEqual(codes(store.apply({ "!u1": null })), []);
});

/** Pushes a text in chunks; returns the different values that `read` had after each. */
function streamed(store, text, size, read, options = { partialText: true }) {
  const stream = store.stream(options);
  const seen = [];
  for (let at = 0; at < text.length; at += size) {
    const result = stream.push(text.slice(at, at + size));
    assert.deepEqual(codes(result), [], text.slice(0, at + size));
    const value = JSON.stringify(read());
    if (seen.at(-1) !== value) seen.push(value);
  }
  assert.deepEqual(codes(stream.end()), []);
  return seen.map((value) => JSON.parse(value));
}

const escapes = `${long}Quote: " backslash \\ line\n tab\t € \u{1f600} é`;
test("a text is visible while it arrives, in nodes and in properties of nodes", () => {
  for (const size of [1, 3, 50]) {
    // With the escapes of JSON, and with all characters as \u escapes.
    for (const ascii of [false, true]) {
      const json = JSON.stringify({
        log: escapes,
        u1: { name: "Ann", bio: escapes, age: 3 },
        end: 1,
      });
      const text = ascii
        ? json.replace(
            /[^ -~]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          )
        : json;
      const store = new HamStore();
      store.apply({
        root: { log: "*log" },
        u1: { name: "Old", note: "kept until the end", bio: "" },
      });
      const { changes, texts: shown } = observed(store);
      const seen = streamed(store, text, size, () => [store.get("log"), store.get("u1")]);
      assert.equal(store.get("log"), escapes);
      assert.deepEqual(store.get("u1"), { name: "Ann", bio: escapes, age: 3 });
      assert.deepEqual(shown(), [escapes, escapes]);
      for (const [log, u1] of seen) {
        if (log !== null) assert.ok(escapes.startsWith(log), log);
        if (u1.bio !== "") assert.ok(escapes.startsWith(u1.bio), u1.bio);
        if (u1.bio !== escapes) assert.equal(u1.note, "kept until the end");
      }
      if (size < 50) assert.ok(seen.length > (2 * long.length) / size / 2, `${seen.length}`);
      const appended = changes.filter((change) => change.appended !== undefined);
      if (size < 50) assert.ok(appended.length > 10);
      // One undo step for each text, and one for the last node.
      while (store.undo());
      assert.deepEqual(store.export(), {});
    }
  }
});

test("one undo step reverts a text that arrived in pieces", () => {
  const store = new HamStore();
  store.apply({ log: "before" });
  streamed(store, JSON.stringify({ log: long }), 1, () => store.get("log"));
  assert.equal(store.get("log"), long);
  store.undo();
  assert.equal(store.get("log"), "before");
  store.redo();
  assert.equal(store.get("log"), long);
});

test("short texts, pointers, other values and streams without the option wait for their end", () => {
  const pointer = `*${"a".repeat(60)}`;
  const node = {
    short: "Only thirty characters, no more",
    to: pointer,
    list: [long],
    inner: { long },
  };
  const store = new HamStore();
  const seen = streamed(store, JSON.stringify({ a: node, b: 1 }), 1, () => store.get("a"));
  assert.deepEqual(seen, [node]);
  const other = new HamStore();
  const read = () => other.get("a");
  assert.deepEqual(streamed(other, JSON.stringify({ a: long, b: 1 }), 1, read, {}), [long]);
});

test("a stream that ends inside of a text keeps the text, with a diagnostic", () => {
  const store = new HamStore();
  const stream = store.stream({ partialText: true });
  stream.push(`{"log": "${long}`);
  assert.equal(store.get("log"), long);
  const result = stream.end();
  assert.equal(result.ok, false);
  assert.deepEqual(codes(result), ["JSON002"]);
  assert.equal(store.get("log"), long);
});

test("the host and other streams may change the node meanwhile", () => {
  const store = new HamStore();
  const stream = store.stream({ partialText: true });
  stream.push(`{"log": "${long}`);
  store.apply({ log: 5 });
  stream.push("more ");
  assert.equal(store.get("log"), `${long}more `);
  store.apply({ "!log": null });
  stream.push("and more");
  assert.equal(store.get("log"), `${long}more and more`);
  store.undo();
  stream.push('."}');
  stream.end();
  assert.equal(store.get("log"), `${long}more and more.`);
});

test("rejects wrong options", () => {
  assert.throws(() => new HamStore().stream({ partial: true }), /partial/);
});

test("a text that is sent again does not shrink, and changes nothing", () => {
  const store = new HamStore();
  const nodes = { root: { log: "*log" }, log: long, u1: { name: "Ann", bio: long } };
  store.apply(nodes);
  const { changes } = observed(store);
  const again = streamed(store, JSON.stringify(nodes), 5, () => [
    store.get("log"),
    store.get("u1"),
  ]);
  assert.deepEqual([again.length, changes], [1, []]);
  const more = { log: `${long}and more`, u1: { name: "Ann", bio: `Another ${long}` } };
  for (const [log] of streamed(store, JSON.stringify(more), 5, () => [store.get("log")]))
    assert.ok(log.startsWith(long), log);
  assert.deepEqual([store.get("log"), store.get("u1")], [more.log, more.u1]);
  while (store.undo());
  assert.deepEqual(store.export(), {});
});
