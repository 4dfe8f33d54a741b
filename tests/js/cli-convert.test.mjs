// `byname convert` of surfaces: formats, versions, and errors of the input.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const { runCli } = await import(new URL("../../pkg/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "byname-convert-"));
after(() => rmSync(folder, { recursive: true }));

const path = join(folder, "input");
async function run(command, text, ...options) {
  writeFileSync(path, text);
  const { code, stdout, stderr } = await runCli([...command, path, ...options]);
  return { code, stdout, stderr: stderr.replaceAll(path, "input") };
}
const convert = (text, ...options) => run(["convert"], text, ...options);
const linesOf = (...messages) => messages.map((one) => JSON.stringify(one)).join("\n");
const messagesOf = ({ stdout }) => stdout.split("\n").map((line) => JSON.parse(line));

const text = (id, value) => ({ id, component: "Text", text: value });
const update = (...components) => ({ updateComponents: { surfaceId: "s", components } });
const a2ui = linesOf(
  { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } },
  { version: "v0.9", ...update(text("root", { path: "/title" })) },
  { version: "v0.9", updateDataModel: { surfaceId: "s", path: "/title", value: "Hi" } },
);

test("A2UI keeps its data in A2UI and in Express", async () => {
  assert.deepEqual(await convert(a2ui, "--to", "a2ui"), { code: 0, stdout: a2ui, stderr: "" });
  const { stdout } = await convert(a2ui, "--to", "express");
  assert.equal(stdout, 'surface("s", "basic")\n$/title = "Hi"\nroot = Text($/title)');
});

test("nodes that A2UI and Express cannot hold are a warning", async () => {
  const nodes = {
    root: { a: "*used" },
    used: "t",
    bound: { b: "*inner" },
    inner: 1,
    lost: { x: 1 },
  };
  const ham = linesOf(
    { createSurface: { surfaceId: "s" } },
    update(text("root", { binding: { node: "bound", key: "b" } })),
    { updateDataModel: { surfaceId: "s", nodes } },
  );
  for (const format of ["a2ui", "express"]) {
    const { code, stderr } = await convert(ham, "--to", format);
    assert.equal(code, 0);
    assert.match(stderr, /warning\[A2UI024\]: nodes that .* are left out: `lost`$/m);
  }
  const { stderr } = await convert(ham.replace(',"lost":{"x":1}', ""), "--to", "a2ui");
  assert.equal(stderr, "");
});

test("a surface of HAM without a catalog has the basic one in A2UI, which requires one", async () => {
  const ham = linesOf({ createSurface: { surfaceId: "s" } }, update(text("root", "Hi")));
  for (const [options, version] of [
    [[], "v0_9"],
    [["--version", "v0.9"], "v0_9"],
    [["--version", "v1.0"], "v1_0"],
  ]) {
    const [{ createSurface }] = messagesOf(await convert(ham, "--to", "a2ui", ...options));
    const id = `https://a2ui.org/specification/${version}/catalogs/basic/catalog.json`;
    assert.equal(createSurface.catalogId, id);
  }
});

test("HAM is recognised by its nodes and bindings, and stays as it is", async () => {
  const nodes = { root: { path: "/x", value: "*f" }, f: { "@path": "y" } };
  const inputs = [
    linesOf({ updateDataModel: { surfaceId: "s", nodes } }),
    linesOf({ version: "v0.9", updateDataModel: { nodes } }),
    linesOf({ version: "v0.9", ...update(text("root", { binding: { key: "path" } })) }),
  ];
  for (const input of inputs) {
    assert.deepEqual(await convert(input, "--to", "ham"), { code: 0, stdout: input, stderr: "" });
    assert.match((await run(["check"], input)).stdout, /: ham, /);
  }
  assert.match((await run(["check"], a2ui)).stdout, /: a2ui, /);
  const { stdout } = await convert(inputs[0], "--to", "ham", "--format", "ham", "--json");
  assert.deepEqual(JSON.parse(stdout).messages[0].updateDataModel.nodes, nodes);
});

test("Express with any id of the basic catalog is read, and an unknown one is reported", async () => {
  const ids = ["basic", "https://a2ui.org/specification/v0_9/basic_catalog.json"];
  for (const id of ids) {
    const { code, stdout } = await convert(
      `surface("s", "${id}")\nroot = Column([Text("a")])`,
      "--to",
      "a2ui",
    );
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).createSurface.catalogId, id);
  }
  const { code, stderr } = await convert('surface("s", "shop")\nroot = Text("a")', "--to", "a2ui");
  assert.equal(code, 1);
  assert.match(stderr, /^input:1:14: error\[EXP018\]: unknown catalog `shop`\n/);
  assert.match(stderr, /help: write "basic" or "https:/);
  assert.doesNotMatch(stderr, /did you mean|EXP004/);
  const inner = await convert('root = Text("a", catalogId="shop")', "--to", "a2ui");
  assert.match(inner.stderr, /^input:1:28: error\[EXP018\]/);
});

test("Express for another catalog is a warning", async () => {
  const { code, stderr } = await convert(a2ui.replace('"basic"', '"shop"'), "--to", "express");
  assert.equal(code, 0);
  assert.match(stderr, /warning\[EXP018\]: unknown catalog `shop`.*\n.*--catalog/);
});

test("a message that Express has no form for is an error", async () => {
  const body = { surfaceId: "s", path: "/a b/c", value: 1 };
  const input = linesOf({ version: "v0.9", updateDataModel: body });
  const { code, stdout, stderr } = await convert(input, "--to", "express");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /error\[EXP019\]: .*`\/a b\/c`\n.*help: /s);
});

test("a version of A2UI has its messages and its catalog id", async () => {
  const express = "root = Column([Text($/a)])\n$/a = 1";
  const basic = (version) =>
    `https://a2ui.org/specification/${version}/catalogs/basic/catalog.json`;
  const old = messagesOf(await convert(express, "--to", "a2ui", "--version", "v0.9"));
  assert.deepEqual(
    old.map((one) => [one.version, Object.keys(one)[1], Object.keys(Object.values(one)[1])]),
    [
      ["v0.9", "createSurface", ["surfaceId", "catalogId"]],
      ["v0.9", "updateComponents", ["surfaceId", "components"]],
      ["v0.9", "updateDataModel", ["surfaceId", "path", "value"]],
    ],
  );
  assert.equal(old[0].createSurface.catalogId, basic("v0_9"));
  const again = await convert(linesOf(...old), "--to", "a2ui", "--version", "1.0");
  const [create, components] = messagesOf(again);
  assert.equal(create.createSurface.catalogId, basic("v1_0"));
  assert.deepEqual(components.updateComponents.components[1].text, { "@path": "/a" });
  const unknown = await convert(a2ui, "--to", "a2ui", "--version", "v7");
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /`v0\.9`, `v0\.9\.1`, `v1\.0`, `1\.0`, found `v7`/);
  assert.equal((await convert(a2ui, "--to", "ham", "--version", "v0.9")).code, 2);
});

test("a call has no message in v0.9, and is kept in v1.0", async () => {
  const callFunction = { call: "openUrl", catalogId: "basic", args: { url: "https://a.b" } };
  const call = linesOf({
    version: "v1.0",
    callRendererFunction: { functionCallId: "c1", callFunction },
  });
  assert.equal((await convert(call, "--to", "a2ui")).stdout, call);
  assert.equal((await convert(call, "--to", "a2ui", "--version", "v1.0")).stdout, call);
  const { code, stderr } = await convert(call, "--to", "a2ui", "--version", "v0.9");
  assert.equal(code, 1);
  assert.match(stderr, /error\[A2UI023\]: v0\.9 has no message `callRendererFunction`/);
});

test("a binding without a node begins at the root outside of templates", async () => {
  const list = {
    id: "root",
    component: "List",
    children: { binding: { key: "l" }, template: "t" },
  };
  const row = text("t", { binding: { key: "name" } });
  for (const components of [
    [list, row],
    [row, list],
  ]) {
    const ham = linesOf({ createSurface: { surfaceId: "s" } }, update(...components));
    const { stdout } = await convert(ham, "--to", "a2ui");
    assert.match(stdout, /"children":\{"componentId":"t","path":"\/l"\}/);
    assert.match(stdout, /"text":\{"path":"name"\}/);
    assert.match((await convert(ham, "--to", "express")).stdout, /_template\(\$\/l, t\)/);
  }
});

test("a component that becomes part of the surface later is sent with its absolute path", async () => {
  const ham = linesOf(
    update(text("a", { binding: { key: "title" } })),
    update({ id: "root", component: "Column", children: ["a"] }),
  );
  const [first, second] = messagesOf(await convert(ham, "--to", "a2ui"));
  assert.deepEqual(first.updateComponents.components[0].text, { path: "title" });
  assert.deepEqual(second.updateComponents.components[1].text, { path: "/title" });
});

test("paths in texts of A2UI are bound", async () => {
  const value = "Age ${/form/age}, ${formatNumber(value: ${/form/size})}";
  const message = {
    version: "v0.9",
    ...update(text("root", { call: "formatString", args: { value } })),
  };
  for (const to of ["a2ui", "express"]) {
    const { code, stdout, stderr } = await convert(linesOf(message), "--to", to);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(stdout.includes(value), stdout);
  }
  const express = `root = Text(formatString("\${/form/age}"))`;
  assert.equal((await convert(express, "--to", "a2ui")).stderr, "");
});

test("what is not a message is an error", async () => {
  const errors = [
    [
      '{"updateComponent":{"surfaceId":"s"}}',
      /:1:\d+: error\[A2UI009\].*`updateComponent`\n(?:.*\n)*.*did you mean `updateComponents`/,
    ],
    [
      '{"root": {"title": "x"}}',
      /found nodes such as `root`\n(?:.*\n)*.*\{"updateDataModel": \{"nodes": \{…\}\}\}/,
    ],
    ["[1]", /expected a message, found a number/],
    ["{}", /an empty object/],
    ["[]", /HAM035/],
    ["", /HAM035/],
    [
      '{"updateComponents": {"surfaceId": "s", "components": {"id": "root"}}}',
      /expected a list in `components`, found an object/,
    ],
    ['{"createSurface": {"surfaceId": "s"}}\n{"updateDataModel": "x"}', /:2:\d+: error\[A2UI009\]/],
    ['{"version": "v7", "createSurface": {"surfaceId": "s"}}', /error\[A2UI011\]/],
  ];
  for (const [input, expected] of errors) {
    for (const to of ["a2ui", "ham", "express"]) {
      const { code, stdout, stderr } = await convert(input, "--to", to);
      assert.deepEqual([code, stdout], [1, ""], input);
      assert.match(stderr, expected);
    }
  }
});

test("a JSON error has a line, and is part of the output of --json", async () => {
  const input = `${a2ui}\n{"updateComponents": {"surfaceId": "s", "components": [{"id": "a" "component": "Text"}]}}`;
  const { code, stderr } = await convert(input, "--to", "ham");
  assert.equal(code, 1);
  assert.match(stderr, /^input:4:67: error\[CAT009\]: message 4 is not valid JSON/);
  const { code: jsonCode, stdout } = await convert(input, "--to", "ham", "--json");
  const { diagnostics } = JSON.parse(stdout);
  assert.deepEqual([jsonCode, diagnostics.length, diagnostics[0].code], [1, 1, "CAT009"]);
  const graph = '<graphml><graph edgedefault="directed"><node id="a"';
  const info = await run(["graph", "info"], graph, "--json");
  assert.equal(info.code, 1);
  assert.match(JSON.parse(info.stdout).diagnostics[0].code, /^GASL/);
});

test("messages may have several lines, and other text between them", async () => {
  const [create, components] = a2ui.split("\n").map((line) => JSON.parse(line));
  const input = `Here it is:\n${JSON.stringify(create, null, 2)}\n${JSON.stringify(components, null, 2)}\nDone.`;
  assert.equal((await convert(input, "--to", "a2ui")).stdout, linesOf(create, components));
  const list = JSON.stringify({ messages: [create, components] });
  assert.equal((await convert(list, "--to", "a2ui")).stdout, linesOf(create, components));
});

test("several surfaces keep their own data", async () => {
  const of = (surfaceId, title) => [
    { createSurface: { surfaceId, catalogId: "basic" } },
    { updateComponents: { surfaceId, components: [text("root", { path: "/title" })] } },
    { updateDataModel: { surfaceId, path: "/title", value: title } },
  ];
  const input = linesOf(...of("a", "A"), ...of("b", "B"));
  const ham = await convert(input, "--to", "ham");
  const back = messagesOf(await convert(ham.stdout, "--to", "a2ui"));
  const data = back.map(({ updateDataModel: body }) => body).filter((body) => body !== undefined);
  assert.deepEqual(
    data.map(({ surfaceId, value }) => [surfaceId, value]),
    [
      ["a", { title: "A" }],
      ["b", { title: "B" }],
    ],
  );
});

test("a message without a surface is about that of the message before", async () => {
  const data = (value) => ({ updateDataModel: { nodes: { root: { a: value } } } });
  const input = linesOf({ createSurface: { surfaceId: "s" } }, data(1), data(2));
  const { stdout } = await convert(input, "--to", "express");
  assert.equal(stdout, 'surface("s")\n$/a = 2');
  const back = messagesOf(await convert(input, "--to", "a2ui"));
  assert.deepEqual(back[2].updateDataModel, { surfaceId: "s", path: "/a", value: 2 });
  const alone = await convert(linesOf(data(1)), "--to", "express");
  assert.equal(alone.stdout, "$/a = 1");
});

test("a graph without parallel edges is not a multigraph", async () => {
  const graph = (links, directed) =>
    JSON.stringify({ directed, multigraph: false, nodes: [{ id: "a" }, { id: "b" }], links });
  const edge = { source: "a", target: "b" };
  const back = { source: "b", target: "a" };
  const cases = [
    [[edge], true, false],
    [[edge, back], true, false],
    [[edge, back], false, true],
    [[edge, edge], true, true],
  ];
  for (const [links, directed, expected] of cases) {
    const nodeLink = JSON.parse(
      (await convert(graph(links, directed), "--to", "node-link")).stdout,
    );
    assert.equal(nodeLink.multigraph, expected);
    const { options } = JSON.parse(
      (await convert(graph(links, directed), "--to", "graphology")).stdout,
    );
    assert.equal(options.multi, expected);
  }
});

test("messages of two surfaces that alternate are printed as valid Express", async () => {
  const begin = (surfaceId) => ({
    version: "v0.9",
    createSurface: { surfaceId, catalogId: "basic" },
  });
  const show = (surfaceId) => ({
    version: "v0.9",
    updateComponents: { surfaceId, components: [text("root", surfaceId)] },
  });
  const { stdout } = await convert(
    linesOf(begin("s"), begin("q"), show("s"), show("q")),
    "--to",
    "express",
  );
  const expected = ["s", "q"].map((id) => `surface("${id}", "basic")\nroot = Text("${id}")`);
  assert.equal(stdout, expected.join("\n"));
  assert.equal((await run(["check"], stdout)).code, 0);
});

test("a conversion to HAM and back loses no template of a map", async () => {
  const list = { id: "root", component: "List", children: { path: "/m", componentId: "row" } };
  const source = linesOf(
    { version: "v0.9", createSurface: { surfaceId: "s", catalogId: "basic" } },
    { version: "v0.9", ...update(list, text("row", { path: "n" })) },
    {
      version: "v0.9",
      updateDataModel: { surfaceId: "s", path: "/", value: { m: { a: { n: 1 } } } },
    },
  );
  const there = await convert(source, "--to", "ham");
  const back = await convert(there.stdout, "--to", "a2ui");
  assert.deepEqual([back.code, back.stderr], [0, ""]);
});

test("a message that is nested too deep is an error at the message", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  for (const message of [
    `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":${deep}}}`,
    `{"updateDataModel":{"surfaceId":"s","nodes":{"a":${deep}}}}`,
  ])
    for (const format of ["a2ui", "ham", "express"]) {
      const { code, stderr } = await convert(message, "--to", format);
      assert.equal(code, 1);
      assert.match(stderr, /^input:1:1: error\[A2UI006\]: the message is nested too deep$/m);
    }
});
