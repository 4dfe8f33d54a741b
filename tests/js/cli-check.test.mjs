// Command `check`: which problems it finds, and where.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = new URL("../..", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const program = fileURLToPath(new URL(manifest.bin.byname, root));

function byname(words, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    input,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

/** Checks a text. Returns the exit code and one line for each problem: position, severity, code. */
function check(text, ...options) {
  const { code, stdout } = byname(["check", ...options], text);
  const lines = stdout.trimEnd().split("\n");
  const problems = lines.filter((line) => /(?:error|warning|info)\[\w+\]/.test(line));
  return {
    code,
    stdout,
    summary: lines.at(-1),
    problems: problems.map((line) =>
      line.replace(/^-:?(.*?):? (\w+)\[(\w+)\]: .*$/s, "$1 $2 $3").trim(),
    ),
  };
}

const create = '{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}';
const update = (...components) =>
  JSON.stringify({ version: "v0.9", updateComponents: { surfaceId: "s", components } });
const ham = (...components) => JSON.stringify({ createSurface: { surfaceId: "s", components } });
const data = (nodes) => JSON.stringify({ updateDataModel: { surfaceId: "s", nodes } });
const hi = { id: "root", component: "Text", text: "hi" };
/** Returns the position of a part of a text, as `line:column`. */
function at(text, part) {
  const before = text.slice(0, text.indexOf(part));
  return `${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
}

test("a misspelled message key is an error, and no node", () => {
  const body = { surfaceId: "s", components: [hi] };
  for (const [key, value] of [
    ["updateComponent", body],
    ["show", body],
    ["createSurfaces", {}],
  ]) {
    const { code, stdout, problems } = check(JSON.stringify({ [key]: value }));
    assert.deepEqual([code, problems], [1, ["1:2 error HAM029"]], key);
    assert.match(stdout, new RegExp(`unknown message \`${key}\``));
  }
  const a2ui = `${create}\n{"version":"v0.9","updateComponent":{"surfaceId":"s","components":[]}}`;
  const found = check(a2ui);
  assert.deepEqual(found.problems, [`${at(a2ui, '"updateComponent"')} error A2UI009`]);
  assert.match(found.stdout, /did you mean `updateComponents`\?/);
});

test("nodes need `root`, unless the format is stated", () => {
  const text = '{"name":"x","scripts":{"a":"b"}}';
  assert.deepEqual(check(text).problems, ["1:1 error HAM026"]);
  assert.equal(check(text).code, 1);
  assert.equal(check(text, "--format", "nodes").code, 0);
  assert.equal(check('{"root":{"a":"b"}}').summary, "-: nodes, no problems");
  assert.deepEqual(check("<!doctype html><p>404</p>").problems, ["1:1 error HAM035"]);
});

test("problems have the position of their value in the file, also in later messages", () => {
  const version = `${create}\n${update(hi)}\n\n{"version":"v0.7","deleteSurface":{"surfaceId":"s"}}`;
  assert.deepEqual(check(version).problems, ["4:12 error A2UI011"]);
  const other = `${create}\n${update(hi).replace('"surfaceId":"s"', '"surfaceId":"z"')}`;
  assert.deepEqual(check(other).problems, ["2:1 warning HAM040"]);
  const list = `[\n${create},\n${update({ ...hi, text: 5 })}\n]`;
  assert.deepEqual(check(list).problems, [`${at(list, "5}")} error CAT003`]);
  const wrapped = `{"messages":[\n${create},\n${update({ ...hi, txt: 5 })}\n]}`;
  assert.deepEqual(check(wrapped).problems, [`${at(wrapped, '"txt"')} error CAT001`]);
  const nodes = `${ham(hi)}\n${data({ root: { a: "*gone" } })}`;
  assert.deepEqual(check(nodes).problems, [`${at(nodes, '"*gone"')} warning HAM009`]);
  const column = { id: "root", component: "Column", children: ["a"] };
  const missing = ham(column);
  assert.deepEqual(check(missing).problems, [`${at(missing, '"a"')} warning HAM028`]);
  const loop = ham({ ...column, children: ["root"] });
  assert.deepEqual(check(loop).problems, [`${at(loop, '{"id"')} warning HAM017`]);
  const object = '{"createSurface":{"surfaceId":"s","components":{"a":1}}}';
  assert.deepEqual(check(object).problems, [`${at(object, '{"a"')} error HAM029`]);
  const v08 =
    '{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"Text":{"txt":{"literalString":"a"}}}}]}}\n{"beginRendering":{"surfaceId":"s","root":"root"}}';
  assert.ok(check(v08).problems.includes(`${at(v08, '"txt"')} error CAT001`), check(v08).stdout);
});

test("a mistake has one severity in A2UI and HAM, and no error hides another one", () => {
  const components = [
    { id: "root", component: "Column", children: "t" },
    { id: "t", component: "Text", text: 5 },
    { id: "u", component: "Txt" },
  ];
  const kinds = ["error CAT003", "error CAT003", "error HAM033"];
  for (const text of [`${create}\n${update(...components)}`, ham(...components)]) {
    const { code, problems, stdout } = check(text);
    assert.equal(code, 1);
    assert.deepEqual(
      problems.map((one) => one.replace(/^\S+ /, "")),
      kinds,
      stdout,
    );
  }
  const { stdout } = check(`${create}\n${update(components[0])}`);
  assert.match(stdout, /\{"path": "\/items", "componentId": "ID"\}/);
  assert.doesNotMatch(stdout, /binding/);
});

test("--strict fails for a warning", () => {
  const text = ham({ id: "root", component: "Column", children: ["a"] });
  assert.equal(check(text).code, 0);
  assert.equal(check(text, "--strict").code, 1);
  assert.equal(check(ham(hi), "--strict").code, 0);
});

test("one problem is one diagnostic, in the order of the text", () => {
  const broken = ham(hi).replace(',"text"', ' "text"');
  const cut = data({ a: { b: 1 } }).slice(0, -2);
  const { problems, summary } = check(`${broken}\n${cut}\n`);
  assert.deepEqual(problems, [
    `${at(broken, '"text"')} error JSON001`,
    `2:${cut.length + 1} error JSON002`,
  ]);
  assert.match(summary, /2 errors, 0 warnings/);
  const comma = ham(hi).replace('"hi"', '"hi",');
  assert.deepEqual(check(comma).problems, [`${at(comma, "}]}}")} warning JSON015`]);
  const list = `[${create} ${update(hi)}]`;
  assert.deepEqual(check(list).problems, [
    `${at(list, '{"version":"v0.9","update')} error JSON001`,
  ]);
  const twice = ham(hi).replace('"hi"', '"hi","text":"a"');
  assert.equal(check(twice).problems.length, 1);
  const order = ham(
    { id: "root", component: "Column", children: ["a"], txt: 1 },
    { ...hi, text: 1 },
  );
  const offsets = check(order).problems.map((one) => Number(/^1:(\d+)/.exec(one)[1]));
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  );
});

test("the sample of the documentation is the output", () => {
  const docs = readFileSync(new URL("docs/cli.md", root), "utf8");
  const [, sample] = /```text\nmessages\.jsonl:(.*?)```/s.exec(docs);
  const text = `${create}\n{"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Text" "text": "hi"}]}}`;
  const { stdout } = byname(["check"], text);
  assert.equal(stdout.replaceAll(/^-:/gm, "messages.jsonl:"), `messages.jsonl:${sample}`);
});

test("values that a surface accepts, and that have no effect, are reported", () => {
  const bind = `${create}\n${update({ ...hi, text: { path: 7 } })}`;
  assert.deepEqual(check(bind).problems, [`${at(bind, "7}")} error A2UI009`]);
  const call = { call: "formatString", args: { value: "a ${/x" } };
  const open = `${create}\n${update({ ...hi, text: call })}`;
  assert.deepEqual(check(open).problems, [`${at(open, '"a ${/x"')} warning CAT010`]);
  const column = (value) =>
    `${create}\n${update(hi, { id: "c", component: "Column", children: value })}`;
  const noPath = column({ componentId: "root" });
  assert.deepEqual(check(noPath).problems, [`${at(noPath, '{"componentId"')} error A2UI009`]);
  assert.match(
    check(column({ path: "/xs" })).stdout,
    /missing property `componentId` of `children`/,
  );
  const children = { path: "/xs", componentId: "gone" };
  const list = `${create}\n${update({ id: "root", component: "List", children })}`;
  assert.ok(check(list).problems.includes(`${at(list, '"gone"')} warning HAM028`));
  const end = `${create}\n${update(hi)}\n{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a/-","value":1}}`;
  assert.deepEqual(check(end).problems, [`${at(end, '"/a/-"')} error A2UI005`]);
  const empty = '{"createSurface":{"surfaceId":"","components":[]}}';
  assert.ok(check(empty).problems.includes(`${at(empty, '""')} error HAM029`));
  const absent = `${ham(hi)}\n{"deleteSurface":{"surfaceId":"x"}}`;
  assert.deepEqual(check(absent).problems, [`${at(absent, '"x"')} warning HAM040`]);
});

test("the surfaces of Express are checked, at the statement of the component", () => {
  assert.deepEqual(check('root = Column(["a"])').problems, ["1:16 warning EXP017"]);
  assert.deepEqual(check("root = Column([a])").problems.length, 1);
  assert.deepEqual(check("root = Column([root])").problems, ["1:1 warning HAM017"]);
  const data = 'root = Column([t])\nt = Text($/nam)\n$/name = "x"\n';
  assert.deepEqual(check(data).problems, ["2:1 info HAM032"]);
  assert.equal(check('root = Text("a")').summary, "-: express, no problems");
});

test("control characters of the file do not reach the terminal", () => {
  const { stdout } = check('{"createSurface":{"surfaceId":"\u001b[31m\u0007\u009b"}}');
  assert.match(stdout, /␛\[31m␇/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the searched characters
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("values with the names of methods are data", () => {
  const odd = { toString: 1 };
  const found = check(
    `${create}\n${update(hi, { id: odd, component: "Text" }, { id: "a", component: odd })}`,
  );
  assert.equal(found.code, 1);
  assert.match(found.summary, /errors/);
  const action = { event: { name: "go", context: { at: { path: 7 } } } };
  const button = { id: "root", component: "Button", child: "t", action };
  const text = `${create}\n${update(button, { ...hi, id: "t" })}`;
  assert.equal(check(text).summary, "-: a2ui, no problems");
});

test("messages that a page reads inside other values are checked", () => {
  const list = `[${create},${update(hi)}]`;
  const quoted = JSON.stringify(list);
  const event = `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"t","content":${quoted}}`;
  const texts = [
    `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":${quoted}}]}}`,
    `data: ${event}\n\n`,
    `{"a2ui":${list}}`,
    `[${list}]`,
  ];
  for (const text of texts) {
    assert.equal(check(text).summary, "-: a2ui, no problems", text);
    assert.ok(check(text.replaceAll("Text", "Txet")).problems.length > 0, text);
  }
  const typographic = `${create}\n${update(hi)}`.replaceAll(/"([^"]*)"/g, "“$1”");
  assert.deepEqual(check(typographic).code, 0);
  assert.match(check(typographic).stdout, /warning\[JSON015\]/);
});
