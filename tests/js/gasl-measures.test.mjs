// MEASURE and FIND shortest paths through the facade: progress, abort signals, and adapters.
// tests/gasl_measures.rs compares the values with NetworkX.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { cypherAdapter } from "byname/gasl";

await init();

/** Returns a graph in which every node is connected to the next and to others. */
function chords(count) {
  const rows = Array.from({ length: count }, (_, at) =>
    [1, 3, 7].map((step) => `n${at},n${(at * step + 1) % count}`).join("\n"),
  );
  return Graph.fromCsv({ edges: `source,target\n${rows.join("\n")}\n`, nodes: "id\n" });
}

test("a long measure reports progress", async () => {
  const session = new GaslSession({ graph: chords(1_500) });
  await session.execute("SET adapter.caps.max_expansions = 100000000");
  const parts = [];
  const record = await session.execute("MEASURE betweenness AS b", {
    onBatch: (progress) => parts.push(progress),
  });
  assert.equal(record.status, "success");
  assert.ok(parts.length > 3, `${parts.length} parts`);
  for (const { done, total } of parts) assert.ok(0 < done && done < total, `${done} of ${total}`);
  assert.equal(session.variable("b").length, 1_500);
});

test("a signal that a timer aborts stops a long measure", async () => {
  const session = new GaslSession({ graph: chords(3_000) });
  await session.execute("SET adapter.caps.max_expansions = 1000000000");
  for (const command of ["MEASURE betweenness AS b", "FIND shortest paths LIMIT 900000 AS b"]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort());
    let parts = 0;
    const record = await session.execute(command, {
      signal: controller.signal,
      onBatch: () => {
        parts += 1;
      },
    });
    assert.deepEqual([record.status, record.errors?.[0]?.code], ["error", "GASL045"], command);
    assert.ok(parts > 0 && parts < 5, `${parts} parts`);
    assert.equal(session.variable("b"), undefined);
  }
});

test("a plan with a long measure is replayed", async () => {
  const graph = chords(1_500);
  const session = new GaslSession({ graph, caps: { max_expansions: 100_000_000 } });
  const commands = [
    "DECLARE central AS LIST",
    "MEASURE betweenness AS b",
    "RANK b BY betweenness LIMIT 3 AS top",
    "UPDATE central WITH top",
  ];
  const result = await session.run({ plan_id: "p", why: "test", commands });
  assert.equal(result.status, "completed");
  const again = await GaslSession.replay(session.recording(), { graph });
  assert.equal(again.snapshot().hash, session.snapshot().hash);
});

test("communities depend on the seed of the session only", async () => {
  const communities = async (seed) => {
    const session = new GaslSession({ graph: chords(300), seed });
    await session.execute("MEASURE community AS c");
    return session.variable("c").map(({ community }) => community);
  };
  assert.deepEqual(await communities(5), await communities(5));
});

test("an adapter with the optional functions measures and finds shortest paths", async () => {
  const queries = [];
  const none = async () => [];
  const graph = {
    ...{ findNodes: none, findEdges: none, findPaths: none, getNode: async () => null },
    measureDegree: async (query) => {
      queries.push(query);
      return [{ id: 1, degree: 2 }];
    },
    findShortestPaths: async (query) => {
      queries.push(query);
      if (query.weight === "slow") return { unsupported: "no weights here" };
      return [{ nodes: [1, 2, 3], edges: ["x", "y"], length: 2, cost: 7 }];
    },
  };
  const session = new GaslSession({ graph });
  await session.execute("MEASURE degree WEIGHT km AS d");
  assert.deepEqual(session.variable("d"), [{ id: 1, degree: 2 }]);
  await session.execute("FIND shortest paths WHERE start.id = 1 AND end.id = 3 WEIGHT km AS p");
  assert.deepEqual(session.variable("p"), [
    { start: 1, end: 3, nodes: [1, 2, 3], edges: ["x", "y"], length: 2, cost: 7 },
  ]);
  await session.execute("FIND shortest paths WHERE start.id = 1 AND length <= 4 AS p");
  const [degree, weighted, bounded] = queries;
  assert.deepEqual([degree.measure, degree.weight, degree.ids], ["degree", "km", undefined]);
  assert.deepEqual([weighted.weight, weighted.maxLength, weighted.direction], ["km", null, "out"]);
  assert.equal(bounded.maxLength, 4);
  const refused = await session.execute("FIND shortest paths WEIGHT slow AS p");
  assert.deepEqual([refused.status, refused.errors[0].code], ["error", "GASL094"]);
  assert.match(refused.errors[0].message, /no weights here/);
});

test("the Cypher adapter writes shortest paths and degrees", async () => {
  const statements = [];
  const graph = cypherAdapter({
    run: async (statement) => {
      // Requests for the fields of the graph, and for values near those of a condition.
      if (!statement.text.includes("RETURN DISTINCT")) statements.push(statement);
      return [];
    },
  });
  const session = new GaslSession({ graph });
  await session.execute(
    "FIND shortest paths WHERE start.id = a AND end.id = b AND length <= 5 AS p",
  );
  await session.execute("FIND shortest paths WHERE start.id = a AND edge.type = ROAD AS p");
  await session.execute("MEASURE degree AS d");
  const [bounded, open, degree] = statements;
  // Weighted paths are searched in memory: the empty graph has no field `km`.
  const weighted = await session.execute("FIND shortest paths WEIGHT km AS p");
  assert.equal(weighted.errors[0].code, "GASL031");
  assert.match(
    bounded.text,
    /^MATCH \(a\) WHERE a\.`id` = \$p\d MATCH \(b\) WHERE a <> b AND b\.`id` = \$p\d MATCH p = shortestPath\(\(a\)-\[\*1\.\.5\]->\(b\)\) /,
  );
  assert.match(open.text, /shortestPath\(\(a\)-\[:`ROAD`\*\]->\(b\)\) RETURN/);
  assert.match(
    degree.text,
    /^MATCH \(n\) OPTIONAL MATCH \(n\)-\[o\]->\(\) .* \{`id`: coalesce\(n\.`id`, elementId\(n\)\), `degree`: outs \+ ins, /,
  );
  // Values are parameters.
  const texts = Object.values(bounded.params).filter((value) => typeof value === "string");
  assert.deepEqual(texts.sort(), ["a", "b"]);
  assert.equal(bounded.text.includes('"a"'), false);
});
