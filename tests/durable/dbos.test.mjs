// The workflow of examples/durable-flow on DBOS: ten processes are killed, and each is recovered.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { init } from "byname";
import { createFlow, nodes } from "../../examples/durable-flow/workflow.mjs";
import { postgresMissing, startPostgres } from "./servers.mjs";

await init();

const require = createRequire(new URL("../../examples/durable-flow/package.json", import.meta.url));
const pg = require("pg");
const SCRIPT = fileURLToPath(new URL("../../examples/durable-flow/dbos.mjs", import.meta.url));
const CONCURRENCY = 8;
const KILLS = 10;

test("DBOS: ten recoveries", { skip: postgresMissing(), timeout: 85_000 }, async (t) => {
  const flow = createFlow();
  const inputs = { seed: 7, token: "a secret token" };
  const expected = await flow.run({ nodes, inputs, concurrency: CONCURRENCY });
  const server = await startPostgres();
  const url = `postgresql://postgres@127.0.0.1:${server.port}/durable`;
  const env = { ...process.env, DATABASE_URL: url, TOKEN: inputs.token, CONCURRENCY, WORK_MS: 5 };
  const client = new pg.Client(url.replace(/durable$/, "postgres"));
  try {
    await client.connect();
    await client.query("CREATE DATABASE durable");
    const started = performance.now();
    const counts = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      // Each process makes at least 50 calls before it is killed.
      const before = counts.at(-1) ?? 0;
      const killed = await runUntil(env, inputs.seed, async () => {
        const count = await stepCount(url);
        return count >= before + 50 && Math.random() < 0.5 ? count : undefined;
      });
      assert.equal(killed.output, "", "the run ended before the last kill");
      counts.push(killed.found);
    }
    const { output } = await runUntil(env, inputs.seed, async () => undefined);
    const result = JSON.parse(output);
    assert.deepEqual(result, { status: "completed", outputs: expected.outputs });
    const seconds = (performance.now() - started) / 1_000;
    t.diagnostic(JSON.stringify({ seconds, counts, steps: await stepCount(url) }));
  } finally {
    await client.end();
    await server.stop();
  }
});

/** Runs a process, and kills it as soon as `find` returns a value. Returns its output and the value. */
async function runUntil(env, seed, find) {
  const child = spawn(process.execPath, [SCRIPT, "r1", String(seed)], { env });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    errors += data;
  });
  let signal;
  const closed = new Promise((resolve) =>
    child.once("close", (_, by) => {
      signal = by;
      resolve("closed");
    }),
  );
  let found;
  let isClosed = false;
  void closed.then(() => {
    isClosed = true;
  });
  while (!isClosed && found === undefined) {
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (!isClosed) found = await find();
  }
  child.kill("SIGKILL");
  await closed;
  assert.ok(signal === "SIGKILL" || child.exitCode === 0, `${errors}${output}`);
  return { output, found };
}

/** Returns the number of stored steps. */
async function stepCount(url) {
  const client = new pg.Client(url);
  try {
    await client.connect();
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM dbos.operation_outputs",
    );
    return rows[0].count;
  } catch {
    // DBOS creates its tables at the first start.
    return 0;
  } finally {
    await client.end().catch(() => {});
  }
}
