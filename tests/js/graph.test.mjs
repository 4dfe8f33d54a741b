// Graph: input and output, misuse, and memory after disposal.

import assert from "node:assert/strict";
import test from "node:test";
import { BynameError, GaslError, Graph, HamStore, init } from "byname";

await init();

const bytes = (text) => new TextEncoder().encode(text);
const xml = "<graphml><graph><node id='é'/></graph></graphml>";
const json = {
  nodes: [{ id: "a", tags: ["x"] }, { id: "b" }],
  edges: [{ source: "a", target: "b" }],
};

test("parses text and bytes alike", () => {
  for (const source of [xml, bytes(xml), bytes(xml).buffer, new DataView(bytes(xml).buffer)]) {
    assert.deepEqual(Graph.fromGraphML(source).toJSON().nodes, [{ id: "é" }]);
  }
  for (const source of [json, JSON.stringify(json), bytes(JSON.stringify(json))]) {
    const graph = Graph.fromNodeLink(source);
    assert.deepEqual([graph.nodeCount, graph.edgeCount, graph.directed], [2, 1, false]);
    assert.deepEqual(graph.diagnostics, []);
  }
  const tables = { nodes: bytes("id\né"), edges: "source,target\né,é", directed: true };
  const graph = Graph.fromCsv(tables);
  assert.deepEqual([graph.nodeCount, graph.edgeCount, graph.directed], [1, 1, true]);
});

test("a summary has counts and fields", () => {
  const graph = Graph.fromCsv({
    nodes: "id,kind,age\na,P,1\nb,P,3\nc,Q,",
    edges: "source,target\na,b",
  });
  assert.deepEqual(graph.summary(), {
    nodes: 3,
    edges: 1,
    directed: false,
    components: 2,
    node_fields: [
      {
        name: "kind",
        kind: "string",
        rows: 3,
        distinct: 2,
        frequent: [
          { value: "P", count: 2 },
          { value: "Q", count: 1 },
        ],
      },
      { name: "age", kind: "number", rows: 2, least: 1, most: 3 },
    ],
    edge_fields: [],
  });
});

test("a summary names the field that FOLLOW compares", () => {
  const summaryOf = (field) =>
    Graph.fromCsv({ nodes: "id\na\nb", edges: `source,target,w,${field}\na,b,1,x` }).summary();
  assert.equal(summaryOf("Relation Type").relation_field, "Relation Type");
  assert.equal(summaryOf("labelE").relation_field, "labelE");
  assert.equal(summaryOf("tie").relation_field, undefined);
});

test("a description for a model has each field in a line", () => {
  const graph = Graph.fromCsv({
    nodes: "id,kind,age\na,P,1\nb,P,3\nc,Q,",
    edges: "source,target,rel\na,b,R\nb,a,R",
  });
  assert.deepEqual(graph.prompt().split("\n"), [
    "undirected, 3 nodes, 2 edges, 2 components",
    "Node fields:",
    '|id: text, e.g. "a"',
    '|kind: "P" 2, 1 more',
    "|age (in 2): 1 to 3",
    "Edge fields: source, target (node ids)",
    '|rel (relation for FOLLOW): "R" 2',
  ]);
});

test("makes a graph of the current state of a HAM store", () => {
  const store = new HamStore();
  store.apply({ root: { users: ["*u1", "*gone"], title: "*t" }, u1: { name: "Ann" }, t: "Hi" });
  const graph = Graph.fromHam(store);
  store.apply({ u1: { name: "Bob" } });
  const { nodes, edges, directed } = graph.toJSON();
  assert.deepEqual(nodes, [{ id: "root", title: "Hi" }, { id: "u1", name: "Ann" }, { id: "gone" }]);
  assert.deepEqual(edges, [
    { source: "root", target: "u1", type: "users" },
    { source: "root", target: "gone", type: "users" },
  ]);
  assert.equal(directed, true);
});

test("throws the diagnostics of an unreadable graph", () => {
  const check = (call, code) => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof GaslError && error instanceof Error);
      assert.equal(error.name, "GaslError");
      const { message, location } = error.diagnostics[0];
      const place = location?.pointer ? ` (at "${location.pointer}")` : "";
      assert.equal(error.message, message + place);
      assert.equal(error.diagnostics[0].code, code);
      return true;
    });
  };
  check(() => Graph.fromGraphML(""), "GASL102");
  check(() => Graph.fromGraphML("\ud800"), "JSON006");
  check(() => Graph.fromGraphML(new Uint8Array([0xff])), "JSON011");
  check(() => Graph.fromNodeLink("nodes"), "JSON001");
  check(() => Graph.fromNodeLink([]), "GASL110");
  check(() => Graph.fromNodeLink({ nodes: [() => {}] }), "JSON013");
  check(() => Graph.fromCsv({ nodes: "", edges: "a,b" }), "GASL120");
  check(() => Graph.fromCsv({ nodes: "id\na", edges: '"' }), "GASL122");
});

test("throws on arguments of the wrong type", () => {
  const calls = [
    () => Graph.fromGraphML(undefined),
    () => Graph.fromGraphML({}),
    () => Graph.fromNodeLink(undefined),
    () => Graph.fromNodeLink(null),
    () => Graph.fromNodeLink(7),
    () => Graph.fromCsv("id"),
    () => Graph.fromCsv(null),
    () => Graph.fromCsv({ nodes: "id" }),
    () => Graph.fromCsv({ nodes: "id", edges: "source,target", directed: "yes" }),
    () => Graph.fromHam({}),
    () => Graph.fromHam(undefined),
  ];
  for (const call of calls) {
    assert.throws(call, (error) => error instanceof BynameError && error.code === "argument");
  }
});

test("reports a graph that was disposed of", () => {
  const graph = Graph.fromNodeLink(json);
  graph[Symbol.dispose]();
  graph[Symbol.dispose]();
  assert.throws(() => graph.nodeCount, { code: "disposed" });
  assert.throws(() => graph.toJSON(), { code: "disposed" });
  assert.deepEqual(graph.diagnostics, []);
});
