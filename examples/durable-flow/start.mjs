// Starts a run and prints its result: node start.mjs ID SEED. The processes of worker.mjs do the work.

import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Queue } from "bullmq";
import { Redis } from "ioredis";

/** Queues a run. A second run with the same id is not added. */
export async function startRun(connection, run, seed) {
  const runs = new Queue("runs", { connection });
  await runs.add("run", { run, seed }, { jobId: `run-${run}`, attempts: 1_000 });
  await runs.close();
}

/** Waits for the result of a run. */
export async function resultOf(redis, run) {
  for (;;) {
    const result = await redis.get(`flow:${run}:result`);
    if (result !== null) return JSON.parse(result);
    await delay(100);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const connection = { host: "127.0.0.1", port: Number(process.env.REDIS_PORT ?? 6379) };
  const [run = "first", seed = "1"] = process.argv.slice(2);
  const redis = new Redis(connection);
  await startRun(connection, run, Number(seed));
  console.log(await resultOf(redis, run));
  redis.disconnect();
}
