// The workflow of examples/durable-flow over several processes, one of which is killed every second
// or stopped for twice its lease. The outputs are those of one process, and each call is completed
// once.

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { createRequire } from "node:module";
import test from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { init } from "byname";
import { resultOf, startRun } from "../../examples/durable-flow/start.mjs";
import { createFlow, nodes } from "../../examples/durable-flow/workflow.mjs";
import { redisMissing, startRedis } from "./servers.mjs";

await init();

const require = createRequire(new URL("../../examples/durable-flow/package.json", import.meta.url));
const { Redis } = require("ioredis");
const WORKER = fileURLToPath(new URL("../../examples/durable-flow/worker.mjs", import.meta.url));
const PROCESSES = 4;
const CONCURRENCY = 16;
const LEASE_MS = 1_500;
/** On a slow machine processes end faster than they start; then the run completes after this time. */
const MAX_SECONDS = 25;
const TOKEN = "a secret token";

/** Processes of workers. Each one that ends is replaced, until `stop`. */
class WorkerPool {
  #running = new Set();
  #isStopped = false;
  #env;

  constructor(env) {
    this.#env = { ...process.env, ...env };
    for (let index = 0; index < PROCESSES; index += 1) this.#start();
  }

  #start() {
    const worker = fork(WORKER, { env: this.#env });
    const entry = { worker, isReady: false };
    this.#running.add(entry);
    worker.once("message", () => {
      entry.isReady = true;
    });
    worker.once("close", () => {
      this.#running.delete(entry);
      if (!this.#isStopped) this.#start();
    });
  }

  /** Returns a random process that makes calls; undefined unless another one does too. */
  random() {
    const ready = [...this.#running].filter(({ isReady }) => isReady);
    if (ready.length < 2) return undefined;
    return ready[Math.floor(Math.random() * ready.length)]?.worker;
  }

  async stop() {
    this.#isStopped = true;
    const ended = [...this.#running].map(({ worker }) => {
      const closed = new Promise((resolve) => worker.once("close", resolve));
      worker.kill("SIGKILL");
      return closed;
    });
    await Promise.all(ended);
  }
}

/** Disturbs the processes every second until `isOver`. Returns the numbers of kills and stops. */
async function disturb(pool, isOver) {
  const counts = { kills: 0, stops: 0 };
  for (let second = 1; second <= MAX_SECONDS; second += 1) {
    await delay(1_000);
    const worker = pool.random();
    if (isOver()) break;
    if (!worker) continue;
    if (second % 3 === 0) {
      counts.stops += 1;
      worker.kill("SIGSTOP");
      setTimeout(() => worker.kill("SIGCONT"), 2 * LEASE_MS);
    } else {
      counts.kills += 1;
      worker.kill("SIGKILL");
    }
  }
  return counts;
}

test("BullMQ: killed and stopped processes", {
  skip: redisMissing(),
  timeout: 80_000,
}, async (t) => {
  const flow = createFlow();
  const inputs = { seed: 7, token: TOKEN };
  const expected = await flow.run({ nodes, inputs, concurrency: CONCURRENCY });
  assert.equal(expected.status, "completed");

  const server = await startRedis();
  const connection = { host: "127.0.0.1", port: Number(server.port) };
  const redis = new Redis(connection);
  const pool = new WorkerPool({
    ...{ REDIS_PORT: server.port, TOKEN, LEASE_MS, CONCURRENCY, WORK_MS: 40 },
  });
  try {
    const started = performance.now();
    await startRun(connection, "r1", inputs.seed);
    let isOver = false;
    const disturbing = disturb(pool, () => isOver);
    const result = await resultOf(redis, "r1").finally(() => {
      isOver = true;
    });
    const seconds = (performance.now() - started) / 1_000;
    const { kills, stops } = await disturbing;
    assert.deepEqual([result.status, result.outputs], ["completed", expected.outputs]);

    const calls = await redis.lrange("flow:r1:calls", 0, -1);
    const journal = await redis.xrange("flow:r1:journal", "-", "+");
    const completed = journal.map(([, [, key]]) => key);
    assert.equal(new Set(completed).size, completed.length, "a call was completed twice");
    assert.deepEqual(new Set(calls), new Set(completed));
    const repeated = calls.length - completed.length;
    const discarded = await redis.get("flow:r1:discarded");
    const figures = { seconds, calls: completed.length, kills, stops, repeated, discarded };
    t.diagnostic(JSON.stringify(figures));
    assert.ok(kills >= 3 && stops >= 1, "the run was too short to be disturbed");
    assert.ok(repeated <= (kills + stops) * CONCURRENCY, `${repeated} repeated calls`);
    for (const key of await redis.keys("*")) {
      const values = await valuesOf(redis, key);
      assert.ok(!JSON.stringify(values).includes(TOKEN), `${key} contains the secret`);
    }
  } finally {
    redis.disconnect();
    await pool.stop();
    await server.stop();
  }
});

/** Returns the values of a key of Redis. */
async function valuesOf(redis, key) {
  const read = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, 0, -1),
    stream: () => redis.xrange(key, "-", "+"),
  };
  // A lease may have expired since its key was listed.
  return (await read[await redis.type(key)]?.()) ?? null;
}
