// Snapshots of one object that grows, as object streams of the AI SDK yield them. The surface and
// the diagnostics are those of the complete messages, displayed early and received once.

import assert from "node:assert/strict";
import test from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { receiveAll, Surfaces } from "byname/messages";
import { openStream } from "../../pkg/messages/stream.js";
import { exampleFiles } from "../a2ui/examples.mjs";
import { messages } from "../messages.mjs";
import { snapshotsOf } from "../partial-json.mjs";

await init();

const examples = exampleFiles().filter(({ folder }) => folder.startsWith("v0_9"));
const create = (surfaceId) => ({ createSurface: { surfaceId, catalogId: "basic" } });
const text = (value, id = "root") => ({ id, component: "Text", text: value });
const show = (surfaceId, ...components) => ({ updateComponents: { surfaceId, components } });
const nodes = (surfaceId, all) => ({ updateDataModel: { surfaceId, nodes: all } });
const update = (surfaceId, path, value) => ({ updateDataModel: { surfaceId, path, value } });

/** Objects with messages, as the schema of a request may define them. */
const wrappers = {
  "an object with messages": (list) => ({ messages: list }),
  "a list": (list) => list,
  "other keys before and after": (list) => ({ plan: 'Show "all" ]}', messages: list, done: true }),
  "another key": (list) => ({ thought: "First", ui: list }),
};

/** Returns the code and message of each diagnostic. */
const reportsOf = ({ diagnostics }) => diagnostics.map(({ code, message }) => `${code} ${message}`);

/** Returns increasing offsets with random distances. */
function randomOffsets({ length }, random, distance) {
  const offsets = [];
  for (let at = 0; at < length; at += 1 + Math.floor(random() * distance)) offsets.push(at);
  return offsets;
}

/** Returns a generator of repeatable numbers from 0 to 1 (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function* yielded(values, onEach = () => {}) {
  for (const [index, value] of values.entries()) {
    await null;
    onEach(index);
    yield value;
  }
}

/** Returns a list in which each type of value and of escape is cut somewhere. */
const HARD = [
  create("hard"),
  show(
    "hard",
    { id: "root", component: "Column", children: ["a", "b", "list"] },
    text('"quoted" \\ back\\slash ]} \n\t \ud83c\udf88\u2028 \\ud83c', "a"),
    text({ binding: { key: 'na"m[e}' } }, "b"),
    { id: "list", component: "List", children: { binding: { key: "rows" }, template: "a" } },
  ),
  nodes("hard", {
    root: {
      'na"m[e}': "Zo\u00eb",
      rows: ["*row1", "*row10"],
      n: [-0.5, 1e-7, 1234567890123456, true],
    },
    row1: { n: 0.1, empty: {}, none: [], nothing: null },
    row10: { n: 10, deep: { deep: { deep: [[[{ a: "b" }]]] } } },
  }),
  nodes("hard", { root: { 'na"m[e}': "Zoe", rows: ["*row10", "*row1"] } }),
];

/** Numeric keys come first in an object, so that its text does not just continue. */
const NUMERIC = [
  create("s"),
  show(
    "s",
    { id: "root", component: "List", children: { binding: { key: "rows" }, template: "t" } },
    text({ binding: { key: "t" } }, "t"),
  ),
  nodes("s", { root: { rows: ["*20", "*3"] }, 20: { t: "twenty" }, 3: { t: "three" } }),
];

const FAULTY = [
  create("s"),
  show("s", { id: "root", component: "Column", children: ["a", "b"] }, { id: "a" }, text("B", "b")),
  nodes("s", { "*a": 1, b: { c: 2 } }),
  { hello: 1 },
  nodes("other", { a: 1 }),
];

const logs = { messages, HARD, NUMERIC, FAULTY };

const targets = {
  Surface: () => {
    const surface = new Surface();
    return [surface, () => surface.tree()];
  },
  "Surface with a typed catalog": () => {
    const surface = new Surface({ catalog: basicCatalog });
    return [surface, () => surface.tree()];
  },
  Surfaces: () => {
    const surfaces = new Surfaces();
    return [surfaces, () => surfaces.list().map(([id, one]) => [id, one.tree()])];
  },
};
const a2uiTargets = {
  a2uiTarget: () => {
    const surface = new Surface({ catalog: basicCatalog });
    return [a2uiTarget(surface), () => [surface.tree(), surface.store.toJSON()]];
  },
  "Surfaces of plain A2UI": () => {
    const surfaces = new Surfaces({ a2ui: true });
    return [surfaces, () => surfaces.list().map(([id, one]) => [id, one.tree()])];
  },
};

/** Compares the snapshots of a list of messages with the text of the list. */
async function expectSame(open, list, wrap, offsets) {
  const [expected, treeOf] = open();
  const complete = await receiveAll(expected, JSON.stringify(list));
  const [target, shownOf] = open();
  const source = JSON.stringify(wrap(list));
  const result = await receiveAll(target, yielded(snapshotsOf(source, offsets?.(source))));
  assert.deepEqual(shownOf(), treeOf());
  assert.deepEqual(reportsOf(result), reportsOf(complete));
  assert.equal(result.ok, complete.ok);
}

for (const [name, open] of Object.entries(targets)) {
  test(`${name}: shows a list that is cut at every character`, async () => {
    for (const list of Object.values(logs))
      for (const wrap of Object.values(wrappers)) await expectSame(open, list, wrap);
  });
}

for (const [name, open] of Object.entries({ ...targets, ...a2uiTargets })) {
  test(`${name}: shows a list that is cut at random characters`, async () => {
    const random = randomNumbers(1);
    const some = examples.filter((_, at) => at % 3 === 0);
    const lists = name in targets ? Object.values(logs) : some.map((one) => one.messages);
    assert.ok(lists.length >= 4);
    const all = Object.values(wrappers);
    for (const [index, list] of lists.entries())
      for (const distance of [8, 60, 400]) {
        const offsets = (source) => randomOffsets(source, random, distance);
        await expectSame(open, list, all[(index + distance) % all.length], offsets);
      }
  });
}

test("reports the errors of a list once", async () => {
  for (const wrap of Object.values(wrappers)) {
    const values = snapshotsOf(JSON.stringify(wrap(FAULTY)));
    const result = await receiveAll(new Surface(), yielded(values));
    assert.deepEqual(
      [result.ok, result.diagnostics.map(({ code }) => code)],
      [false, ["HAM029", "HAM002", "HAM029", "HAM029", "HAM028"]],
    );
  }
});

test("receives each component once, as soon as the next one begins", async () => {
  const components = Array.from({ length: 30 }, (_, at) => text(`Text ${at}`, `c${at}`));
  const root = { id: "root", component: "Column", children: components.map(({ id }) => id) };
  const source = JSON.stringify({ messages: [create("s"), show("s", root, ...components)] });
  const surface = new Surface();
  const received = [];
  const target = {
    store: surface.store,
    receive(message) {
      const { updateComponents } = typeof message === "string" ? JSON.parse(message) : message;
      received.push(...(updateComponents?.components ?? []).map(({ id }) => id));
      return surface.receive(message);
    },
  };
  const values = snapshotsOf(source);
  let mostMissing = 0;
  const result = await receiveAll(
    target,
    yielded(values, (index) => {
      const begun = values[index - 1]?.messages?.[1]?.updateComponents?.components?.length ?? 0;
      mostMissing = Math.max(mostMissing, begun - received.length);
    }),
  );
  assert.deepEqual(result, { ok: true, diagnostics: [] });
  assert.deepEqual(received, ["root", ...components.map(({ id }) => id)]);
  assert.equal(mostMissing, 1);
});

test("one message grows from an empty object", async () => {
  for (const message of [show("s", text('"Hi"\\'), text("b", "b")), nodes("s", { a: { b: 1 } })]) {
    for (const start of ["", '"version":"v0.9",']) {
      const source = JSON.stringify(message).replace("{", `{${start}`);
      const surface = new Surface();
      const values = snapshotsOf(source);
      const all = [create("s"), ...values, update("s", "/none", 1)];
      const { diagnostics } = await receiveAll(surface, yielded(all));
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ["HAM004"],
      );
      const expected = new Surface();
      expected.receive(create("s"));
      assert.ok(expected.receive(message).ok);
      assert.deepEqual(surface.tree(), expected.tree());
      assert.deepEqual(surface.store.toJSON(), expected.store.toJSON());
    }
  }
});

test("objects of several answers follow one another", async () => {
  const [surface, shown] = targets.Surfaces();
  const answer = (...list) => snapshotsOf(JSON.stringify({ messages: list }));
  const all = [
    ...answer(create("a"), show("a", text("A"))),
    ...answer(create("b"), show("b", text("B"))),
    { messages: [] },
    ...answer(show("a", text("AA"))),
  ];
  assert.deepEqual(await receiveAll(surface, all), { ok: true, diagnostics: [] });
  assert.deepEqual(
    shown().map(([id, tree]) => [id, tree.props.text]),
    [
      ["a", "AA"],
      ["b", "B"],
    ],
  );
});

test("a producer may change and yield the same object", async () => {
  const values = snapshotsOf(JSON.stringify({ messages: HARD }));
  const one = {};
  async function* changed() {
    for (const value of values) {
      Object.assign(one, value);
      yield one;
    }
  }
  const surface = new Surface();
  assert.deepEqual(await receiveAll(surface, changed()), { ok: true, diagnostics: [] });
  const expected = new Surface();
  for (const message of HARD) expected.receive(message);
  assert.deepEqual(surface.tree(), expected.tree());
});

test("messages that are not in a list are applied at once, each of them", async () => {
  const values = [];
  const target = a2uiTarget(new Surface());
  const receive = (message) => {
    values.push(message.updateDataModel?.value);
    return target.receive(message);
  };
  const source = [create("s"), update("s", "/n", 1), update("s", "/n", 12), update("s", "/n", "a")];
  source.push(update("s", "/n", "ab"));
  let countBefore;
  const checked = yielded(source, (index) => {
    if (index === 2) countBefore = values.length;
  });
  await receiveAll({ ...target, receive }, checked);
  assert.deepEqual(values, [undefined, 1, 12, "a", "ab"]);
  assert.equal(countBefore, 2);
});

test("equal lists that do not grow are separate", async () => {
  const append = nodes("s", { "+log": { items: ["x"] } });
  const store = new HamStore({ extensions: { listEdits: true } });
  const surface = new Surface({ store });
  const source = [create("s"), nodes("s", { log: [] })].concat(
    [1, 2].map(() => ({ messages: [append] })),
  );
  assert.deepEqual((await receiveAll(surface, source)).diagnostics, []);
  assert.deepEqual(store.toJSON("log"), ["x", "x"]);
});

test("an object without a message is reported when the next one does not continue it", async () => {
  for (const source of [
    [{}, [], { a: 1 }],
    [{ a: 1 }, { a: 1 }],
    [{ a: 2 }, { a: 1, b: 2 }, create("s")],
    [{ messages: "none" }],
  ]) {
    const expected = source.flatMap((one) => new Surface().receive(one).diagnostics);
    const reported = [];
    const surface = new Surface();
    const sent = yielded([...source], (index) => {
      if (index === source.length - 1) assert.ok(reported.length >= index - 1);
    });
    await receiveAll(surface, sent, { onDiagnostics: (all) => reported.push(...all) });
    assert.deepEqual(reported, expected);
  }
});

/** Receives objects of which each is followed by a pause, and returns all diagnostics. */
function receiveSlowly(target, values) {
  const stream = openStream(target, {});
  const results = values.flatMap((value) => [
    stream.receive(value),
    ...(stream.waitTime() < 1000 ? [stream.applyTail()] : []),
  ]);
  results.push(stream.end());
  const late = target.diagnostics?.() ?? [];
  const diagnostics = results.flatMap((one) => one.diagnostics);
  return { ok: results.every(({ ok }) => ok), diagnostics, late };
}

for (const [name, open] of Object.entries({ ...targets, ...a2uiTargets })) {
  test(`${name}: shows a list with a pause after every character`, () => {
    const lists =
      name in targets ? Object.values(logs) : examples.slice(0, 8).map((one) => one.messages);
    for (const list of lists) {
      const [expected, treeOf] = open();
      const complete = receiveSlowly(expected, [list]);
      const [target, shownOf] = open();
      const source = JSON.stringify({ messages: list });
      const slow = receiveSlowly(target, snapshotsOf(source));
      assert.deepEqual(shownOf(), treeOf());
      assert.deepEqual(reportsOf(slow), reportsOf(complete));
      assert.deepEqual(
        reportsOf({ diagnostics: slow.late }),
        reportsOf({ diagnostics: complete.late }),
      );
      assert.equal(slow.ok, complete.ok);
    }
  });
}

test("a live source shows its last object without another one", async () => {
  const surface = new Surface();
  let stop;
  async function* live() {
    yield { messages: [create("s")] };
    yield { messages: [show("s", { id: "root", component: "Divider" }), show("s", text("Hi"))] };
    await new Promise((resolve) => {
      stop = resolve;
    });
    yield { messages: [nodes("s", { "*a": 1 })] };
  }
  const reading = receiveAll(surface, live());
  while (surface.tree()?.props.text !== "Hi") await new Promise((done) => setTimeout(done, 5));
  stop();
  assert.deepEqual(
    reportsOf(await reading).map((one) => one.slice(0, 6)),
    ["HAM002"],
  );
});

test("a signal ends the wait for the next object at once", async () => {
  const stop = new AbortController();
  async function* live() {
    yield { messages: [create("s"), show("s", text("Hi"))] };
    await new Promise(() => {});
  }
  const surface = new Surface();
  const reading = receiveAll(surface, live(), { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("gone")), 20);
  await assert.rejects(reading, /gone/);
  assert.equal(surface.tree(), null);
});

test("a surface whose id was cut in a pause is deleted", () => {
  const [surfaces, shown] = targets.Surfaces();
  const stream = openStream(surfaces, {});
  const created = [];
  for (const value of snapshotsOf(
    JSON.stringify({ messages: [create("shop"), show("shop", text("Hi"))] }),
  )) {
    stream.receive(value);
    assert.ok(![...surfaces].some(([id]) => !"shop".startsWith(id)));
    if (stream.waitTime() === undefined) continue;
    stream.applyTail();
    created.push(...surfaces.list().map(([id]) => id));
  }
  assert.ok(created.includes("sho"));
  assert.deepEqual(
    stream.end().diagnostics.map(({ code }) => code),
    ["HAM035"],
  );
  assert.deepEqual(
    shown().map(([id, tree]) => [id, tree.props.text]),
    [["shop", "Hi"]],
  );
});

test("an edit of a list that follows a pause is applied once, and input stays", () => {
  const store = new HamStore({ extensions: { listEdits: true } });
  const surface = new Surface({ store });
  const field = { id: "root", component: "TextField", value: { binding: { key: "name" } } };
  const list = [create("s"), show("s", field), nodes("s", { log: [], root: { name: "" } })];
  const more = ["one", "two"].map((item) => nodes("s", { "+log": { items: [item] }, end: 1 }));
  const stream = openStream(surface, {});
  const source = JSON.stringify({ messages: [...list, ...more] });
  const input = surface.input.bind(surface, "root", "value", "Ann");
  for (const value of snapshotsOf(source)) {
    stream.receive(value);
    if (value.messages?.length === 4 && surface.tree().props.value === "") input();
    if (stream.waitTime() < 1000) stream.applyTail();
  }
  stream.applyTail();
  stream.end();
  assert.deepEqual(store.toJSON("log"), ["one", "two"]);
  assert.equal(surface.tree().props.value, "Ann");
});

test("an edit that ends a list is applied after a pause, and the list may go on", () => {
  const store = new HamStore({ extensions: { listEdits: true } });
  const stream = openStream(new Surface({ store }), {});
  const edit = (item) => nodes("s", { "+log": { items: [item] } });
  const list = [create("s"), nodes("s", { log: [] }), edit("one"), edit("two")];
  for (const count of [3, 4]) {
    stream.receive({ messages: list.slice(0, count) });
    assert.ok(stream.waitTime() > 0);
    stream.applyTail();
    assert.equal(stream.waitTime(), undefined);
    assert.deepEqual(store.toJSON("log"), ["one", "two"].slice(0, count - 2));
  }
});

test("a source that fails while an object grows keeps its complete parts", async () => {
  const source = JSON.stringify({ messages: [create("s"), show("s", text("Hi"), text("b", "b"))] });
  async function* failing(values) {
    yield* values;
    throw new Error("the line is dead");
  }
  for (const [values, codes] of [
    [snapshotsOf(source.slice(0, source.indexOf('"b"') + 2)), ["JSON002"]],
    [[JSON.parse(source)], []],
  ]) {
    const surface = new Surface();
    const reported = [];
    const onDiagnostics = (all) => reported.push(...all.map(({ code }) => code));
    await assert.rejects(receiveAll(surface, failing(values), { onDiagnostics }), /dead/);
    assert.equal(surface.tree().props.text, "Hi");
    assert.deepEqual(reported, codes);
  }
});

test("text after a growing object ends it", async () => {
  const values = snapshotsOf(JSON.stringify({ messages: [create("s"), show("s", text("Hi"))] }));
  const surface = new Surface();
  const more = `${JSON.stringify(nodes("s", { a: 1 }))}\n`;
  assert.deepEqual((await receiveAll(surface, [...values, more])).diagnostics, []);
  assert.deepEqual([surface.tree().props.text, surface.store.toJSON("a")], ["Hi", 1]);
});

test("equal objects without any value are the beginning of the next one", async () => {
  const list = [create("s"), show("s", text("hi"))];
  for (const early of [
    [{}, {}],
    [{}, {}, { messages: [] }],
    [{ messages: [{}] }, { messages: [{}] }],
  ]) {
    const surface = new Surface({ catalog: basicCatalog });
    const result = await receiveAll(surface, objects([...early, { messages: list }]));
    assert.deepEqual(result, { ok: true, diagnostics: [] });
    assert.equal(surface.tree().props.text, "hi");
  }
});

async function* objects(list) {
  yield* list;
}
