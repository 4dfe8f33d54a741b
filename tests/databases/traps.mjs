// A graph and programs whose results databases and a graph in memory may see differently.

import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../shared/cases/scale/", import.meta.url);

/** Reason to skip the tests that need the cases beside the repository, or false. */
export const skip = existsSync(folder) ? false : "no cases beside the repository";

/** Node-link JSON of the graph, or undefined. */
export const traps = skip ? undefined : (await import(new URL("data.mjs", folder))).traps;

/** Programs by name, each a list of commands whose result is in `x`. */
export const programs = skip
  ? {}
  : JSON.parse(readFileSync(new URL("programs.json", folder), "utf8"));

const graphs = new URL("../../../shared/data/graphs/", import.meta.url);

/** Returns JSON of the undirected graph of a novella, without the texts of its sources. */
export function readDulce(Graph) {
  const { sources, ...json } = Graph.from(readFileSync(new URL("dulce.json", graphs))).toJSON();
  // A relation of a database has a type.
  const edges = json.edges.map((edge) => ({ ...edge, type: "RELATED" }));
  return { ...json, edges };
}

/** Programs over the undirected graph. */
export const UNDIRECTED = {
  nodes: ["FIND nodes WHERE entity_type = PERSON AS x"],
  "edges of one end": ['FIND edges WHERE source = "ALEX MERCER" AS x'],
  "edges of the other end": ['FIND edges WHERE target = "ALEX MERCER" AS x'],
  "edges between two ends": [
    'FIND edges WHERE source = "TAYLOR CRUZ" AND target = "ALEX MERCER" AS x',
  ],
  "ends by a field": ["FIND edges WHERE source.entity_type = EVENT AND weight > 5 AS x"],
  "excluded end": ['FIND edges WHERE source != "ALEX MERCER" AND weight > 20 AS x'],
  walk: ['FIND nodes WHERE id = "DULCE BASE" AS s', "WALK FROM s DEPTH 2 AS x"],
  "walk out": ['FIND nodes WHERE id = "DULCE BASE" AS s', "WALK FROM s DIRECTION out AS x"],
  paths: [
    'FIND paths WHERE start.id = "ALEX MERCER" AND end.id = "DULCE BASE" AND length <= 2 AS x',
  ],
  "count by an end": ["FIND edges AS e", "COUNT e BY source AS c", "COUNT c AS x"],
  degree: ["MEASURE degree AS x"],
  "near miss": ["FIND nodes WHERE entity_type = PERSONS AS x"],
};

/** Programs that a database computes if the rows of their input stay there. */
export const DERIVED = {
  "count of a condition": ["FIND nodes WHERE born > 1800 AS n", "COUNT n AS x"],
  "count by two fields": ["FIND nodes AS n", "COUNT n BY type, active AS x"],
  "aggregate of everything": [
    "FIND nodes WHERE type = PERSON AS n",
    "AGGREGATE n WITH count OF born, sum OF score, avg OF score, max OF score, distinct OF code AS x",
  ],
  "count edges": ["FIND edges AS e", "AGGREGATE e WITH count AS x"],
  "aggregate edges": ["FIND edges AS e", "AGGREGATE e BY type WITH count, sum OF weight AS x"],
  "aggregate texts": ["FIND nodes AS n", "AGGREGATE n BY type WITH min OF name, max OF name AS x"],
  "left out values": ["FIND nodes AS n", "AGGREGATE n BY type WITH sum OF name AS x"],
  "rank numbers": ["FIND nodes AS n", "RANK n BY born LIMIT 3 AS x"],
  "rank ascending": ["FIND nodes AS n", "RANK n BY name ASC LIMIT 4 AS x"],
  "rank with missing values": ["FIND nodes AS n", "RANK n BY pop LIMIT 3 AS x"],
  "select where": ["FIND nodes AS n", "SELECT n WHERE born > 1800 AS x"],
  "select fields": ["FIND nodes AS n", "SELECT n FIELDS id, born:year WHERE type = PERSON AS x"],
  "select distinct": ["FIND nodes AS n", "SELECT DISTINCT n FIELDS type AS x"],
  "select of select": [
    "FIND nodes AS n",
    "SELECT n WHERE born > 1800 AS m",
    "SELECT m WHERE score > 7 AS x",
  ],
  join: ["FIND edges AS e", "FIND nodes AS n", "JOIN e WITH n ON target=id AS x"],
  "join of two conditions": [
    "FIND edges WHERE type = LIVED AS e",
    "FIND nodes WHERE pop > 1 AS n",
    "JOIN e WITH n ON target=id AS x",
  ],
  "left join": ["FIND nodes AS n", "FIND edges AS e", "LEFT JOIN n WITH e ON id=source AS x"],
  union: ["FIND nodes WHERE born > 1800 AS n", "FIND edges AS e", "UNION n WITH e AS x"],
  "length of rows": ["FIND nodes AS n", "ASSERT LEN ${n} = 16", "COUNT n AS x"],
  "branch on rows": [
    "FIND nodes AS n",
    "BRANCH IF ${n.born} = 1 THEN COUNT n AS x ELSE COUNT n BY type AS x",
  ],
  "ids of rows": ["FIND nodes WHERE type = PERSON AS n", "FIND edges WHERE source IN ${n} AS x"],
  "column of rows": [
    "FIND edges WHERE type = LIVED AS e",
    "FIND nodes WHERE id IN ${e.target} AS x",
  ],
  "walk from rows": ["FIND nodes WHERE type = PERSON AS n", "WALK FROM n DEPTH 2 AS x"],
  "degree of rows": ["FIND nodes WHERE type = PERSON AS n", "MEASURE degree OF n AS x"],
  "unknown field of rows": ["FIND nodes AS n", "COUNT n BY colour AS x"],
};

/** Searches for shortest paths that a database does not run, so that its nodes and edges are fetched. */
export const SHORTEST = {
  "least weight": ["FIND shortest paths WHERE start.id = ada AND end.id = loom WEIGHT year AS x"],
  "least weight to a kind": [
    "FIND shortest paths WHERE start.id = charles AND end.type = MACHINE WEIGHT year AS x",
  ],
  "weights of other values": [
    "FIND shortest paths WHERE start.id = ada AND end.id = loom WEIGHT done AS x",
  ],
  "condition on edges": [
    "FIND shortest paths WHERE start.id = ada AND end.id = engine AND edge.year > 0 AS x",
  ],
  "condition on inner nodes": [
    "FIND shortest paths WHERE start.id = ada AND end.id = loom AND node.type = MACHINE AS x",
  ],
  "no such path": [
    "FIND shortest paths WHERE start.id = loom AND end.id = ada AND edge.weight > 0 AS x",
  ],
};
