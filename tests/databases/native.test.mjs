// Graphs that other programs wrote: numeric ids, nodes without an id, and several labels.

import assert from "node:assert/strict";
import test from "node:test";
import grafeo from "@grafeo-db/js";
import { GaslSession, init } from "byname";
import { boltGraph, falkorGraph, grafeoGraph } from "byname/databases";
import { FalkorDB } from "falkordb";
import neo4j from "neo4j-driver";
import { PASSWORD, skipArcade, skipFalkor, startArcade, startFalkor, waitFor } from "./servers.mjs";

await init();

const text = `CREATE (:N {id: 1, name: 'one'})-[:TO {w: 1}]->(:N:B {id: 2, name: 'two'})
  -[:TO {w: 2}]->(:N {id: 3, name: 'three'})-[:TO]->(:N {name: 'none'})-[:TO {w: 'x'}]->(:N {id: '4'})`;

/** Compares the ids of rows; `open` returns a connection with a layout. */
async function assertRows(open) {
  const target = open({});
  await target.write({ text, params: {} });
  await target.createIndex("N", "id");
  for (const layout of [
    {},
    { nodeLabel: "N" },
    { nodeLabel: "N", labelField: "kind", firstRows: 1 },
  ]) {
    const session = new GaslSession({ graph: open(layout) });
    const ids = async (...commands) => {
      for (const command of commands) {
        const record = await session.execute(command);
        assert.ok(["success", "empty"].includes(record.status), JSON.stringify(record));
      }
      const rows = await session.rows("x");
      return rows
        .map((row) => row.id ?? row.end)
        .map((id) => (typeof id === "number" ? id : `${id}`));
    };
    const assigned = (await ids("FIND nodes WHERE name = none AS x"))[0];
    assert.match(assigned, /[#:]\d/);
    assert.deepEqual((await ids("FIND nodes WHERE id IN [1, 2, '2', '4'] AS x")).sort(), [
      1,
      2,
      "4",
    ]);
    assert.deepEqual(await ids(`FIND nodes WHERE id = "${assigned}" AS x`), [assigned]);
    assert.deepEqual(await ids("FIND nodes WHERE id IS NULL AS x"), []);
    assert.deepEqual((await ids(`FIND nodes WHERE id != "${assigned}" AS x`)).length, 4);
    const walked = await ids("FIND nodes WHERE id = 1 AS s", "WALK FROM s DEPTH 4 AS x");
    assert.deepEqual(walked, [2, 3, assigned, "4"]);
    const paths = await ids("FIND paths WHERE start.id = 1 AND end.id = 3 AS x");
    assert.deepEqual(paths, [3]);
    const edges = await ids(
      "FIND nodes WHERE id IN [1, 2] AS n",
      "FIND edges WHERE source IN ${n} AS x",
    );
    assert.equal(new Set(edges).size, 2);
    assert.equal(edges.length, 2);
    const record = await session.execute("MEASURE degree WEIGHT w AS d");
    assert.deepEqual([record.status, record.errors[0].code], ["error", "GASL090"]);
  }
  const session = new GaslSession({ graph: open({ nodeLabel: "N", labelField: "kind" }) });
  await session.execute("FIND nodes WHERE kind = B AS x");
  assert.deepEqual(session.variable("x"), [{ id: 2, name: "two", kind: "B" }]);
}

test("Grafeo", async () => {
  const db = grafeo.GrafeoDB.create();
  await assertRows((layout) => grafeoGraph(db, layout));
});

test("FalkorDB", { skip: skipFalkor }, async () => {
  const falkor = await startFalkor();
  const socket = { host: "127.0.0.1", port: falkor.port };
  const client = await waitFor("FalkorDB", () => FalkorDB.connect({ socket }));
  client.on("error", () => {});
  try {
    await assertRows((layout) => falkorGraph(client.selectGraph("native"), layout));
  } finally {
    await client.close();
    await falkor.stop();
  }
});

test("ArcadeDB", { skip: skipArcade }, async () => {
  const arcade = await startArcade("native");
  const driver = neo4j.driver(
    `bolt://127.0.0.1:${arcade.bolt}`,
    neo4j.auth.basic("root", PASSWORD),
  );
  try {
    await assertRows((layout) => boltGraph(driver, { database: arcade.database, ...layout }));
  } finally {
    await driver.close();
    await arcade.stop();
  }
});
