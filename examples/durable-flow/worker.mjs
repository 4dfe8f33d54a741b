// One process: coordinates runs and makes calls. Start as many as you like, on any machine.
// Environment: REDIS_PORT, TOKEN, LEASE_MS, WORK_MS, CONCURRENCY.

import { Queue, Worker } from "bullmq";
import { init } from "byname";
import { Redis } from "ioredis";
import { coordinate } from "./coordinator.mjs";
import { Journal } from "./journal.mjs";
import { createFlow, makeCall } from "./workflow.mjs";

const { REDIS_PORT = 6379, TOKEN = "", LEASE_MS = 30_000, WORK_MS = 10 } = process.env;
const CONCURRENCY = Number(process.env.CONCURRENCY ?? 16);

await init();
const flow = createFlow();
const connection = { host: "127.0.0.1", port: Number(REDIS_PORT), maxRetriesPerRequest: null };
const redis = new Redis(connection);
const calls = new Queue("calls", { connection });
const leases = {
  connection,
  lockDuration: Number(LEASE_MS),
  stalledInterval: Number(LEASE_MS) / 2,
  // A job whose process ended is given to another one, however often that happens.
  maxStalledCount: 1_000_000,
};

const workers = [
  new Worker(
    "calls",
    async ({ data: { run, call } }) => {
      const journal = new Journal(redis, run);
      if (await journal.has(call.key)) return;
      await redis.rpush(`flow:${run}:calls`, call.key);
      const outcome = await makeCall(flow.reveal(call, { token: TOKEN }), Number(WORK_MS));
      // Another process may have been faster, if this one was stopped for longer than its lease.
      if (!(await journal.complete(call.key, outcome))) await redis.incr(`flow:${run}:discarded`);
    },
    { ...leases, concurrency: 4 },
  ),
  new Worker(
    "runs",
    async ({ data: { run, seed } }) => {
      const inputs = { seed, token: TOKEN };
      // Waiting for the journal blocks its connection.
      const own = redis.duplicate();
      try {
        const options = { flow, run, inputs, concurrency: CONCURRENCY, calls, redis: own };
        const { status, outputs, diagnostics } = await coordinate(options);
        const result = JSON.stringify({ status, outputs, diagnostics });
        await redis.set(`flow:${run}:result`, result, "NX");
      } finally {
        own.disconnect();
      }
    },
    { ...leases, concurrency: 2 },
  ),
];
// A lost lease is no error here: the journal accepts one outcome for each key.
for (const worker of workers) worker.on("error", () => {});
process.send?.("ready");
