// Commands over ArcadeDB, each with a hand-written statement for the same result.

import { GaslSession, Graph } from "byname";
import { boltGraph, loadGraph } from "byname/databases";

export const NODES = 100_000;
export const EDGES = 500_000;

const KINDS = [
  "person",
  "paper",
  "machine",
  "place",
  "idea",
  "event",
  "book",
  "law",
  "tool",
  "work",
];

/** Deterministic numbers (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a graph of random relations. */
export function randomGraph() {
  const random = randomNumbers(7);
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    kind: KINDS[Math.floor(random() * KINDS.length)],
    size: Math.floor(random() * 1_000_000),
  }));
  const links = Array.from({ length: EDGES }, () => ({
    source: `n${Math.floor(random() * NODES)}`,
    target: `n${Math.floor(random() * NODES)}`,
    type: random() < 0.5 ? "KNOWS" : "CITES",
  }));
  return Graph.fromNodeLink({ directed: true, nodes, links });
}

const ids = Array.from({ length: 1_000 }, (_, index) => `n${index * 7}`);

/** Each workload has commands before the measured one, and a statement by hand with its parameters. */
export const workloads = [
  {
    name: "point lookup",
    command: "FIND nodes WHERE id = n4242 AS x",
    text: "MATCH (n:Entity {id: $id}) RETURN n {.*} AS row",
    params: { id: "n4242" },
  },
  {
    name: "WALK from 1,000 nodes",
    before: [`FIND nodes WHERE id IN [${ids.join(", ")}] AS s`],
    command: "WALK FROM s FOLLOW KNOWS AS x",
    text: "UNWIND $ids AS id MATCH (:Entity {id: id})-[:KNOWS]->(b) WITH DISTINCT b RETURN b {.*} AS row",
    params: { ids },
  },
  {
    name: "paths of at most 3 edges between two nodes",
    command: "FIND paths WHERE start.id = n1 AND end.id = n2535 AND length <= 3 AS x",
    text: "MATCH (a:Entity {id: $a}) MATCH p = (a)-[*1..3]->(b:Entity {id: $b}) RETURN [n IN nodes(p) | n.id] AS row",
    params: { a: "n1", b: "n2535" },
  },
  {
    name: "COUNT BY kind",
    before: ["FIND nodes AS n"],
    command: "COUNT n BY kind AS x",
    text: "MATCH (n:Entity) RETURN n.kind AS row, count(*) AS count",
    params: {},
  },
  {
    name: "AGGREGATE BY kind WITH avg OF size",
    before: ["FIND nodes AS n"],
    command: "AGGREGATE n BY kind WITH avg OF size AS x",
    text: "MATCH (n:Entity) RETURN n.kind AS row, avg(n.size) AS avg",
    params: {},
  },
  {
    name: "RANK BY size LIMIT 10",
    before: ["FIND nodes AS n"],
    command: "RANK n BY size LIMIT 10 AS x",
    text: "MATCH (n:Entity) RETURN n {.*} AS row ORDER BY n.size DESC LIMIT 10",
    params: {},
  },
  {
    name: "JOIN of 1,000 relations with their targets",
    before: [
      `FIND edges WHERE source IN [${ids.slice(0, 200).join(", ")}] AS e`,
      "FIND nodes AS n",
    ],
    command: "JOIN e WITH n ON target=id AS x",
    text: "UNWIND $ids AS id MATCH (a:Entity {id: id})-[r]->(b:Entity) RETURN {left: r {.*, source: a.id}, right: b {.*}} AS row",
    params: { ids: ids.slice(0, 200) },
  },
];

/** Loads the graph into an empty database. Returns its connection and the seconds of loading. */
export async function loadInto(driver, database) {
  const graph = boltGraph(driver, { database, nodeLabel: "Entity", dialect: "arcadedb" });
  const start = performance.now();
  await loadGraph(graph, randomGraph(), { batch: 5_000 });
  return (performance.now() - start) / 1_000;
}

/** Returns the median milliseconds of both sides, and the rows that each transfers. */
export async function measure(driver, database, workload, rounds) {
  const counted = countRows(driver);
  const options = { database, nodeLabel: "Entity", dialect: "arcadedb" };
  const session = new GaslSession({ graph: boltGraph(counted, options) });
  for (const command of workload.before ?? []) await mustSucceed(session, command);
  const adapter = await median(rounds, async () => {
    counted.rows = 0;
    await mustSucceed(session, workload.command);
  });
  const rows = counted.rows;
  let handRows = 0;
  const hand = await median(rounds, async () => {
    const own = driver.session({ database });
    handRows = (await own.run(workload.text, workload.params)).records.length;
    await own.close();
  });
  return { name: workload.name, adapter, hand, rows, handRows };
}

async function mustSucceed(session, command) {
  const { status, errors } = await session.execute(command);
  if (!["success", "empty"].includes(status))
    throw new Error(`${command}: ${JSON.stringify(errors)}`);
}

async function median(rounds, act) {
  const times = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  return times.slice(2).sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

/** Returns a driver that counts the rows of its sessions. */
function countRows(driver) {
  const counted = {
    rows: 0,
    session(config) {
      const session = driver.session(config);
      return {
        close: () => session.close(),
        async *run(...statement) {
          for await (const record of session.run(...statement)) {
            counted.rows += 1;
            yield record;
          }
        },
      };
    },
  };
  return counted;
}
