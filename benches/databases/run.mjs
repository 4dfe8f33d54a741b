// Measures commands over ArcadeDB beside hand-written statements.

import { createRequire } from "node:module";
import { cpus } from "node:os";
import { init } from "byname";
import { PASSWORD, skipArcade, startArcade } from "../../tests/databases/servers.mjs";
import { EDGES, loadInto, measure, NODES, workloads } from "./workloads.mjs";

// The driver is installed with the tests of databases.
const require = createRequire(new URL("../../tests/databases/package.json", import.meta.url));
const neo4j = require("neo4j-driver");

/** Returns the results, or undefined if ArcadeDB is not installed. */
export async function runDatabases(rounds) {
  if (skipArcade) return undefined;
  await init();
  const arcade = await startArcade("bench");
  const auth = neo4j.auth.basic("root", PASSWORD);
  const driver = neo4j.driver(`bolt://127.0.0.1:${arcade.bolt}`, auth);
  try {
    const seconds = await loadInto(driver, arcade.database);
    const results = [];
    for (const workload of workloads) {
      const result = await measure(driver, arcade.database, workload, rounds);
      results.push(result);
      const [adapter, hand] = [result.adapter, result.hand].map((time) => time.toFixed(1));
      console.log(`${result.name}: ${adapter} ms, by hand ${hand} ms, ${result.rows} rows`);
    }
    const date = new Date().toISOString().slice(0, 10);
    return { date, cpu: cpus()[0].model.trim(), nodes: NODES, edges: EDGES, seconds, results };
  } finally {
    await driver.close();
    await arcade.stop();
  }
}
