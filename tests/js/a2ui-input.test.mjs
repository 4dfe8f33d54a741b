// User input at paths without data, compared with the data model of A2UI.

import assert from "node:assert/strict";
import test from "node:test";
import { DataModel } from "@a2ui/web_core/v0_9";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";

await init();

/** Returns a surface with components and data, and the contexts of the actions that it sends. */
function start(components, model) {
  const contexts = [];
  const surface = new Surface({
    catalog: basicCatalog,
    onAction: ({ context }) => contexts.push(context),
  });
  const target = a2uiTarget(surface);
  target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  target.receive({ updateComponents: { surfaceId: "s", components } });
  if (model !== undefined)
    target.receive({ updateDataModel: { surfaceId: "s", path: "/", value: model } });
  return { surface, target, contexts };
}

const button = (context) => ({
  id: "send",
  component: "Button",
  child: "label",
  action: { event: { name: "send", context } },
});
const field = (path) => ({ id: "field", component: "TextField", label: "x", value: { path } });
const label = { id: "label", component: "Text", text: "Send" };
const form = (path, context) => [
  { id: "root", component: "Column", children: ["field", "send"] },
  field(path),
  button(context),
  label,
];

const cases = [
  ["/form/name", undefined, "/form"],
  ["/form/name", {}, "/form"],
  ["/form/name", { form: null }, "/form"],
  ["/form/name", { form: { age: 3 } }, "/form"],
  ["/a/b/c", { a: { d: 1 } }, "/a"],
  ["/a/0/b", {}, "/a"],
  ["/l/2", { l: ["a", "b"] }, "/l"],
  ["/l/4", { l: ["a"] }, "/l"],
];
for (const [path, model, parent] of cases) {
  test(`input at ${path} in ${JSON.stringify(model)} gives the model of A2UI`, () => {
    const context = { parent: { path: parent }, all: { path: "/" } };
    const { surface, target, contexts } = start(form(path, context), model);
    const expected = new DataModel(structuredClone(model ?? {}));
    for (const text of ["A", "Ann"]) {
      surface.input("root/field", "value", text);
      expected.set(path, text);
      surface.trigger("root/send", "action");
      // JSON writes null for an item without a value.
      const all = JSON.parse(JSON.stringify(expected.get("/")));
      const read = JSON.parse(JSON.stringify(expected.get(parent)));
      assert.deepEqual(contexts.pop(), { parent: read, all });
      assert.deepEqual(surface.store.toJSON(), all);
    }
    assert.deepEqual(target.diagnostics(), []);
    // Data of the agent beside the input keeps it.
    target.receive({ updateDataModel: { surfaceId: "s", path: "/other", value: 1 } });
    expected.set("/other", 1);
    assert.deepEqual(surface.store.toJSON(), JSON.parse(JSON.stringify(expected.get("/"))));
  });
}

test("input in a template creates the objects of the item", () => {
  const context = { item: { path: "" }, value: { path: "v" } };
  const { surface, contexts } = start(
    [
      { id: "root", component: "List", children: { path: "/g", componentId: "row" } },
      { id: "row", component: "Row", children: ["field", "send"] },
      field("v/w"),
      button(context),
      label,
    ],
    { g: [{ n: "A" }, { n: "B" }] },
  );
  const [input, send] = surface.tree().children[1].children;
  surface.input(input.key, "value", "typed");
  surface.trigger(send.key, "action");
  assert.deepEqual(contexts, [{ item: { n: "B", v: { w: "typed" } }, value: { w: "typed" } }]);
  assert.deepEqual(surface.store.toJSON(), { g: [{ n: "A" }, { n: "B", v: { w: "typed" } }] });
});

test("input below a text is reported, and the text is kept", () => {
  const { surface, target, contexts } = start(form("/x/y", { x: { path: "/x" } }), { x: "text" });
  surface.input("root/field", "value", "typed");
  surface.trigger("root/send", "action");
  assert.deepEqual(contexts, [{ x: "text" }]);
  const [{ code, message }] = target.diagnostics();
  assert.equal(code, "A2UI005");
  assert.equal(message, "cannot store the input at the path `/x/y`: cannot set `y` in a string");
});
