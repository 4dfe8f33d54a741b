// Handles and their disposal: twice, late, in any order, or never.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BynameError, HamStore, init, Surface } from "byname";
import { basicCatalog } from "byname/dom";

await init();

const misuse = (code) => (error) => error instanceof BynameError && error.code === code;

test("ending a subscription twice does not end another one", () => {
  const store = new HamStore();
  const received = [];
  const listener = ({ value }) => received.push(value);
  const stop = store.subscribe({ node: "a" }, listener);
  stop();
  store.subscribe({ node: "a" }, listener);
  stop();
  store.apply({ a: 1 });
  assert.deepEqual(received, [1]);
});

test("a subscription that ends and begins again in a batch is not notified of that batch", () => {
  const store = new HamStore();
  const received = [];
  const listener = ({ value }) => received.push(value);
  let stop = () => {};
  const end = store.subscribe({ node: "a" }, () => {
    stop();
    store.subscribe({ node: "a" }, listener);
    end();
  });
  stop = store.subscribe({ node: "a" }, listener);
  store.apply({ a: 1 });
  assert.deepEqual(received, []);
  store.apply({ a: 2 });
  assert.deepEqual(received, [2]);
});

test("a subscription can be ended after its store", () => {
  const store = new HamStore();
  const stop = store.subscribe({ node: "a" }, () => {});
  store[Symbol.dispose]();
  stop();
  stop();
});

test("subscribing to a malformed binding throws the diagnostics of a read", () => {
  const store = new HamStore();
  for (const binding of [{ node: "*u" }, { node: 1 }, "u", null]) {
    const { diagnostics } = store.read(binding);
    assert.notEqual(diagnostics.length, 0);
    assert.throws(
      () => store.subscribe(binding, () => {}),
      (error) => {
        assert.deepEqual(error.diagnostics, diagnostics);
        return misuse("argument")(error);
      },
    );
  }
});

test("an undefined field of a binding is absent", () => {
  const store = new HamStore();
  store.apply({ root: { x: 1 }, a: { x: 2 } });
  assert.deepEqual(store.read({ node: undefined, key: "x" }), store.read({ key: "x" }));
  assert.deepEqual(store.read({ node: "a", key: undefined }), store.read({ node: "a" }));
  assert.ok(store.write({ node: undefined, key: "x" }, 3).ok);
  assert.deepEqual(store.get("root"), { x: 3 });
});

test("bytes after half a pair end the stream", () => {
  const store = new HamStore();
  const stream = store.stream();
  assert.ok(stream.push('{"a": 1, "b": "\ud83d').ok);
  const rejected = stream.push(new TextEncoder().encode('"}'));
  assert.deepEqual(
    [rejected.ok, rejected.diagnostics.map(({ code }) => code)],
    [false, ["JSON006"]],
  );
  assert.deepEqual(rejected.diagnostics[0].location, { kind: "text", start: 15, end: 16 });
  for (const result of [stream.push("x"), stream.end()]) {
    assert.equal(result.ok, false);
    assert.notEqual(result.diagnostics[0].code, "JSON006", "it has ended before");
  }
  assert.deepEqual(store.export(), { a: 1 });
});

test("handles half a pair that is completed, and half a pair at the end", () => {
  const store = new HamStore();
  const stream = store.stream();
  for (const chunk of ['{"b": "\ud83d', "", '\ude00"}']) assert.ok(stream.push(chunk).ok);
  assert.ok(stream.end().ok);
  assert.equal(store.get("b"), "😀");
  const half = store.stream();
  assert.ok(half.push('{"c": "\ud83d').ok);
  assert.equal(half.end().diagnostics[0].code, "JSON006");
  assert.notEqual(half.end().diagnostics[0].code, "JSON006");
});

test("locations in an invalid or excess chunk count from the start of the stream", () => {
  const pushed = (chunks, options) => {
    const stream = new HamStore(options).stream();
    return chunks.map((chunk) => stream.push(chunk)).at(-1).diagnostics[0];
  };
  const text = (start, end) => ({ kind: "text", start, end });
  assert.deepEqual(pushed(['{"é":1,', '"b":"\ud800x"}']).location, text(12, 13));
  assert.deepEqual(pushed(['{"a":"\ud83d', 'x"}']).location, text(6, 7));
  const limits = { bytes: 20 };
  const large = pushed(['{"a":1,', "x".repeat(40)], { limits });
  assert.deepEqual([large.code, large.location], ["JSON010", text(7, 7)]);
  const stream = new HamStore().stream();
  assert.ok(stream.push('{"a":1,').ok);
  assert.ok(!stream.push("\ud800x").ok);
  assert.notEqual(stream.end().diagnostics[0].code, "JSON006", "it has ended before");
});

test("half a pair does not name a node", () => {
  const store = new HamStore();
  store.apply({ "\ufffd": 1, root: { a: 1 } });
  assert.deepEqual([store.has("\ufffd"), store.get("\ufffd")], [true, 1]);
  assert.deepEqual([store.has("\ud800"), store.get("\ud800")], [false, undefined]);
  assert.equal(store.toJSON("\ud800"), null);
});

/** Returns a surface that displays one text, the value of the node `a`. */
function textSurface(store) {
  const surface = new Surface({ store });
  const root = { id: "root", component: "Text", text: { binding: { node: "a" } } };
  surface.receive({ createSurface: { surfaceId: "s", catalogId: "c" } });
  const { ok } = surface.receive({ updateComponents: { surfaceId: "s", components: [root] } });
  assert.ok(ok);
  return surface;
}

test("disposing of a surface does not change its successor", () => {
  const store = new HamStore();
  store.apply({ a: "one" });
  const first = textSurface(store);
  const late = [];
  const stop = first.subscribe((changes) => late.push(...changes));
  first[Symbol.dispose]();
  const second = textSurface(store);
  const received = [];
  second.subscribe((changes) => received.push(...changes));
  const uses = [
    () => first.receive({ deleteSurface: { surfaceId: "s" } }),
    () => first.tree(),
    () => first.diagnostics(),
    () => first.subscribe(() => {}),
    () => first.input("root", "text", "x"),
    () => first.trigger("root", "action"),
  ];
  for (const use of uses) assert.throws(use, misuse("disposed"));
  stop();
  first[Symbol.dispose]();
  store.apply({ a: "two" });
  assert.deepEqual(received, [{ kind: "set", key: "root", prop: "text", value: "two" }]);
  assert.deepEqual(late, []);
});

test("reports a message that disposes of its store while it is read", () => {
  const ends = (what) => ({ a: { toJSON: () => what[Symbol.dispose]() ?? 1 } });
  const store = new HamStore();
  const surfaceOfStore = new Surface({ store });
  const own = new Surface();
  assert.throws(() => store.apply(ends(store)), misuse("disposed"));
  assert.throws(() => surfaceOfStore.receive(ends(surfaceOfStore)), misuse("disposed"));
  assert.throws(() => own.receive(ends(own)), misuse("disposed"));
  const last = new HamStore();
  const surface = new Surface({ store: last });
  assert.throws(() => surface.receive(ends(surface)), misuse("disposed"));
  assert.ok(last.apply({ a: 1 }).ok);
});

test("a surface, its listener and its store may be disposed of in any order, and twice", () => {
  const orders = ["uls", "usl", "lus", "lsu", "slu", "sul"];
  for (const order of orders) {
    const store = new HamStore();
    const surface = textSurface(store);
    const stop = surface.subscribe(() => {});
    const ends = {
      u: () => surface[Symbol.dispose](),
      l: stop,
      s: () => store[Symbol.dispose](),
    };
    for (const end of `${order}${order}`) ends[end]();
    assert.throws(() => surface.tree(), misuse("disposed"));
  }
});

test("notifies the other listeners of a surface when one throws", (t) => {
  const report = t.mock.method(console, "error", () => {});
  const store = new HamStore();
  const surface = textSurface(store);
  const thrownError = new Error("an error of the application");
  let notifications = 0;
  surface.subscribe(() => {
    throw thrownError;
  });
  surface.subscribe(() => {
    notifications += 1;
  });
  assert.ok(store.apply({ a: 1 }).ok);
  assert.equal(notifications, 1);
  assert.deepEqual(
    report.mock.calls.map((call) => call.arguments),
    [[thrownError]],
  );
});

test("in a batch, does not notify a removed listener, and notifies a new one of later changes", () => {
  const store = new HamStore();
  const surface = textSurface(store);
  const received = [];
  const note = (name) => (changes) => received.push(`${name} ${changes[0].value}`);
  let stop = () => {};
  const end = surface.subscribe(() => {
    end();
    stop();
    surface.subscribe(note("late"));
  });
  stop = surface.subscribe(note("left"));
  store.apply({ a: 1 });
  assert.deepEqual(received, []);
  store.apply({ a: 2 });
  assert.deepEqual(received, ["late 2"]);
});

test("notifies listeners of a surface in order, though one of them writes", () => {
  const store = new HamStore();
  const surface = textSurface(store);
  const received = [];
  surface.subscribe(([{ value }]) => {
    if (value === 1) store.apply({ a: 2 });
  });
  surface.subscribe(([{ value }]) => received.push(value));
  store.apply({ a: 1 });
  assert.deepEqual(received, [1, 2]);
});

test("notifies no listener of a store that a listener disposed of", () => {
  const store = new HamStore();
  const surface = textSurface(store);
  surface.subscribe(() => store[Symbol.dispose]());
  const late = [];
  surface.subscribe((changes) => late.push(...changes));
  assert.ok(store.apply({ a: 1 }).ok);
  assert.deepEqual(late, []);
});

test("rejects a catalog that JSON cannot represent, with a pointer to the error", () => {
  const catalog = { components: {}, functions: { f: () => 1 } };
  assert.throws(
    () => new Surface({ catalog }),
    (error) => {
      assert.match(error.message, /JSON has no value for/);
      assert.deepEqual(error.diagnostics[0].location, { kind: "pointer", pointer: "/functions/f" });
      return misuse("argument")(error);
    },
  );
  const cycle = { components: {} };
  cycle.components.self = cycle;
  assert.throws(() => new Surface({ catalog: cycle }), misuse("argument"));
  for (const good of [basicCatalog, {}, undefined]) {
    assert.equal(new Surface({ catalog: good }).tree(), null);
  }
});

test("a stream that was disposed of has ended, and does not change its successor", () => {
  const store = new HamStore();
  const first = store.stream();
  assert.ok(first.push('{"a": 1, "b": ').ok);
  first[Symbol.dispose]();
  const second = store.stream();
  first[Symbol.dispose]();
  for (const result of [first.push("2}"), first.end()]) assert.equal(result.ok, false);
  assert.ok(second.push('{"c": 3}').ok && second.end().ok);
  assert.deepEqual(store.export(), { a: 1, c: 3 });
  const last = store.stream();
  store[Symbol.dispose]();
  last[Symbol.dispose]();
});
