// Messages in an unusual order or of a wrong shape: displayed, or reported.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { receiveAll } from "byname/messages";

await init();

const version = "v0.9";
const create = (surfaceId = "s") => ({ version, createSurface: { surfaceId, catalogId: "c" } });
const update = (components) => ({ version, updateComponents: { surfaceId: "s", components } });
const data = (value, path = "/") => ({ version, updateDataModel: { surfaceId: "s", path, value } });
const title = { id: "root", component: "Text", text: { path: "/title" } };
const begin = { beginRendering: { surfaceId: "s", root: "a" } };
const v08Text = (text) => ({ id: "a", component: { Text: { text } } });
const v08Update = (...components) => ({ surfaceUpdate: { surfaceId: "s", components } });

async function receive(messages) {
  const surface = new Surface({ catalog: basicCatalog });
  const result = await receiveAll(a2uiTarget(surface), messages);
  return { ...result, codes: result.diagnostics.map(({ code }) => code), tree: surface.tree() };
}

test("data and components before createSurface are kept", async () => {
  for (const early of [
    [data({ title: "Hi" }), update([title])],
    [update([title]), data("Hi", "/title")],
  ]) {
    const { ok, codes, tree } = await receive([...early, create()]);
    assert.deepEqual([ok, codes, tree.props.text], [true, [], "Hi"]);
  }
});

test("createSurface with a data model replaces earlier data", async () => {
  const message = create();
  message.createSurface.dataModel = { title: "New" };
  const { tree } = await receive([data({ title: "Old" }), update([title]), message]);
  assert.equal(tree.props.text, "New");
});

test("another surface is rejected each time, without a change of this one", async () => {
  const { ok, codes, tree } = await receive([
    create(),
    update([title]),
    data({ title: "Hi" }),
    create("t"),
    create("t"),
    data("Bye", "/title"),
  ]);
  assert.deepEqual([ok, codes, tree.props.text], [false, ["HAM029", "HAM029"], "Bye"]);
});

test("v0.8 without beginRendering is reported at the end", async () => {
  const { codes, diagnostics, tree } = await receive([v08Update(v08Text({ literalString: "x" }))]);
  assert.deepEqual([codes, tree], [["A2UI013"], null]);
  assert.match(diagnostics[0].help, /"beginRendering"/);
});

test("v0.8 components and contents of a wrong shape are reported", async () => {
  const { ok, codes, tree } = await receive([
    begin,
    v08Update("x", v08Text({ literalString: "y" })),
  ]);
  assert.deepEqual([ok, codes, tree.props.text], [false, ["HAM029"], "y"]);
  const contents = [{ key: "title", valueText: "x" }, 5, { key: "n", valueMap: [{ key: "m" }] }];
  const second = await receive([begin, { dataModelUpdate: { surfaceId: "s", contents } }]);
  assert.deepEqual(second.codes, ["A2UI012", "A2UI012", "A2UI012"]);
});

test("a null of the agent is reported, the null of a path without data is not", async () => {
  const literal = await receive([create(), update([{ ...title, text: null }])]);
  assert.deepEqual(literal.codes, ["CAT003"]);
});

/** Texts of the rows of a list. */
const rows = ({ tree }) => tree.children.map((row) => row.props.text);
const list = { id: "root", component: "List", children: { componentId: "row", path: "/items" } };
const row = { id: "row", component: "Text", text: { path: "name" } };
const map = { one: { name: "One" }, two: { name: "Two" } };

test("a map is a source of a template, before and after the components", async () => {
  for (const messages of [
    [create(), update([list, row]), data({ items: map })],
    [create(), data({ items: map }), update([list, row])],
  ]) {
    const result = await receive(messages);
    assert.deepEqual([result.codes, rows(result)], [[], ["One", "Two"]]);
    const grown = await receive([...messages, data({ name: "Three" }, "/items/three")]);
    assert.deepEqual([grown.codes, rows(grown)], [[], ["One", "Two", "Three"]]);
    const asList = await receive([...messages, data([{ name: "Zero" }], "/items")]);
    assert.deepEqual([asList.codes, rows(asList)], [[], ["Zero"]]);
  }
});

test("in v0.8 an absolute path in a template is of the item, or of the root", async () => {
  const template = { componentId: "row", dataBinding: "/items" };
  const text = (path) => ({ Text: { text: { path } } });
  const messages = (path) => [
    { beginRendering: { surfaceId: "s", root: "list" } },
    v08Update(
      { id: "list", component: { List: { children: { template } } } },
      { id: "row", component: text(path) },
    ),
    {
      dataModelUpdate: {
        surfaceId: "s",
        contents: [
          { key: "unit", valueString: "kg" },
          {
            key: "items",
            valueMap: ["One", "Two"].map((name) => ({
              key: name,
              valueMap: [{ key: "name", valueString: name }],
            })),
          },
        ],
      },
    },
  ];
  assert.deepEqual(rows(await receive(messages("/name"))), ["One", "Two"]);
  assert.deepEqual(rows(await receive(messages("/unit"))), ["kg", "kg"]);
});
