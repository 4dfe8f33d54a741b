// Servers that misbehave: cut, held or slow responses, servers of another kind, and too many rows.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { boltGraph, cypherAdapter, falkorGraph, loadGraph } from "byname/databases";
import { FalkorDB } from "falkordb";
import neo4j from "neo4j-driver";
import { createClient } from "redis";
import { startProxy } from "./proxy.mjs";
import { PASSWORD, skipArcade, skipFalkor, startArcade, startFalkor, waitFor } from "./servers.mjs";

await init();

const NODES = 60;
const nodes = Array.from({ length: NODES }, (_, index) => ({
  id: `n${index}`,
  text: "word ".repeat(40),
}));
const source = Graph.fromNodeLink({ directed: true, nodes, links: [] });
const commands = ["FIND nodes WHERE id STARTS_WITH n AS x"];
const plan = { plan_id: "p", why: "test", commands };

/** Runs the plan, and asserts that it is interrupted with a message and can be resumed. */
async function assertInterrupted(session, message, repair) {
  const start = performance.now();
  const stopped = await session.run(plan);
  const duration = performance.now() - start;
  assert.equal(stopped.status, "interrupted", JSON.stringify(stopped));
  assert.match(stopped.records[0].errors[0].message, message);
  assert.ok(duration < 15_000, `${duration} ms`);
  repair();
  const resumed = await session.resume();
  assert.equal(resumed.status, "completed", JSON.stringify(resumed));
  assert.equal(session.variable("x").length, NODES);
}

let arcade;
let bolt;
test.before(async () => {
  if (skipArcade) return;
  arcade = await startArcade("faults");
  bolt = await startProxy(arcade.bolt);
  await loadGraph(arcadeGraph({ timeout: 30_000 }), source);
});
test.after(async () => {
  await bolt?.stop();
  await arcade?.stop();
});

const drivers = [];
test.after(() => Promise.all(drivers.map((driver) => driver.close())));

/** Returns a connection through the proxy, with a driver of its own. */
function arcadeGraph(options) {
  const driver = neo4j.driver(`bolt://127.0.0.1:${bolt.port}`, neo4j.auth.basic("root", PASSWORD));
  drivers.push(driver);
  return boltGraph(driver, { database: arcade.database, retries: 0, timeout: 4_000, ...options });
}

test("Bolt: a response that ends within a row interrupts the plan", {
  skip: skipArcade,
}, async () => {
  const before = bolt.sent;
  await new GaslSession({ graph: arcadeGraph() }).run(plan);
  const size = bolt.sent - before;
  for (const part of [0.2, 0.5, 0.95]) {
    bolt.mode = { cut: Math.floor(size * part) };
    const session = new GaslSession({ graph: arcadeGraph() });
    await assertInterrupted(session, /the connection to the database failed/, () => {
      bolt.mode = "pass";
    });
  }
});

test("Bolt: a server that sends nothing is given up, a slow one is not", {
  skip: skipArcade,
}, async () => {
  bolt.mode = "hold";
  const session = new GaslSession({ graph: arcadeGraph() });
  await assertInterrupted(
    session,
    /did not respond in time|connection to the database failed/,
    () => {
      bolt.mode = "slow";
    },
  );
  bolt.mode = "pass";
});

test("Bolt: a server of another kind is an error within 5 s", async () => {
  const server = createServer((_, response) => response.end("hello"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const driver = neo4j.driver(`bolt://127.0.0.1:${server.address().port}`);
  try {
    const start = performance.now();
    const session = new GaslSession({ graph: boltGraph(driver) });
    const record = await session.execute("FIND nodes AS x");
    assert.equal(record.status, "error");
    assert.match(record.errors[0].message, /the connection to the database failed$/);
    assert.match(record.errors[0].help, /the port is that of HTTP/);
    assert.ok(performance.now() - start < 5_000);
  } finally {
    await driver.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Returns a client of FalkorDB on a port. */
async function falkorClient(port, options) {
  const client = await waitFor("FalkorDB", () =>
    FalkorDB.connect({ socket: { host: "127.0.0.1", port, reconnectStrategy: 50 }, ...options }),
  );
  // An error without a listener ends the process when the server is gone.
  client.on("error", () => {});
  return client;
}

test("RESP: cut, held and restarted servers interrupt the plan", { skip: skipFalkor }, async () => {
  const falkor = await startFalkor();
  const proxy = await startProxy(falkor.port);
  const client = await falkorClient(proxy.port);
  try {
    const options = { retries: 0, timeout: 4_000 };
    const graph = falkorGraph(client.selectGraph("faults"), options);
    await loadGraph(graph, source);
    const pass = () => {
      proxy.mode = "pass";
    };
    proxy.mode = { cut: 3_000 };
    await assertInterrupted(
      new GaslSession({ graph }),
      /the connection to the database failed/,
      pass,
    );
    falkor.server.signal("SIGSTOP");
    await assertInterrupted(new GaslSession({ graph }), /did not respond in time/, () =>
      falkor.server.signal("SIGCONT"),
    );
    // Without persistence the graph is gone, which is not a temporary error.
    await falkor.server.stop();
    falkor.server.restart();
    await waitFor("FalkorDB", () => client.list());
    const record = await new GaslSession({ graph }).execute("FIND nodes AS x");
    assert.equal(record.status, "error", JSON.stringify(record));
  } finally {
    await client.close();
    await proxy.stop();
    await falkor.stop();
  }
});

/** Resolves when a server accepts connections. */
function opened(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", reject);
  });
}

test("RESP: a wrong password and a server without graphs are rejected", {
  skip: skipFalkor,
}, async () => {
  for (const [options, wrong, message] of [
    [{ password: "secret-and-right" }, "secret-and-wrong", /rejected the user or the password/],
    [{ password: "secret-and-right" }, undefined, /rejected the user or the password/],
    [{ hasModule: false }, undefined, /the database rejected the statement: .*GRAPH.RO_QUERY/],
  ]) {
    const falkor = await startFalkor(options);
    try {
      const start = performance.now();
      const socket = { host: "127.0.0.1", port: falkor.port, reconnectStrategy: false };
      const client = createClient({ socket, ...(wrong && { password: wrong }) });
      client.on("error", () => {});
      await waitFor("the server", () => opened(falkor.port));
      const connected = client.connect();
      const roQuery = async (text) => {
        await connected;
        return client.sendCommand(["GRAPH.RO_QUERY", "g", text]);
      };
      const graph = falkorGraph({ query: roQuery, roQuery });
      const session = new GaslSession({ graph });
      const record = await session.execute("FIND nodes AS x");
      assert.equal(record.status, "error");
      assert.match(record.errors[0].message, message);
      assert.ok(!JSON.stringify(record).includes("secret"));
      assert.ok(performance.now() - start < 5_000);
      if (client.isOpen) client.destroy();
    } finally {
      await falkor.stop();
    }
  }
});

test("a server that ignores LIMIT is left after the needed rows", async () => {
  let pages = 0;
  let isClosed = false;
  async function* run() {
    try {
      for (; pages < 10_000; pages += 1)
        yield Array.from({ length: 1_000 }, (_, row) => ({ row: { id: `n${pages}-${row}` } }));
    } finally {
      isClosed = true;
    }
  }
  // Without the other methods all rows are requested.
  const { findNodes, findEdges, findPaths, getNode } = cypherAdapter({ run });
  const graph = { findNodes, findEdges, findPaths, getNode };
  const session = new GaslSession({ graph, caps: { max_results: 5_000 } });
  const record = await session.execute("FIND nodes LIMIT 2500 AS x");
  assert.equal(record.status, "success");
  assert.equal(session.variable("x").length, 2_500);
  const all = await session.execute("FIND nodes AS x");
  assert.equal(all.status, "partial");
  assert.equal(session.variable("x").length, 5_000);
  assert.ok(pages < 20, `${pages} pages`);
  assert.equal(isClosed, true);
});

test("an older server without a function rejects the statement with one line", async () => {
  const run = async () => {
    throw new Error("Unknown function 'elementId' (line 1)\nat bolt://10.0.0.1:7687/secret");
  };
  const session = new GaslSession({ graph: cypherAdapter({ run }) });
  const { status, errors } = await session.execute("FIND nodes AS x");
  assert.equal(status, "error");
  assert.match(errors[0].message, /Unknown function 'elementId'/);
  assert.ok(!JSON.stringify(errors).includes("10.0.0.1"));
});
