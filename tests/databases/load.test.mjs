// `loadGraph` writes the relations that `FOLLOW` finds, and rejects what a database cannot store
// before it writes anything.

import assert from "node:assert/strict";
import test from "node:test";
import grafeo from "@grafeo-db/js";
import { GaslSession, Graph, init } from "byname";
import { boltGraph, DatabaseError, grafeoGraph, loadGraph } from "byname/databases";
import neo4j from "neo4j-driver";
import { PASSWORD, skipArcade, startArcade } from "./servers.mjs";

await init();

const graphOf = (nodes, links = []) => Graph.fromNodeLink({ directed: true, nodes, links });

/** Connection that counts its statements, and whose statements fail after some. */
function recording({ failsAfter = Infinity, error, onWrite, dialect = "arcadedb" } = {}) {
  const statements = [];
  const session = () => ({
    run: (text) => {
      statements.push(text);
      onWrite?.(statements.length);
      const isFailed = statements.length > failsAfter;
      const next = async () => {
        if (isFailed) throw error;
        return { done: true };
      };
      return { [Symbol.asyncIterator]: () => ({ next }) };
    },
    close: async () => {},
  });
  const options = { database: "x", labelField: "kind", dialect };
  return { statements, graph: boltGraph({ session }, options) };
}

test("the relation field of the graph is the type of relations", async () => {
  const source = graphOf(
    [
      { id: "ada", kind: "PERSON" },
      { id: "notes", kind: "PAPER" },
    ],
    [
      { source: "ada", target: "notes", relation: "LIKES" },
      { source: "notes", target: "ada", relation: null },
    ],
  );
  const graph = grafeoGraph(grafeo.GrafeoDB.create(), { labelField: "kind" });
  await loadGraph(graph, source);
  for (const each of [source, graph]) {
    const session = new GaslSession({ graph: each });
    await session.execute("FIND nodes WHERE kind = PERSON AS people");
    await session.execute("WALK FROM people FOLLOW LIKES AS liked");
    assert.deepEqual(session.variable("liked"), [{ id: "notes", kind: "PAPER" }]);
  }
});

test("an invalid graph is rejected before anything is written", async () => {
  const edge = { source: "a", target: "a" };
  for (const [graph, message] of [
    [{}, /expected the graph of `loadGraph` to be a Graph/],
    [null, /expected the graph of `loadGraph` to be a Graph/],
    [{ nodes: [], links: [] }, /expected the graph of `loadGraph` to be a Graph/],
    [graphOf([{ id: "b" }, { id: "a", "": 1 }]), /found "" in the node `a`/],
    [graphOf([{ id: "a", "@rid": 1 }]), /"@rid" in the node `a`: ArcadeDB reserves names/],
    [graphOf([{ id: "a" }], [{ ...edge, "@in": 1 }]), /"@in" in the edge from `a` to `a`/],
    [graphOf([{ id: "a", kind: "" }]), /label in `kind` of the node `a`, found ""/],
    [graphOf([{ id: "a", kind: ["X", "Y"] }]), /label in `kind` of the node `a`, found a list/],
    [graphOf([{ id: "a", kind: { b: 1 } }]), /label in `kind` of the node `a`, found a map/],
    [graphOf([{ id: "a", kind: "X,Y" }]), /found "X,Y": ArcadeDB rejects/],
    [graphOf([{ id: "a" }], [{ ...edge, type: [1] }]), /relation type in `type` of the edge from/],
    [graphOf([{ id: "a", kind: "X" }], [{ ...edge, type: "X" }]), /`X` is a label and a relation/],
  ]) {
    const { graph: target, statements } = recording();
    await assert.rejects(loadGraph(target, graph), (error) => {
      assert.deepEqual([error.name, error.code], ["BynameError", "argument"]);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(statements, []);
  }
  const { graph } = recording({ dialect: "neo4j" });
  const valid = graphOf([{ id: "a", kind: "X", "@rid": 1 }], [{ ...edge, type: "X" }]);
  assert.deepEqual(await loadGraph(graph, valid), { nodes: 1, edges: 1 });
});

const source = graphOf(
  ["a", "b", "c"].map((id) => ({ id })),
  [{ source: "a", target: "b", type: "TO" }],
);

test("an error says how much was written", async () => {
  const error = Object.assign(new Error("no disk"), { code: "Neo.TransientError.X" });
  // The index, two batches of nodes, and a batch of edges.
  for (const [failsAfter, counts] of [
    [0, "0 nodes and 0 edges"],
    [2, "2 nodes and 0 edges"],
    [3, "3 nodes and 0 edges"],
  ]) {
    const { graph } = recording({ failsAfter, error });
    await assert.rejects(loadGraph(graph, source, { batch: 2 }), (thrown) => {
      assert.ok(thrown instanceof DatabaseError);
      assert.equal(
        thrown.message,
        `the database reports a temporary error; at least ${counts} were written: remove what was written, and load the graph again`,
      );
      assert.deepEqual(
        [thrown.reason, thrown.isTransient, thrown.cause],
        ["temporary", true, error],
      );
      return true;
    });
  }
});

test("an abort says how much was written", async () => {
  const controller = new AbortController();
  const onWrite = (count) => count === 3 && controller.abort();
  const { graph } = recording({ onWrite });
  const loaded = loadGraph(graph, source, { batch: 2, signal: controller.signal });
  await assert.rejects(loaded, (thrown) => {
    assert.match(
      thrown.message,
      /^the load was aborted; at least 2 nodes and 0 edges were written/,
    );
    assert.match(thrown.help, /^remove what was written, and load the graph again$/);
    assert.deepEqual([thrown.reason, thrown.cause], ["aborted", controller.signal.reason]);
    return true;
  });
});

test("ArcadeDB rejects what the checks reject", { skip: skipArcade }, async () => {
  const arcade = await startArcade("load");
  const auth = neo4j.auth.basic("root", PASSWORD);
  const driver = neo4j.driver(`bolt://127.0.0.1:${arcade.bolt}`, auth);
  const graph = boltGraph(driver, { database: arcade.database });
  const write = (text) => graph.write({ text, params: {} });
  try {
    await write("CREATE (:A {id: 1})-[:R]->(:A {id: 2})");
    for (const text of [
      "CREATE (:R {id: 3})",
      "CREATE (:B {`@rid`: 1})",
      "CREATE (:`a,b` {id: 1})",
      "CREATE (:`a*b` {id: 1})",
      "CREATE (:`a~b` {id: 1})",
    ])
      await assert.rejects(write(text), { name: "DatabaseError", reason: "statement" });
  } finally {
    await driver.close();
    await arcade.stop();
  }
});
