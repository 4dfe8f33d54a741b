// Graph.from: kinds of sources, options, and agreement with the methods of one format.

import assert from "node:assert/strict";
import test from "node:test";
import { BynameError, GaslError, Graph, HamStore, init } from "byname";
import { codesOf } from "../compare.mjs";

await init();

const bytes = (text) => new TextEncoder().encode(text);
const json = { nodes: [{ id: "a" }, { id: "b" }], links: [{ source: "a", target: "b" }] };
const xml = "<graphml><graph><node id='a'/></graph></graphml>";
const tables = { nodes: "id\na\nb", edges: "source,target\na,b" };

test("reads text, bytes and objects alike", () => {
  for (const source of [json, JSON.stringify(json), bytes(`\ufeff ${JSON.stringify(json)}`)]) {
    const graph = Graph.from(source);
    assert.deepEqual([graph.format, graph.nodeCount, graph.edgeCount], ["node-link", 2, 1]);
    assert.deepEqual(graph.toJSON(), Graph.fromNodeLink(source).toJSON());
  }
  for (const source of [xml, bytes(xml)]) assert.equal(Graph.from(source).format, "graphml");
  for (const edges of [tables.edges, bytes(tables.edges), bytes(tables.edges).buffer]) {
    const graph = Graph.from({ nodes: tables.nodes, edges });
    assert.equal(graph.format, "csv");
    assert.deepEqual(graph.toJSON(), Graph.fromCsv(tables).toJSON());
  }
});

test("each method knows its format", () => {
  assert.equal(Graph.fromGraphML(xml).format, "graphml");
  assert.equal(Graph.fromNodeLink(json).format, "node-link");
  assert.equal(Graph.fromCsv(tables).format, "csv");
  const store = new HamStore();
  store.apply({ root: { title: "t" } });
  assert.equal(Graph.fromHam(store).format, "ham");
  assert.equal(Graph.fromJSON(Graph.from(json).toJSON()).format, "node-link");
});

test("the result of toJSON is read by each JSON method", () => {
  const exported = Graph.from({ nodes: '"id"\n"""a"""', edges: "" }).toJSON();
  for (const read of [Graph.from, Graph.fromJSON, Graph.fromNodeLink]) {
    assert.deepEqual(read(exported).toJSON(), exported);
    assert.deepEqual(read(JSON.stringify(exported)).diagnostics, []);
  }
});

test("options decide between two readings", () => {
  const counted = { nodes: [{ id: 1 }, { id: 2 }], links: [{ source: 0, target: 1 }] };
  assert.throws(
    () => Graph.from(counted),
    ({ diagnostics: [first] }) =>
      first.code === "GASL138" && first.help.includes('`id: "id"`') && first.help.includes('"#"'),
  );
  const ids = Graph.from(counted, { id: "id" }).toJSON();
  assert.deepEqual(ids.nodes, [{ id: "1" }, { id: "2" }, { id: "0" }]);
  assert.deepEqual(ids.edges, [{ source: "0", target: "1" }]);
  const positions = Graph.from(counted, { id: "#" }).toJSON();
  assert.deepEqual(positions.nodes, [
    { id: "0", id_: 1 },
    { id: "1", id_: 2 },
  ]);
  const reversed = Graph.from(json, { source: "target", target: "source", directed: true });
  assert.deepEqual(reversed.toJSON().edges, [{ source: "b", target: "a" }]);
  assert.equal(reversed.directed, true);
});

test("a column of the ends is found among many nodes and edges", () => {
  const count = 5_000;
  const rows = Array.from({ length: count }, (_, nth) => `n${nth},${nth},title ${nth}`);
  const pairs = Array.from(
    { length: count },
    (_, nth) => `title ${nth},title ${(nth * 7) % count}`,
  );
  const graph = Graph.fromCsv({
    nodes: `id,rank,title\n${rows.join("\n")}`,
    edges: `source,target\n${pairs.join("\n")}`,
  });
  assert.deepEqual([graph.nodeCount, graph.edgeCount], [count, count]);
  assert.deepEqual(codesOf(graph.diagnostics), ["GASL136"]);
  assert.equal(
    graph.diagnostics[0].message,
    "10000 of 10000 edge ends are found in `title`, 0 in `id`",
  );
});

test("few texts in a numeric column become null", () => {
  const rows = Array.from({ length: 99 }, (_, nth) => `n${nth},${nth}`);
  const { nodes } = Graph.fromCsv({
    nodes: `id,age\n${rows.join("\n")}\nlast,n/a`,
    edges: "",
  }).toJSON();
  assert.deepEqual(nodes.slice(-2), [
    { id: "n98", age: 98 },
    { id: "last", age: null },
  ]);
});

test("the help names the call for another format", () => {
  const check = (call, name) => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof GaslError);
      assert.equal(error.diagnostics[0].code, "GASL111");
      assert.ok(error.diagnostics[0].help.includes(name), error.diagnostics[0].help);
      return true;
    });
  };
  check(() => Graph.fromCsv({ edges: xml }), "Graph.fromGraphML(source)");
  check(() => Graph.fromGraphML(JSON.stringify(json)), "Graph.fromNodeLink(source)");
  check(() => Graph.fromGraphML('{"elements": []}'), "Graph.from(source)");
  check(() => Graph.fromNodeLink({ nodes: { a: {} } }), "Graph.from(source)");
  check(() => Graph.fromNodeLink(bytes(xml)), "Graph.fromGraphML(source)");
});

test("throws on arguments of the wrong type", () => {
  const calls = [
    () => Graph.from(undefined),
    () => Graph.from(7),
    () => Graph.from(json, null),
    () => Graph.from(json, { form: "csv" }),
    () => Graph.from(json, { format: "dot" }),
    () => Graph.from(json, { directed: "yes" }),
    () => Graph.from(json, { id: 7 }),
    () => Graph.from(tables, { format: "graphml" }),
    () => Graph.from({ nodes: "id" }),
    () => Graph.from({ ...tables, delimiter: ";" }),
  ];
  for (const call of calls) {
    assert.throws(call, (error) => error instanceof BynameError && error.code === "argument");
  }
});
