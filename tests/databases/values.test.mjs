// Booleans, texts that look like numbers, and dates have the results of a graph in memory, also if
// the database computes them.

import test from "node:test";
import grafeo from "@grafeo-db/js";
import { Graph, init } from "byname";
import { boltGraph, falkorGraph, grafeoGraph, loadGraph } from "byname/databases";
import { FalkorDB } from "falkordb";
import neo4j from "neo4j-driver";
import { compareAll } from "./conformance.mjs";
import { PASSWORD, skipArcade, skipFalkor, startArcade, startFalkor, waitFor } from "./servers.mjs";

await init();

const codes = ["007", "+5", " 5 ", ".5", "5.", "1e2", "5", "-01", "0x10", "3d", "NaN", 0.125, 2, 3];
const values = Graph.fromNodeLink({
  directed: true,
  nodes: codes.map((code, index) => ({
    id: `n${index}`,
    type: "T",
    code,
    isOpen: index % 2 === 0,
    isNew: index % 3 === 0,
    mixed: [true, "true", 1, ["a"]][index % 4],
  })),
  links: codes.map((_, index) => ({
    source: `n${index}`,
    target: `n${(index * 5 + 1) % codes.length}`,
    type: "TO",
  })),
});

const VALUES = {
  ...Object.fromEntries(
    [">", ">=", "<", "<="].flatMap((op) => [
      [`boolean ${op}`, [`FIND nodes WHERE isOpen ${op} false AS x`]],
      [`not boolean ${op}`, [`FIND nodes WHERE NOT isOpen ${op} true AS x`]],
      [`boolean field ${op}`, [`FIND edges WHERE source.isOpen ${op} target.isNew AS x`]],
      [`mixed field ${op}`, [`FIND edges WHERE NOT source.mixed ${op} target.mixed AS x`]],
    ]),
  ),
  "select by a boolean": ["FIND nodes AS n", "SELECT n FIELDS id WHERE isOpen > false AS x"],
  aggregate: ["FIND nodes AS n", "AGGREGATE n WITH sum OF code, avg OF code AS x"],
  "aggregate by": ["FIND nodes AS n", "AGGREGATE n BY isOpen WITH sum OF code AS x"],
  ...Object.fromEntries(
    ["ASC LIMIT 3", "ASC LIMIT 7", "ASC LIMIT 10", "LIMIT 1", "LIMIT 4", "LIMIT 9"].map((end) => [
      `rank ${end}`,
      ["FIND nodes WHERE id != n2 AS n", `RANK n BY code ${end} AS x`],
    ]),
  ),
  "rank mixed": ["FIND nodes AS n", "RANK n BY mixed LIMIT 7 AS x"],
};

/** Programs whose results depend on `coerce`. Grafeo compares `007` with a number itself. */
const COERCED = {
  "> number": ["FIND nodes WHERE code > 2 AS x"],
  "= number": ["FIND nodes WHERE code = 7 OR code = 100 AS x"],
  "field >": ["FIND edges WHERE source.code > target.code AS x"],
  "field =": ["FIND nodes WHERE code = `code` AS x"],
};

/** Compares both layouts; `open` returns a connection with a layout. */
async function compareValues(open, coerced = {}) {
  await loadGraph(open({}), values);
  for (const firstRows of [1, 100]) {
    await compareAll(values, open({ firstRows }), VALUES);
    await compareAll(values, open({ firstRows, coerce: true }), { ...VALUES, ...coerced });
  }
}

const dates = ["2021-05-06", "2021-05-07", "2022-01-01", "2021-05-06"];
const times = ["2021-05-06T10:11:12", "2021-05-06T10:11:13", "2022-01-01T00:00:00", "x"];
const temporal = Graph.fromNodeLink({
  nodes: dates.map((day, index) => ({ id: `d${index}`, day, time: times[index], order: index })),
  links: [{ id: "e0", source: "d0", target: "d1", type: "TO" }],
});

/** Writes the graph of dates, with values of the database. */
async function writeDates(target) {
  const typed = dates.map((day, index) => {
    const time = times[index] === "x" ? "'x'" : `localdatetime('${times[index]}')`;
    // One date is a text.
    const value = index === 3 ? `'${day}'` : `date('${day}')`;
    return `(n${index}:T {id: 'd${index}', day: ${value}, time: ${time}, order: ${index}})`;
  });
  await target.write({
    text: `CREATE ${typed.join(", ")}, (n0)-[:TO {id: 'e0'}]->(n1)`,
    params: {},
  });
}

const DATES = {
  ...Object.fromEntries(
    ["=", "!=", ">", ">=", "<", "<=", "STARTS_WITH"].flatMap((op) =>
      ['"2021-05-06"', '"2021"', '"2021-05-06T10:11:12"', "2021"].flatMap((value) => [
        [`day ${op} ${value}`, [`FIND nodes WHERE day ${op} ${value} AS x`]],
        [`time ${op} ${value}`, [`FIND nodes WHERE NOT time ${op} ${value} AS x`]],
      ]),
    ),
  ),
  "in days": ['FIND nodes WHERE day IN ["2021-05-06", "2022-01-01"] AS x'],
  "ends by day": ["FIND edges WHERE source.day < target.day AS x"],
  "field and text": ["FIND nodes WHERE day < `time` AS x"],
  "count by day": ["FIND nodes AS n", "COUNT n BY day AS x"],
  "distinct days": ["FIND nodes AS n", "SELECT DISTINCT n FIELDS day AS x"],
  "rank by day": ["FIND nodes AS n", "RANK n BY time LIMIT 2 AS x"],
  "first day": [
    "FIND nodes AS n",
    "AGGREGATE n WITH min OF day, max OF time, distinct OF day AS x",
  ],
};

/** Reasons of differences, by the name of the program. */
const DATE_DIFFERENCES = Object.fromEntries(
  Object.keys(DATES)
    .filter((name) => / 2021$/.test(name) && !name.includes("STARTS_WITH"))
    .map((name) => [name, "a number against texts is reported in memory only"]),
);

async function compareDates(open) {
  await writeDates(open({}));
  for (const firstRows of [1, 100])
    await compareAll(temporal, open({ firstRows }), DATES, DATE_DIFFERENCES);
}

test("ArcadeDB", { skip: skipArcade }, async () => {
  const arcade = await startArcade("values");
  const auth = neo4j.auth.basic("root", PASSWORD);
  const driver = neo4j.driver(`bolt://127.0.0.1:${arcade.bolt}`, auth);
  try {
    const open = (options) => boltGraph(driver, { database: arcade.database, ...options });
    await compareDates(open);
    await open({}).write({ text: "MATCH (n) DETACH DELETE n", params: {} });
    const labelled = (options) => open({ labelField: "type", ...options });
    await compareValues(labelled, COERCED);
  } finally {
    await driver.close();
    await arcade.stop();
  }
});

test("FalkorDB", { skip: skipFalkor }, async () => {
  const falkor = await startFalkor();
  const socket = { host: "127.0.0.1", port: falkor.port };
  const client = await waitFor("FalkorDB", () => FalkorDB.connect({ socket }));
  client.on("error", () => {});
  try {
    const open = (name) => (options) => falkorGraph(client.selectGraph(name), options);
    await compareDates(open("dates"));
    const labelled = (options) => open("values")({ labelField: "type", ...options });
    await compareValues(labelled, COERCED);
  } finally {
    await client.close();
    await falkor.stop();
  }
});

test("Grafeo", async () => {
  const db = grafeo.GrafeoDB.create();
  await compareValues((options) => grafeoGraph(db, { labelField: "type", ...options }));
});
