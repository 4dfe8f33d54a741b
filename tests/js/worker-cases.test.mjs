// The cases of GASL and of workflows with everything in a worker: the same API with promises.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test, { after } from "node:test";
import * as byname from "byname";
import { openWorker } from "byname/worker";
import { runFlowCase } from "../run-flow-case.mjs";
import { runGaslCase } from "../run-gasl-case.mjs";

await byname.init();
const remote = await openWorker();
after(() => remote.close());

const { Graph, GaslSession, ask, compileFlow } = remote;
const api = { ...byname, Graph, GaslSession, ask, compileFlow };

for (const [kind, run] of [
  ["gasl", runGaslCase],
  ["flow", runFlowCase],
]) {
  const folder = new URL(`../cases/${kind}/`, import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
    test(`${kind}/${file} in a worker`, async () => {
      const failures = [];
      for (const each of JSON.parse(readFileSync(new URL(file, folder), "utf8"))) {
        if (each.pending) continue;
        await run(each, api).catch((error) => failures.push(`${each.name}: ${error.message}`));
      }
      assert.deepEqual(failures, []);
    });
  }
}
