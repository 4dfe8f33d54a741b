// Catalog as described to a model. The examples of the prompt and every example surface of A2UI
// pass the schema and the surface, and broken ones do not.

import assert from "node:assert/strict";
import { test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import { init, Surface } from "byname";
import { checkMessages, defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";
import { exampleFiles, hamMessages } from "../a2ui/examples.mjs";
import {
  broken,
  brokenNodes,
  catalogs,
  component,
  examples,
  shop,
  text,
  validate,
} from "../catalogs.mjs";
import { matcher } from "../gbnf.mjs";

await init();

for (const [name, catalog] of Object.entries(catalogs)) {
  test(`${name}: the prompt's examples pass the schema and the surface`, () => {
    const text = catalog.prompt();
    assert.doesNotMatch(text, /\s$/);
    const messages = examples(text);
    assert.ok(messages.length >= 3, text);
    let surface;
    for (const message of messages) {
      assert.deepEqual(validate(catalog, message), [], JSON.stringify(message));
      for (const { component } of message.updateComponents?.components ?? []) {
        assert.ok(Object.hasOwn(catalog.components, component), component);
      }
      if (message.createSurface) surface = new Surface({ catalog });
      assert.deepEqual(surface.receive(message).diagnostics, [], JSON.stringify(message));
      if (message.updateDataModel) {
        assert.deepEqual(surface.diagnostics(), [], JSON.stringify(message));
        assert.notEqual(surface.tree(), null);
      }
    }
  });
}

test("makes no examples of components that need one another without end", () => {
  const props = { child: { type: "component", required: true } };
  const catalog = defineCatalog({ components: { Card: { props }, Frame: { props } } });
  assert.deepEqual(catalog.examples, []);
});

test("names all components and functions in the prompt", () => {
  for (const catalog of Object.values(catalogs)) {
    const names = [...Object.keys(catalog.components), ...Object.keys(catalog.functions ?? {})];
    for (const name of names) assert.match(catalog.prompt(), new RegExp(`^${name}\\(`, "m"));
  }
});

test("makes a prompt, a schema and examples for edits alone", () => {
  const options = { messages: ["updateDataModel"] };
  const text = basicCatalog.prompt(options);
  assert.doesNotMatch(text, /createSurface|updateComponents|Slider/);
  for (const message of examples(text)) {
    assert.deepEqual(validate(basicCatalog, message, options), []);
  }
  const begin = { createSurface: { surfaceId: "s" } };
  assert.notDeepEqual(validate(basicCatalog, begin, options), []);
  assert.deepEqual(Object.keys(basicCatalog.schema(options).$defs), ["updateDataModel", "nodes"]);
});

test("makes a prompt, a schema and a grammar for one surface", () => {
  const surfaceId = 'tab "1"';
  const begin = { createSurface: { surfaceId } };
  const edit = { updateDataModel: { surfaceId, nodes: { a: 1 } } };
  const other = { updateDataModel: { surfaceId: "tab", nodes: { a: 1 } } };
  for (const list of [false, true]) {
    const options = { surfaceId, list };
    const text = shop.prompt(options);
    assert.ok(text.includes('{"createSurface":{"surfaceId":"tab \\"1\\""}}'), text);
    assert.deepEqual(new Set(text.match(/"surfaceId":("(?:[^"\\]|\\.)*"|\w+)/g)).size, 1);
    const write = (...messages) =>
      list ? { messages } : messages.length === 1 ? messages[0] : undefined;
    assert.deepEqual(validate(shop, write(edit), options), []);
    assert.notDeepEqual(validate(shop, write(other), options), []);
    const matches = matcher(shop.gbnf(options));
    const written = (...messages) =>
      list ? JSON.stringify({ messages }) : messages.map((one) => JSON.stringify(one)).join("\n");
    assert.ok(matches(written(begin, edit, edit)));
    assert.ok(matches(written(edit)));
    assert.equal(matches(written(begin, begin)), false);
    assert.equal(matches(written(edit, begin)), false);
    assert.equal(matches(written(begin, other)), false);
  }
  const once = matcher(shop.gbnf({ surfaceId, messages: ["createSurface"] }));
  assert.deepEqual([once(JSON.stringify(begin)), once(JSON.stringify(edit))], [true, false]);
});

test("checks that messages have the one surface, and that only the first creates it", () => {
  const surfaceId = "s1";
  const codes = (messages, options) =>
    checkMessages(basicCatalog, messages, options).map(({ code, location }) => [
      code,
      location.pointer ?? "text",
    ]);
  const begin = { createSurface: { surfaceId } };
  const end = { deleteSurface: { surfaceId: "x" } };
  const edit = { updateDataModel: { surfaceId: "x", nodes: { a: 1 } } };
  const local = { updateDataModel: { nodes: { a: 1 } } };
  assert.deepEqual(codes(end, {}), []);
  assert.deepEqual(codes(end, { surfaceId }), [["CAT016", "/deleteSurface/surfaceId"]]);
  assert.deepEqual(codes(edit, { surfaceId }), [["CAT016", "/updateDataModel/surfaceId"]]);
  assert.deepEqual(codes([begin, local], { surfaceId }), []);
  assert.deepEqual(codes([local, begin], { surfaceId }), [["CAT016", "/1/createSurface"]]);
  assert.deepEqual(codes({ messages: [begin, begin] }, { surfaceId }), [
    ["CAT016", "/messages/1/createSurface"],
  ]);
  const text = [begin, begin].map((one) => JSON.stringify(one)).join("\n");
  assert.deepEqual(codes(text, { surfaceId }), [["CAT016", "text"]]);
  assert.throws(() => checkMessages(basicCatalog, begin, { surfaceId: "" }), { code: "argument" });
  assert.throws(() => basicCatalog.prompt({ surfaceId: "" }), { code: "argument" });
});

test("the examples of a prompt for one surface create it once, as one conversation", () => {
  const options = { surfaceId: "s1" };
  for (const list of [false, true]) {
    const text = basicCatalog.prompt({ ...options, list });
    const lists = text.split("\n").filter((line) => /^\{"messages":\[\{/.test(line));
    const messages = list ? lists.flatMap((line) => JSON.parse(line).messages) : examples(text);
    assert.ok(messages.length > 5, text);
    assert.deepEqual(checkMessages(basicCatalog, messages, options), []);
    assert.equal(messages.filter((one) => "createSurface" in one).length, 1);
  }
  const components = [{ id: "root", component: "Text", text: "Hi" }];
  const createSurface = { surfaceId: "a", components };
  const example = { request: "Greet.", messages: [{ createSurface }] };
  const twice = basicCatalog.extend({ examples: [example, { ...example, request: "Again." }] });
  const lines = twice.prompt(options).split("\n").slice(-2);
  const updateComponents = { surfaceId: "s1", components };
  assert.deepEqual(lines, ["Again.", JSON.stringify({ updateComponents })]);
});

test("wraps all messages in one object, for models that are constrained by a schema", () => {
  const options = { list: true };
  const text = shop.prompt(options);
  const lists = text.split("\n").filter((line) => /^\{"messages":\[/.test(line) && !/…/.test(line));
  assert.ok(lists.length >= 3);
  for (const line of lists) assert.deepEqual(validate(shop, JSON.parse(line), options), []);
  assert.equal(shop.schema(options).type, "object");
});

test("every example surface of A2UI, in HAM, passes the schema and the grammar", () => {
  let count = 0;
  // Only the minimal catalog has `capitalize`.
  const catalog = basicCatalog.extend({
    functions: { capitalize: { args: { value: "string" }, returns: "string" } },
  });
  const matches = matcher(catalog.gbnf());
  for (const file of exampleFiles()) {
    for (const message of hamMessages(file)) {
      const line = JSON.stringify(inOrder(catalog, message));
      assert.ok(matches(line), `${file.name} ${line}`);
      assert.deepEqual(validate(catalog, message), [], `${file.name} ${JSON.stringify(message)}`);
      count += 1;
    }
  }
  assert.ok(count > 250, `only ${count}`);
});

for (const [name, message] of Object.entries(broken)) {
  test(`the schema rejects: ${name}`, () => {
    assert.notDeepEqual(validate(basicCatalog, message), []);
  });
}

/**
 * Keywords that converters of schemas to grammars support, in llama.cpp and others; they reject or
 * ignore the rest.
 */
const KNOWN = [
  ...["$schema", "$defs", "$ref", "description", "type", "properties", "required", "items"],
  ...["additionalProperties", "anyOf", "enum", "const", "pattern"],
  ...["minLength", "minItems", "minimum", "maximum"],
];

/** Yields the parts of a schema that such a converter ignores or misreads. */
function* unsupportedParts(schema, path) {
  if (typeof schema !== "object") {
    yield `${path}: no object`;
    return;
  }
  for (const keyword of Object.keys(schema))
    if (!KNOWN.includes(keyword)) yield `${path}/${keyword}`;
  const { additionalProperties: more, properties, pattern, items } = schema;
  if (more === false && properties === undefined) yield `${path}: an object without properties`;
  // A pattern becomes a part of the grammar, where quotes and escapes are ordinary characters.
  if (pattern !== undefined) {
    if (!/^\^.*\$$/.test(pattern)) yield `${path}: ${pattern} has no ends`;
    const isOpen = ['a"b', "a\\b", "a\nb", '"', "\\"].some((one) => new RegExp(pattern).test(one));
    if (isOpen) yield `${path}: ${pattern} continues after the text`;
  }
  for (const key of ["$defs", "properties"])
    for (const [name, one] of Object.entries(schema[key] ?? {}))
      yield* unsupportedParts(one, `${path}/${key}/${name}`);
  for (const [at, one] of (schema.anyOf ?? []).entries())
    yield* unsupportedParts(one, `${path}/anyOf/${at}`);
  if (items !== undefined) yield* unsupportedParts(items, `${path}/items`);
  if (typeof more === "object") yield* unsupportedParts(more, `${path}/additionalProperties`);
}

test("servers can convert the schema into a grammar", () => {
  const edits = { messages: ["updateDataModel"] };
  for (const [name, catalog] of Object.entries(catalogs)) {
    for (const options of [{}, { list: true }, edits, { messages: ["createSurface"] }]) {
      assert.deepEqual([...unsupportedParts(catalog.schema(options), name)], []);
    }
  }
  const { nodes } = basicCatalog.schema(edits).$defs;
  assert.deepEqual(nodes, { type: "object", additionalProperties: true });
});

const matchesBasic = matcher(basicCatalog.gbnf());
for (const [name, message] of Object.entries({ ...broken, ...brokenNodes })) {
  test(`the grammar rejects: ${name}`, () => {
    assert.equal(matchesBasic(JSON.stringify(message)), false);
  });
}

for (const [name, catalog] of Object.entries(catalogs)) {
  test(`${name}: the grammar accepts the prompt's examples, and the complete reply`, () => {
    const lines = catalog
      .prompt()
      .split("\n")
      .filter((line) => /^\{"[a-z]\w+":\{/.test(line));
    assert.ok(lines.length >= 3);
    const matches = matcher(catalog.gbnf());
    for (const line of lines) assert.ok(matches(line), line);
    assert.ok(matches(lines.join("\n")));
    assert.equal(matches(`Here you are: ${lines[0]}`), false);
    assert.equal(matches(lines[0].slice(0, -1)), false);
    const all = `{"messages": [${lines.join(", ")}]}`;
    assert.ok(matcher(catalog.gbnf({ list: true }))(all));
    const edits = matcher(catalog.gbnf({ messages: ["updateDataModel"] }));
    assert.equal(edits(lines[0]), false);
    assert.ok(edits('{"updateDataModel":{"surfaceId":"s","nodes":{"a":[1,"*b"],"!c":null}}}'));
  });
}

/** Order of keys in the grammar: that of the catalog for properties and arguments. */
function inOrder(catalog, value, order = KEYS) {
  if (Array.isArray(value)) return value.map((one) => inOrder(catalog, one));
  if (typeof value !== "object" || value === null) return value;
  const props = catalog.components[value.component]?.props;
  const expected = props ? ["id", "component", ...Object.keys(props)] : order;
  const sorted = Object.entries(value).sort(
    ([a], [b]) => expected.indexOf(a) - expected.indexOf(b),
  );
  return Object.fromEntries(
    sorted.map(([key, one]) => {
      if (key === "nodes") return [key, one];
      const args = key === "args" ? catalog.functions[value.call]?.args : undefined;
      return [key, inOrder(catalog, one, args ? Object.keys(args) : KEYS)];
    }),
  );
}
const KEYS = [
  ...[
    "version",
    "createSurface",
    "updateComponents",
    "updateDataModel",
    "surfaceId",
    "catalogId",
    "sendDataModel",
    "components",
    "nodes",
  ],
  ...["call", "args", "returnType", "binding", "template", "node", "key"],
  ...["name", "context", "condition", "message", "title", "child"],
  ...["label", "value", "description", "live", "hidden"],
];

test("accepts bindings and calls only where they are allowed", () => {
  const binding = { binding: { key: "x" } };
  const call = { call: "shout", args: { text: binding } };
  const book = (more) => component({ id: "b", component: "Book", title: "T", pages: 10, ...more });
  for (const more of [{ title: binding }, { title: call }, { tags: binding }, { pages: call }]) {
    assert.deepEqual(validate(shop, book(more)), [], JSON.stringify(more));
  }
  assert.notDeepEqual(validate(shop, book({ cover: binding })), []);
  assert.notDeepEqual(validate(shop, book({ pages: 9 })), []);
  assert.deepEqual(validate(shop, text({ call: "@index", args: { offset: 1 } })).length > 0, true);
});

test("a surface derives component references, inputs and actions from the types", () => {
  const { child, children, input, actions } = shop.components.Pages;
  assert.deepEqual(
    { child, children, input, actions },
    {
      child: ["pages.page"],
      children: [],
      input: [],
      actions: [],
    },
  );
  assert.deepEqual(shop.components.Rating.input, ["stars"]);
  assert.deepEqual(shop.components.Book.actions, ["onOpen"]);
  const sent = [];
  const surface = new Surface({ catalog: shop, onAction: (action) => sent.push(action) });
  const components = [
    { id: "root", component: "Shelf", books: { binding: { key: "books" }, template: "book" } },
    {
      id: "book",
      component: "Book",
      title: { binding: { key: "title" } },
      pages: 10,
      onOpen: { event: { name: "open", context: { title: { binding: { key: "title" } } } } },
    },
  ];
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  surface.store.apply({ root: { books: ["*a"] }, a: { title: "Emma" } });
  const [row] = surface.tree().children;
  assert.equal(row.props.title, "Emma");
  surface.trigger(row.key, "onOpen");
  assert.deepEqual(sent[0].context, { title: "Emma" });
  surface.input(row.key, "title", "Persuasion");
  assert.equal(surface.diagnostics()[0].code, "HAM030");
});

test("reports which input is invalid", () => {
  const surface = new Surface({
    catalog: { components: { Field: { input: ["value", "other"] } } },
  });
  const helpOf = (field, prop) => {
    surface.receive({ updateComponents: { surfaceId: "s", components: [field] } });
    surface.input(surface.tree().key, prop, "x");
    return surface.diagnostics().find(({ code }) => code === "HAM030").help;
  };
  const bound = (key) => ({ binding: { node: "a", key } });
  const field = { id: "root", component: "Field" };
  assert.equal(
    helpOf({ ...field, value: bound("v"), label: bound("l") }, "vlaue"),
    "write to `value`",
  );
  assert.equal(
    helpOf({ ...field, value: bound("v"), label: bound("l") }, "label"),
    "write to `value`",
  );
  assert.equal(
    helpOf({ ...field, value: 1, label: bound("l") }, "label"),
    "bind an input property of `Field`",
  );
  assert.match(helpOf({ ...field, value: 1 }, "value"), /^bind it: \{"value"/);
});

test("throws on misuse", () => {
  assert.throws(() => defineCatalog({}), { name: "BynameError", code: "argument" });
  assert.throws(() => defineCatalog({ components: { "a b": {} } }), { code: "argument" });
  const props = (given) => () => defineCatalog({ components: { A: { props: given } } });
  assert.throws(props({ a: "text" }), { message: /`A.a` has an unknown type/ });
  assert.throws(props({ a: { type: "string", requierd: true } }), { message: /`requierd`/ });
  assert.throws(props({ a: { items: "strng" } }), { message: /`A.a\[\]` has an unknown type/ });
  assert.throws(props({ a: { anyOf: ["number", "nmber"] } }), {
    message: /`A.a` has an unknown type/,
  });
  assert.throws(props({ a: { properties: { q: { typ: "string" } } } }), { message: /`typ`/ });
  for (const none of [[], { enum: [] }, { anyOf: [] }, { items: { enum: [] } }])
    assert.throws(props({ a: none }), { message: /expected a list with at least one item/ });
  assert.throws(() => defineCatalog({ components: { A: { props: { id: "string" } } } }), {
    code: "argument",
  });
  assert.throws(() => defineCatalog({ components: {} }), { message: /at least one component/ });
  assert.throws(() => defineCatalog({ components: { A: undefined } }), { code: "argument" });
  for (const name of ["math/add", "a%20b", "50%", "a~b", "@index", ""]) {
    const functions = { [name]: { args: { a: "number" } } };
    assert.throws(() => defineCatalog({ components: { A: {} }, functions }), {
      message: /^expected a function name of letters and digits/,
    });
  }
  for (const input of [undefined, null, "text", { arguments: {} }]) {
    const functions = { f: input };
    assert.throws(() => defineCatalog({ components: { A: {} }, functions }), { code: "argument" });
  }
  const beyond = [
    [undefined, /^expected catalogs to be an object, found undefined/],
    ["text", /^expected catalogs to be an object, found a string/],
    [{ component: {} }, /^unknown key `component` in catalogs/],
    [{ components: null }, /^`extend` expected an object with `components`/],
    [{ components: { "a b": {} } }, /^expected a component name of letters/],
    [{ components: { A: { props: { a: "text" } } } }, /^`A.a` has an unknown type/],
    [{ common: { id: "string" } }, /^`Shelf` cannot have a property `id`/],
    [{ functions: { f: { arguments: {} } } }, /unknown key `arguments` in `f` and other functions/],
  ];
  for (const [input, message] of beyond) {
    assert.throws(() => shop.extend(input), { name: "BynameError", code: "argument", message });
  }
  assert.deepEqual(Object.keys(shop.extend({}).components), Object.keys(shop.components));
  for (const method of ["prompt", "schema", "gbnf"]) {
    const wrong = [
      [{ message: ["updateDataModel"] }, /unknown key `message`/],
      [{ messages: ["nope"] }, /unknown message `nope`; available: createSurface, /],
      [{ messages: [] }, /expected `messages` to be a list/],
      [{ messages: "createSurface" }, /expected `messages` to be a list/],
      [{ surfaceId: 1 }, /expected `surfaceId` to be a string, found a number/],
      [null, /to be an object, found null/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(() => shop[method](options), {
        name: "BynameError",
        code: "argument",
        message,
      });
    }
  }
});

test("accepts names in any language, and names of prototypes", () => {
  const definition = `{
    "components": {
      "Überschrift": { "props": { "constructor": { "type": "string", "required": true } } },
      "__proto__": { "props": { "__proto__": { "type": "string", "required": true } } }
    },
    "functions": { "größer_als.2-x": {}, "__proto__": { "args": { "toString": "string" } } }
  }`;
  const schema = defineCatalog(JSON.parse(definition)).schema();
  // Ajv ignores a property called `__proto__`; other validators do not.
  const { properties, required } = schema.$defs["component.__proto__"];
  assert.deepEqual(Object.keys(properties), required);
  const validate = new Ajv({ strict: false }).compile(schema);
  const passes = (value) =>
    validate({
      updateComponents: {
        surfaceId: "s",
        components: [{ id: "root", component: "Überschrift", constructor: value }],
      },
    });
  for (const call of ["größer_als.2-x", "__proto__"]) assert.ok(passes({ call }), call);
  assert.ok(passes({ call: "__proto__", args: { toString: "x" } }));
  for (const wrong of [1, { call: "other" }, { call: "__proto__", args: { toString: 1 } }]) {
    assert.ok(!passes(wrong));
  }
});

test("a prompt explains the extensions of the store that it is given", () => {
  const plain = basicCatalog.prompt();
  assert.doesNotMatch(plain, /"\+list"|"~id"/);
  assert.match(plain, /send the list again/);
  const extended = basicCatalog.prompt({ extensions: { listEdits: true, merge: true } });
  assert.match(extended, /"\+list".*"before"/);
  assert.match(extended, /">id":" more"/);
  assert.match(extended, /"~id":/);
  assert.doesNotMatch(extended, /send the list again/);
  assert.throws(() => basicCatalog.prompt({ extensions: { lists: true } }), /lists/);
});
