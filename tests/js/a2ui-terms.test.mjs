// Diagnostics for senders of A2UI: paths in place of the nodes and bindings of HAM.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { receiveAll } from "byname/messages";

await init();

const version = "v0.9";
const create = { version, createSurface: { surfaceId: "s", catalogId: "basic" } };
const root = (props) => ({
  version,
  updateComponents: { surfaceId: "s", components: [{ id: "root", ...props }] },
});
const data = (value) => ({ version, updateDataModel: { surfaceId: "s", path: "/", value } });

async function diagnosticsOf(messages) {
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  const { diagnostics } = await receiveAll(target, messages);
  return diagnostics;
}

test("a path with dots or to missing data is explained with slashes", async () => {
  const dotted = root({ component: "Text", text: { path: "/user.name" } });
  const [first, ...rest] = await diagnosticsOf([create, dotted, data({ user: { name: "Ann" } })]);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [first.code, first.message, first.help],
    [
      "HAM010",
      "no data at the path `user.name`",
      'separate the steps of a path by slashes: {"path": "/user/name"}',
    ],
  );
});

test("a property with a wrong name or an unbound input is explained with `path`", async () => {
  const found = await diagnosticsOf([
    create,
    root({ component: "TextField", label: "Name", value: "x", txt: { path: "/name" } }),
  ]);
  assert.deepEqual(found.map(({ code }) => code).sort(), ["CAT001", "CAT012", "HAM037"]);
  for (const { help } of found) assert.doesNotMatch(help, /binding|node/);
  assert.match(found.find(({ code }) => code === "CAT012").help, /\{"path": "…"\}/);
});

test("a key that occurs twice in a component or in data is a warning", async () => {
  const column = '{"id": "root", "component": "Column", "children": ["a"], "children": []}';
  const found = await diagnosticsOf([
    JSON.stringify(create),
    `{"updateComponents": {"surfaceId": "s", "components": [${column}]}}`,
    '{"updateDataModel": {"surfaceId": "s", "value": {"a": 1, "a": 2}}}',
  ]);
  assert.deepEqual(
    found.map(({ code, message }) => `${code} ${message}`),
    ["children", "a"].map((key) => `JSON012 duplicate key \`${key}\`: the last value is used`),
  );
});

test("a truncated message reports only its JSON", async () => {
  const text = JSON.stringify(data({ user: { name: "Ann" } })).slice(0, -4);
  const found = await diagnosticsOf([JSON.stringify(create), text]);
  assert.deepEqual(
    found.map(({ code }) => code),
    ["JSON002"],
  );
});

test("an object in a text is displayed as JSON, with a warning", async () => {
  const surface = new Surface({ catalog: basicCatalog });
  const user = { name: "Ann" };
  const { diagnostics } = await receiveAll(a2uiTarget(surface), [
    create,
    root({ component: "Text", text: { path: "/user" } }),
    data({ user }),
  ]);
  assert.deepEqual(
    diagnostics.map(({ code, help }) => `${code} ${help}`),
    ["HAM038 bind to one of its properties"],
  );
  const html = renderToString(surface, { style: false });
  assert.match(html, /\{(?:"|&quot;)name(?:"|&quot;):(?:"|&quot;)Ann(?:"|&quot;)\}/);
});

test("an absolute path in a template is explained with the path of the item", async () => {
  const list = { component: "List", children: { componentId: "i", path: "/items" } };
  const item = { id: "i", component: "Text", text: { path: "/name" } };
  const components = [{ id: "root", ...list }, item];
  const update = { version, updateComponents: { surfaceId: "s", components } };
  const messages = [create, update, data({ items: [{ name: "One" }] })];
  const found = await diagnosticsOf(messages);
  assert.deepEqual(
    found.map(({ code, message, help }) => [code, message, help]),
    [
      [
        "HAM037",
        "no data at `/name`: an absolute path in a template starts at the root of the data model",
        "write `name` for the property of the item",
      ],
    ],
  );
  item.text = { path: "name" };
  assert.deepEqual(await diagnosticsOf(messages), []);
});

test("`template` in a list of children is read as `componentId`, with a warning", () => {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const components = [
    { id: "root", component: "List", children: { path: "/g", template: "row" } },
    { id: "row", component: "Text", text: { path: "name" } },
  ];
  target.receive({ createSurface: { surfaceId: "s", catalogId: "basic" } });
  const { diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
  target.receive({ updateDataModel: { surfaceId: "s", path: "/g", value: [{ name: "A" }] } });
  assert.equal(surface.tree().children[0].props.text, "A");
  const [{ code, severity, help, location }, ...others] = diagnostics;
  assert.deepEqual([code, severity, others.length], ["A2UI025", "warning", 0]);
  assert.equal(help, 'write {"path": "/g", "componentId": "row"}');
  assert.equal(location.pointer, "/updateComponents/components/0/children/template");
});

const shownAt = (path) => [root({ component: "Text", text: { path } })];
const button = (context) => [
  root({ component: "Button", child: "root", action: { event: { name: "go", context } } }),
];
const helps = [
  [
    [root({ component: "Text", text: "Hi {{user.name}}" })],
    "CAT010",
    /… \$\{\/user\/name\} …"\}\}$/,
  ],
  [button({ path: "/form" }), "HAM027", /write \{"context":\{"form":\{"path":"\/form"\}\}\}/],
  [[root({ component: "Image", alt: "A cat" })], "CAT001", /^rename `alt` to `description`$/],
  [
    [root({ component: "Text", text: { path: "/a", default: 1 } })],
    "CAT001",
    /^write `path` alone/,
  ],
  [shownAt("$.a"), "A2UI001", /^write `\/a`$/],
  [shownAt("$.a[0]['b']"), "A2UI001", /^write `\/a\/0\/b`$/],
  [shownAt("./a"), "A2UI001", /^write `\/a`$/],
  [shownAt("a[0]"), "A2UI001", /^write `\/a\/0`$/],
  [shownAt("o.l[0].n"), "A2UI001", /^write `\/o\/l\/0\/n`$/],
  [shownAt(" /a"), "A2UI001", /^write `\/a`$/],
  [shownAt("$/a"), "A2UI001", /^write `\/a`$/],
  [shownAt("${/a}"), "A2UI001", /^write `\/a`$/],
  [shownAt("{{ a }}"), "A2UI001", /^write `\/a`$/],
  [shownAt("#/a"), "A2UI001", /^write `\/a`$/],
  [shownAt("../a"), "A2UI001", /from the root.*no `\.\.`/],
];
for (const [messages, code, help] of helps) {
  test(`the help of ${code} for ${JSON.stringify(messages[0].updateComponents)} corrects it`, () => {
    const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
    target.receive(create);
    const found = messages.flatMap((message) => target.receive(message).diagnostics);
    assert.match(found.find((one) => one.code === code)?.help ?? "", help);
  });
}

test("an unknown key of updateDataModel is to be left out", () => {
  const target = a2uiTarget(new Surface());
  for (const rest of [{ value: 1 }, {}]) {
    const updateDataModel = { surfaceId: "s", path: "/a", op: "replace", ...rest };
    const [{ code, help }] = target.receive({ version, updateDataModel }).diagnostics;
    assert.equal(code, "A2UI009");
    assert.match(help, /^leave out `op`/);
  }
});

test("other notations of paths are reported in templates too", () => {
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  const components = [
    { id: "root", component: "List", children: { path: "/g", componentId: "row" } },
    { id: "row", component: "Text", text: { path: "./n" } },
  ];
  target.receive(create);
  const { diagnostics } = target.receive({ updateComponents: { surfaceId: "s", components } });
  assert.deepEqual(
    diagnostics.map(({ code, help }) => [code, help]),
    [["A2UI001", "write `n`"]],
  );
});

test("an invalid pattern of a check is reported", () => {
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  const field = (pattern) => {
    const condition = { call: "regex", args: { value: { path: "/a" }, pattern } };
    const checks = [{ condition, message: "invalid" }];
    return root({ component: "TextField", label: "A", value: { path: "/a" }, checks });
  };
  target.receive(create);
  for (const pattern of ["(?i)^a$", "[a", "a\\_b"]) {
    const [{ code, location }, ...others] = target.receive(field(pattern)).diagnostics;
    assert.deepEqual([code, others.length], ["A2UI026", 0]);
    const pointer = "/updateComponents/components/0/checks/0/condition/args/pattern";
    assert.equal(location.pointer, pointer);
  }
  assert.deepEqual(target.receive(field("^[a-z]+\\.$")).diagnostics, []);
});

test("the help for a missing surface id is a message that is accepted", () => {
  const bodies = {
    createSurface: { surface_id: "s" },
    updateComponents: { surface_id: "s", components: [] },
    updateDataModel: { path: "/name", value: "Ann" },
    deleteSurface: {},
  };
  for (const [name, body] of Object.entries(bodies)) {
    const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
    const { diagnostics } = target.receive({ version: "v0.9", [name]: body });
    const helps = diagnostics.flatMap(({ code, help }) => (code === "HAM029" ? [help] : []));
    for (const help of helps) {
      if (name !== "createSurface")
        target.receive({ version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } });
      const fixed = JSON.parse(help.replace(/^write /, ""));
      assert.deepEqual(target.receive({ version: "v0.9", ...fixed }).diagnostics, []);
    }
    assert.equal(helps.length > 0, name !== "updateDataModel", name);
  }
});
