// Actions: the list item that they come from, and the end of typing before the context is read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget, toA2uiAction } from "byname/a2ui";

await init();

const row = [
  { id: "root", component: "List", children: { binding: { key: "rows" }, template: "row" } },
  { id: "row", component: "Button", action: { event: { name: "open" } } },
];

test("an action outside a list has neither `node` nor `item`", () => {
  const surface = new Surface();
  const root = { id: "root", component: "Button", action: { event: { name: "go" } } };
  surface.receive({ updateComponents: { surfaceId: "s", components: [root] } });
  const action = surface.trigger("root", "action");
  assert.equal("node" in action || "item" in action, false);
});

test("`node` and `item` are those of the nearest item, also in nested lists", () => {
  const surface = new Surface();
  const components = [
    { id: "root", component: "List", children: { binding: { key: "groups" }, template: "group" } },
    { id: "group", component: "List", children: { binding: { key: "rows" }, template: "row" } },
    { ...row[1], component: "Card", child: "press" },
    { ...row[1], id: "press" },
  ];
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  surface.store.apply({ root: { groups: ["*g"] }, g: { rows: ["*r", "*r"] }, r: {} });
  const found = surface.tree().children[0].children.map(({ children }) => {
    const { node, item } = surface.trigger(children[0].key, "action");
    return { node, item };
  });
  assert.deepEqual(found, [
    { node: "r", item: "r" },
    { node: "r", item: "r#2" },
  ]);
});

test("a message to an A2UI agent has only the keys that A2UI allows", () => {
  const surface = new Surface();
  const { receive } = a2uiTarget(surface);
  const children = { componentId: "row", path: "/rows" };
  const components = [{ id: "root", component: "List", children }, row[1]];
  receive({ version: "v0.9", updateComponents: { surfaceId: "s", components } });
  receive({ version: "v0.9", updateDataModel: { surfaceId: "s", path: "/rows", value: [{}] } });
  const action = surface.trigger(surface.tree().children[0].key, "action");
  assert.equal(action.item, action.node);
  assert.deepEqual(Object.keys(toA2uiAction(action).action).sort(), [
    ...["context", "name", "sourceComponentId", "surfaceId", "timestamp"],
  ]);
});
