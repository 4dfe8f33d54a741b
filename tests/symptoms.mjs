// Inputs that produce the symptoms of docs/recipes.md, each with the input after the change.

const surfaceId = "s";
const created = { createSurface: { surfaceId, catalogId: "basic" } };
const components = (...list) => ({ updateComponents: { surfaceId, components: list } });
const data = (value) => ({ updateDataModel: { surfaceId, path: "/", value } });
const nodes = (map) => ({ updateDataModel: { surfaceId, nodes: map } });
const text = (value, id = "root") => ({ id, component: "Text", text: value });
const column = (...children) => ({ id: "root", component: "Column", children });
const lines = (...messages) => messages.map((message) => JSON.stringify(message)).join("\n");

const user = data({ user: { name: "Ann" } });
const rows = { id: "root", component: "List", children: { path: "/items", componentId: "row" } };
const items = data({ items: [{ name: "One" }] });
const bound = text({ binding: { key: "name" } });
const hamList = { binding: { key: "items" }, template: "row" };
const hamRows = components(
  { id: "root", component: "List", children: hamList },
  text({ binding: { key: "name" } }, "row"),
);
const field = (value) => ({ id: "root", component: "TextField", label: "Name", value });
const button = (props) =>
  components({ id: "root", component: "Button", child: "word", ...props }, text("Save", "word"));
const picker = (options) =>
  components({
    id: "root",
    component: "ChoicePicker",
    label: "Size",
    options,
    value: { path: "/size" },
  });
const computed = { call: "formatString", args: { value: "Dr. ${/name}" } };
const save = { event: { name: "save" } };
const old = (id, value) => ({
  surfaceUpdate: { surfaceId, components: [{ id, component: value }] },
});
const oldText = old("root", { Text: { text: { literalString: "hi" } } });

/** Component that the basic catalog does not have. */
const chart = components({ id: "root", component: "Chart" });

/**
 * Symptoms by the first cell of their row. `wrong` and `right` are the messages before and after
 * the change, `shown` and `fixed` the displayed texts. `ham` passes messages to the surface itself.
 */
export const symptoms = {
  "nothing: no component is named `root`": {
    wrong: [created, components(text("hi", "main"))],
    right: [created, components(text("hi"))],
    shown: "",
    fixed: "hi",
  },
  "nothing: an agent of v0.8 does not begin the rendering": {
    wrong: [oldText],
    right: [oldText, { beginRendering: { surfaceId, root: "root" } }],
    shown: "",
    fixed: "hi",
  },
  "nothing: the response has no message": {
    wrong: "<!doctype html><title>Not found</title>",
    right: lines(created, components(text("hi"))),
    shown: "",
    fixed: "hi",
  },
  "nothing: the agent reports an error": {
    wrong: [{ type: "RUN_ERROR", message: "no quota is left" }],
    right: [created, components(text("hi"))],
    shown: "",
    fixed: "hi",
  },
  "empty components: the agent writes paths, and the surface receives them itself": {
    ham: true,
    wrong: [created, components(text({ path: "/user/name" })), user],
    right: [created, components(text({ path: "/user/name" })), user],
    change: { ham: false },
    shown: "",
    fixed: "Ann",
  },
  "empty components: the agent writes nodes, and `a2uiTarget` receives them": {
    wrong: [created, components(bound), nodes({ root: { name: "Ann" } })],
    right: [created, components(bound), nodes({ root: { name: "Ann" } })],
    change: { ham: true },
    shown: "",
    fixed: "Ann",
  },
  "the end is missing: the text was cut": {
    wrong: `${lines(created, components(column("a"), text("hi", "a")))}\n{"updateComponents": {"surfaceId": "s", "comp`,
    right: lines(created, components(column("a"), text("hi", "a"))),
    shown: "hi",
    fixed: "hi",
  },
  "one component is missing: its JSON is invalid": {
    wrong: `${lines(created)}\n{"updateComponents":{"surfaceId":"s","components":[${JSON.stringify(column("a", "b"))},{"id":"a","component":"Text" "text":"A"},${JSON.stringify(text("B", "b"))}]}}`,
    right: lines(created, components(column("a", "b"), text("A", "a"), text("B", "b"))),
    shown: "B Loading",
    fixed: "A B",
  },
  'a box "Unknown component"': {
    wrong: [created, chart],
    right: [created, chart],
    change: { own: true, drawn: true },
    shown: "Unknown component Chart",
    fixed: "drawn",
  },
  'a box "Unknown component", and no code': {
    own: true,
    wrong: [created, chart],
    right: [created, chart],
    change: { drawn: true },
    shown: "Unknown component Chart",
    fixed: "drawn",
  },
  '"Loading" in place of a component': {
    wrong: [created, components(column("a", "b"), text("A", "a"))],
    right: [created, components(column("a"), text("A", "a"))],
    shown: "A Loading",
    fixed: "A",
  },
  "an empty text: its path has a dot": {
    wrong: [created, components(text({ path: "/user.name" })), user],
    right: [created, components(text({ path: "/user/name" })), user],
    shown: "",
    fixed: "Ann",
  },
  "an empty text: the property has another name": {
    wrong: [created, components(text({ path: "/user/nmae" })), user],
    right: [created, components(text({ path: "/user/name" })), user],
    shown: "",
    fixed: "Ann",
  },
  "an empty text in each row": {
    wrong: [created, components(rows, text({ path: "/name" }, "row")), items],
    right: [created, components(rows, text({ path: "name" }, "row")), items],
    shown: "",
    fixed: "One",
  },
  "an empty component: its property has another name": {
    wrong: [created, components({ id: "root", component: "Text", value: "hi" })],
    right: [created, components(text("hi"))],
    shown: "",
    fixed: "hi",
  },
  "JSON in place of a text": {
    wrong: [created, components(text({ path: "/user" })), user],
    right: [created, components(text({ path: "/user/name" })), user],
    shown: '{"name":"Ann"}',
    fixed: "Ann",
  },
  "a call in place of its result": {
    wrong: [created, components(text({ call: "upper", args: { value: "hi" } }))],
    right: [created, components(text({ call: "formatString", args: { value: "HI" } }))],
    shown: '{"call":"upper","args":{"value":"hi"}}',
    fixed: "HI",
  },
  "an empty list: the value is not a list": {
    wrong: [created, components(rows, text({ path: "name" }, "row")), data({ items: "One" })],
    right: [created, components(rows, text({ path: "name" }, "row")), items],
    shown: "",
    fixed: "One",
  },
  "an empty list: its pointers have no nodes": {
    ham: true,
    wrong: [created, hamRows, nodes({ root: { items: ["*a"] } })],
    right: [created, hamRows, nodes({ root: { items: ["*a"] }, a: { name: "One" } })],
    found: (surface) => surface.store.check(),
    shown: "",
    fixed: "One",
  },
  "what the user types is not in the data or the action": {
    wrong: [created, components(field(""))],
    right: [created, components(field({ path: "/name" })), data({ name: "" })],
    shown: "Name",
    fixed: "Name",
    act: (surface) => surface.input("root", "value", "Ann"),
    value: (surface) => surface.tree().props.value,
  },
  "what the user types is not saved: the value is computed": {
    wrong: [created, components(field(computed)), data({ name: "Bob" })],
    right: [created, components(field({ path: "/name" })), data({ name: "Bob" })],
    shown: "Name",
    fixed: "Name",
    act: (surface) => surface.input("root", "value", "Ann"),
    value: (surface) => surface.store.get("root")?.name,
    found: (_, target) => target.diagnostics(),
  },
  "a button does nothing: it has no action": {
    wrong: [created, button({})],
    right: [created, button({ action: save })],
    shown: "Save",
    fixed: "Save",
    act: (surface) => surface.trigger("root", "action"),
    value: (_, actions) => actions[0]?.name ?? null,
    expected: ["save", null],
  },
  "a button does nothing: its action is a text": {
    wrong: [created, button({ action: "save" })],
    right: [created, button({ action: save })],
    shown: "Save",
    fixed: "Save",
    act: (surface) => surface.trigger("root", "action"),
    value: (_, actions) => actions[0]?.name ?? null,
    expected: ["save", null],
  },
  "a picker has no options": {
    wrong: [created, picker(["Small"]), data({ size: [] })],
    right: [created, picker([{ label: "Small", value: "S" }]), data({ size: [] })],
    shown: "Size",
    fixed: "Size Small",
  },
  "a card ends early: it contains itself": {
    wrong: [created, components({ id: "root", component: "Card", child: "root" })],
    right: [created, components({ id: "root", component: "Card", child: "a" }, text("hi", "a"))],
    shown: "",
    fixed: "hi",
  },
};
