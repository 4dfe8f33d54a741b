// Programs over ArcadeDB, by Bolt, have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { boltGraph, DatabaseError, loadGraph } from "byname/databases";
import neo4j from "neo4j-driver";
import { ARCADE, COMMON, UNCOERCED } from "./allowed.mjs";
import { compareAll } from "./conformance.mjs";
import { PASSWORD, skipArcade, startArcade } from "./servers.mjs";
import { DERIVED, programs, skip, traps } from "./traps.mjs";

await init();

const skipped = skip || skipArcade;
let arcade;
let driver;
test.before(async () => {
  if (skipped) return;
  arcade = await startArcade("conformance");
  driver = connect(arcade.bolt);
  const options = { database: arcade.database, labelField: "type" };
  const written = await loadGraph(boltGraph(driver, options), Graph.fromNodeLink(traps), {
    batch: 5,
  });
  assert.deepEqual(written, { nodes: 16, edges: 18 });
});
test.after(async () => {
  await driver?.close();
  await arcade?.stop();
});

function connect(port, password = PASSWORD) {
  return neo4j.driver(`bolt://127.0.0.1:${port}`, neo4j.auth.basic("root", password));
}

const graphWith = (options) =>
  boltGraph(driver, { database: arcade.database, labelField: "type", ...options });

test("has the results of a graph in memory", { skip: skipped }, async () => {
  const memory = Graph.fromNodeLink(traps);
  await compareAll(memory, graphWith({ coerce: true }), programs, COMMON);
  const remote = graphWith({ coerce: true, firstRows: 1 });
  await compareAll(memory, remote, { ...programs, ...DERIVED }, ARCADE);
  await compareAll(memory, graphWith({}), programs, { ...COMMON, ...UNCOERCED });
});

/** Returns the record of a command over a connection, and the milliseconds it took. */
async function timed(graph) {
  const start = performance.now();
  const record = await new GaslSession({ graph }).execute("FIND nodes AS x");
  return { record, duration: performance.now() - start };
}

test("rejects a wrong password, database or port within 5 s", { skip: skipped }, async () => {
  const wrong = connect(arcade.bolt, "secret-and-wrong");
  const closed = connect(1);
  const http = connect(arcade.server.ports.http);
  const auth = neo4j.auth.basic("root", PASSWORD);
  const encrypted = neo4j.driver(`bolt+s://127.0.0.1:${arcade.bolt}`, auth);
  try {
    const failed = /the connection to the database failed/;
    for (const [graph, message, help, reason] of [
      [
        boltGraph(wrong, { database: arcade.database }),
        ...[/rejected the user or the password/, /^check the user and the password$/, "user"],
      ],
      [
        boltGraph(driver, { database: "missing" }),
        ...[/the database does not exist/, /^create the database `missing`/, "database"],
      ],
      [
        boltGraph(closed, { database: arcade.database }),
        ...[failed, /^check the address and the port, that the server runs/, "connection"],
      ],
      [
        boltGraph(http, { database: arcade.database }),
        ...[failed, /^the port is that of HTTP; use the Bolt port/, "connection"],
      ],
      [
        boltGraph(encrypted, { database: arcade.database }),
        ...[failed, /whether it needs TLS/, "connection"],
      ],
    ]) {
      const { record, duration } = await timed(graph);
      assert.equal(record.status, "error");
      assert.match(record.errors[0].message, message);
      assert.match(record.errors[0].help, help);
      await assert.rejects(graph.write({ text: "RETURN 1 AS row", params: {} }), (error) => {
        assert.ok(error instanceof DatabaseError);
        assert.equal(error.reason, reason);
        assert.match(error.help, help);
        assert.match(error.message, message);
        assert.ok(error.message.endsWith(`: ${error.help}`));
        return true;
      });
      assert.ok(duration < 5_000, `${message} took ${duration} ms`);
      const text = JSON.stringify(record);
      for (const secret of ["secret", PASSWORD, "127.0.0.1", "bolt://", "/root", "com.arcadedb"])
        assert.ok(!text.includes(secret), text);
    }
  } finally {
    for (const one of [wrong, closed, http, encrypted]) await one.close();
  }
});

test("an empty name of a database is invalid", { skip: skipped }, () => {
  assert.throws(() => boltGraph(driver, { database: "" }), {
    ...{ name: "BynameError", code: "argument" },
    message: /`database` .*name of a database, found an empty text/,
  });
});

test("rows of an unknown variable reject", { skip: skipped }, async () => {
  const session = new GaslSession({ graph: graphWith({}) });
  assert.equal((await session.execute("FIND nodes WHERE type = PERSONS AS x")).status, "empty");
  assert.deepEqual(await session.rows("x"), []);
  await assert.rejects(session.rows("nosuch"), /^BynameError: unknown variable `nosuch`/);
});
