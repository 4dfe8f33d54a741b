// A database that does not respond interrupts a plan, which continues where it stopped.

import assert from "node:assert/strict";
import test from "node:test";
import { GaslSession, Graph, init } from "byname";
import { boltGraph, loadGraph } from "byname/databases";
import neo4j from "neo4j-driver";
import { PASSWORD, skipArcade, startArcade, waitFor } from "./servers.mjs";

await init();

const skip = skipArcade;
const NODES = 2_500;
let arcade;
let driver;
test.before(async () => {
  if (skip) return;
  arcade = await startArcade("interruptions");
  const auth = neo4j.auth.basic("root", PASSWORD);
  driver = neo4j.driver(`bolt://127.0.0.1:${arcade.bolt}`, auth);
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    id: `n${String(index).padStart(5, "0")}`,
    kind: index % 2 === 0 ? "even" : "odd",
  }));
  await loadGraph(connection(), Graph.fromNodeLink({ directed: true, nodes, links: [] }));
});
test.after(async () => {
  await driver?.close();
  await arcade?.stop();
});

const connection = (options) =>
  boltGraph(driver, { database: arcade.database, nodeLabel: "Entity", stable: true, ...options });

test("a server that is stopped interrupts a plan, and resume continues it", { skip }, async () => {
  const session = new GaslSession({ graph: connection({ timeout: 2_000, retries: 0 }) });
  const commands = [
    "FIND nodes WHERE kind = even AS even",
    "COUNT even AS before",
    "FIND nodes WHERE kind = odd AS odd",
    "COUNT odd BY kind AS x",
  ];
  const start = performance.now();
  const onStep = ({ step }) => {
    if (step === 2) arcade.server.signal("SIGSTOP");
  };
  let stopped;
  try {
    stopped = await session.run({ plan_id: "p", why: "test", commands }, { onStep });
  } finally {
    arcade.server.signal("SIGCONT");
  }
  assert.ok(performance.now() - start < 15_000);
  assert.equal(stopped.status, "interrupted");
  assert.deepEqual(
    stopped.records.map(({ status }) => status),
    ["success", "success", "error"],
  );
  assert.match(stopped.records[2].errors[0].message, /did not respond in time/);
  assert.equal(stopped.diagnostics.at(-1).code, "GASL166");
  const resumed = await session.resume();
  assert.equal(resumed.status, "completed");
  assert.deepEqual(
    resumed.records.map(({ command }) => command),
    commands.slice(2),
  );
  assert.equal(session.variable("before"), NODES / 2);
  assert.deepEqual(session.variable("x"), [{ kind: "odd", count: NODES / 2 }]);
});

test("a restart in the middle of PROCESS repeats no batch", { skip }, async () => {
  const prompts = [];
  let isStopped = false;
  const llm = async ({ prompt }) => {
    prompts.push(prompt);
    if (prompts.length === 15 && !isStopped) {
      isStopped = true;
      await arcade.server.stop();
    }
    return { json: [{ batch: prompts.length }] };
  };
  const graph = connection({ timeout: 2_000, retries: 1 });
  const session = new GaslSession({ graph, llm, caps: { max_excerpt_items: 100 } });
  const commands = [
    "FIND nodes AS all",
    'PROCESS all USING "name the batch" RETURNING {"type": "array"} AS x',
  ];
  const stopped = await session.run({ plan_id: "q", why: "test", commands });
  assert.equal(stopped.status, "interrupted", JSON.stringify(stopped));
  assert.equal(prompts.length, 20);
  arcade.server.restart();
  await waitFor("ArcadeDB", async () => {
    await driver.verifyConnectivity({ database: arcade.database });
    return true;
  });
  const resumed = await session.resume();
  assert.equal(resumed.status, "completed", JSON.stringify(resumed));
  assert.equal(prompts.length, NODES / 100);
  assert.equal(new Set(prompts).size, NODES / 100);
  assert.equal(session.variable("x").length, NODES / 100);
  assert.equal(resumed.records.at(-1).metrics.input, NODES);
});
