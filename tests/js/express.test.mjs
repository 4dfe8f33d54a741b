// Express: conformance vectors and examples of A2UI, and cases of this project for each code.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { init, Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import {
  compileExpress,
  expressGbnf,
  expressPrompt,
  expressStream,
  messagesToExpress,
  toExpress,
} from "byname/express";
import { Surfaces } from "byname/messages";
import { parse } from "yaml";
import { matcher } from "../gbnf.mjs";
import { Random } from "../random/random.mjs";

await init();
const catalog = basicCatalog;
const folder = new URL("../../../shared/data/a2ui/", import.meta.url);
const skip = existsSync(folder) ? false : "the folder of the vectors is missing";
const read = (path) => readFileSync(new URL(path, folder), "utf8");
const readJson = (path) => JSON.parse(read(path));
const readCases = (name) => parse(read(`express/conformance/agent/express/${name}.yaml`));

/** Returns a value with bare keys in alphabetical order: the vectors use both spellings. */
function normalize(value) {
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [
    key.replace(/^@(?=(?:path|call|checks|catalogId)$)/, ""),
    normalize(one),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function catalogOf({ catalog: given }) {
  return typeof given === "string" ? readJson(`express/conformance/${given}`) : given;
}

test("compiles the conformance vectors", { skip }, () => {
  const cases = ["compiler", "response_parser"].flatMap(readCases);
  const compiled = cases.filter(({ action }) => /^(?:compile|parse)/.test(action));
  assert.ok(compiled.length > 40, `${compiled.length} cases`);
  for (const {
    name,
    args,
    input,
    expect,
    expect_error: error,
    expect_present: present,
  } of compiled) {
    const { messages, diagnostics } = compileExpress(input, { catalog: catalogOf(args) });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (error !== undefined) {
      assert.ok(errors.length > 0 && messages.length === 0, name);
      for (const { help, location } of errors) assert.ok(help && location?.kind === "text", name);
      continue;
    }
    const expected = expect.flatMap((one) => (one.text === undefined ? (one.a2ui ?? one) : []));
    const found = structuredClone(messages);
    for (const pointer of present ?? []) {
      const steps = pointer.split("/").slice(1);
      const owner = steps.slice(0, -1).reduce((one, step) => one[step], found);
      assert.ok(owner[steps.at(-1)], `${name}: ${pointer}`);
      delete owner[steps.at(-1)];
    }
    assert.deepEqual(normalize(found), normalize(expected), name);
  }
});

test("prints the conformance vectors", { skip }, () => {
  const cases = ["decompiler", "response_parser"].flatMap(readCases);
  const printed = cases.filter(({ action }) => /^decompile/.test(action));
  assert.ok(printed.length > 10, `${printed.length} cases`);
  for (const { name, args, messages, expect_contains: parts } of printed) {
    const options = { catalog: catalogOf(args) };
    const text = messagesToExpress(messages, options);
    for (const part of parts) assert.ok(text.includes(part), `${name}: ${part} in ${text}`);
    const again = compileExpress(text, options);
    assert.deepEqual(normalize(again.messages), normalize(messages), name);
  }
});

test("separates text and blocks as the vectors do", { skip }, () => {
  const cases = readCases("response_parser").filter(({ action }) => action === "parse_response");
  for (const { name, args, input, expect } of cases) {
    if (expect === undefined) continue;
    for (const size of [1, 7, input.length]) {
      const surfaces = new Surfaces({ catalog: args.catalog && undefined, a2ui: true });
      let text = "";
      const stream = expressStream(surfaces, {
        catalog: catalogOf(args),
        onText: (part) => {
          text += part;
        },
      });
      for (let at = 0; at < input.length; at += size) stream.push(input.slice(at, at + size));
      stream.end();
      const expected = expect.flatMap((one) => one.text ?? []).join(" ");
      assert.equal(text.trim().split(/\s+/).join(" "), expected, `${name} in chunks of ${size}`);
    }
  }
});

const examples = skip ? [] : readdirSync(new URL("express/examples/", folder));
const sources = examples.filter((name) => name.endsWith(".a2ui"));

test("compiles the examples, for the catalog of the package and for the document", { skip }, () => {
  const document = readJson("v1_0/4-at-bindings/basic_catalog.json");
  assert.equal(sources.length, 24);
  for (const name of sources) {
    const path = `express/examples/${name.replace(".a2ui", ".expected.json")}`;
    for (const one of [catalog, document]) {
      const { messages, diagnostics } = compileExpress(read(`express/examples/${name}`), {
        catalog: one,
      });
      if (!existsSync(new URL(path, folder))) {
        assert.deepEqual(
          diagnostics.map(({ code }) => code),
          ["EXP015"],
          name,
        );
        continue;
      }
      assert.deepEqual(diagnostics, [], name);
      assert.deepEqual(normalize(messages), normalize(readJson(path)), name);
    }
  }
});

test("a stream in any chunks displays what the compiled messages display", { skip }, () => {
  for (const name of sources) {
    const text = read(`express/examples/${name}`);
    const whole = new Surface({ catalog });
    const target = a2uiTarget(whole);
    for (const message of compileExpress(text, { catalog }).messages)
      assert.ok(target.receive(message).ok, name);
    for (const [size, options] of [
      [1, undefined],
      [7, { catalog }],
      [1000, { catalog, a2ui: true }],
    ]) {
      const receiver = options ? new Surfaces(options) : new Surface({ catalog });
      const stream = expressStream(receiver, { catalog });
      for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
      const { ok } = stream.end();
      const surface = options ? receiver.list()[0][1] : receiver;
      assert.equal(ok, whole.tree() !== null, name);
      assert.deepEqual(surface.tree(), whole.tree(), `${name} in chunks of ${size}`);
    }
    if (whole.tree() === null) continue;
    const again = new Surface({ catalog });
    const stream = expressStream(again, { catalog });
    stream.push(toExpress(whole));
    assert.deepEqual(stream.end(), { ok: true, diagnostics: [] }, name);
    assert.deepEqual(again.tree(), whole.tree(), name);
  }
});

test("the 43 examples of A2UI are printed and compiled without a difference", { skip }, () => {
  const names = readdirSync(new URL("v1_0/3-bare/examples/", folder));
  assert.equal(names.length, 43);
  for (const name of names) {
    const { messages } = readJson(`v1_0/3-bare/examples/${name}`);
    const surface = (list) => {
      const target = a2uiTarget(new Surface({ catalog }));
      for (const message of list) target.receive(message);
      return { info: target.info()?.surfaceId, nodes: target.store.toJSON() };
    };
    const text = messagesToExpress(messages, { catalog });
    const { messages: compiled, diagnostics } = compileExpress(text, { catalog });
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity === "error"),
      [],
      name,
    );
    assert.deepEqual(surface(compiled), surface(messages), name);
    // Printing is stable.
    assert.equal(messagesToExpress(compiled, { catalog }), text, name);
  }
});

/** Faulty texts with the codes and the part of the text that the first diagnostic is about. */
const FAULTS = [
  ['root = Text("Hello', ["EXP001"], '"Hello'],
  ["root = Text('Hello')", ["EXP001"], "'"],
  ['root = Column([a, b\na = Text("x")\nb = Text("y")', ["EXP001", "EXP015"], ""],
  ["/* open", ["EXP001"], "/* open"],
  ['Text("a")', ["EXP001"], 'Text("a")'],
  [`root = Column([${"[".repeat(100)}${"]".repeat(100)}])`, ["EXP001"], "["],
  ["", ["EXP002"], ""],
  ["# only a comment", ["EXP002"], ""],
  ["root = Column(_template($/items))", ["EXP003"], "_template($/items)"],
  ['root = Txt("a")', ["EXP004"], "Txt"],
  ['root = Text(upper("a"))', ["EXP004"], "upper"],
  ['root = TextField("A", $/a, [?requird])', ["EXP004"], "?requird"],
  ['root = Text(txt="a")', ["EXP005"], 'txt="a"'],
  ['root = Text("a", _, _, 5)', ["EXP005"], "5"],
  ['root = Text("a", variant="h1", variant="h2")', ["EXP006"], 'variant="h2"'],
  ['root = Button(Text("Go"), _, Event())', ["EXP007"], "Event()"],
  ["deleteSurface()", ["EXP007"], "deleteSurface()"],
  ['root = TextField("Name", [?required])', ["EXP008"], "?required"],
  ['$/x = $/y\nroot = Text("a")', ["EXP008"], "$/x = $/y"],
  ['root = Column(Text("a"))', ["EXP009"], 'Text("a")'],
  ['root = Card(Text("a"))\nroot_child = Text("b")', ["EXP010"], 'Text("a")'],
  ["a = b\nb = a\nroot = Text(a)", ["EXP011"], "a"],
  ['<a2ui>root = Text("a")', ["EXP013"], ""],
  ['root = Text("a")\nroot = Text("b")', ["EXP014"], "root"],
  ['a = Text("a")', ["EXP015"], ""],
  ["root = Column([missing])", ["EXP017"], "missing"],
  ['root = Card("Hello there")', ["EXP017"], '"Hello there"', 'write `Text("Hello there")`'],
  ["root = List($/rows)", ["EXP009"], "$/rows", "_template($/rows, row)"],
  ['root = TextField(label: "Name")', ["EXP001"], ":", "write `label=…`"],
  ['surface("a")', ["EXP002"], 'surface("a")'],
  ['v = $/a\n$/x = [v]\nroot = Text("a")', ["EXP008"], "$/x = [v]"],
  ['v = formatString("a")\n$/x = {k: v}\nroot = Text("a")', ["EXP008"], "$/x = {k: v}"],
  ['root = Text("a", "huge")', ["CAT004"], '"huge"'],
  ['root = Button(Text("Go"))', ["CAT002"], 'Button(Text("Go"))'],
  ["root = Text(5)", ["CAT003"], "5"],
  ['root = Text("a", $/variant)', ["CAT008"], "$/variant"],
];

test("a fault has a code, a place and an instruction", () => {
  for (const [text, codes, part, fix = ""] of FAULTS) {
    const { messages, diagnostics } = compileExpress(text, { catalog });
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      codes,
      text,
    );
    const [{ location, help, severity }] = diagnostics;
    assert.equal(text.slice(location.start, location.end), part, text);
    assert.ok(help.length > 5 && help.includes(fix), `${text}: ${help}`);
    assert.equal(messages.length === 0, severity === "error", text);
    assert.doesNotMatch(help, /"binding"/, text);
  }
});

test("variables that expand without end are refused", () => {
  const list = (name) => `[${Array(10).fill(name).join(",")}]`;
  const lines = Array.from({ length: 12 }, (_, at) => `a${at + 1} = ${list(`a${at}`)}`);
  const text = ['a0 = "x"', ...lines, "$/x = a12", 'root = Text("a")'].join("\n");
  const { messages, diagnostics } = compileExpress(text, { catalog });
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ["EXP016"],
  );
  assert.deepEqual(messages, []);
});

test("several catalogs: a name of one of them needs no id, a common one does", () => {
  const mine = (id, name) => ({ id, components: { [name]: { props: { text: "string" } } } });
  const catalogs = [mine("a", "Chart"), mine("b", "Gauge"), mine("c", "Gauge")];
  const compile = (text) => compileExpress(text, { catalog: catalogs });
  const { messages } = compile('root = Chart("x")');
  assert.deepEqual(messages[0].createSurface, {
    surfaceId: "default_surface",
    components: [{ id: "root", component: "Chart", catalogId: "a", text: "x" }],
  });
  assert.deepEqual(
    compile('root = Gauge("x")').diagnostics.map(({ code }) => code),
    ["EXP012"],
  );
  const named = compile('root = Gauge("x", catalogId="c")');
  assert.equal(named.messages[0].createSurface.components[0].catalogId, "c");
});

test("edits by name change an existing surface, also one of HAM", () => {
  const surface = new Surface({ catalog });
  const text = { binding: { node: "root", key: "title" } };
  surface.receive({
    createSurface: {
      surfaceId: "s",
      components: [
        { id: "root", component: "Column", children: ["t"] },
        { id: "t", component: "Text", text },
      ],
    },
  });
  const nodes = { root: { title: "Old", kept: 1 } };
  surface.receive({ updateDataModel: { surfaceId: "s", nodes } });
  const stream = expressStream(surface, { catalog });
  stream.push('$/title = "New"\nroot = Column([t, u])\nu = Text("added")');
  assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
  assert.deepEqual(surface.store.toJSON(), { title: "New", kept: 1 });
  assert.deepEqual(
    surface.tree().children.map(({ props }) => props.text),
    ["New", "added"],
  );
});

test("a long text is displayed while it arrives", async () => {
  const surface = new Surface({ catalog });
  const lengths = [];
  surface.subscribe(() => lengths.push(surface.tree()?.props.text?.length));
  const stream = expressStream(surface, { catalog });
  const text = `root = Text("${"word ".repeat(40)}")\n`;
  for (let at = 0; at < text.length; at += 20) {
    stream.push(text.slice(at, at + 20));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(stream.end().ok);
  const shown = lengths.filter((length) => length !== undefined);
  assert.ok(shown.length > 3 && shown[0] < 200, String(shown));
  assert.equal(shown.at(-1), 200);
  assert.deepEqual(
    shown,
    [...shown].sort((a, b) => a - b),
  );
});

test("a component that refers to a later variable waits for it", () => {
  const surface = new Surface({ catalog });
  const stream = expressStream(surface, { catalog });
  stream.push("root = Button(label, _, send)\n");
  assert.equal(surface.tree(), null);
  stream.push('label = Text("Send")\nsend = Event("send", {a: $/b})\n$/b = 1\n');
  assert.equal(surface.tree().props.action.event.name, "send");
  assert.deepEqual(stream.end(), { ok: true, diagnostics: [] });
});

test("random damage: the same result in any chunks, and a place in the text", () => {
  const random = new Random(7);
  const source = [
    'surface("team")',
    '$/title = "Team"',
    '$/people = [{name: "Ann", age: -1.5}, {name: "Bob", "on leave": null}]',
    'root = Column([title, Card(Text("inline", "caption")), people, go], _, "stretch")',
    "title = Text($/title)",
    "people = List(_template($/people, person)) # a comment",
    'person = Row([Text($name), Text(formatString("${age}"))])',
    'go = Button(label, "primary", Event("go", {who: $/title}))',
    'label = Text("""two\nlines""")',
    'zip = TextField("Zip", $/zip, [?regex(r"^\\d+$", "digits"), ?length(5, 5)])',
  ].join("\n");
  const bits = [
    ..."()[]{},=\n#$?_':\\`<é",
    "//",
    "/*",
    "*/",
    '"',
    '"""',
    "<a2ui>",
    "</a2ui>",
    "```",
    "null",
  ];
  for (let round = 0; round < 300; round += 1) {
    let text = random.below(3) === 0 ? source.slice(0, random.below(source.length)) : source;
    for (let edits = random.below(6); edits > 0; edits -= 1) {
      const at = random.below(text.length + 1);
      text = text.slice(0, at) + random.pick(bits) + text.slice(at + random.below(4));
    }
    const results = [text.length + 1, 1 + random.below(9)].map((size) => {
      const surface = new Surface({ catalog });
      const stream = expressStream(surface, { catalog, partialText: false });
      for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
      const { diagnostics } = stream.end();
      return { diagnostics, tree: surface.tree(), data: surface.store.toJSON() };
    });
    assert.deepEqual(results[0], results[1], text);
    const { messages, diagnostics } = compileExpress(text, { catalog });
    for (const { location, help } of diagnostics) {
      assert.ok(help, text);
      assert.ok(0 <= location.start && location.start <= location.end, text);
      assert.ok(location.end <= text.length, text);
    }
    if (diagnostics.length > 0) continue;
    const again = compileExpress(messagesToExpress(messages, { catalog }), { catalog });
    assert.deepEqual(again.messages, messages, text);
  }
});

test("the examples of the prompt compile, and the grammar accepts them", () => {
  const prompt = expressPrompt(catalog);
  const blocks = prompt.split("## Examples")[1].match(/<a2ui>[\s\S]*?<\/a2ui>/g);
  assert.ok(blocks.length >= 3);
  const accepts = matcher(expressGbnf(catalog));
  for (const block of blocks) {
    const { diagnostics } = compileExpress(block, { catalog });
    assert.deepEqual(diagnostics, [], block);
    assert.ok(accepts(block), block);
  }
  assert.ok(!accepts('<a2ui>\nroot = Txt("a")\n</a2ui>'));
});

test("the exported messages of a surface give an empty one the same components and data", () => {
  const surface = new Surface({ catalog });
  assert.deepEqual(surface.export(), [{ updateDataModel: { nodes: {} } }]);
  const text = { binding: { node: "root", key: "title" } };
  const components = [
    { id: "root", component: "Column", children: ["t", "later"] },
    { id: "t", component: "Text", text },
  ];
  surface.receive({ version: "v1.0", createSurface: { surfaceId: "s", theme: { a: 1 } } });
  surface.receive({ updateComponents: { surfaceId: "s", components } });
  surface.receive({ updateDataModel: { surfaceId: "s", nodes: { root: { title: "Hi" } } } });
  const messages = surface.export();
  assert.deepEqual(messages[0].createSurface.components, components);
  const copy = new Surface({ catalog });
  for (const message of messages) assert.ok(copy.receive(message).ok);
  assert.deepEqual(copy.tree(), surface.tree());
  assert.deepEqual(copy.info(), surface.info());
  assert.deepEqual(copy.export(), messages);
  surface.receive({ deleteSurface: { surfaceId: "s" } });
  assert.equal(surface.export()[0].createSurface, undefined);
});

test("a surface without statements is not a success, and no message is left out in print", () => {
  const stream = expressStream(new Surface({ catalog }), { catalog });
  stream.push('surface("a")');
  const { ok, diagnostics } = stream.end();
  assert.equal(ok, false);
  assert.ok(diagnostics.some(({ code }) => code === "EXP002"));
  const print = (message) => messagesToExpress([message], { catalog });
  const update = (path) => ({ updateDataModel: { surfaceId: "s", path, value: 1 } });
  assert.equal(print(update("/a-b/c")), 'surface("s")\n$/a-b/c = 1');
  assert.throws(() => print(update("/a b/c")), { code: "argument" });
  assert.throws(() => print({ version: "v0.8", beginRendering: { surfaceId: "s" } }), {
    message: /found `beginRendering`/,
  });
});

test("an unknown component name and a root that is not a component are reported", () => {
  for (const [text, code, message, help] of [
    ['root = text("Hello")', "EXP004", "unknown component `text`", /did you mean `Text`/],
    ['root = Column([a])\na = text("x")', "EXP004", "unknown component `text`", /`Text`/],
    [
      'root = frobnicate("x")',
      "EXP004",
      "unknown component `frobnicate`",
      /use one of the components/,
    ],
    ['root = Column([a])\na = frobnicate("x")', "EXP004", "unknown component `frobnicate`", /use/],
    ['root = [Text("a")]', "EXP015", "expected a component in `root`, found a list", /^write/],
    ['root = "x"', "EXP015", "expected a component in `root`, found a literal value", /^write/],
  ]) {
    const compiled = compileExpress(text, { catalog });
    assert.deepEqual(compiled.messages, [], text);
    const stream = expressStream(new Surface({ catalog }), { catalog });
    stream.push(`<a2ui>${text}</a2ui>`);
    for (const { diagnostics } of [compiled, stream.end()]) {
      const found = diagnostics.filter((one) => one.code === code);
      assert.deepEqual(
        found.map((one) => one.message),
        [message],
        text,
      );
      assert.match(found[0].help, help);
    }
  }
});

test("data for no surface, or for an unknown one, are reported where there are several", () => {
  for (const a2ui of [false, true]) {
    const surfaces = new Surfaces({ catalog, a2ui });
    const apply = (text) => {
      const stream = expressStream(surfaces, { catalog });
      stream.push(`<a2ui>${text}</a2ui>`);
      const { ok, diagnostics } = stream.end();
      return [ok, diagnostics.map(({ code, message }) => `${code} ${message}`)];
    };
    const ids = () => [...surfaces].map(([id]) => id);
    apply('surface("a")\nroot = Text($/x)\n$/x = "1"');
    apply('surface("b")\nroot = Text($/x)\n$/x = "1"');
    assert.deepEqual(apply('$/x = "2"'), [false, ["HAM029 missing surface of the path `$/x`"]]);
    const unknown = [false, ["HAM029 unknown surface `c`"]];
    assert.deepEqual(apply('surface("c", update=true)\n$/x = "3"'), unknown);
    assert.deepEqual(ids(), ["a", "b"]);
    assert.deepEqual(apply('surface("a", update=true)\n$/x = "4"'), [true, []]);
    assert.deepEqual(apply('$/x = "5"\nroot = Text($/x)'), [true, []]);
    assert.deepEqual(ids().length, 3);
    const { text } = surfaces.get(ids()[2]).tree().props;
    assert.equal(text, "5");
  }
});
