// Command line: output, exit codes and help, as a user runs it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "byname-cli-"));
after(() => rmSync(folder, { recursive: true }));
const root = new URL("../..", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const program = fileURLToPath(new URL(manifest.bin.byname, root));

function byname(words, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    input,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

const file = (name, content) => {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  writeFileSync(join(folder, name), text);
  return name;
};

const create = { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } };
const update = (...components) => ({
  version: "v0.9",
  updateComponents: { surfaceId: "s", components },
});
const lines = (...messages) => messages.map((one) => JSON.stringify(one)).join("\n");

test("check prints the place, the line and the fix of a problem, and ends with 1", () => {
  const text = `${JSON.stringify(create)}\n{"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [{"id": "root", "component": "Text" "text": "hi"}]}}`;
  const { code, stdout } = byname(["check", file("broken.jsonl", text)]);
  assert.equal(code, 1);
  const [place, line, mark, help] = stdout.split("\n");
  assert.match(place, /^broken\.jsonl:2:\d+: error\[JSON\d+\]: /);
  const column = Number(/:2:(\d+):/.exec(place)[1]);
  assert.equal(line.slice(4)[mark.indexOf("^") - 4], text.split("\n")[1][column - 1]);
  assert.match(help, /^ {2}help: /);
  assert.match(stdout, /broken\.jsonl: a2ui, 1 errors/);
});

test("check accepts valid messages, nodes and the standard input", () => {
  const messages = lines(create, update({ id: "root", component: "Text", text: "hi" }));
  assert.deepEqual(byname(["check"], messages), {
    code: 0,
    stdout: "-: a2ui, no problems\n",
    stderr: "",
  });
  const nodes = { root: { title: "*missing" } };
  const { code, stdout } = byname(["check", file("nodes.json", nodes), "--json"]);
  const result = JSON.parse(stdout);
  assert.deepEqual([code, result.format, result.ok], [0, "nodes", true]);
  assert.ok(result.diagnostics.some((one) => one.code === "HAM009"));
});

test("convert translates A2UI to HAM and back", () => {
  const a2ui = lines(create, update({ id: "root", component: "Text", text: { path: "/title" } }));
  const ham = byname(["convert", file("a2ui.jsonl", a2ui), "--to", "ham"]);
  assert.equal(ham.code, 0);
  assert.match(ham.stdout, /"binding"/);
  const back = byname(["convert", file("ham.jsonl", ham.stdout), "--to", "a2ui"]);
  assert.equal(back.code, 0);
  assert.match(back.stdout, /"path":"\/title"/);
  assert.equal(byname(["convert", "a2ui.jsonl"]).code, 2);
});

test("convert and check read Express", () => {
  const express = 'surface("s")\n$/title = "Hi"\nroot = Text($/title)\n';
  const a2ui = byname(["convert", file("surface.a2ui", express), "--to", "a2ui"]);
  assert.equal(a2ui.code, 0);
  const back = byname(["convert", file("again.jsonl", a2ui.stdout), "--to", "express"]);
  assert.equal(back.stdout, express);
  const ham = byname(["convert", file("surface.a2ui", express), "--to", "ham"]);
  assert.match(ham.stdout, /"binding"/);
  const fromHam = byname(["convert", file("ham2.jsonl", ham.stdout), "--to", "express"]);
  assert.match(fromHam.stdout, /root = Text\(\$\/title\)/);
  const { code, stdout } = byname(["check", file("bad.a2ui", 'root = Txt("a")')]);
  assert.equal(code, 1);
  assert.match(stdout, /bad\.a2ui:1:8: error\[EXP004\]: unknown component `Txt`/);
  assert.match(byname(["grammar", "express"]).stdout, /^root ::= "<a2ui>/m);
});

test("prompt, schema and grammar print the texts for a model", () => {
  assert.match(byname(["prompt", "gasl"]).stdout, /FIND nodes/);
  assert.ok(JSON.parse(byname(["schema", "catalog"]).stdout).type);
  assert.match(byname(["grammar", "gasl"]).stdout, /^root ::=/m);
  const module = `import { defineCatalog } from ${JSON.stringify(new URL("pkg/catalog.js", root).href)};
    export default defineCatalog({ components: { Shelf: { props: { books: "children" } } } });`;
  const { stdout } = byname(["prompt", "--catalog", file("shelf.mjs", module)]);
  assert.match(stdout, /Shelf/);
  const { stdout: forMain } = byname(["prompt", "--surface", "main"]);
  assert.match(forMain, /\{"createSurface":\{"surfaceId":"main"\}\}/);
});

test("graph info, graph query and gasl run read a graph of any format", () => {
  const csv = file("edges.csv", "source,target\na,b\nb,c\n");
  const info = byname(["graph", "info", csv]);
  assert.equal(info.code, 0);
  assert.match(info.stdout, /^edges\.csv: csv\n.*3 nodes, 2 edges, 1 component\n/);
  const query = byname(["graph", "query", csv, "FIND nodes AS x", "COUNT x AS n"]);
  assert.deepEqual([query.code, query.stdout.trim().split("\n").at(-1)], [0, "3"]);
  const plan = file("plan.gasl", "FIND nodes WHERE id = a AS x\nWALK FROM x AS near\n");
  const run = byname(["gasl", "run", plan, "--graph", csv]);
  assert.deepEqual([run.code, run.stdout.trim().split("\n").at(-1)], [0, '{"id":"b"}']);
  const wrong = byname(["graph", "query", csv, "FIND nodez AS x"]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /error\[GASL/);
  assert.equal(byname(["graph", "info", file("no.graphml", "<x>")]).code, 1);
});

test("flow check, context, mermaid and run", () => {
  const registry = file("registry.json", { greet: { inputs: ["name"], outputs: ["text"] } });
  const workflow = file("flow.json", {
    inputs: { who: { default: "Ann" } },
    nodes: [{ id: "hello", type: "greet", params: { name: "$who" } }],
    outputs: { text: {} },
  });
  const nodes = file(
    "nodes.mjs",
    "export default { greet: ({ inputs }) => ({ outputs: { text: `Hi ${inputs.name}` } }) };",
  );
  const options = ["--registry", registry];
  assert.equal(byname(["flow", "check", workflow, ...options]).code, 0);
  assert.match(byname(["flow", "context", workflow, ...options]).stdout, /greet/);
  assert.match(byname(["flow", "mermaid", workflow, ...options]).stdout, /flowchart|graph/);
  const run = ["flow", "run", workflow, ...options, "--nodes", nodes];
  assert.match(byname([...run, "--inputs", '{"who": "Bob"}']).stdout, /"text": "Hi Bob"/);
  const unknown = byname(["flow", "check", workflow]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stdout, /flow\.json:\d+:\d+: error\[FLOW004\]/);
});

test("wrong use ends with 2 and says what is possible", () => {
  for (const words of [
    ["nothing"],
    ["check", "--nothing"],
    ["check", "absent.json"],
    ["flow", "x"],
  ]) {
    const { code, stdout, stderr } = byname(words);
    assert.deepEqual([code, stdout], [2, ""], words.join(" "));
    assert.match(stderr, /^byname: /);
  }
  const help = byname(["--help"]).stdout;
  for (const name of ["check", "convert", "graph info", "gasl run", "flow run"])
    assert.ok(help.includes(name), name);
  assert.match(byname(["flow", "run", "--help"]).stdout, /--nodes/);
});

test("flow run prints the waiting nodes of a paused run", () => {
  const flow = JSON.stringify(new URL("pkg/flow.js", root).href);
  const nodes = file(
    "waiting.mjs",
    `import { suspend } from ${flow};\nexport default { ask: () => suspend({ question: "Send\u001b?" }) };`,
  );
  const workflow = file("waiting.json", { nodes: [{ id: "a", type: "ask" }] });
  const registry = file("types.json", { ask: { outputs: [] } });
  const run = ["flow", "run", workflow, "--registry", registry, "--nodes", nodes];
  const waiting = 'a waits for an answer: {"question":"Send\\u001b?"}';
  assert.deepEqual(byname(run), { code: 1, stdout: `paused\n${waiting}\n{}\n`, stderr: "" });
});

test("an unknown command has a suggestion, and further arguments are wrong use", () => {
  const messages = file("m.jsonl", lines(create));
  for (const [words, message] of [
    [["chekc"], "unknown command `chekc`; did you mean `check`?"],
    [["graph"], "unknown command `graph`; did you mean `graph info` or `graph query`?"],
    [
      ["graph", "inof"],
      "unknown command `graph inof`; did you mean `graph info` or `graph query`?",
    ],
    [["xyzzy"], "unknown command `xyzzy`; `byname --help` lists all"],
    [["check", messages, "b.jsonl"], "unexpected `b.jsonl`; the usage is `byname check [FILE]`"],
    [
      ["prompt", "gasl", "x"],
      "unexpected `x`; the usage is `byname prompt [gasl|catalog|express]`",
    ],
  ])
    assert.deepEqual(byname(words), { code: 2, stdout: "", stderr: `byname: ${message}\n` });
  assert.deepEqual(byname(["--version"]), { code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("check locates a wrong property of HAM, and flow check names the option of node types", () => {
  const components = [{ id: "root", component: "Text", txt: "a" }];
  const ham = JSON.stringify({ createSurface: { surfaceId: "s", components } });
  const { code, stdout } = byname(["check", file("ham.jsonl", ham)]);
  assert.equal(code, 1);
  assert.match(stdout, /^ham\.jsonl:1:\d+: \w+\[CAT001\]: unknown property `txt`/m);
  assert.equal(stdout.match(/CAT001/g).length, 1);
  const untyped = file("untyped.json", { nodes: [{ id: "a", type: "up" }] });
  assert.match(byname(["flow", "check", untyped]).stderr, /--registry FILE/);
});

test("mcp answers each line, and keeps the standard output free of other text", () => {
  const csv = file("mcp.csv", "source,target\na,b\nb,c\n");
  const call = (id, name, args) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const input = [
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/list"}',
    JSON.stringify(call(4, "run_plan", { commands: ["FIND nodes AS x", "COUNT x AS n"] })),
    JSON.stringify(call(5, "run_plan", { commands: 7 })),
    JSON.stringify(call(6, "absent", {})),
    '{"jsonrpc":"2.0","id":7,"method":"resources/list"}',
    "{broken",
    "[]",
    "",
  ].join("\n");
  const { code, stdout, stderr } = byname(["mcp", csv], input);
  assert.equal(code, 0, stderr);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const of = (id) => answers.find((answer) => answer.id === id);
  const resultOf = (id) => JSON.parse(of(id).result.content[0].text);
  assert.equal(of(1).result.protocolVersion, "2025-06-18");
  assert.equal(of(1).result.serverInfo.version, manifest.version);
  assert.deepEqual(of(2).result, {});
  assert.equal(of(3).result.tools.length, 4);
  assert.equal(resultOf(4).results[0].value, 3);
  assert.equal(of(5).result.isError, true);
  assert.equal(resultOf(5).error.fields[0].field, "/commands");
  assert.match(resultOf(6).error.help, /`run_plan`/);
  assert.equal(of(7).error.code, -32601);
  const rejected = answers.filter(({ id }) => id === null).map(({ error }) => error.code);
  assert.deepEqual(rejected, [-32700, -32600]);
  assert.equal(byname(["mcp"]).code, 2);
  assert.equal(byname(["mcp", csv, "--json"]).code, 2);
  assert.equal(byname(["mcp", csv, "--max-characters", "5"]).code, 2);
  assert.equal(byname(["mcp", file("broken.graphml", "<x>")]).code, 1);
});
