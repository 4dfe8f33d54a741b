// Coordinates a run: queues its calls, and answers them from the journal. Any process can do it, and
// two may do it at the same time, because calls and outcomes are identified by their keys.

import { createHash } from "node:crypto";
import { Journal } from "./journal.mjs";

/** Milliseconds to wait for an outcome before the next check. */
const WAIT_MS = 1_000;

/** Runs a workflow to its end and returns the result. `calls` is the queue of calls. */
export async function coordinate({ flow, run: id, inputs, concurrency, calls, redis }) {
  const journal = new Journal(redis, id);
  const run = flow.begin({ inputs, concurrency, order: "arrival" });
  const outcomes = await journal.read(0);
  const queued = new Set();
  for (;;) {
    answerAll(run, outcomes);
    if (run.result) return run.result;
    const added = run.calls.filter(({ key }) => !queued.has(key));
    for (const { key } of added) queued.add(key);
    if (added.length > 0) await calls.addBulk(added.map((call) => jobOf(id, call)));
    for (const [key, outcome] of await journal.read(WAIT_MS)) outcomes.set(key, outcome);
  }
}

/** Answers all calls that have an outcome, also those that appear by an answer. */
function answerAll(run, outcomes) {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { key } of run.calls) {
      const outcome = outcomes.get(key);
      if (outcome === undefined) continue;
      outcomes.delete(key);
      run.answer(key, outcome);
      isChanged = true;
    }
  }
}

/** Returns the job of a call. A second job with the same id is not added. */
function jobOf(run, call) {
  const jobId = `${run}-${createHash("sha256").update(call.key).digest("hex").slice(0, 32)}`;
  const delay = Math.max(0, (call.notBefore ?? 0) - Date.now());
  return { name: call.type, data: { run, call }, opts: { jobId, delay, attempts: 1_000 } };
}
