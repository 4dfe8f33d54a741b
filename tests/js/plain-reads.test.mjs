// Fast path for plain properties: it must return the same as the general path.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init } from "byname";

before(() => init());

/** Returns the same reading through a wrapped binding, which does not use the fast path. */
const asUsual = (store, binding) => store.read({ binding });

test("reads every value unchanged", () => {
  const values = [
    null,
    true,
    false,
    0,
    -0,
    1.5,
    "",
    "text",
    "\uFEFFmark",
    "é😀",
    "\uFFFD",
    [1],
    { a: 1 },
  ];
  const store = HamStore.from({ plain: 1 });
  const map = Object.fromEntries(values.map((value, at) => [`k${at}`, value]));
  store.apply({ a: { ...map, to: "*plain", gone: "*absent" }, plain: 7 });
  for (const key of [...Object.keys(map), "to", "gone", "none", "__proto__"]) {
    const binding = { node: "a", key };
    assert.deepEqual(store.read(binding), asUsual(store, binding), key);
  }
  for (const node of ["plain", "absent", "*a", "", "toString"]) {
    const binding = { node, key: "k0" };
    assert.deepEqual(store.read(binding), asUsual(store, binding), node);
  }
});

test("does not take an invalid binding for one", () => {
  const store = new HamStore();
  store.apply({ root: { k: 1, "\uFFFD": 2 } });
  const binding = { node: "root", key: "k" };
  const unusual = [
    { node: "root", key: "\uD800" },
    { node: "root", key: "k", more: 1 },
    { node: 1, key: "k" },
    Object.assign([], binding),
    ...[null, undefined, "root", 5],
  ];
  for (const one of unusual) {
    assert.equal(store.read(one).status, "error");
    assert.throws(() => store.subscribe(one, () => {}), { code: "argument" });
  }
  // JSON omits non-enumerable properties too.
  const hidden = Object.defineProperty({ node: "root" }, "key", { value: "k" });
  assert.deepEqual(store.read(hidden), asUsual(store, hidden));
  // JSON omits inherited properties: the complete root.
  assert.deepEqual(store.read(Object.create(binding)).value, { k: 1, "\uFFFD": 2 });
  assert.equal(store.read(binding).value, 1);
  const small = new HamStore({ limits: { deepRead: 0 } });
  small.apply({ root: { k: 1 } });
  assert.deepEqual(small.read(binding), asUsual(small, binding));
  const marked = HamStore.from({ k: 1 }, { sigil: "r" });
  assert.deepEqual(marked.read(binding), asUsual(marked, binding));
});

test("values of a binding's getters are present when it is read", () => {
  const store = new HamStore();
  const stream = store.stream();
  const key = () => {
    stream.push('{"a":{"k":1},');
    return "k";
  };
  const reading = store.read({
    node: "a",
    get key() {
      return key();
    },
  });
  assert.deepEqual(reading, { value: 1, status: "ok", diagnostics: [] });
});

test("the getters of a binding may call the store", () => {
  const store = new HamStore();
  store.apply({ root: { items: ["*a"] }, a: { x: 1 } });
  const asking = () => (store.has("a") ? "items" : "none");
  const getting = {
    get key() {
      return asking();
    },
  };
  const writing = new (class {
    toJSON() {
      return { key: asking() };
    }
  })();
  for (const binding of [getting, writing]) {
    assert.deepEqual(store.children({ binding }), store.children({ binding: { key: "items" } }));
    assert.deepEqual(store.read(binding), store.read({ key: "items" }));
    const received = [];
    store.subscribe(binding, ({ value }) => received.push(value));
    store.apply({ a: { x: received.length + 2 + store.get("a").x } });
    assert.deepEqual(received, [[store.get("a")]]);
  }
});

test("values of a plain object's getters are present when it is read", () => {
  const store = new HamStore();
  store.apply({ root: { a: 1 } });
  const stream = store.stream();
  const update = store.diff({
    get a() {
      stream.push('{"x":{"y":1},');
      return 2;
    },
  });
  assert.deepEqual(update, { root: { a: 2 } });
  assert.deepEqual(store.get("x"), { y: 1 });
});

test("a reading has the same order of keys in both paths", () => {
  const store = new HamStore();
  store.apply({ root: { to: "*u", k: 1 }, u: { n: 2 } });
  for (const key of ["to", "k", "none"]) {
    const binding = { key };
    assert.equal(JSON.stringify(store.read(binding)), JSON.stringify(asUsual(store, binding)));
  }
});

test("a stream keeps a node named version until the type of the text is known", () => {
  const store = new HamStore();
  const stream = store.stream();
  assert.equal(stream.push('{"version":{"a":1,"a":2},').diagnostics.length, 1);
  stream.push('"root":1}');
  assert.ok(stream.end().ok);
  assert.deepEqual(store.get("version"), { a: 2 });
});
