// `byname/testing`: input and actions are those that a user of the page can make.

import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "byname";
import { basicCatalog as catalog } from "byname/dom";
import { render } from "byname/testing";

await init();

const surfaceId = "s";
const bound = (key) => ({ binding: { node: "form", key } });
const required = (key) => ({
  condition: { call: "required", args: { value: bound(key) } },
  message: `Enter ${key}`,
});
const column = (...children) => ({ id: "root", component: "Column", children });
const viewOf = (components, nodes, options = {}) =>
  render(
    [{ createSurface: { surfaceId, components } }, { updateDataModel: { surfaceId, nodes } }],
    { catalog, ...options },
  );

const submit = { id: "send", component: "Button", child: "label", submit: true };
const label = { id: "label", component: "Text", text: "Send" };
const action = { event: { name: "send" } };
const nameField = {
  id: "name",
  component: "TextField",
  label: "Name",
  value: bound("name"),
  checks: [required("name")],
};

test("a submit button waits for the checks of its form, as in a page", () => {
  const button = { ...submit, action };
  const view = viewOf([column("name", "send"), nameField, button, label], { form: { name: "" } });
  assert.throws(() => view.press("send"), /`send` does not submit: `name`: Enter name/);
  assert.deepEqual(view.actions, []);
  const before = view.get("send");
  view.type("name", "Ada");
  assert.equal(view.press(before).name, "send");
  assert.equal(view.actions.length, 1);
});

test("the form of a submit button is the card around it", () => {
  const components = [
    column("name", "card"),
    nameField,
    { id: "card", component: "Card", child: "inner" },
    { id: "inner", component: "Column", children: ["mail", "send"] },
    { ...nameField, id: "mail", value: bound("mail"), checks: [required("mail")] },
    { ...submit, action },
    label,
  ];
  const view = viewOf(components, { form: { name: "", mail: "" } });
  assert.throws(() => view.press("send"), /`mail`: Enter mail/);
  view.type("mail", "a@b.ch");
  assert.equal(view.press("send").name, "send");
  assert.equal(view.error("name"), "Enter name");
});

test("the documented assertion fails for a broken surface, and passes once it is complete", () => {
  const broken = [column("title", "gone"), { id: "title", component: "Text", text: bound("t") }];
  const view = viewOf(broken, { other: { t: "Hi" } });
  const codes = view.diagnostics.map(({ code }) => code);
  assert.deepEqual(codes.sort(), ["HAM009", "HAM028"]);
  assert.throws(() => assert.deepEqual(view.diagnostics, []));
  const gone = { id: "gone", component: "Divider" };
  view.send({ updateComponents: { surfaceId, components: [gone] } });
  view.send({ updateDataModel: { surfaceId, nodes: { form: { t: "Hi" } } } });
  assert.deepEqual(view.diagnostics, []);
});

test("a problem of a message and of the surface is listed once", () => {
  const view = viewOf([{ id: "root", component: "Txet", text: "Hi" }], {});
  assert.deepEqual(
    view.diagnostics.map(({ code }) => code),
    ["HAM033"],
  );
});

test("`type` takes what a user can enter", () => {
  const options = ["a", "b"].map((value) => ({ value, label: value }));
  const picker = { component: "ChoicePicker", label: "P", options };
  const components = [
    column("slider", "steps", "one", "many", "text", "number", "box", "date", "time"),
    { id: "slider", component: "Slider", label: "S", value: bound("s"), max: 120 },
    { id: "steps", component: "Slider", label: "T", value: bound("s"), max: 1, steps: 4 },
    { ...picker, id: "one", value: bound("one"), variant: "mutuallyExclusive" },
    { ...picker, id: "many", value: bound("many"), variant: "multipleSelection" },
    { id: "text", component: "TextField", label: "N", value: bound("text") },
    { id: "number", component: "TextField", label: "N", value: bound("number") },
    { id: "box", component: "CheckBox", label: "B", value: bound("box") },
    { id: "date", component: "DateTimeInput", value: bound("date"), enableDate: true },
    { id: "time", component: "DateTimeInput", value: bound("time"), enableTime: true },
  ];
  const form = { s: 1, one: "a", many: ["a"], text: "", number: 1, box: false, date: "", time: "" };
  const view = viewOf(components, { form });
  assert.deepEqual(view.diagnostics, []);
  const valid = [
    ["slider", 120, "s", 120],
    ["steps", 0.75, "s", 0.75],
    ["one", "b", "one", "b"],
    ["one", ["a"], "one", "a"],
    ["many", ["b", "a"], "many", ["b", "a"]],
    ["many", [], "many", []],
    ["text", 5, "text", "5"],
    ["number", "5", "number", 5],
    ["number", "five", "number", "five"],
    ["box", true, "box", true],
    ["date", "2030-02-28", "date", "2030-02-28"],
    ["time", "09:30", "time", "09:30"],
    ["time", "", "time", ""],
  ];
  for (const [id, value, key, stored] of valid) {
    view.type(id, value);
    assert.deepEqual(view.surface.store.read(bound(key).binding).value, stored, id);
  }
  const invalid = [
    ["slider", "x", /number from 0 to 120 for a slider, found "x"/],
    ["slider", 999, /number from 0 to 120 for a slider, found 999/],
    ["steps", 0.3, /with 4 steps, found 0.3/],
    ["one", ["a", "b"], /one of the options "a", "b"/],
    ["one", [], /one of the options "a", "b"/],
    ["many", ["zzz"], /some of the options "a", "b", found \["zzz"\]/],
    ["text", { a: 1 }, /a text for a text field/],
    ["box", "yes", /true or false/],
    ["date", "tomorrow", /a text such as "2030-01-31"/],
    ["date", "2030-02-30", /a text such as "2030-01-31"/],
    ["time", "25:00", /a text such as "09:30"/],
  ];
  const before = view.surface.store.export();
  for (const [id, value, message] of invalid) {
    assert.throws(
      () => view.type(id, value),
      (error) => error.code === "argument" && message.test(error.message),
      `${id} ${JSON.stringify(value)}`,
    );
  }
  assert.deepEqual(view.surface.store.export(), before);
});

test("a component with a role of its own takes any value; a date outside its limits is an error", () => {
  const slider = { id: "root", component: "Slider", label: "S", value: bound("v") };
  const view = viewOf([slider], { form: { v: 1 } }, { roles: { Slider: "spinbutton" } });
  view.type("root", 999);
  assert.equal(view.surface.store.get("form").v, 999);
  const date = {
    ...{ id: "root", component: "DateTimeInput", label: "D", enableDate: true },
    ...{ value: bound("v"), min: "2030-01-10", max: "2030-01-20" },
  };
  const dates = viewOf([date], { form: { v: "2030-01-15" } });
  assert.equal(dates.error("root"), null);
  dates.type("root", "2030-01-21");
  assert.equal(dates.error("root"), "This value is not valid");
});

test("rows of nested plain A2UI are found by their paths, and errors list what to choose from", () => {
  const version = "v0.9";
  const components = [
    { id: "root", component: "Column", children: { path: "/groups", componentId: "group" } },
    { id: "group", component: "Column", children: { path: "items", componentId: "item" } },
    { id: "item", component: "Text", text: { path: "name" } },
  ];
  const value = [{ items: [{ name: "a" }, { name: "b" }] }, { items: [{ name: "c" }] }];
  const view = render(
    [
      { version, createSurface: { surfaceId } },
      { version, updateComponents: { surfaceId, components } },
      { version, updateDataModel: { surfaceId, path: "/groups", value } },
    ],
    { catalog, a2ui: true },
  );
  assert.equal(view.get({ node: "/groups/0/items/1" }).props.text, "b");
  assert.equal(view.get({ id: "group", node: "/groups/1" }).children.length, 1);
  assert.throws(() => view.get("item"), /add `node`: one of \/groups\/0\/items\/0, /);
  assert.throws(() => view.get({ component: "Column" }), /with the keys root, root\/group:/);
  assert.throws(
    () => view.get({ node: "/groups/9" }),
    /the nodes \/groups\/0, \/groups\/0\/items\/0/,
  );
});

test("wrong arguments throw before anything is rendered", () => {
  for (const messages of [5, null, true])
    assert.throws(() => render(messages), { name: "BynameError", code: "argument" });
  for (const options of [{ timeZone: "Mars" }, { locale: "x" }, { a2ui: 1 }, { now: "today" }])
    assert.throws(() => render([], options), { name: "BynameError", code: "argument" });
});
