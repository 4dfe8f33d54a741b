// Graphs in XML through the public API: GraphML of several tools, and GEXF.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { GaslError, GaslSession, Graph, init } from "byname";

await init();

const read = (name) => readFileSync(new URL(`../xml-graphs/${name}`, import.meta.url));
const codesOf = ({ diagnostics }) => diagnostics.map(({ code }) => code);

/** Returns the rows that a command finds. */
async function find(graph, command) {
  const session = new GaslSession({ graph });
  const record = await session.execute(`${command} AS found`);
  assert.equal(record.status, "success", JSON.stringify(record));
  return session.variable("found");
}

test("queries the labels and groups of yEd", async () => {
  const graph = Graph.fromGraphML(read("yed.graphml"));
  assert.deepEqual(codesOf(graph), ["GASL153", "GASL152"]);
  assert.equal((await find(graph, 'FIND nodes WHERE label = "Start"'))[0].shape, "diamond");
  assert.equal((await find(graph, 'FIND nodes WHERE group = "n1"'))[0].label, "Check");
  assert.equal((await find(graph, 'FIND nodes WHERE yfiles.foldertype = "group"'))[0].id, "n1");
});

test("queries the values of other tools", async () => {
  const check = async (name, command, ids) => {
    const rows = await find(Graph.fromGraphML(read(name)), command);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
  };
  await check("gephi.graphml", "FIND edges WHERE weight >= 2", ["0"]);
  await check("tinkerpop.graphml", 'FIND nodes WHERE labelV = "software"', ["3"]);
  await check("apoc.graphml", 'FIND edges WHERE label = "KNOWS" AND since = "May"', ["e0"]);
  await check("apoc.graphml", "FIND nodes WHERE since < 2000", ["n0"]);
  await check("igraph.graphml", "FIND nodes WHERE score IS NULL", ["n1"]);
  await check("graph-tool.graphml", "FIND nodes WHERE rank < 1", ["n1"]);
});

test("reads GEXF as text, bytes and views", async () => {
  const bytes = read("gephi.gexf");
  for (const source of [bytes, bytes.toString(), new DataView(new Uint8Array(bytes).buffer)]) {
    const graph = Graph.fromGexf(source);
    assert.deepEqual([graph.nodeCount, graph.edgeCount, graph.directed], [4, 2, true]);
    assert.deepEqual(codesOf(graph), ["GASL152"]);
  }
  const graph = Graph.fromGexf(bytes);
  assert.equal((await find(graph, 'FIND nodes WHERE viz_color = "#ff0010"'))[0].id, "a");
  assert.equal((await find(graph, "FIND edges WHERE weight < 1"))[0].id, "1");
  assert.deepEqual(Graph.fromJSON(graph.toJSON()).toJSON(), graph.toJSON());
  for (const source of [undefined, {}, 7]) {
    assert.throws(() => Graph.fromGexf(source), { code: "argument" });
  }
});

test("names the method for another format", () => {
  const check = (call, code, method) => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof GaslError);
      const [{ code: found, help }] = error.diagnostics;
      assert.equal(found, code);
      assert.ok(help.includes(method), help);
      return true;
    });
  };
  const gexf = read("gephi.gexf");
  const graphml = read("apoc.graphml");
  check(() => Graph.fromGraphML(gexf), "GASL111", "`Graph.fromGexf(source)`");
  check(() => Graph.fromGraphML('{"nodes":[]}'), "GASL111", "`Graph.fromNodeLink(source)`");
  check(() => Graph.fromGraphML("id,name\na,b"), "GASL111", "`Graph.fromCsv({ nodes, edges })`");
  check(() => Graph.fromGexf(graphml), "GASL111", "`Graph.fromGraphML(source)`");
  check(() => Graph.fromGexf("[]"), "GASL111", "`Graph.fromNodeLink(source)`");
  check(() => Graph.fromGexf("a\tb\n1\t2"), "GASL111", "`Graph.fromCsv({ nodes, edges })`");
});

test("rejects large GEXF documents quickly", () => {
  const start = "<gexf><graph>";
  const nested = `${start}${"<nodes><node id='a'>".repeat(1e6)}`;
  assert.throws(
    () => Graph.fromGexf(nested),
    (error) => error.diagnostics[0].code === "GASL140",
  );
  const many = Array.from(
    { length: 100_000 },
    (_, at) => `<attvalue for='k' value='${at}' start='1'/>`,
  );
  const node = `<nodes><node id='a'>${many.join("")}</node></nodes>`;
  const attributes = "<attributes class='node'><attribute id='k' type='long'/></attributes>";
  const graph = Graph.fromGexf(`${start}${attributes}${node}</graph></gexf>`);
  assert.equal(graph.toJSON().nodes[0].k.length, 100_000);
  const groups = Array.from({ length: 100_000 }, (_, at) => `<node id='${at}' pid='${at + 1}'/>`);
  const grouped = Graph.fromGexf(`${start}<nodes>${groups.join("")}</nodes></graph></gexf>`);
  assert.equal(grouped.toJSON().nodes[7].group, "8");
});
