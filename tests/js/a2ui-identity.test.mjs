// Lists of plain data that are sent again: rows keep their items.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, FromA2ui } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { Random } from "../random/random.mjs";

await init();

const update = (value, path = "/rows") => ({ updateDataModel: { surfaceId: "s", path, value } });
const components = [
  { id: "root", component: "List", children: { componentId: "row", path: "/rows" } },
  { id: "row", component: "TextField", label: "Note", value: { path: "note" } },
];

/** Returns a surface with a list, and functions that send it and list the displayed values. */
function listSurface(options) {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface, options);
  const send = (message) => {
    const { ok, diagnostics } = target.receive(message);
    assert.deepEqual([ok, diagnostics], [true, []]);
  };
  send({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  send({ updateComponents: { surfaceId: "s", components } });
  const rows = () => surface.tree().children;
  return { surface, target, send, rows };
}

function counts(surface, action) {
  const result = { mount: 0, unmount: 0 };
  const end = surface.subscribe((changes) => {
    for (const { kind } of changes) if (kind in result) result[kind] += 1;
  });
  action();
  end();
  return result;
}

const rowsOf = (count) =>
  Array.from({ length: count }, (_, id) => ({ id, title: `t${id}`, note: `n${id}` }));

test("200 rows that are shuffled, filtered and edited are not mounted again", () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const random = new Random(seed);
    const { surface, send, rows } = listSurface();
    let list = rowsOf(200);
    send(update(list));
    const shuffled = list.toSorted(() => random.below(3) - 1);
    assert.deepEqual(
      counts(surface, () => send(update(shuffled))),
      { mount: 0, unmount: 0 },
    );
    assert.deepEqual(
      rows().map(({ props }) => props.value),
      shuffled.map(({ note }) => note),
    );
    list = shuffled.filter(({ id }) => id % 4 > 0).map((one) => ({ ...one, note: `${one.note}!` }));
    assert.deepEqual(
      counts(surface, () => send(update(list))),
      { mount: 0, unmount: 50 },
    );
    list = [{ id: 1000, note: "new" }, ...list];
    assert.deepEqual(
      counts(surface, () => send(update(list))),
      { mount: 1, unmount: 0 },
    );
    send(update("last", `/rows/${list.length - 1}/note`));
    send(update({ id: 1001, note: "appended" }, `/rows/${list.length}`));
    const values = list.map(({ note }) => note);
    assert.deepEqual(
      rows().map(({ props }) => props.value),
      [...values.slice(0, -1), "last", "appended"],
    );
  }
});

test("typed text stays with its item", () => {
  const { surface, send, rows } = listSurface();
  send(update(rowsOf(2)));
  const { key } = rows()[1];
  surface.input(key, "value", "typed");
  send(update([{ id: 9, note: "" }, ...rowsOf(2)]));
  surface.input(key, "value", "typed again");
  assert.deepEqual(
    surface.store.toJSON().rows.map(({ note }) => note),
    ["", "n0", "typed again"],
  );
});

test("a new item does not take the node of a removed one", () => {
  const { surface, send } = listSurface();
  send(update([{ id: 1, note: "a" }]));
  assert.deepEqual(
    counts(surface, () => send(update([{ id: 2, note: "b" }]))),
    {
      mount: 1,
      unmount: 1,
    },
  );
});

test("matches by a property, by content, or by position", () => {
  const ruleOf = (before, after, options) => {
    const { target, surface, send } = listSurface(options);
    send(update(before));
    const changes = counts(surface, () => send(update(after)));
    return [target.translator.listRules["/rows"], changes.mount];
  };
  const [a, b] = [
    { isbn: "1", note: "a" },
    { isbn: "2", note: "b" },
  ];
  const changed = [{ isbn: "2", note: "c" }, a];
  const keys = { "/rows": "isbn" };
  assert.deepEqual(ruleOf([a, b], changed, { keys }), [{ by: "property", property: "isbn" }, 0]);
  assert.deepEqual(ruleOf([a, b], [b, a]), [{ by: "content" }, 0]);
  assert.deepEqual(ruleOf([{ note: "a" }], [{ note: "b" }]), [{ by: "position" }, 0]);
  const named = [{ title: "x" }, { title: "y" }];
  assert.deepEqual(ruleOf(named, [{ title: "x" }, { title: "z" }]), [
    { by: "property", property: "title" },
    0,
  ]);
  assert.throws(() => new FromA2ui({ keys: { "/rows": 1 } }), { code: "argument" });
});

/** Sends lists in turn, with input in between. Returns the rule, the new rows and the last data. */
function sendTwice(first, input, second, path = "note") {
  const { surface, target, send } = listSurface();
  const row = { id: "row", component: "TextField", label: "Note", value: { path } };
  send({ updateComponents: { surfaceId: "s", components: [row] } });
  send(update(first));
  const before = surface.tree().children.map(({ key }) => key);
  for (const [at, value] of input) surface.input(before[at], "value", value);
  const { mount } = counts(surface, () => send(update(second)));
  const after = surface.tree().children.map(({ key }) => before.indexOf(key));
  return { rule: target.translator.listRules["/rows"].by, mount, after };
}

test("an item that the user has edited keeps its row if the agent repeats the earlier value", () => {
  const notes = ["a", "b", "c"].map((note) => ({ note }));
  const [a, b, c] = notes;
  const typed = [
    [0, "typed"],
    [2, "b"],
  ];
  const moved = { mount: 0, after: [2, 0, 1] };
  assert.deepEqual(sendTwice(notes, typed, [c, a, b]), { rule: "content", ...moved });
  assert.deepEqual(sendTwice(["a", "b", "c"], typed, ["c", "a", "b"], "."), {
    rule: "content",
    ...moved,
  });
  // An agent that has received the input sends it.
  assert.deepEqual(sendTwice(notes, [[0, "typed"]], [c, { note: "typed" }, b]), {
    rule: "content",
    ...moved,
  });
  const named = ["a", "b", "c"].map((name) => ({ name }));
  assert.deepEqual(sendTwice(named, typed, [named[2], named[0], named[1]], "name"), {
    rule: "property",
    ...moved,
  });
});

test("an item of which a part was sent since is matched by its current value", () => {
  const { surface, send, rows } = listSurface();
  send(update([{ note: "a" }, { note: "b" }]));
  const [first, second] = rows().map(({ key }) => key);
  send(update("c", "/rows/0/note"));
  assert.deepEqual(
    counts(surface, () => send(update([{ note: "b" }, { note: "c" }]))),
    { mount: 0, unmount: 0 },
  );
  assert.deepEqual(
    rows().map(({ key }) => key),
    [second, first],
  );
});

test("an edited item is matched by a unique text if half of its properties are equal", () => {
  const items = ["a", "b", "c"].map((text, count) => ({ text, count, note: `n${count}` }));
  const [a, b, c] = items;
  const mountsOf = (...second) => sendTwice(items, [], second).mount;
  assert.equal(mountsOf(c, { ...a, count: 9 }, b), 0);
  assert.equal(mountsOf(c, { ...a, note: "typed" }), 0);
  // Only one of three properties is equal.
  assert.equal(mountsOf(c, { ...a, count: 9, note: "other" }, b), 1);
  // A number is not an identity.
  assert.equal(mountsOf(c, { text: "x", count: 0, note: "y" }, b), 1);
});

test("a list that v0.8 writes as a map moves its items", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const send = (message) => assert.deepEqual(target.receive(message).diagnostics, []);
  const row = { TextField: { label: { literalString: "Note" }, text: { path: "note" } } };
  const list = { List: { children: { template: { componentId: "row", dataBinding: "/rows" } } } };
  const first = { Text: { text: { path: "/rows/0/note" } } };
  const column = { Column: { children: { explicitList: ["list", "first"] } } };
  const all = { root: column, list, row, first };
  const components = Object.entries(all).map(([id, component]) => ({ id, component }));
  const sendRows = (...notes) => {
    const contents = notes.map((note, at) => ({
      key: String(at),
      valueMap: [{ key: "note", valueString: note }],
    }));
    send({ dataModelUpdate: { surfaceId: "s", path: "/rows", contents } });
  };
  send({ beginRendering: { surfaceId: "s", root: "root" } });
  send({ surfaceUpdate: { surfaceId: "s", components } });
  sendRows("a", "b", "c");
  const rows = () => surface.tree().children[0].children;
  const [{ key }, ...others] = rows();
  surface.input(key, "value", "typed");
  assert.deepEqual(
    counts(surface, () => sendRows("c", "a", "b")),
    { mount: 0, unmount: 0 },
  );
  assert.deepEqual(
    rows().map((one) => one.key),
    [others[1].key, key, others[0].key],
  );
  surface.input(key, "value", "typed again");
  const notes = { 0: { note: "c" }, 1: { note: "typed again" }, 2: { note: "b" } };
  assert.deepEqual(surface.store.toJSON().rows, notes);
  assert.equal(surface.tree().children[1].props.text, "c");
});
