// Programs over Apache AGE, in PGlite in this process, have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import { Graph, init } from "byname";
import { loadGraph } from "byname/databases";
import { ageGraph, openAge, runCypher } from "./age.mjs";
import { AGE } from "./allowed.mjs";
import { compareAll } from "./conformance.mjs";
import { DERIVED, programs, SHORTEST, skip, traps } from "./traps.mjs";

await init();

const db = skip ? undefined : await openAge();
const skipped = skip || (db === undefined && "PGlite with AGE is not installed");
test.after(() => db?.close());

/** Renames relation types, because those of AGE are letters, digits and `_`. */
const renamed = (value) =>
  JSON.parse(JSON.stringify(value).replaceAll("IS-A", "IS_A").replaceAll("SAY'S", "SAYS"));

test("has the results of a graph in memory", { skip: skipped }, async () => {
  const memory = Graph.fromNodeLink(renamed(traps));
  const layout = { nodeLabel: "Entity", coerce: true };
  const target = {
    ...ageGraph(db, layout),
    write: (statement) => runCypher(db, statement),
    createIndex: async () => {},
  };
  assert.deepEqual(await loadGraph(target, memory, { batch: 5 }), { nodes: 16, edges: 18 });
  const all = { ...programs, ...SHORTEST };
  await compareAll(memory, ageGraph(db, layout), renamed(all), AGE);
  const remote = ageGraph(db, { ...layout, firstRows: 1 });
  await compareAll(memory, remote, renamed({ ...all, ...DERIVED }), AGE);
});
