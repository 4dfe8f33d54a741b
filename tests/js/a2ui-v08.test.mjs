// Messages of A2UI v0.8 and older names of properties.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HamStore, init, Surface } from "byname";
import { a2uiTarget, FromA2ui, toA2uiAction } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { messageStream } from "byname/messages";

await init();

const update = (components) => ({
  surfaceUpdate: {
    surfaceId: "s",
    components: Object.entries(components).map(([id, component]) => ({ id, component })),
  },
});
const begin = (root = "main") => ({ beginRendering: { surfaceId: "s", root } });

/** Returns a surface that received the messages, its actions and its target. */
function receive(...messages) {
  const actions = [];
  const surface = new Surface({
    catalog: basicCatalog,
    diagnostics: "off",
    onAction: (one) => actions.push(one),
  });
  const target = a2uiTarget(surface);
  for (const message of messages) {
    const { ok, diagnostics } = target.receive(message);
    assert.deepEqual([ok, diagnostics], [true, []]);
  }
  return { surface, actions, target };
}

test("shows components that arrive before or after beginRendering", () => {
  const components = update({ main: { Text: { text: { literalString: "hi" } } } });
  for (const messages of [
    [components, begin()],
    [begin(), components],
  ]) {
    const { surface } = receive(...messages);
    assert.equal(surface.tree().props.text, "hi");
  }
  assert.equal(receive(components).surface.tree(), null);
});

test("a second beginRendering changes the root", () => {
  const text = (value) => ({ Text: { text: { literalString: value } } });
  const { surface, target } = receive(update({ a: text("A"), b: text("B") }), begin("a"));
  assert.ok(target.receive(begin("b")).ok);
  assert.equal(surface.tree().props.text, "B");
});

test("reads data, initial literals, and lists in texts", () => {
  const contents = [
    { key: "name", valueString: "Ann" },
    { key: "age", valueNumber: 3 },
    { key: "address", valueMap: [{ key: "city", valueString: "Oslo" }] },
    { key: "tags", valueString: '["a", "b"]' },
    { key: "deep/flag", valueBoolean: true },
  ];
  const { surface } = receive(
    begin(),
    { dataModelUpdate: { surfaceId: "s", contents } },
    update({ main: { TextField: { text: { path: "/mail", literalString: "a@b.org" } } } }),
  );
  assert.deepEqual(surface.store.toJSON(), {
    name: "Ann",
    age: 3,
    address: { city: "Oslo" },
    tags: ["a", "b"],
    deep: { flag: true },
    mail: "a@b.org",
  });
  assert.equal(surface.tree().props.value, "a@b.org");
});

test("translates actions, children and renamed properties", () => {
  const context = [
    { key: "id", value: { path: "/id" } },
    { key: "kind", value: { literalString: "x" } },
  ];
  const { surface, actions, target } = receive(
    begin(),
    update({
      main: { Column: { children: { explicitList: ["b", "c"] }, distribution: "center" } },
      b: { Button: { child: "t", primary: true, action: { name: "go", context } } },
      t: { Text: { text: { literalString: "Go" }, usageHint: "h2" } },
      c: {
        MultipleChoice: {
          selections: { path: "/chosen" },
          options: [{ label: { literalString: "One" }, value: "1" }],
          maxAllowedSelections: 1,
        },
      },
    }),
    { dataModelUpdate: { surfaceId: "s", contents: [{ key: "id", valueNumber: 7 }] } },
  );
  const { props, children } = surface.tree();
  assert.equal(props.justify, "center");
  const [button, choice] = children;
  assert.equal(button.props.variant, "primary");
  assert.equal(button.children[0].props.variant, "h2");
  assert.equal(choice.component, "ChoicePicker");
  assert.equal(choice.props.variant, "mutuallyExclusive");
  assert.deepEqual(choice.props.options, [{ label: "One", value: "1" }]);
  surface.trigger(button.key, "action");
  assert.deepEqual(actions[0].context, { id: 7, kind: "x" });
  const { version } = target.translator;
  assert.deepEqual(
    [version, Object.keys(toA2uiAction(actions[0], { version }))],
    ["v0.8", ["userAction"]],
  );
});

test("accepts older names in v0.9 where the current one is absent", () => {
  const component = (props) => {
    const components = [{ id: "root", ...props }];
    const message = { version: "v0.9", updateComponents: { surfaceId: "s", components } };
    return receive(message).surface.tree();
  };
  const field = component({ component: "TextField", text: "x", textFieldType: "number" });
  assert.deepEqual(field.props, { value: "x", variant: "number" });
  const both = component({ component: "TextField", text: "x", value: "y", label: "l" });
  assert.deepEqual(both.props, { value: "y", label: "l" });
  assert.deepEqual(component({ component: "CheckBox", checked: true }).props, { value: true });
  const slider = component({ component: "Slider", minValue: 1, maxValue: 9 });
  assert.deepEqual(slider.props, { min: 1, max: 9 });
  assert.deepEqual(component({ component: "Text", text: { literalString: "t" } }).props, {
    text: "t",
  });
  assert.equal(component({ component: "Button", variant: "text" }).props.variant, "borderless");
  const date = component({ component: "TextField", textFieldType: "date", label: "Day" });
  assert.deepEqual([date.component, date.props.enableDate], ["DateTimeInput", true]);
  const tabs = component({ component: "Tabs", tabItems: [{ title: "T", child: "x" }] });
  assert.equal(tabs.props.tabs[0].title, "T");
});

test("displays the components of a stream one by one", () => {
  const texts = Object.fromEntries(
    ["a", "b"].map((id) => [id, { Text: { text: { literalString: id } } }]),
  );
  const main = { Column: { children: { explicitList: ["a", "b"] } } };
  const text = JSON.stringify([begin(), update({ main, ...texts })]);
  for (const size of [1, 7, text.length]) {
    const surface = new Surface({ catalog: basicCatalog, diagnostics: "off" });
    const stream = messageStream(a2uiTarget(surface));
    const shown = [];
    for (let at = 0; at < text.length; at += size) {
      assert.deepEqual(stream.push(text.slice(at, at + size)), { ok: true, diagnostics: [] });
      const ids = (surface.tree()?.children ?? []).filter((one) => one.component !== "");
      if (shown.at(-1) !== ids.length) shown.push(ids.length);
    }
    assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
    assert.deepEqual(shown, size === text.length ? [2] : [0, 1, 2]);
  }
});

test("a broken component of a stream is reported with its index, and others are displayed", () => {
  const surface = new Surface({ catalog: basicCatalog, diagnostics: "off" });
  const stream = messageStream(a2uiTarget(surface));
  stream.push(JSON.stringify(begin()));
  const text = JSON.stringify(update({ main: { Column: { children: { explicitList: ["a"] } } } }));
  stream.push(text.slice(0, -"]}}".length));
  const { diagnostics } = stream.push(',5,{"id":"a","component":{"Text":{}}}]}}');
  assert.deepEqual(
    diagnostics.map(({ code, location }) => [code, location.pointer]),
    [["HAM029", "/surfaceUpdate/components/1"]],
  );
  assert.equal(surface.tree().children[0].component, "Text");
  // A surface without a translator reports the message once.
  const plain = messageStream(new Surface());
  assert.equal(plain.push(text).diagnostics.length, 1);
});

test("a root that contains itself under its own id is a cycle", () => {
  const surface = new Surface({ catalog: basicCatalog, diagnostics: "off" });
  const target = a2uiTarget(surface);
  target.receive(begin());
  target.receive(update({ main: { Card: { child: "column" } } }));
  const { diagnostics } = target.receive(
    update({ column: { Column: { children: { explicitList: ["main"] } } } }),
  );
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["HAM017"],
  );
});

test("a component that is not an object is reported at its index", () => {
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  target.receive(begin());
  const text = { id: "main", component: { Text: { text: { literalString: "hi" } } } };
  const { ok, diagnostics } = target.receive({
    surfaceUpdate: { surfaceId: "s", components: [text, "nope"] },
  });
  assert.equal(ok, false);
  assert.deepEqual(
    diagnostics.map(({ location }) => location.pointer),
    ["/surfaceUpdate/components/1"],
  );
});

test("an unknown property is reported at its pointer in the message of v0.8", () => {
  const target = a2uiTarget(new Surface({ catalog: basicCatalog }));
  target.receive(begin());
  const { diagnostics } = target.receive(
    update({ main: { Text: { text: { literalString: "hi" }, colour: { literalString: "red" } } } }),
  );
  assert.deepEqual(
    diagnostics.map(({ location }) => location.pointer),
    ["/surfaceUpdate/components/0/component/Text/colour"],
  );
});

test("another component may have the id root, and actions name the ids of the agent", () => {
  const text = (value) => ({ Text: { text: { literalString: value } } });
  const button = (child) => ({ Button: { child, action: { name: child, context: [] } } });
  const components = update({
    main: { Column: { children: { explicitList: ["root", "end"] } } },
    root: { Row: { children: { explicitList: ["title", "go"] } } },
    title: text("root"),
    go: button("title"),
    end: button("title"),
  });
  for (const messages of [
    [components, begin()],
    [begin(), components],
  ]) {
    const { surface, target } = receive(...messages);
    const [row, end] = surface.tree().children;
    assert.deepEqual([row.component, end.component], ["Row", "Button"]);
    assert.equal(row.children[0].props.text, "root");
    assert.deepEqual(target.diagnostics(), []);
    assert.ok(target.receive(begin("root")).ok);
    assert.equal(surface.tree().component, "Row");
    assert.deepEqual(target.diagnostics(), []);
  }
  const { surface, target } = receive(components, begin("end"));
  const action = surface.trigger("root", "action");
  assert.equal(toA2uiAction(action, { target }).userAction.sourceComponentId, "end");
});

test("selections arrive as a map or a list of values, and take input", () => {
  const options = ["a", "b"].map((value) => ({ label: { literalString: value }, value }));
  const components = update({
    main: { MultipleChoice: { selections: { path: "/sel" }, options } },
  });
  const forms = [
    [{ valueMap: [{ key: "0", valueString: "b" }] }, ["b"]],
    [{ valueArray: [{ valueString: "b" }] }, ["b"]],
    [{ valueArray: ["b"] }, ["b"]],
    [{ valueMap: [] }, []],
  ];
  for (const [form, expected] of forms) {
    const data = { dataModelUpdate: { surfaceId: "s", contents: [{ key: "sel", ...form }] } };
    const { surface, target } = receive(components, data, begin());
    assert.deepEqual(surface.tree().props.value, expected);
    surface.input("root", "value", ["a", "b"]);
    assert.deepEqual(surface.store.toJSON(), { sel: ["a", "b"] });
    assert.deepEqual(target.diagnostics(), []);
  }
});

test("a surface that createSurface has created does not wait for beginRendering", () => {
  const create = { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } };
  const text = { id: "root", component: "Text", text: { path: "/name" } };
  const current = { version: "v0.9", updateComponents: { surfaceId: "s", components: [text] } };
  const contents = [{ key: "name", valueString: "Ann" }];
  const data = { dataModelUpdate: { surfaceId: "s", contents } };
  const old = update({ root: { Text: { text: { path: "/name" } } } });
  for (const messages of [
    [create, current, data],
    [create, data, current],
    [data, create, current],
    [create, old, data],
    [old, data, create],
  ]) {
    const { surface, target } = receive(...messages);
    assert.equal(surface.tree().props.text, "Ann");
    assert.deepEqual(target.diagnostics(), []);
    assert.ok(target.receive(begin("root")).ok);
    assert.equal(surface.tree().props.text, "Ann");
  }
});

test("an absolute path of an inner list means the item, or the root", () => {
  const template = (componentId, dataBinding) => ({
    List: { children: { template: { componentId, dataBinding } } },
  });
  const components = update({
    main: template("group", "/groups"),
    group: template("kid", "/kids"),
    kid: { Text: { text: { path: "/name" } } },
  });
  const kids = (name) => ({
    key: "kids",
    valueMap: [{ key: "0", valueMap: [{ key: "name", valueString: name }] }],
  });
  const groups = [
    { key: "0", valueMap: [kids("A")] },
    { key: "1", valueMap: [{ key: "title", valueString: "without kids" }] },
  ];
  const contents = [kids("root"), { key: "groups", valueMap: groups }];
  const { surface } = receive(
    components,
    { dataModelUpdate: { surfaceId: "s", contents } },
    begin(),
  );
  const shown = surface
    .tree()
    .children.map(({ children }) => children.map((one) => one.props.text));
  assert.deepEqual(shown, [["A"], ["root"]]);
});

test("a message without a surface id is for the only surface", () => {
  const named = { surfaceId: "s" };
  const components = (id) => ({
    surfaceUpdate: {
      ...id,
      components: [{ id: "main", component: { Text: { text: { path: "/t" } } } }],
    },
  });
  const begin = (id) => ({ beginRendering: { ...id, root: "main" } });
  const contents = (id) => ({
    dataModelUpdate: { ...id, contents: [{ key: "t", valueString: "hi" }] },
  });
  for (const messages of [
    [components(named), begin(named), contents({})],
    [components(named), contents({}), begin({})],
    [components({}), contents({}), begin(named)],
    [contents({}), begin(named), components({})],
  ]) {
    assert.equal(receive(...messages).surface.tree().props.text, "hi");
  }
  const { surface, target } = receive(components({}), contents({}));
  const { ok, diagnostics } = target.receive(begin({}));
  const help = 'write {"beginRendering": {"surfaceId": "s", "root": "root"}}';
  assert.deepEqual(
    [ok, diagnostics.map((one) => [one.code, one.help])],
    [false, [["HAM029", help]]],
  );
  const [waiting] = target.diagnostics();
  assert.equal(waiting.message, "missing `beginRendering`");
  assert.ok(target.receive(begin(named)).ok);
  assert.equal(surface.tree().props.text, "hi");
});

function deepFreeze(value) {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** Returns the data model after the data messages, which are frozen, and the codes. */
function modelOf(...messages) {
  const from = new FromA2ui();
  const store = new HamStore();
  const codes = [];
  for (const message of [{ beginRendering: { surfaceId: "s", root: "root" } }, ...messages]) {
    const translation = from.translate(deepFreeze(message));
    codes.push(...translation.diagnostics.map(({ code }) => code));
    for (const { updateDataModel } of translation.messages)
      if (updateDataModel) assert.ok(store.apply({ updateDataModel }).ok);
  }
  return [store.toJSON(), codes];
}

test("values of entries are not changed, and may occur several times", () => {
  const shared = { x: 1 };
  const contents = [
    { key: "a", value: shared },
    { key: "b", valueObject: shared },
    { key: "a/y", valueNumber: 3 },
    { key: "list", valueArray: [1] },
    { key: "list/1", valueNumber: 2 },
  ];
  const data = { dataModelUpdate: { surfaceId: "s", path: "/", contents } };
  const model = { a: { x: 1, y: 3 }, b: { x: 1 }, list: [1, 2] };
  assert.deepEqual(modelOf(data, data), [model, []]);
  assert.deepEqual(shared, { x: 1 });
});

test("entries add a limited number of nulls together", () => {
  const data = (contents) => ({ dataModelUpdate: { surfaceId: "s", path: "/", contents } });
  const far = [
    { key: ".", value: null },
    { key: "20000000", valueString: "x" },
    { key: "a", valueNumber: 1 },
  ];
  assert.deepEqual(modelOf(data(far)), [{ 20000000: "x", a: 1 }, []]);
  const many = Array.from({ length: 300 }, (_, nth) => ({
    key: `l/${nth * 1_000}`,
    valueNumber: 1,
  }));
  const [model, codes] = modelOf(data([{ key: "l", valueArray: [] }, ...many]));
  assert.ok(model.l.length <= 110_000 && codes.length > 100, `${model.l.length} ${codes.length}`);
});

test("an entry whose path cannot be set is left out, with the reason", () => {
  const from = new FromA2ui();
  from.translate({ beginRendering: { surfaceId: "s", root: "root" } });
  const contents = [
    { key: "list/0", valueString: "first" },
    { key: "list/30000000", valueString: "far" },
    { key: "name", valueString: "Ann" },
    { key: "name/first", valueString: "Ann" },
    { key: "user/name", valueString: "Bob" },
  ];
  const message = { dataModelUpdate: { surfaceId: "s", path: "/", contents } };
  const { messages, diagnostics } = from.translate(message);
  assert.deepEqual(
    diagnostics.map(({ code, message: text }) => [code, text.replace(/^.*left out: /, "")]),
    [
      ["A2UI012", "the index `30000000` is too far past the end"],
      ["A2UI012", "cannot set `first` in a string"],
    ],
  );
  const store = new HamStore();
  for (const { updateDataModel } of messages)
    if (updateDataModel) assert.ok(store.apply({ updateDataModel }).ok);
  const user = { name: "Bob" };
  assert.deepEqual(store.toJSON(), { list: ["first"], name: "Ann", user });
});
