// The workflow on DBOS: one process that starts a run, or continues it after a crash.
// Arguments: run id, seed. Environment: DATABASE_URL, TOKEN, WORK_MS, CONCURRENCY.

import { DBOS } from "@dbos-inc/dbos-sdk";
import { init } from "byname";
import { createFlow, makeCall } from "./workflow.mjs";

const { DATABASE_URL, TOKEN = "", WORK_MS = 10 } = process.env;
const CONCURRENCY = Number(process.env.CONCURRENCY ?? 8);

await init();
const flow = createFlow();

/**
 * Runs the workflow. DBOS numbers the steps in the order of their starts, and a recovery must start
 * them in the same order. So the order of the calls is `fixed`.
 */
async function runFlow(seed) {
  const inputs = { seed, token: TOKEN };
  const run = flow.begin({ inputs, concurrency: CONCURRENCY });
  const pending = new Map();
  while (!run.result) {
    for (const call of run.calls) {
      if (pending.has(call.key)) continue;
      const step = () => makeCall(run.reveal(call), Number(WORK_MS));
      const outcome = DBOS.runStep(step, { name: call.key });
      pending.set(
        call.key,
        outcome.then((value) => [call.key, value]),
      );
    }
    const [key, outcome] = await Promise.race(pending.values());
    pending.delete(key);
    run.answer(key, outcome);
  }
  const { status, outputs } = run.result;
  return { status, outputs };
}

const workflow = DBOS.registerWorkflow(runFlow, { name: "flow" });
DBOS.setConfig({
  name: "durable-flow",
  systemDatabaseUrl: DATABASE_URL,
  runAdminServer: false,
  logLevel: "error",
  // A new version would not recover the runs of an old one.
  applicationVersion: flow.fingerprint.slice(0, 12),
});
await DBOS.launch();
const [run = "first", seed = "1"] = process.argv.slice(2);
const handle = await DBOS.startWorkflow(workflow, { workflowID: run })(Number(seed));
const result = await handle.getResult();
console.log(JSON.stringify(result));
await DBOS.shutdown();
