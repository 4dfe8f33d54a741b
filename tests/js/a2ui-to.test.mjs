// Output of `ToA2ui`: A2UI's own data model and expression parser must be able to read it;
// otherwise a diagnostic gives the location.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DataModel } from "@a2ui/web_core/v0_9";
import { ExpressionParser } from "@a2ui/web_core/v0_9/basic_catalog";
import { FromA2ui, ToA2ui, toA2uiDataModel } from "byname/a2ui";
import { seeded } from "../../benches/data/seeded.mjs";

const update = (nodes) => ({ updateDataModel: { surfaceId: "s", nodes } });
const components = (...list) => ({ updateComponents: { surfaceId: "s", components: list } });
const text = (id, binding) => ({ id, component: "Text", text: { binding } });
const brief = ({ diagnostics }) => diagnostics.map((one) => [one.code, one.location.pointer]);

/** Returns the value at a JSON pointer. */
function valueAt(message, pointer) {
  return pointer
    .split("/")
    .slice(1)
    .reduce((value, step) => value[step.replaceAll("~1", "/").replaceAll("~0", "~")], message);
}

test("each update gives A2UI the same model, whatever the keys are called", () => {
  const steps = [
    { "": "x", a: 1 },
    { "": "y", a: 1 },
    { a: { "": "z", b: { "": [1] } }, "a/b": { "~": 1 } },
    { a: { "": "z", b: { "": [1, 2] } }, "a/b": { "~": 2 } },
    { a: { b: {} }, constructor: 1, prototype: { c: 1 } },
    { a: { b: { "": 1 } }, constructor: 2, prototype: { c: 2 } },
    { rows: [] },
    { rows: [1, 2, 3] },
    { rows: [1, 2, 3, 4] },
    { rows: [1, 2, 3, 4, 5, 6, 7, 8, 9] },
    null,
    [1],
  ];
  const to = new ToA2ui();
  const peer = new DataModel({});
  for (const step of steps) {
    const { messages, diagnostics } = to.translate(update({ root: step }));
    assert.deepEqual(diagnostics, []);
    for (const { updateDataModel } of messages)
      peer.set(updateDataModel.path, updateDataModel.value);
    assert.deepEqual(peer.get("/"), step);
  }
});

test("makes one update for a list that is filled, or mostly new", () => {
  const paths = (...lists) => {
    const to = new ToA2ui();
    const results = lists.map((rows) => to.translate(update({ root: { rows } })).messages);
    return results.at(-1).map(({ updateDataModel }) => updateDataModel.path);
  };
  const rows = Array.from({ length: 100 }, (_, n) => n);
  assert.deepEqual(paths([], rows), ["/rows"]);
  assert.deepEqual(paths(rows.slice(0, 40), rows), ["/rows"]);
  assert.deepEqual(paths(rows.slice(0, 99), rows), ["/rows/99"]);
});

test("a text contains only paths that A2UI's parser reads", () => {
  const named = [
    "name",
    "first_name",
    "a.b",
    "a-b",
    "1st",
    "true",
    "truely",
    "null.x",
    "first name",
  ];
  named.push("José", "a~b", "a/b", "@index", "x}y", "'x'", "f(");
  for (const key of named) {
    for (const binding of [{ key }, { node: "root", key }, { node: key, key: "n" }]) {
      const to = new ToA2ui();
      to.translate(update({ root: { [key]: `*${key}` }, [key]: { n: 1 } }));
      const args = { value: "It is ${x}!", values: { x: { binding } } };
      const component = { id: "title", component: "Text", text: { call: "formatString", args } };
      const { messages, diagnostics } = to.translate(components(text("other", binding), component));
      const [{ text: bound }, { text: written }] = messages[0].updateComponents.components;
      const expression = `It is \${${bound.path}}!`;
      if (parsesTo(expression, bound.path)) {
        assert.deepEqual([written.args.value, diagnostics], [expression, []]);
      } else {
        assert.equal(written.args.value, args.value, expression);
        const [{ code, location }] = diagnostics;
        assert.deepEqual(
          [code, location.pointer],
          ["A2UI004", "/updateComponents/components/1/text"],
        );
      }
    }
  }
});

function parsesTo(expression, path) {
  try {
    const [, result] = new ExpressionParser().parse(expression);
    return result.path === path;
  } catch {
    return false;
  }
}

test("reports a key that no path can express, and binds nothing else to it", () => {
  const to = new ToA2ui();
  to.translate(update({ root: { "": "*inner", a: 1 }, inner: { n: 1 } }));
  const answer = to.translate(
    components(text("a", { node: "root", key: "" }), text("b", { node: "inner", key: "n" })),
  );
  assert.deepEqual(brief(answer), [
    ["A2UI008", "/updateComponents/components/0/text"],
    ["A2UI008", "/updateComponents/components/1/text"],
  ]);
  assert.equal(answer.messages[0].updateComponents.components[0].text, null);
});

test("pointers of diagnostics lead into the messages", () => {
  const to = new ToA2ui();
  const data = update({ root: { "a b": "*a/~b" }, "a/~b": { self: "*a/~b" } });
  assert.deepEqual(brief(to.translate(data)), [["A2UI002", "/updateDataModel/nodes/a~1~0b"]]);
  const args = (binding) => ({ value: "${x}", values: { x: { binding } } });
  const one = (id, prop, binding) => ({
    id,
    component: "Text",
    [prop]: { call: "formatString", args: args(binding) },
  });
  const translation = to.translate(
    components(
      one("fine", "text", { key: "x" }),
      one("a/b", "te/xt", { node: "root", key: "a b" }),
    ),
  );
  assert.deepEqual(brief(translation), [["A2UI004", "/updateComponents/components/1/te~1xt"]]);
  assert.equal(valueAt(translation.messages[0], brief(translation)[0][1]).call, "formatString");
  // A diagnostic is not repeated with each later update.
  assert.deepEqual(brief(to.translate(update({ "!x": null, other: 1 }))), []);

  const from = new FromA2ui();
  const relative = { id: "root", component: "Text", "te/xt": { "~": { path: "a/b" } } };
  const answer = from.translate(components({ id: "first", component: "Text" }, relative));
  assert.deepEqual(brief(answer), [["A2UI001", "/updateComponents/components/1/te~1xt/~0"]]);
  assert.deepEqual(valueAt(answer.messages[0], brief(answer)[0][1]), {
    binding: { node: "/a", key: "b" },
  });
});

test("a diagnostic gives the location in the message for a component that is sent again", () => {
  const to = new ToA2ui();
  const args = { value: "${x}", values: { x: { binding: { node: "n", key: "k" } } } };
  const component = { id: "t", component: "Text", text: { call: "formatString", args } };
  to.translate(update({ root: { good: "*n" }, n: { k: 1 } }));
  assert.deepEqual(brief(to.translate(components(text("root", { node: "n" }), component))), []);
  const moved = to.translate(update({ root: { "not good": "*n" } }));
  assert.deepEqual(brief(moved), [["A2UI004", "/updateComponents/components/1/text"]]);
  assert.equal(valueAt(moved.messages.at(-1), brief(moved)[0][1]).call, "formatString");
});

test("reports messages of v1.0 that are not for a surface", () => {
  const from = new FromA2ui();
  for (const name of ["callRendererFunction", "agentFunctionResponse"]) {
    const answer = from.translate({ version: "v1.0", [name]: { functionCallId: "1" } });
    assert.deepEqual(brief(answer), [["A2UI007", `/${name}`]]);
    assert.deepEqual(answer.messages, []);
  }
  const unknown = from.translate({ version: "v1.0", updateComponent: {} });
  assert.deepEqual(brief(unknown), [["A2UI009", "/updateComponent"]]);
  assert.deepEqual(unknown.messages, []);
});

test("an update by path equals a complete comparison when one value replaces another", () => {
  let updateCount = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const below = seeded(seed);
    const ids = ["root", "a", "b", "c", "/x/y", "d"];
    const names = ["n", "m", "a/b", "~", "0", "x", "toString"];
    const values = [1, 2, "t", "", true, false, null, "*a", "*b", "*absent", [1], {}, { k: 1 }];
    const value = () =>
      below(3) === 0
        ? ids
            .slice(1)
            .map((id) => `*${id}`)
            // More pointers would make a tree that grows exponentially.
            .slice(3 + below(3))
        : values[below(values.length)];
    const map = () =>
      Object.fromEntries(names.filter(() => below(3) > 0).map((name) => [name, value()]));
    const components = [
      { id: "root", component: "Text", text: { binding: { node: "d", key: "n" } } },
      { id: "other", component: "Text", text: { binding: { node: "/x/y", key: "m" } } },
    ];
    const translators = [new ToA2ui(), new ToA2ui()];
    for (const to of translators) to.translate({ createSurface: { surfaceId: "s", components } });
    const nodes = Object.fromEntries(ids.map((id) => [id, map()]));
    for (let round = 0; round < 30; round++) {
      const id = ids[below(ids.length)];
      // Mostly one value replaces another in the existing nodes.
      const node = { ...nodes[id] };
      const name = names[below(names.length)];
      if (round > 0 && below(4) > 0) {
        if (Object.hasOwn(node, name) || below(5) === 0) node[name] = values[below(7)];
      } else Object.assign(node, map());
      nodes[id] = node;
      const update = round === 0 ? nodes : { [id]: node };
      // A second node, which is not displayed, forces the complete comparison.
      const results = [update, { ...update, unseen: round }].map((input, at) =>
        translators[at].translate({ updateDataModel: { surfaceId: "s", nodes: input } }),
      );
      assert.deepEqual(results[0], results[1], `seed ${seed}, round ${round}`);
      assert.equal(JSON.stringify(translators[0].model), JSON.stringify(translators[1].model));
      if (round > 0) updateCount += results[0].messages.length;
    }
  }
  assert.ok(updateCount > 500, `${updateCount} changes`);
});

test("an update by path equals a complete comparison when rows arrive after their list", () => {
  let updateCount = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const below = seeded(seed);
    const ids = Array.from({ length: 12 }, (_, at) =>
      at === 3 ? "!r" : at === 4 ? "/x" : `r${at}`,
    );
    const pointers = ids.map((id) => `*${id}`);
    const part = (from, to) => pointers.slice(from, to);
    const node = () => [{ n: below(9), t: "t" }, { "": null }, {}, { to: "*r1" }, [1], 5][below(6)];
    const translators = [new ToA2ui(), new ToA2ui()];
    const component = {
      id: "root",
      component: "Text",
      text: { binding: { node: "r5", key: "n" } },
    };
    const components = below(2) === 0 ? [component] : [];
    for (const to of translators) to.translate({ createSurface: { surfaceId: "s", components } });
    const lists = () => ({
      root: { rows: part(below(3), 9), inner: [part(9, 11), [1]], a: below(3) ? 1 : "*r11" },
    });
    for (let round = 0; round < 40; round++) {
      const id = below(3) === 0 ? ids[below(ids.length)] : ids[round % ids.length];
      const update =
        round === 0 || below(20) === 0 ? lists() : { [below(12) === 0 ? `!${id}` : id]: node() };
      const results = [update, { ...update, unseen: round }].map((input, at) =>
        translators[at].translate({ updateDataModel: { surfaceId: "s", nodes: input } }),
      );
      assert.deepEqual(results[0], results[1], `seed ${seed}, round ${round}`);
      assert.equal(JSON.stringify(translators[0].model), JSON.stringify(translators[1].model));
      updateCount += results[0].messages.filter(({ updateDataModel }) =>
        /^\/(rows|inner\/0)\/\d+$/.test(updateDataModel?.path),
      ).length;
    }
  }
  assert.ok(updateCount > 500, `${updateCount} rows`);
});

test("makes one update for each of 10,000 rows that arrive after their list", () => {
  const to = new ToA2ui();
  const ids = Array.from({ length: 10_000 }, (_, at) => `u${at}`);
  to.translate(update({ root: { users: ids.map((id) => `*${id}`) } }));
  const paths = ids.map((id) => {
    const { messages } = to.translate(update({ [id]: { name: id } }));
    return messages.map(({ updateDataModel }) => updateDataModel.path).join();
  });
  assert.deepEqual(paths, ["/users", ...ids.slice(1).map((_, at) => `/users/${at + 1}`)]);
  assert.equal(to.model.users.length, 10_000);
});

test("updates a row that is the root, is changed in place, or follows a model that is too large", () => {
  const bound = { id: "t", component: "Text", text: { binding: { node: "x" } } };
  const updatesOf = ({ messages }) =>
    messages.map(({ updateDataModel }) => [updateDataModel?.path, updateDataModel?.value]);
  const withRoot = new ToA2ui();
  withRoot.translate(components(bound));
  withRoot.translate(update({ x: ["*a", "*root"], a: { n: 1 } }));
  const result = withRoot.translate(update({ root: { title: "hi" } }));
  assert.equal(withRoot.model.title, "hi");
  assert.deepEqual(
    result.diagnostics.map(({ code }) => code),
    ["A2UI003"],
  );

  const changed = new ToA2ui();
  const row = { n: 1 };
  changed.translate(update({ root: { items: ["*a", "*b"] }, a: { n: 1 } }));
  assert.deepEqual(updatesOf(changed.translate(update({ b: row }))), [["/items/1", { n: 1 }]]);
  row.n = 2;
  assert.deepEqual(updatesOf(changed.translate(update({ b: row, other: 1 }))), [["/items/1/n", 2]]);

  const large = new ToA2ui();
  large.translate(update({ root: { items: ["*a", "*b"] }, a: { n: 1 } }));
  const chain = Array.from({ length: 1_200 }, (_, at) => [`c${at}`, { next: `*c${at + 1}` }]);
  const tooLarge = { name: "BynameError", code: "too-large" };
  const deep = { root: { items: ["*a"], deep: "*c0" }, ...Object.fromEntries(chain) };
  assert.throws(() => large.translate(update(deep)), tooLarge);
  assert.throws(() => large.translate(update({ b: { n: 2 } })), tooLarge);
  large.translate(update({ "!c0": null }));
  assert.deepEqual(large.model.items, [{ n: 1 }]);
});

/** Returns the text that an A2UI renderer displays in a component after all messages. */
function displayedText(messages, id) {
  const to = new ToA2ui();
  const peer = new DataModel({});
  const known = new Map();
  for (const message of messages) {
    for (const { updateComponents, updateDataModel } of to.translate(message).messages) {
      if (updateDataModel) peer.set(updateDataModel.path, updateDataModel.value);
      for (const one of updateComponents?.components ?? []) known.set(one.id, one);
    }
  }
  return peer.get(known.get(id).text.path) ?? null;
}

test("displays a node that the root does not reach, whatever keys the root has", () => {
  const bound = components(text("root", { node: "title", key: "text" }));
  const accepted = update({ root: { title: "Page", title_2: 1 } });
  const node = update({ title: { text: "Hello" } });
  for (const messages of [
    [bound, accepted, node],
    [bound, node, accepted],
    [accepted, node, bound],
    [node, accepted, bound],
    [accepted, bound, node],
  ])
    assert.equal(displayedText(messages, "root"), "Hello");
  // No other value replaces a missing one.
  const other = update({ root: { title: "*n" }, n: { text: "other" } });
  for (const messages of [
    [bound, other],
    [other, bound],
  ])
    assert.equal(displayedText(messages, "root"), null);
});

test("components that arrive one by one, and rows of users, take linear time", () => {
  const start = process.cpuUsage();
  const to = new ToA2ui();
  to.translate(update({ root: { a: 1 } }));
  for (let n = 0; n < 20_000; n += 1) {
    const { messages } = to.translate(components(text(`c${n}`, { node: "root", key: "a" })));
    assert.equal(messages.length, 1);
  }
  const nodes = Array.from({ length: 20_000 }, (_, n) => [`/r${n}`, { a: n }]);
  const store = { export: () => Object.fromEntries([["root", {}], ...nodes]) };
  const { surfaces } = toA2uiDataModel({ s: store });
  assert.deepEqual(surfaces.s.r19999, { a: 19999 });
  const from = new FromA2ui();
  from.translate({ updateDataModel: { surfaceId: "s", value: { rows: [] } } });
  for (let n = 0; n < 8_000; n += 1) {
    from.translate({ updateDataModel: { surfaceId: "s", path: `/rows/${n}`, value: { n } } });
  }
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 20_000_000, `${(user + system) / 1e6} s`);
});

test("a chain that grows by one node per message is compared once per message", () => {
  const start = process.cpuUsage();
  const to = new ToA2ui();
  for (let at = 0; at < 600; at += 1) {
    const node = { [at === 0 ? "root" : `n${at}`]: { next: `*n${at + 1}`, at } };
    const { messages } = to.translate(update(node));
    assert.equal(messages.length, 1);
  }
  let [depth, model] = [0, to.model];
  for (; model !== undefined; model = model.next) depth += 1;
  assert.equal(depth, 600);
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 4_000_000, `${(user + system) / 1e6} s`);
});

test("a node that was changed in place is replaced when it is sent again", () => {
  const to = new ToA2ui();
  const nodes = { root: { user: "*u" }, u: { name: "Bob" } };
  to.translate(components(text("t", { node: "u", key: "name" })));
  to.translate(update(nodes));
  nodes.u.name = "Bo";
  const { messages } = to.translate(update({ u: nodes.u }));
  assert.equal(messages.length, 1);
  assert.deepEqual(to.model, { user: { name: "Bo" } });
});
