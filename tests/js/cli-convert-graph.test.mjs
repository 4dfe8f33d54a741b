// `byname convert` for graphs: each writer is read again, and what a format cannot hold is a warning.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Graph, init } from "byname";

await init();

const cli = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "byname-convert-"));
after(() => rmSync(folder, { recursive: true }));

function fileOf(name, content) {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function convert(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "convert", ...args], {
    encoding: "utf8",
  });
  return { code: status, text: stdout, notes: stderr };
}

/** Graph with attributes of every type, special characters, parallel edges and a loop. */
const source = {
  directed: true,
  graph: { name: 'Towns & "roads"', year: 2020 },
  nodes: [
    { id: "a", name: "Ålesund <1>", size: 3, zip: "0601", tags: ["x", "y z"], open: true },
    { id: 'b "c"', name: "two\nlines, \ttab", size: 2.5, zip: "12" },
    { id: "lonely" },
  ],
  links: [
    { id: "k", source: "a", target: 'b "c"', weight: 1.5 },
    { id: "l", source: "a", target: 'b "c"', weight: 2, note: "again; and |again|" },
    { id: "m", source: "a", target: "a" },
  ],
};

const expected = Graph.from(source).toJSON();

for (const format of ["graphml", "node-link", "cytoscape", "graphology"]) {
  for (const directed of [true, false]) {
    test(`a ${directed ? "directed" : "undirected"} graph survives ${format}`, () => {
      const path = fileOf("graph.json", { ...source, directed });
      const { code, text, notes } = convert(path, "--to", format);
      assert.deepEqual([code, notes], [0, ""]);
      const graph = Graph.from(text);
      assert.equal(graph.format, format);
      assert.deepEqual(graph.diagnostics, []);
      assert.deepEqual(graph.toJSON(), { ...expected, directed });
      // A second conversion gives the same text.
      assert.equal(convert(fileOf("again", text), "--to", format).text, text);
    });
  }
}

for (const directed of [true, false]) {
  test(`a ${directed ? "directed" : "undirected"} graph survives gexf, except for numbers of the graph`, () => {
    const labels = { nodes: source.nodes.map((node, n) => ({ ...node, label: `Town ${n}` })) };
    const path = fileOf("graph.json", { ...source, ...labels, directed });
    const { code, text, notes } = convert(path, "--to", "gexf");
    assert.deepEqual([code, notes], [0, "warning: `year` of 1 graph differs in the result\n"]);
    const graph = Graph.from(text);
    assert.deepEqual([graph.format, graph.diagnostics], ["gexf", []]);
    const { graph: meta, ...rest } = Graph.from({ ...source, ...labels, directed }).toJSON();
    assert.deepEqual(graph.toJSON(), { ...rest, graph: { ...meta, year: "2020" } });
    assert.match(text, /<node id="a" label="Town 0"><attvalues>/);
    assert.match(text, /weight="1.5"/);
  });
}

test("a graph survives a pair of tables, and truth values become text with a warning", () => {
  const tables = join(folder, "nodes.csv");
  const path = fileOf("graph.json", source);
  const { code, text, notes } = convert(path, "--to", "csv", "--nodes", tables);
  assert.equal(code, 0);
  assert.deepEqual(notes.trim().split("\n"), [
    "warning: `name` of 1 graph differs in the result",
    "warning: `year` of 1 graph differs in the result",
    "warning: `open` of 1 nodes differs in the result",
  ]);
  const graph = Graph.fromCsv({ nodes: readFileSync(tables, "utf8"), edges: text });
  const { nodes, edges, directed } = graph.toJSON();
  assert.equal(directed, true);
  const typed = expected.edges.map((edge) => ({ ...edge, Type: "Directed" }));
  assert.deepEqual(edges, typed);
  const [first, ...rest] = expected.nodes;
  assert.deepEqual(nodes, [{ ...first, open: "true" }, ...rest]);
});

test("a pair of tables is converted, queried and described", () => {
  const nodes = fileOf("towns.csv", "id,name\na,Ann\nb,Ben\nlonely,Leo\n");
  const edges = fileOf("roads.csv", "source,target,km\na,b,3\n");
  const pair = [edges, "--node-table", nodes];
  const { nodes: found, links } = JSON.parse(convert(...pair, "--to", "node-link").text);
  assert.deepEqual(found.at(-1), { id: "lonely", name: "Leo" });
  assert.deepEqual([found.length, links.length], [3, 1]);
  const run = (...args) =>
    execFileSync(process.execPath, [cli, "graph", ...args, "--json"], { encoding: "utf8" });
  assert.equal(JSON.parse(run("info", ...pair)).nodes, 3);
  assert.match(run("query", ...pair, 'FIND nodes WHERE name = "Leo" AS x'), /lonely/);
  const { code, notes } = convert(edges, "--node-table", "none.csv", "--to", "gexf");
  assert.deepEqual([code, /`none.csv` could not be read/.test(notes)], [2, true]);
});

test("a table of edges alone reports the nodes that it leaves out", () => {
  const { code, notes } = convert(fileOf("graph.json", source), "--to", "csv");
  assert.equal(code, 0);
  assert.match(notes, /^warning: the graph has 3 nodes, and the result 2$/m);
  assert.match(notes, /^warning: `size` of 2 nodes differs in the result$/m);
});

test("maps in GraphML are JSON text with a warning", () => {
  const nodes = [{ id: "a", place: { x: 1 } }];
  const { text, notes } = convert(fileOf("map.json", { nodes, links: [] }), "--to", "graphml");
  assert.match(notes, /`place` of 1 nodes differs/);
  assert.equal(Graph.from(text).toJSON().nodes[0].place, '{"x":1}');
});

test("other formats are read, and --json returns the text", () => {
  const edges = fileOf("edges.csv", "ann;ben;0,5\nben;cleo;1\n");
  const json = convert(edges, "--to", "cytoscape", "--json");
  const { text, losses, diagnostics } = JSON.parse(json.text);
  assert.deepEqual(losses, []);
  assert.ok(diagnostics.some(({ code }) => code === "GASL127"));
  assert.equal(JSON.parse(text).elements.nodes.length, 3);
  const standard = execFileSync(process.execPath, [cli, "convert", "--to", "graphml"], {
    input: text,
    encoding: "utf8",
  });
  assert.equal(Graph.from(standard).edgeCount, 2);
});

test("wrong use and graphs that cannot be read have their exit codes", () => {
  const path = fileOf("graph.json", source);
  for (const [args, message] of [
    [[path, "--to", "dot"], /expected the option `--to` with one of .*`graphml`.*, found `dot`/],
    [[path], /expected the option `--to`/],
    [
      [path, "--to", "graphml", "--nodes", "n.csv"],
      /expected `--to csv` with the option `--nodes`/,
    ],
    [["no-such-file", "--to", "graphml"], /could not be read/],
  ]) {
    const { code, notes } = convert(...args);
    assert.equal(code, 2, notes);
    assert.match(notes, message);
  }
  const dot = convert(fileOf("graph.dot", "digraph { a -> b }"), "--to", "graphml");
  assert.equal(dot.code, 1);
  assert.match(dot.notes, /DOT/);
});
