// `byname convert` keeps what a surface displays and its data, in every direction.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { init } from "byname";
import { toA2uiDataModel } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { compileExpress } from "byname/express";
import { render } from "byname/testing";
import { exampleFiles } from "../a2ui/examples.mjs";

await init();
const { runCli } = await import(new URL("../../pkg/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "byname-round-trips-"));
after(() => rmSync(folder, { recursive: true }));

let fileCount = 0;
async function convert(text, ...options) {
  fileCount += 1;
  const path = join(folder, `${fileCount}.txt`);
  writeFileSync(path, text);
  const { code, stdout, stderr } = await runCli(["convert", path, ...options]);
  assert.equal(code, 0, `${options.join(" ")}: ${stderr}`);
  return { text: stdout, notes: stderr };
}

const linesOf = (messages) => messages.map((one) => JSON.stringify(one)).join("\n");

/** Returns what a surface displays, its tree without actions, its data, and the contexts of actions. */
function viewOf(text, format) {
  const compiled = format === "express" && compileExpress(text, { catalog: basicCatalog });
  if (compiled) assert.deepEqual(errorsOf(compiled.diagnostics), [], text);
  const messages = compiled ? linesOf(compiled.messages) : text;
  const view = render(messages, { catalog: basicCatalog, a2ui: format !== "ham" });
  assert.deepEqual(errorsOf(view.diagnostics), [], messages);
  const { surfaces } = toA2uiDataModel({ s: view.surface.store });
  return {
    text: view.text(),
    tree: treeOf(view.tree()),
    data: surfaces.s,
    actions: actionsOf(view),
  };
}

const errorsOf = (diagnostics) => diagnostics.filter(({ severity }) => severity === "error");

function treeOf(instance) {
  if (instance === null || typeof instance !== "object") return instance;
  const { id, component, props, children = [] } = instance;
  const { action: _, checks: __, children: ___, ...shown } = props;
  return { id, component, shown, children: children.map(treeOf) };
}

/** Returns the actions of all buttons. */
function actionsOf(view) {
  const pressed = [];
  for (const { key } of view.all({ component: "Button" })) {
    const action = view.surface.trigger(key, "action");
    if (action) pressed.push([action.name, action.context]);
  }
  return pressed.length > 0 ? pressed : view.actions.map(({ name, context }) => [name, context]);
}

async function checkRoundTrips(text, format, options = {}) {
  const before = viewOf(text, format);
  assert.ok(before.tree !== null, "displays something");
  const routes = [["a2ui"], ["ham"], ["express"], ["ham", "a2ui"], ["express", "a2ui"]];
  routes.push(["a2ui", "ham"], ["ham", "express", "ham"], ["ham", "ham"]);
  for (const route of options.routes ?? routes) {
    let converted = text;
    for (const to of route) converted = (await convert(converted, "--to", to)).text;
    assert.deepEqual(viewOf(converted, route.at(-1)), before, `${format} to ${route.join(" to ")}`);
  }
}

const a2ui = (components, value, version = "v0.9") =>
  linesOf([
    { version, createSurface: { surfaceId: "s", catalogId: "basic", sendDataModel: true } },
    { version, updateComponents: { surfaceId: "s", components } },
    { version, updateDataModel: { surfaceId: "s", path: "/", value } },
  ]);
const column = (...children) => ({ id: "root", component: "Column", children });
const text = (id, value) => ({ id, component: "Text", text: value });
const list = (id, path, componentId) => ({
  id,
  component: "List",
  children: { path, componentId },
});

const surfaces = {
  "nested templates and Unicode": a2ui(
    [
      column("h", "groups"),
      text("h", { path: "/titel/größe" }),
      list("groups", "/groups", "group"),
      { id: "group", component: "Card", child: "content" },
      { id: "content", component: "Column", children: ["name", "items"] },
      text("name", { path: "name" }),
      list("items", "items", "item"),
      text("item", { path: "a/b" }),
    ],
    {
      titel: { größe: 'Ünï 😀 "q" \\ `${x}` \n new' },
      groups: [
        { name: "*star", items: [{ a: { b: "1" } }, { a: { b: "2" } }] },
        { name: "", items: [] },
        { name: "日本", items: [{ a: { b: "*3" } }] },
      ],
    },
  ),
  "actions, functions and checks": a2ui(
    [
      column("mail", "age", "total", "date", "send"),
      {
        id: "mail",
        component: "TextField",
        label: "E-mail",
        value: { path: "/form/mail" },
        checks: [
          {
            condition: { call: "required", args: { value: { path: "/form/mail" } } },
            message: "needed",
          },
        ],
      },
      { id: "age", component: "Slider", value: { path: "/form/age" }, min: 0, max: 120 },
      text("total", {
        call: "formatString",
        args: { value: "Hi ${/form/mail}, ${formatNumber(value: ${/form/age}, decimals: 1)}" },
      }),
      text("date", {
        call: "formatDate",
        args: { value: { path: "/when" }, format: "yyyy-MM-dd" },
      }),
      {
        id: "send",
        component: "Button",
        child: "label",
        action: {
          event: {
            name: "send",
            context: { mail: { path: "/form/mail" }, deep: { a: [1, { path: "/form/age" }] } },
          },
        },
      },
      text("label", "Send"),
    ],
    { form: { mail: "a@b.c", age: 41.25 }, when: "2026-03-04T05:06:00Z" },
  ),
  "actions of list items": a2ui(
    [
      list("root", "/people", "row"),
      { id: "row", component: "Row", children: ["name", "delete"] },
      text("name", { path: "name" }),
      {
        id: "delete",
        component: "Button",
        child: "label",
        action: {
          event: { name: "delete", context: { who: { path: "name" }, all: { path: "/n" } } },
        },
      },
      text("label", { path: "/label" }),
    ],
    { people: [{ name: "Zoë" }, { name: "~/~1" }], n: 2, label: "Delete" },
  ),
  "keys with characters of pointers": a2ui(
    [column("a", "b"), text("a", { path: "/x~1y/a~0b" }), text("b", { path: "/list/1" })],
    { "x/y": { "a~b": "value" }, list: ["one", "two", null, true] },
  ),
  "updates by path": `${a2ui([column("a", "l"), text("a", { path: "/x~1y/z" }), list("l", "/l", "i"), text("i", { path: "t" })], { l: [{ t: "1" }], gone: 1 })}\n${linesOf(
    [
      { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/x~1y/z", value: "later" } },
      { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/l/1", value: { t: "2" } } },
      { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/gone" } },
      { version: "v0.9", updateComponents: { surfaceId: "s", components: [text("i", "fixed")] } },
    ],
  )}`,
  "a surface of v1.0 with contents": linesOf([
    {
      version: "v1.0",
      createSurface: {
        surfaceId: "s",
        catalogId: "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
        components: [
          column("a", "tabs"),
          text("a", { path: "/a" }),
          { id: "tabs", component: "Tabs", tabs: [{ title: "One", child: "x" }] },
          text("x", { path: "/x/y" }),
        ],
        dataModel: { a: "A", x: { y: "Y" } },
      },
    },
  ]),
};

for (const [name, source] of Object.entries(surfaces))
  test(`keeps ${name}`, () => checkRoundTrips(source, "a2ui"));

test("the compared views contain actions, texts and data", () => {
  const { text: shown, data, actions } = viewOf(surfaces["actions of list items"], "a2ui");
  assert.deepEqual([shown, data.people.length], ["Zoë\nDelete\n~/~1\nDelete", 2]);
  assert.deepEqual(actions, [
    ["delete", { who: "Zoë", all: 2 }],
    ["delete", { who: "~/~1", all: 2 }],
  ]);
});

test("keeps a surface of v0.8", async () => {
  const source = linesOf([
    {
      surfaceUpdate: {
        surfaceId: "s",
        components: [{ id: "root", component: { Text: { text: { path: "/a" } } } }],
      },
    },
    { dataModelUpdate: { surfaceId: "s", contents: [{ key: "a", valueString: "A" }] } },
    { beginRendering: { surfaceId: "s", root: "root" } },
  ]);
  await checkRoundTrips(source, "a2ui");
});

test("keeps templates of v0.8, whose absolute paths mean the item", async () => {
  const children = { template: { componentId: "row", dataBinding: "/people" } };
  const components = [
    { id: "root", component: { List: { children } } },
    { id: "row", component: { Column: { children: { explicitList: ["name", "unit"] } } } },
    { id: "name", component: { Text: { text: { path: "/name" } } } },
    { id: "unit", component: { Text: { text: { path: "/unit" } } } },
  ];
  const person = (key, name) => ({ key, valueMap: [{ key: "name", valueString: name }] });
  const people = { key: "people", valueMap: [person("0", "Ann"), person("1", "Bob")] };
  const contents = [people, { key: "unit", valueString: "kg" }];
  const source = linesOf([
    { surfaceUpdate: { surfaceId: "s", components } },
    { dataModelUpdate: { surfaceId: "s", contents } },
    { beginRendering: { surfaceId: "s", root: "root" } },
  ]);
  assert.equal(viewOf(source, "a2ui").text, "Ann\nkg\nBob\nkg");
  await checkRoundTrips(source, "a2ui");
});

const ham = {
  "lists at the top level": [
    { createSurface: { surfaceId: "s" } },
    {
      updateComponents: {
        surfaceId: "s",
        components: [
          column("t", "l"),
          text("t", { binding: { key: "title" } }),
          { id: "l", component: "List", children: { binding: { key: "people" }, template: "p" } },
          { id: "p", component: "Column", children: ["n", "tags"] },
          text("n", { binding: { key: "name" } }),
          {
            id: "tags",
            component: "List",
            children: { binding: { key: "tags" }, template: "tag" },
          },
          text("tag", { binding: {} }),
        ],
      },
    },
    {
      updateDataModel: {
        surfaceId: "s",
        nodes: {
          root: { title: "People", people: ["*u1", "*u2"] },
          u1: { name: "Zoë", tags: "*g" },
          u2: { name: "Bo", tags: ["c"] },
          g: ["a", "b"],
        },
      },
    },
  ],
  "data in other nodes": [
    {
      createSurface: {
        surfaceId: "s",
        components: [
          column("a", "b"),
          text("a", { binding: { node: "cfg", key: "a/b" } }),
          text("b", { binding: { node: "cfg", key: "path" } }),
        ],
      },
    },
    {
      updateDataModel: {
        surfaceId: "s",
        nodes: { cfg: { "a/b": "slash", path: "/x" }, root: { cfg: "*cfg" } },
      },
    },
  ],
};

for (const [name, messages] of Object.entries(ham)) {
  test(`keeps HAM with ${name}`, async () => {
    const source = linesOf(messages);
    await checkRoundTrips(source, "ham");
    assert.equal((await convert(source, "--to", "ham")).text, source);
  });
}

test("keeps Express", () =>
  checkRoundTrips(
    `surface("s", "basic", sendDataModel=true)
root = Column([title, people, form, send], align="center")
title = Text("""Two
"lines" \\u00e9""", "h1")
people = List(_template($/people, row))
row = Row([name, count])
name = Text($name)
count = Text(formatString("\${/unit}"))
form = TextField("Mail", $/form/mail, ?required("needed"))
send = Button(Text("Go"), "primary", Event("go", {mail: $/form/mail, all: $/people}))
$/people = [{name: "Ann"}, {name: "*B"}]
$/unit = "k\\"g"
$/form = {mail: "x"}`,
    "express",
  ));

test("keeps what the examples of A2UI display", async () => {
  const examples = exampleFiles();
  // Every fifth example, of all versions.
  const basic = examples.filter(({ folder: source }) => source.endsWith("basic"));
  for (const { name, messages } of basic.filter((_, at) => at % 5 === 0)) {
    const source = linesOf(messages);
    await checkRoundTrips(source, "a2ui", {
      routes: [["a2ui"], ["ham", "a2ui"], ["express", "a2ui"]],
    }).catch((error) => {
      error.message = `${name}: ${error.message}`;
      throw error;
    });
  }
  assert.ok(examples.length > 50);
});

test("another version of A2UI displays the same", async () => {
  for (const source of Object.values(surfaces)) {
    const before = viewOf(source, "a2ui");
    for (const version of ["v0.9", "v0.9.1", "v1.0", "1.0"]) {
      const { text: converted } = await convert(source, "--to", "a2ui", "--version", version);
      assert.deepEqual(viewOf(converted, "a2ui"), before, version);
      for (const line of converted.split("\n")) assert.equal(JSON.parse(line).version, version);
    }
  }
});
