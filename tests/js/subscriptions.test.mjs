// Fast path for subscriptions to plain bindings: it must give the same as the general path.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { HamStore, init } from "byname";
import { seeded } from "../../benches/data/seeded.mjs";

before(() => init());

const VALUES = [
  ...[null, true, false, 0, 1.5, -7, "", "text", "Zoë 😀", "漢字", "*u1", "*absent", "* "],
  ...[["*u1"], [1, { k: "in a list" }], { k: 1 }, { k: "*u2", more: "*u0" }],
];
const NODES = ["root", "u0", "u1", "u2", "ü"];
const KEYS = ["k", "more", "ö", ""];

/** Subscribes two listeners to one binding; returns the values of each, which must be equal. */
function listenTwice(store, binding, context) {
  const received = [[], []];
  // A wrapped binding uses the general path.
  const usual = () => store.read({ binding }, context);
  const listener = (to) => (reading) => {
    assert.deepEqual(reading, usual());
    assert.deepEqual(store.read(binding, context), usual());
    to.push(reading);
  };
  store.subscribe(binding, listener(received[0]), context);
  store.subscribe({ binding }, listener(received[1]), context);
  return received;
}

test("notifies of plain values in the same way as of all others", () => {
  const received = [];
  for (let seed = 1; seed <= 40; seed++) {
    const below = seeded(seed);
    const store = new HamStore(seed % 8 === 0 ? { limits: { deepRead: 0 } } : {});
    store.apply({ root: { k: ["*u0", { k: 1 }, "*u1", { k: ["*u2", { k: 2 }] }] }, u0: { k: 0 } });
    const contexts = [undefined];
    for (const { context } of store.children({ binding: { key: "k" } })) {
      contexts.push(context);
      for (const inner of store.children({ binding: { key: "k" } }, context)) {
        contexts.push(inner.context);
      }
    }
    const listening = contexts.flatMap((context) =>
      [undefined, ...KEYS].flatMap((key) => [
        listenTwice(store, { key }, context),
        listenTwice(store, { node: undefined, key }, context),
        ...NODES.map((node) => listenTwice(store, { node, key }, context)),
      ]),
    );
    const value = () => VALUES[below(VALUES.length)];
    const map = () => Object.fromEntries(KEYS.slice(below(2)).map((key) => [key, value()]));
    const node = () => (below(5) === 0 ? value() : map());
    for (let round = 0; round < 40; round++) {
      const chosen = NODES.filter(() => below(3) === 0);
      const what = below(9);
      if (what === 0) store.undo();
      else if (what === 1) store.apply({ [`!${NODES[below(NODES.length)]}`]: null });
      else {
        const nodes = Object.fromEntries(chosen.map((id) => [id, node()]));
        const text = JSON.stringify(nodes);
        store.apply([nodes, text, new TextEncoder().encode(text)][below(3)]);
      }
    }
    for (const [plain, usual] of listening) assert.deepEqual(plain, usual);
    received.push(...listening.flatMap(([plain]) => plain));
  }
  const statuses = new Set(received.map(({ status }) => status));
  assert.deepEqual([...statuses].sort(), ["error", "missing", "ok"]);
  for (const kind of VALUES.slice(0, 10)) assert.ok(received.some(({ value }) => value === kind));
  assert.ok(received.some(({ ref }) => ref === "u1"));
});

test("rejects an invalid binding, and accepts names unchanged", () => {
  const store = new HamStore();
  for (const binding of [
    { node: "*u1", key: "k" },
    { node: "", key: "k" },
    { node: 1, key: "k" },
  ]) {
    assert.throws(() => store.subscribe(binding, () => {}), { code: "argument" });
  }
  const repairing = new HamStore({ repair: true });
  const received = [];
  repairing.subscribe({ node: "*u1", key: "k" }, ({ value }) => received.push(value));
  repairing.apply({ u1: { k: 5 } });
  assert.deepEqual(received, [5]);
});

test("reads missing values in the same way as all others", () => {
  const store = new HamStore();
  store.apply({ root: { name: 1, to: "*later" }, list: [1] });
  const bindings = [
    { node: "later", key: "x" },
    { node: "unheard of", key: "of all" },
    { node: "unheard of" },
    { node: "root", key: "unknown" },
    { key: "nmae" },
    { key: "to" },
    { key: "to/x" },
    { node: "list", key: "unseen" },
  ];
  const readBothWays = (binding) => [store.read(binding), store.read({ binding })];
  // Names are cached when they are read again.
  for (const binding of [...bindings, ...bindings]) {
    const [plain, usual] = readBothWays(binding);
    assert.deepEqual(plain, usual);
    assert.equal(plain.status, "missing");
  }
  assert.match(readBothWays({ key: "nmae" })[0].diagnostics[0].help, /`name`/);
  assert.equal(readBothWays({ key: "to" })[0].ref, "later");
});

test("notifies listeners in the order of their subscriptions, whatever they read", () => {
  const store = new HamStore();
  store.apply({ root: { k: 1 }, u1: { x: 1 } });
  const received = [];
  const subscribeAs = (name, binding) =>
    store.subscribe(binding, ({ value }) => received.push(`${name} ${JSON.stringify(value)}`));
  subscribeAs("a", { node: "root", key: "k" });
  subscribeAs("b", { node: "root" });
  const end = subscribeAs("c", { node: "root", key: "k" });
  subscribeAs("d", { node: "root", key: "list" });
  subscribeAs("e", { node: "root", key: "k" });
  store.apply({ root: { k: "ö", list: [1] } });
  assert.deepEqual(received.splice(0), [
    'a "ö"',
    'b {"k":"ö","list":[1]}',
    'c "ö"',
    "d [1]",
    'e "ö"',
  ]);
  // A listener that an earlier one removes is not notified.
  store.subscribe({ node: "root", key: "k" }, () => end());
  subscribeAs("f", { node: "root", key: "k" });
  store.apply({ root: { k: 2 } });
  store.apply({ root: { k: 3 } });
  const both = ['b {"k":2}', 'b {"k":3}'];
  assert.deepEqual(
    received.filter((one) => !both.includes(one)),
    ["a 2", "c 2", "d null", "e 2", "f 2", "a 3", "e 3", "f 3"],
  );
});
