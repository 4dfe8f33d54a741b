// Relative paths of several steps, and paths through lists whose items have moved.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { evaluateEach } from "../../pkg/functions/evaluate.js";

await init();

const update = (value, path = "/") => ({ updateDataModel: { surfaceId: "s", path, value } });
const send = (components) => ({ updateComponents: { surfaceId: "s", components } });

function receive(...messages) {
  const actions = [];
  const surface = new Surface({ catalog: basicCatalog, onAction: (one) => actions.push(one) });
  const target = a2uiTarget(surface);
  const results = messages.map((message) => target.receive(message));
  const model = () => toA2uiDataModel({ s: surface.store }).surfaces.s;
  return { surface, target, actions, model, results };
}

const list = [
  { id: "root", component: "List", children: { componentId: "row", path: "/people" } },
  { id: "row", component: "Column", children: ["city", "text", "tags", "go"] },
  { id: "city", component: "TextField", label: "City", value: { path: "address/city" } },
  {
    id: "text",
    component: "Text",
    text: { call: "formatString", args: { value: "in ${address/city}, ${tags/0/name}" } },
  },
  { id: "tags", component: "List", children: { componentId: "tag", path: "more/tags" } },
  { id: "tag", component: "Text", text: { path: "at/0" } },
  {
    id: "go",
    component: "Button",
    child: "label",
    action: { event: { name: "go", context: { city: { path: "address/city" } } } },
  },
  { id: "label", component: "Text", text: "Go" },
];
const person = (city, tag) => ({
  address: { city },
  tags: [{ name: tag }],
  more: { tags: [{ at: [tag] }] },
});
const data = { people: [person("Oslo", "a"), person("Rome", "b")] };

test("binds several steps in values, texts, actions and nested lists", () => {
  const orders = [
    [send(list), update(data)],
    [update(data), send(list)],
    [update(data), ...list.toReversed().map((one) => send([one]))],
  ];
  for (const messages of orders) {
    const { surface, actions, model, results } = receive(...messages);
    for (const { ok, diagnostics } of results) assert.deepEqual([ok, diagnostics], [true, []]);
    const rows = surface.tree().children;
    const shown = rows.map(({ children: [city, text, tags] }) => [
      city.props.value,
      evaluateEach(text.props, {}).text,
      tags.children[0].props.text,
    ]);
    assert.deepEqual(shown, [
      ["Oslo", "in Oslo, a", "a"],
      ["Rome", "in Rome, b", "b"],
    ]);
    assert.deepEqual(model(), data);
    surface.input(rows[1].children[0].key, "value", "Milan");
    surface.trigger(rows[1].children[3].key, "action");
    assert.deepEqual(actions[0].context, { city: "Milan" });
    assert.deepEqual(model().people[1], { ...data.people[1], address: { city: "Milan" } });
  }
});

test("input in a missing object creates it, and later updates keep it", () => {
  const { surface, target, model } = receive(send(list), update({ people: [{}] }));
  surface.input(surface.tree().children[0].children[0].key, "value", "Oslo");
  assert.deepEqual(model(), { people: [{ address: { city: "Oslo" } }] });
  assert.ok(target.receive(update(1, "/other")).ok);
  assert.deepEqual(model(), { people: [{ address: { city: "Oslo" } }], other: 1 });
  assert.equal(surface.tree().children[0].children[0].props.value, "Oslo");
});

test("a relative path at the top level begins at the root, with a warning", () => {
  const field = { id: "root", component: "TextField", value: { path: "form/email" } };
  const { surface, results, model } = receive(send([field]), update({ form: { email: "a" } }));
  const [{ code, severity, help }] = results[0].diagnostics;
  assert.deepEqual([code, severity, help], ["A2UI001", "warning", "write `/form/email`"]);
  surface.input("root", "value", "b");
  assert.deepEqual(model(), { form: { email: "b" } });
});

test("an absolute path names the item at its index after the list was sent again", () => {
  const text = { id: "root", component: "Text", text: { path: "/rows/0/name" } };
  const rows = [{ name: "a" }, { name: "b" }];
  const { surface, target } = receive(send([text]), update({ rows }));
  assert.equal(surface.tree().props.text, "a");
  for (const again of [rows.toReversed(), [{ name: "c" }, ...rows], [rows[1]], rows]) {
    assert.ok(target.receive(update(again, "/rows")).ok);
    assert.equal(surface.tree().props.text, again[0].name);
  }
});

test("paths of several steps in a template of a surface that is created with its data", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const components = [
    { id: "root", component: "List", children: { path: "/people", componentId: "city" } },
    { id: "city", component: "Text", text: { path: "address/city" } },
  ];
  const dataModel = { people: [{ address: { city: "Bern" } }, { address: { city: "Rome" } }] };
  target.receive({ version: "v1.0", createSurface: { surfaceId: "s", components, dataModel } });
  assert.deepEqual(
    surface.tree().children.map(({ props }) => props.text),
    ["Bern", "Rome"],
  );
});
