// Programs over a second graph, whose names and ids are unusual, have the results of a graph in memory.

import assert from "node:assert/strict";
import test from "node:test";
import grafeo from "@grafeo-db/js";
import { Graph, init } from "byname";
import { boltGraph, falkorGraph, grafeoGraph, loadGraph } from "byname/databases";
import { FalkorDB } from "falkordb";
import neo4j from "neo4j-driver";
import { HARD, HARD_ARCADE, HARD_FALKOR, HARD_REMOTE } from "./allowed.mjs";
import { compareAll } from "./conformance.mjs";
import { hardPrograms, hardTraps, withoutTicks } from "./hard-traps.mjs";
import {
  createDatabase,
  PASSWORD,
  skipArcade,
  skipFalkor,
  startArcade,
  startFalkor,
  waitFor,
} from "./servers.mjs";

await init();

/** Layouts of one graph, by the name of the database that contains it. */
const layouts = {
  labels: [{ labelField: "kind" }, { labelField: "kind", firstRows: 1 }],
  common: [{ nodeLabel: "Entity" }, { nodeLabel: "Entity", stable: true, firstRows: 1 }],
  both: [{ nodeLabel: "Entity", labelField: "kind", firstRows: 1 }],
};

/** Model that repeats the ids of a prompt. */
function llm({ prompt }) {
  if (prompt.includes("rationale")) return { json: { rationale: "because" } };
  const texts = [...prompt.matchAll(/"id":\s*("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text);
  const ids = texts.map((text) => JSON.parse(text));
  if (!prompt.includes("input_id")) return { json: ids.map((id) => ({ id })) };
  const provenance = ids.map((id, item) => ({ item, input_id: id }));
  return { json: { items: ids.map((id) => ({ who: id })), provenance } };
}

/** Compares all layouts; `open` returns the connection to a database by its name. */
async function compareLayouts(open, traps, programs, allowed) {
  const memory = Graph.fromNodeLink(traps);
  for (const [name, options] of Object.entries(layouts)) {
    const target = await open(name, options[0]);
    assert.deepEqual(await loadGraph(target, memory, { batch: 5 }), { nodes: 20, edges: 25 });
    for (const layout of options) {
      const graph = await open(name, { ...layout, coerce: true });
      const further = layout.firstRows === 1 ? HARD_REMOTE : {};
      await compareAll(memory, graph, programs, { ...HARD, ...further, ...allowed }, { llm });
    }
  }
}

test("Grafeo", async () => {
  const databases = {};
  const open = (name, options) => {
    databases[name] ??= grafeo.GrafeoDB.create();
    return grafeoGraph(databases[name], options);
  };
  await compareLayouts(open, withoutTicks(hardTraps), withoutTicks(hardPrograms), {});
});

test("Grafeo, undirected", async () => {
  const databases = {};
  const open = (name, options) => {
    databases[name] ??= grafeo.GrafeoDB.create();
    return grafeoGraph(databases[name], { ...options, directed: false });
  };
  const traps = { ...withoutTicks(hardTraps), directed: false };
  await compareLayouts(open, traps, withoutTicks(hardPrograms), {});
});

test("FalkorDB", { skip: skipFalkor }, async () => {
  const falkor = await startFalkor();
  const socket = { host: "127.0.0.1", port: falkor.port };
  const client = await waitFor("FalkorDB", () => FalkorDB.connect({ socket }));
  client.on("error", () => {});
  try {
    const open = (name, options) => falkorGraph(client.selectGraph(name), options);
    const [traps, programs] = [withoutTicks(hardTraps), withoutTicks(hardPrograms)];
    await compareLayouts(open, traps, programs, HARD_FALKOR);
  } finally {
    await client.close();
    await falkor.stop();
  }
});

test("ArcadeDB", { skip: skipArcade }, async () => {
  const arcade = await startArcade("hard");
  const auth = neo4j.auth.basic("root", PASSWORD);
  const driver = neo4j.driver(`bolt://127.0.0.1:${arcade.bolt}`, auth);
  try {
    for (const name of Object.keys(layouts)) await createDatabase(arcade.server.ports.http, name);
    const open = (database, options) => boltGraph(driver, { database, ...options });
    await compareLayouts(open, hardTraps, hardPrograms, HARD_ARCADE);
  } finally {
    await driver.close();
    await arcade.stop();
  }
});

test("a name with a backtick is an error where the database cannot read it", async () => {
  const graph = grafeoGraph(grafeo.GrafeoDB.create());
  await assert.rejects(loadGraph(graph, Graph.fromNodeLink(hardTraps)), /names with a backtick/);
});
